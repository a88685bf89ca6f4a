// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion

extension HeardReport {
    /// Takes what a radio reports.
    package init(_ report: Advertisement) {
        self.init(
            peer: report.peer, octets: report.data.octets, isScanResponse: report.isScanResponse,
            isConnectable: report.isConnectable, rssi: report.rssi, txPower: report.txPower)
    }
}
