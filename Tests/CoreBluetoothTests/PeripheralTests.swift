// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CoreBluetooth
import Testing
import VirtualPhone

/// Two phones on one air: a sensor on one, a reader on the other.
struct Pair {
    let sensorPhone: VirtualPhone
    let readerPhone: VirtualPhone
    let sensorApp: VirtualPhone.App
    let sensor: Sensor
    let reader: Reader

    /// Has the two find each other, and the reader discover all there is.
    ///
    /// - Parameters:
    ///   - air: Where.
    ///   - mtu: The largest PDU that the sensor's phone takes.
    ///   - make: Makes the sensor.
    /// - Throws: What the radios throw, or that the test has ended.
    init(on air: TestAir, mtu: Int? = nil, _ make: () -> Sensor = { Sensor() }) async throws {
        var configuration = HostConfiguration()
        if let mtu { configuration.maximumMTU = mtu }
        sensorPhone = VirtualPhone(
            name: "Sensor's", radio: try await air.radio("C0:AA:00:00:00:01", configuration))
        readerPhone = VirtualPhone(name: "Reader's", radio: try await air.radio("C0:AA:00:00:00:02"))
        sensorApp = sensorPhone.app("org.example.sensor")
        sensor = sensorApp.launch(make)
        try await sensor.log.next("advertising true")
        reader = readerPhone.app("org.example.reader").launch { Reader() }
        try await reader.log.next("ready")
    }
}

