// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SessionTesting
import WiFiSet
import WiFiSetSimulated

typealias Pair = SessionPair<WiFiSetClient, WiFiSetDevice<SimulatedWiFiStation>>

extension SessionPair where Client == WiFiSetClient, Device == WiFiSetDevice<SimulatedWiFiStation> {
    convenience init(
        _ networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood, mtu: Int = 247,
        reconnects: Bool = false
    ) {
        self.init(station: SimulatedWiFiStation(networks), mtu: mtu, reconnects: reconnects)
    }

    convenience init(station: consuming SimulatedWiFiStation, mtu: Int = 247, reconnects: Bool = false) {
        self.init(
            WiFiSetClient(options: .init(reconnects: reconnects)), WiFiSetDevice(station: station), mtu: mtu)
        start()
    }

    func provision(_ ssid: WireText, _ password: StaticString) throws {
        let password = WireText(stringLiteral: password).octets
        let credentials = try WiFiCredentials(ssid: ssid, password: password)
        update { client, now in client.provision(credentials, at: now) }
    }

    /// Writes octets to the device as a client of another make might.
    func write(_ octets: [UInt8]) {
        guard let handle = handle(of: WiFiSetUUID.credentialWrite) else { return }
        updateDevice { device, now in _ = device.answerWrite(of: octets, to: handle, on: link, at: now) }
    }

    /// What the client has written.
    var written: [[UInt8]] {
        requests.compactMap { _, request in
            switch request {
            case .write(_, let octets), .writeWithoutResponse(_, let octets): octets
            case .read, .subscribe: nil
            }
        }
    }

    var storedSSID: WireText? { device.storedSSID }

    var status: WiFiStatus { device.status }

    var outcomes: [WiFiOutcome] {
        events.compactMap { if case .provisioned(let outcome) = $0 { outcome } else { nil } }
    }

    var states: [WiFiState] {
        events.compactMap { if case .status(let status) = $0 { status.state } else { nil } }
    }
}
