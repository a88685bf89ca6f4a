// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLEWire
import LEDBulb
import Testing

/// A bulb that has been started.
private final class Started {
    var device: LEDBulbDevice
    let database: GATT.Database
    let control: AttributeHandle

    init(_ dialect: BulbDialect) throws {
        device = LEDBulbDevice(dialect)
        database = GATT.Database(device.services)
        device.start(handles: database.valueHandles, at: .zero)
        control = try #require(database.valueHandle(of: dialect.control.characteristic))
    }

    func write(_ octets: [UInt8], to handle: AttributeHandle? = nil, on link: LinkID) throws(ATT.ErrorCode) {
        try device.write(handle ?? control, octets, on: link, at: .zero)
    }

    func read(_ handle: AttributeHandle, on link: LinkID) throws(ATT.ErrorCode) -> [UInt8] {
        try device.read(handle, on: link, at: .zero)
    }

    func receive(_ input: DeviceInput) { device.receive(input, at: .zero) }

    func outputs() -> [DeviceOutput<LEDBulbDevice.Event>] {
        var outputs: [DeviceOutput<LEDBulbDevice.Event>] = []
        while let output = device.nextOutput() { outputs.append(output) }
        return outputs
    }

    func events() -> [LEDBulbDevice.Event] {
        outputs().compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var state: BulbState { device.state }
    var services: [GATT.ServiceDefinition] { device.services }
}

@Suite("The bulb")
struct BulbDeviceTests {
    private let link = LinkID(rawValue: 1)
    private let other = LinkID(rawValue: 2)

    @Test("Colorific has the handle of its source, and takes writes without response only")
    func colorific() throws {
        let bulb = try Started(.colorific)
        #expect(bulb.control.rawValue == 0x0028)
        #expect(bulb.services[0].characteristics[0].properties == .writeWithoutResponse)
        #expect(
            bulb.services.count == 1 && bulb.database.valueHandle(of: BluetoothUUID(0x2A06)) == bulb.control)
    }

    @Test("A name and a service are advertised within 31 octets", arguments: BulbDialect.all)
    func advertises(dialect: BulbDialect) throws {
        let long = WireText([UInt8](repeating: 0x61, count: 200))
        for name in [nil, long] {
            let device = LEDBulbDevice(dialect, name: name)
            #expect(device.advertisement.data.count <= 31 && device.advertisement.scanResponse.count <= 31)
            #expect(!device.advertisement.scanResponse.isEmpty)
        }
    }

    @Test("What is not understood is told and changes nothing", arguments: BulbDialect.all)
    func unknown(dialect: BulbDialect) throws {
        let bulb = try Started(dialect)
        let state = bulb.state
        for octets in [[], [0], [UInt8](repeating: 0xFF, count: 512), hex("56FF000000F0AB")] {
            try bulb.write(octets, on: link)
            #expect(bulb.events() == [.written(link, bulb.control, octets, nil)])
        }
        #expect(bulb.state == state)
    }

    @Test("Any octets are taken, and the outputs stay bounded", arguments: BulbDialect.all)
    func anything(dialect: BulbDialect) throws {
        let bulb = try Started(dialect)
        var random = SplitMix64(seed: 3)
        for _ in 0..<5000 {
            let octets = (0..<random.below(14)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try bulb.write(octets, on: link)
            try bulb.write(try #require(dialect.encode(.color(.white))), on: link)
        }
        #expect(bulb.outputs().count <= 1024)
    }

    @Test("Only what takes commands can be written, and nothing can be read")
    func handles() throws {
        let bulb = try Started(.triones)
        let reports = try #require(bulb.database.valueHandle(of: BluetoothUUID(0xFFD4)))
        #expect(throws: ATT.ErrorCode.writeNotPermitted) {
            try bulb.write([1], to: reports, on: link)
        }
        #expect(throws: ATT.ErrorCode.readNotPermitted) { try bulb.read(bulb.control, on: link) }
        #expect(throws: ATT.ErrorCode.readNotPermitted) { try bulb.read(reports, on: link) }
    }

    @Test("The state goes to whoever asked and has subscribed", arguments: [BulbDialect.triones, .magicBlue])
    func tells(dialect: BulbDialect) throws {
        let bulb = try Started(dialect)
        let reports = try #require(
            dialect.reports.flatMap { bulb.database.valueHandle(of: $0.characteristic) })
        let request = try #require(dialect.encode(.requestState))
        try bulb.write(request, on: link)
        #expect(bulb.events() == [.written(link, bulb.control, request, .requestState)])
        bulb.receive(.subscribed(link, reports, .notify))
        bulb.receive(.subscribed(other, reports, .notify))
        _ = bulb.outputs()
        try bulb.write(request, on: other)
        let sent = bulb.outputs().compactMap { output -> (LinkID, [UInt8])? in
            if case .send(let link, _, let value, _) = output { (link, value) } else { nil }
        }
        #expect(sent.map(\.0) == [other])
        #expect(sent.map(\.1) == [hex("66 15 23 41 20 00 FF FF FF 00 06 99")])
        bulb.receive(.disconnected(other))
        bulb.receive(.subscribed(link, reports, []))
        _ = bulb.outputs()
        try bulb.write(request, on: link)
        #expect(bulb.outputs().count == 1)
    }

    @Test("A bulb that is off takes a colour, and shows it when it is on")
    func off() throws {
        let bulb = try Started(.magicBlue)
        for octets in ["CC2433", "56000102 00F0AA"] {
            try bulb.write(hex(octets), on: link)
        }
        #expect(bulb.state.shown == .black)
        try bulb.write(hex("CC2333"), on: link)
        #expect(bulb.state.shown == RGBColor(rgb: 0x000102))
        try bulb.write(hex("BB250144"), on: link)
        #expect(bulb.state.shown == nil)
    }

    @Test("A switch on the wall does the same as a client")
    func performs() throws {
        let bulb = try Started(.elkBLEDOM)
        bulb.device.perform(.power(false))
        bulb.device.perform(.requestState)
        #expect(bulb.events() == [.shines(BulbState(isOn: false))])
    }
}
