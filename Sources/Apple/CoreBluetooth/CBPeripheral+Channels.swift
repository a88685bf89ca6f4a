// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import VirtualPhone

// Channels to the device.
extension CBPeripheral {
    /// Opens a channel for streams of octets.
    ///
    /// - Parameter PSM: The number under which the device lets it be opened.
    public func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
        ask { session throws(BluetoothError) in
            try await session.connection.openChannel(psm: PSM, .forStreams)
        } then: { peripheral, result in
            guard let radio = peripheral.manager?.app?.phone.radio else { return }
            let channel = (try? result.get()).map { CBL2CAPChannel($0, peripheral, radio) }
            peripheral.delegate?.peripheral(peripheral, didOpen: channel, error: result.error)
        }
    }
}
