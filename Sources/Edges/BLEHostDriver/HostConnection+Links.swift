// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import BluetoothLE

extension HostConnection {
    var parameters: ConnectionParameters? { get async { await radio.parameters(of: link) } }

    func rssi() async throws(BluetoothError) -> Int8 {
        guard case .rssi(let rssi?) = try await radio.perform(.readRSSI, on: link) else {
            throw .unsupported("the radio cannot tell the strength")
        }
        return rssi
    }

    func phy() async throws(BluetoothError) -> LinkPHY {
        guard case .phy(let tx, let rx) = try await radio.perform(.readPHY, on: link) else {
            throw .request(.badResponse)
        }
        return LinkPHY(tx: PHY(tx), rx: PHY(rx))
    }

    func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY {
        let procedure = LinkProcedure.setPHY(tx: HCI.PHYs(tx), rx: HCI.PHYs(rx), coding: .none)
        guard case .phy(let tx, let rx) = try await radio.perform(procedure, on: link) else {
            throw .request(.badResponse)
        }
        return LinkPHY(tx: PHY(tx), rx: PHY(rx))
    }

    func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters {
        try await radio.updateParameters(range, on: link)
    }

    func peerVersion() async throws(BluetoothError) -> PeerVersion {
        guard
            case .remoteVersion(let version, let company, let subversion) = try await radio.perform(
                .readRemoteVersion, on: link)
        else { throw .request(.badResponse) }
        return PeerVersion(version: version, company: company, subversion: subversion)
    }
}
