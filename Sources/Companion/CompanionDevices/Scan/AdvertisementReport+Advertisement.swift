// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import BluetoothLE
public import Companion

extension AdvertisementReport {
    /// Makes a report of a radio's advertisement.
    public init(_ report: Advertisement) {
        self.init(
            peer: report.peer, octets: report.data.octets, isScanResponse: report.isScanResponse,
            isConnectable: report.isConnectable, rssi: report.rssi, txPower: report.txPower)
    }
}
