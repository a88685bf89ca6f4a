// SPDX-License-Identifier: Apache-2.0

package import BLEWire

extension BluetoothUUID {
    /// As pages write it: assigned numbers in capitals, as "FFD9", any other in the form of its description.
    package var pageText: String { short == nil ? description : description.uppercased() }
}