@Suite("Apple's peripheral over our own stack", .timeLimit(.minutes(5)))
struct PeripheralTests {
    @Test func aPhoneIsFoundReadWrittenAndFollowed() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            let (sensor, reader) = (pair.sensor, pair.reader)
            #expect(reader.log.lines.contains("ready 5"))
            #expect(reader.log.lines.contains { $0.hasPrefix("found") && $0.hasSuffix("shown 1 hidden 0") })
            reader.read(Sensor.model)
            try await reader.log.next("value \(Array("Model 5".utf8))")
            // The framework has answered that; this one is the app's.
            #expect(!sensor.log.lines.contains { $0.hasPrefix("read") })
            reader.read(Sensor.level)
            try await reader.log.next("value [1]")
            #expect(sensor.log.lines.last == "read 0")
            reader.write([1, 2, 3])
            try await reader.log.next("wrote ")
            #expect(sensor.log.lines.last == "written [\"0+3\"]")
            reader.follow(Sensor.level)
            try await reader.log.next("follows true")
            try await sensor.log.next("subscribed true 1 ")
            #expect(sensor.send([7]))
            try await reader.log.next("value [7]")
            reader.follow(Sensor.level, false)
            try await sensor.log.next("unsubscribed 0")
            #expect(sensor.send([8]), "nobody wants it, so nothing is in its way")
            reader.follow(Sensor.level)
            try await sensor.log.next("subscribed")
            reader.disconnect()
            try await sensor.log.next("unsubscribed 0")
            try await reader.log.next("disconnected")
            #expect(!reader.log.lines.contains("value [8]"))
        }
    }

    @Test func aWriteWithoutResponseArrives() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            for number in 0..<10 {
                pair.reader.write([UInt8](repeating: 0, count: number + 1), Sensor.command, .withoutResponse)
            }
            try await pair.sensor.log.next("written [\"0+10\"]")
            let written = pair.sensor.log.lines.filter { $0.hasPrefix("written") }
            #expect(written == (1...10).map { "written [\"0+\($0)\"]" })
        }
    }

    /// A value longer than one answer carries is asked for in parts, and a long write comes whole.
    @Test func longValuesArriveWhole() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air, mtu: 50)
            pair.sensor.value = Data((0..<180).map { UInt8($0) })
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value 180")
            #expect(pair.reader[Sensor.level].value == pair.sensor.value)
            #expect(
                pair.sensor.log.lines.filter { $0.hasPrefix("read") } == [
                    "read 0", "read 49", "read 98", "read 147",
                ])
            pair.reader.write([UInt8](repeating: 9, count: 200))
            try await pair.reader.log.next("wrote ")
            #expect(pair.sensor.log.lines.last == "written [\"0+200\"]")
        }
    }

    @Test func whatTheAppRefusesIsRefusedWithItsNumber() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensor.reading = { $0.manager.respond(to: $1, withResult: .insufficientResources) }
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value insufficientResources")
            pair.sensor.writing = {
                $0.manager.respond(to: $1[0], withResult: CBATTError.Code(rawValue: 0x85) ?? .unlikelyError)
            }
            pair.reader.write([1])
            try await pair.reader.log.next("wrote")
            #expect(pair.reader.log.lines.last?.hasSuffix(" 133") == true, "\(pair.reader.log.lines)")
            pair.sensor.value = Data()
            pair.sensor.reading = { $0.answer($1) }
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value []")
        }
    }

    /// Only the first answer counts, and only that to the first request of several.
    @Test func aSecondAnswerIsMisuseAndChangesNothing() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensor.reading = { sensor, request in
                request.value = Data([4])
                sensor.manager.respond(to: request, withResult: .success)
                request.value = Data([5])
                sensor.manager.respond(to: request, withResult: .success)
                sensor.manager.respond(to: request, withResult: .readNotPermitted)
            }
            for _ in 0..<2 { pair.reader.read(Sensor.level) }
            try await pair.reader.log.next("value [4]")
            try await pair.reader.log.next("value [4]")
        }
    }

    /// A device that is no phone writes two values that count together or not at all.
    @Test(arguments: [true, false]) func valuesThatAreWrittenTogetherComeAsOneArray(_ isAccepted: Bool)
        async throws
    {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let sensor = phone.app().launch { Sensor() }
            sensor.writing = { sensor, requests in
                // The second one is not to be answered.
                if requests.count > 1 {
                    sensor.manager.respond(to: requests[1], withResult: .writeNotPermitted)
                }
                sensor.manager.respond(
                    to: requests[0], withResult: isAccepted ? .success : .insufficientResources)
            }
            try await sensor.log.next("advertising true")
            let link = try await Self.link(air)
            let handles = try await Self.characteristics([Sensor.command, Sensor.limit], link).map(
                \.valueHandle)
            #expect(handles.count == 2)
            let writes = [
                GATT.ValueWrite([1, 2], to: handles[0]), GATT.ValueWrite([3, 4, 5], to: handles[1]),
            ]
            for _ in 0..<2 {
                do throws(BluetoothError) {
                    try await link.writeReliably(writes)
                    #expect(isAccepted)
                } catch {
                    #expect(!isAccepted && error == .refused(.insufficientResources), "\(error)")
                }
            }
            let written = sensor.log.lines.filter { $0.hasPrefix("written") }
            #expect(written == [String](repeating: "written [\"0+2\", \"0+3\"]", count: 2))
        }
    }

    @Test func aLinkBecomesSlowerWhenTheAppWantsThat() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let sensor = phone.app().launch { Sensor() }
            try await sensor.log.next("advertising true")
            let link = try await Self.link(air)
            let level = try #require(try await Self.characteristics([Sensor.level], link).first)
            try await link.makeSubscriber().subscribe(.notify, to: level)
            try await sensor.log.next("subscribed")
            let central = try #require(sensor[Sensor.level].subscribedCentrals?.first)
            let wanted: [(CBPeripheralManagerConnectionLatency, ClosedRange<UInt64>)] = [
                (.high, 250...500), (.low, 15...30), (.medium, 60...120),
            ]
            for (latency, milliseconds) in wanted {
                sensor.manager.setDesiredConnectionLatency(latency, for: central)
                try await air.advance(by: .seconds(10))
                let interval = try #require(await link.parameters?.interval.microseconds)
                #expect(milliseconds.contains(interval / 1000), "\(latency): \(interval)")
            }
        }
    }

    /// A link of a device that is no phone.
    static func link(_ air: TestAir) async throws -> Connection {
        try await air.radio("C0:AA:00:00:00:02").connect(to: Peer("C0:AA:00:00:00:01"))
    }

    static func characteristics(_ uuids: [CBUUID], _ link: Connection) async throws -> [GATT.Characteristic] {
        let all = try await link.discoverServices().flatMap(\.characteristics)
        return uuids.compactMap { uuid in all.first { $0.uuid == uuid.value } }
    }
}
