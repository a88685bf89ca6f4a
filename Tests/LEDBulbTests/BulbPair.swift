// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import LEDBulb
import SessionTesting

/// Octets written as hex, blanks ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = Array(text.filter { !$0.isWhitespace })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
}

typealias BulbPair = SessionPair<LEDBulbClient, LEDBulbDevice>

let deviceName = BluetoothUUID(0x2A00)

extension SessionPair where Client == LEDBulbClient, Device == LEDBulbDevice {
    convenience init(
        _ dialect: BulbDialect, state: BulbState = BulbState(), given: BulbDialect? = nil,
        reconnects: Bool = false, asksName: Bool = true
    ) {
        let client = LEDBulbClient(
            options: .init(
                target: .address(0xC0FF_EE00_0001), dialect: given ?? (dialect.isFoundOut ? nil : dialect),
                reconnects: reconnects, asksName: asksName))
        self.init(client, LEDBulbDevice(dialect, state: state))
    }

    func perform(_ command: BulbCommand) { update { client, now in client.perform(command, at: now) } }

    /// What was written, with the moment and whether an answer was wanted.
    var writes: [(at: HostInstant, octets: [UInt8], isAnswered: Bool)] {
        requests.compactMap { at, request in
            switch request {
            case .write(_, let octets): (at, octets, true)
            case .writeWithoutResponse(_, let octets): (at, octets, false)
            case .read, .subscribe: nil
            }
        }
    }
    var octets: [[UInt8]] { writes.map(\.octets) }
    var nameReads: Int { requests.count { $0.request == .read(handle(of: deviceName) ?? 0) } }
    var shown: [RGBColor] { events.compactMap { if case .shown(let color) = $0 { color } else { nil } } }
    var states: [BulbState] {
        events.compactMap { if case .stateReported(let state) = $0 { state } else { nil } }
    }

    /// What becomes of writes from now on.
    func decideWrites(_ fate: Fate) {
        self.fate = { request in
            switch request {
            case .write, .writeWithoutResponse: fate
            case .read, .subscribe: .carriedOut()
            }
        }
    }

    /// The bulb notifies something by itself.
    func notify(_ octets: [UInt8]) {
        if let reports = device.dialect.reports { send(octets, from: reports.characteristic) }
    }
}

/// What a client finds at a bulb of a dialect.
func services(of dialect: BulbDialect) -> [GATT.Service] {
    let name = GATT.ServiceDefinition(
        BluetoothUUID(0x1800), characteristics: [.init(deviceName, .read, value: .stored([]))])
    return GATT.Database([name] + LEDBulbDevice(dialect).services).discovered()
}
