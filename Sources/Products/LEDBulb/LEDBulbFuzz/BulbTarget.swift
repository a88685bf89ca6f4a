// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Fuzzing
import LEDBulb
import ProductRegistry

extension LEDBulbProduct: FuzzedProduct {
    var fuzzTarget: FuzzTarget { FuzzTarget("bulb", fuzzBulb) }
}

/// The first octet chooses a dialect; the rest is what clients write to a bulb, and what the bulb answers.
private func fuzzBulb(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    let dialect = BulbDialect.all[Int(script.byte()) % BulbDialect.all.count]
    var run = try BulbFuzzCase(dialect, trace)
    while !script.isAtEnd { try run.step(&script) }
}

private struct BulbFuzzCase: ~Copyable {
    private let dialect: BulbDialect
    private let trace: FuzzTrace
    private var device: LEDBulbDevice
    private var client: LEDBulbClient
    private let control: AttributeHandle
    private let services: [GATT.Service]
    private var now = HostInstant.zero
    private let link = LinkID(rawValue: 1)
    private let peer = Peer(BluetoothAddress(1, kind: .random))
    private var requests: [UInt32] = []
    private var written = 0

    init(_ dialect: BulbDialect, _ trace: FuzzTrace) throws(Broken) {
        self.trace = trace
        self.dialect = dialect
        // One that cannot be told by its characteristics has to be said.
        client = LEDBulbClient(options: .init(dialect: dialect.isFoundOut ? nil : dialect, reconnects: true))
        device = LEDBulbDevice(dialect)
        let definitions = device.services
        let database = GATT.Database(definitions)
        guard let control = database.valueHandle(of: dialect.control.characteristic) else {
            throw Broken(promise: "a bulb has its characteristic")
        }
        self.control = control
        device.start(handles: database.valueHandles, at: .zero)
        services = definitions.map { service in
            GATT.Service(
                uuid: service.uuid, handle: .first, endHandle: .last,
                characteristics: service.characteristics.compactMap { characteristic in
                    guard let handle = database.valueHandle(of: characteristic.uuid) else { return nil }
                    return GATT.Characteristic(
                        uuid: characteristic.uuid, handle: handle, valueHandle: handle, endHandle: handle,
                        properties: characteristic.properties)
                })
        }
        client.receive(.radio(.ready), at: .zero)
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        switch choice & 15 {
        case 0...3: try write(script.counted())
        case 4: client.receive(.value(control, script.counted(), .notify), at: now)
        case 5:
            for service in services {
                for characteristic in service.characteristics where characteristic.valueHandle != control {
                    client.receive(.value(characteristic.valueHandle, script.counted(), .notify), at: now)
                }
            }
        case 6: client.perform(command(&script), at: now)
        case 7:
            client.startCycle(turnMilliseconds: UInt64(script.word()), turns: UInt32(choice >> 4), at: now)
        case 8: client.stopCycle(at: now)
        case 9:
            client.receive(
                .advertisement(ClientAdvertisement(peer: peer, name: dialect.deviceName)), at: now)
        case 10: client.receive(.connected(peer, mtu: 23), at: now)
        case 11: client.receive(.discovered(choice & 0x80 == 0 ? services : []), at: now)
        case 12, 13:
            let id = requests.popLast() ?? UInt32(script.byte())
            client.receive(
                .completed(id: id, choice & 1 == 0 ? .success(script.counted()) : .failure(.timeout)), at: now
            )
        case 14: client.receive(.disconnected(.supervisionTimeout), at: now)
        default:
            now = now.advanced(byMilliseconds: UInt64(script.byte()) * 20)
            client.deadlineReached(at: now)
        }
        try drain()
    }

    private func command(_ script: inout Script) -> BulbCommand {
        switch script.byte() & 7 {
        case 0: .power(true)
        case 1: .power(false)
        case 2: .white(script.byte())
        case 3: .effect(BulbEffect(code: script.byte(), speed: script.byte()))
        case 4: .requestState
        case 5: .brightness(script.byte())
        default: .color(RGBColor(rgb: UInt32(script.word()) << 8))
        }
    }

    private mutating func write(_ octets: [UInt8]) throws(Broken) {
        guard case .success = device.answerWrite(of: octets, to: control, on: link, at: now) else {
            throw Broken(promise: "a bulb takes every write")
        }
        if let command = dialect.decode(octets) {
            guard let again = dialect.encode(command) else {
                throw Broken(promise: "what is read can be written")
            }
            trace.add(again)
            // Brightness of a coarser scale, and what bulbs do not look at, need not come back.
            try check(dialect.decode(again) == command, "what is written is what was read")
        }
        if let state = dialect.decodeState(octets) {
            guard let again = dialect.encode(state) else { throw Broken(promise: "a state can be written") }
            trace.add(again)
            try check(dialect.decodeState(again) == state, "a state comes back")
        }
    }

    private mutating func drain() throws(Broken) {
        var count = 0
        while let output = client.nextOutput() {
            count += 1
            try check(count <= 64, "one input has few consequences")
            guard case .action(.request(let id, let request)) = output else { continue }
            requests.append(id)
            trace.add(client.nextDeadline)
            guard case .writeWithoutResponse(let handle, let octets) = request else { continue }
            trace.add(octets)
            try check(handle == control, "only what takes commands is written to")
            try check(dialect.decode(octets) != nil, "a client writes what its dialect understands")
        }
        while let output = device.nextOutput() {
            if case .send(_, _, let octets, _) = output { trace.add(octets) }
        }
    }
}
