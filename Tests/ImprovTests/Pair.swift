// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Improv
import ImprovSimulated
import SessionTesting
import WiFiSetSimulated

typealias Pair = SessionPair<ImprovClient, ImprovDevice<SimulatedImprovStation>>

extension SessionPair where Client == ImprovClient, Device == ImprovDevice<SimulatedImprovStation> {
    convenience init(
        _ networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood, mtu: Int = 247,
        needsAuthorization: Bool = false, reconnects: Bool = false, isStarted: Bool = true
    ) {
        self.init(
            ImprovClient(options: .init(reconnects: reconnects)),
            ImprovDevice(
                station: SimulatedImprovStation(SimulatedWiFiStation(networks)), info: SimulatedImprov.info,
                needsAuthorization: needsAuthorization), mtu: mtu)
        if isStarted { start() }
    }

    func provision(_ ssid: WireText, _ password: StaticString) throws {
        let settings = try ImprovSettings(ssid: ssid, password: WireText(stringLiteral: password).octets)
        update { client, now in client.provision(settings, at: now) }
    }

    /// Writes octets to the device as a client of another make might.
    func write(_ octets: [UInt8]) {
        guard let handle = handle(of: ImprovUUID.command) else { return }
        updateDevice { device, now in _ = device.answerWrite(of: octets, to: handle, on: link, at: now) }
    }

    func read(_ uuid: BluetoothUUID) -> [UInt8]? {
        guard let handle = handle(of: uuid) else { return nil }
        return try? device.answerRead(of: handle, on: link, at: now).get()
    }

    var written: [[UInt8]] {
        requests.compactMap { _, request in
            switch request {
            case .write(_, let octets), .writeWithoutResponse(_, let octets): octets
            case .read, .subscribe: nil
            }
        }
    }

    var outcomes: [ImprovOutcome] {
        events.compactMap { if case .provisioned(let outcome) = $0 { outcome } else { nil } }
    }

    var networks: [[ImprovNetwork]] {
        events.compactMap { if case .networks(let networks) = $0 { networks } else { nil } }
    }

    var faults: [ImprovPacketError] {
        events.compactMap { if case .fault(let error) = $0 { error } else { nil } }
    }

    var failures: [ImprovError] {
        events.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }
}
