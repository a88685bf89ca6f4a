// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLEWire
import Testing

@testable import FlockFinder

private func at(_ milliseconds: UInt64) -> HostInstant { .zero.advanced(byMilliseconds: milliseconds) }
private let one = LinkID(rawValue: 1)
private let two = LinkID(rawValue: 2)

/// A started device with what it says as text.
private struct Bench: ~Copyable {
    var device: FlockFinderDevice
    let detection: AttributeHandle
    let command: AttributeHandle
    let stream: AttributeHandle

    init(_ source: FlockFinderDevice.Source, seed: UInt64 = 1) throws {
        // All that can throw comes first: a value that cannot be copied is made whole or not at all.
        let database = GATT.Database(FlockFinderDevice().services)
        let handles = try [FlockFinderUUID.detection, FlockFinderUUID.command, FlockFinderUUID.stream].map {
            try #require(database.valueHandle(of: $0))
        }
        (detection, command, stream) = (handles[0], handles[1], handles[2])
        device = FlockFinderDevice(source: source, seed: seed)
        device.start(handles: database.valueHandles, at: .zero)
    }

    static func script(_ waits: UInt64...) -> FlockFinderDevice.Source {
        .script(
            DetectionScript(
                lines: waits.enumerated().map { index, wait in
                    .init(afterMilliseconds: wait, octets: Array(#"{"n":\#(index)}"#.utf8))
                }))
    }

    mutating func connect(_ link: LinkID, mtu: Int = 247) {
        device.receive(
            .connected(link, Peer(BluetoothAddress(UInt64(link.rawValue), kind: .random))), at: .zero)
        device.receive(.mtuChanged(link, mtu), at: .zero)
    }

    mutating func subscribe(
        _ link: LinkID, _ handle: AttributeHandle, _ isOn: Bool = true, at time: UInt64 = 0
    ) {
        device.receive(.subscribed(link, handle, isOn ? .notify : []), at: at(time))
    }

    /// Everything that is sent to one link at a moment, as text.
    mutating func sent(_ link: LinkID = one, at time: UInt64) -> [String] {
        device.deadlineReached(at: at(time))
        return drain(link)
    }

    mutating func drain(_ link: LinkID = one) -> [String] {
        var texts: [String] = []
        while let output = device.nextOutput() {
            if case .send(link, _, let octets, .notify) = output { texts.append(WireText(octets).string) }
        }
        return texts
    }

    mutating func write(_ text: String, _ link: LinkID = one, at time: UInt64 = 0) throws -> [String] {
        try device.write(command, Array(text.utf8), on: link, at: at(time))
        return drain(link)
    }
}

@Suite struct FlockFinderDeviceTests {
    @Test func advertisesTheServiceAndAnswersWithTheName() {
        let device = FlockFinderDevice()
        #expect(
            device.advertisement.data.hexadecimal == "020106" + "1107" + "4b9131c3c9c5cc8f9e45b51f01c2af4f")
        #expect(device.advertisement.scanResponse == [0x0F, 0x09] + Array("FlockFinder-S3".utf8))
        #expect(device.appearance == 0x0200)
        #expect(device.name == "FlockFinder-S3")
    }

    @Test func servesWhatTheDocumentSays() throws {
        let services = FlockFinderDevice().services
        #expect(services.map(\.uuid) == [FlockFinderUUID.service])
        let characteristics = try #require(services.first).characteristics
        #expect(
            characteristics.map(\.uuid) == [
                FlockFinderUUID.detection, FlockFinderUUID.command, FlockFinderUUID.stream,
            ])
        #expect(characteristics.map(\.properties) == [.notify, .write, .notify])
        #expect(FlockFinderUUID.service.description == "4fafc201-1fb5-459e-8fcc-c5c9c331914b")
        #expect(FlockFinderUUID.detection.description == "beb5483e-36e1-4688-b7f5-ea07361b26a8")
        #expect(FlockFinderUUID.command.description == "beb5483e-36e1-4688-b7f5-ea07361b26a9")
        #expect(FlockFinderUUID.stream.description == "beb5483e-36e1-4688-b7f5-ea07361b26aa")
    }

    @Test func refusesWhatIsNoCommand() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        #expect(throws: ATT.ErrorCode.writeNotPermitted) {
            try bench.device.write(bench.stream, [], on: one, at: .zero)
        }
        #expect(throws: ATT.ErrorCode.writeNotPermitted) {
            try bench.device.write(bench.command, [], on: two, at: .zero)
        }
        #expect(throws: ATT.ErrorCode.readNotPermitted) {
            try bench.device.read(bench.detection, on: one, at: .zero)
        }
    }

    // MARK: Scripts

    @Test func aScriptStartsWithTheFirstSubscriptionAndIsPlayedOnce() throws {
        var bench = try Bench(Bench.script(100, 0, 50))
        bench.connect(one)
        #expect(bench.device.nextDeadline == nil)
        bench.subscribe(one, bench.stream)
        #expect(bench.device.nextDeadline == nil)
        bench.subscribe(one, bench.detection, at: 1_000)
        #expect(bench.drain().isEmpty)
        #expect(bench.device.nextDeadline == at(1_100))
        #expect(bench.sent(at: 1_099).isEmpty)
        #expect(bench.sent(at: 1_100) == [#"{"n":0}"#, #"{"n":1}"#])
        #expect(bench.device.nextDeadline == at(1_150))
        #expect(bench.sent(at: 1_150) == [#"{"n":2}"#])
        #expect(bench.device.nextDeadline == nil)
        bench.subscribe(one, bench.detection, false)
        bench.subscribe(one, bench.detection, at: 2_000)
        #expect(bench.sent(at: 9_000).isEmpty)
    }

    @Test func aScriptIsPlayedToAllSubscribers() throws {
        var bench = try Bench(Bench.script(100))
        for link in [one, two] {
            bench.connect(link)
            bench.subscribe(link, bench.detection)
        }
        _ = bench.drain()
        bench.device.deadlineReached(at: at(100))
        var receivers: [LinkID] = []
        var events: [FlockFinderDevice.Event] = []
        while let output = bench.device.nextOutput() {
            switch output {
            case .send(let link, bench.detection, _, .notify): receivers.append(link)
            case .event(let event): events.append(event)
            default: Issue.record("nothing else is sent")
            }
        }
        #expect(receivers == [one, two])
        #expect(events == [.sent(Array(#"{"n":0}"#.utf8), clients: 2), .scriptFinished])
    }

    @Test func aScriptRestsWhileNobodyListens() throws {
        var bench = try Bench(Bench.script(100, 400))
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        #expect(bench.sent(at: 100) == [#"{"n":0}"#])
        bench.device.receive(.disconnected(one), at: at(200))
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.sent(at: 5_000).isEmpty)
        bench.connect(two)
        bench.subscribe(two, bench.detection, at: 6_000)
        _ = bench.drain()
        #expect(bench.device.nextDeadline == at(6_300), "300 ms were left")
        bench.device.deadlineReached(at: at(6_300))
        #expect(bench.drain(two) == [#"{"n":1}"#])
    }

    @Test func aScriptKeepsItsRhythmWhenItIsLate() throws {
        var bench = try Bench(Bench.script(100, 100, 100, 500))
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        #expect(bench.sent(at: 350).count == 3)
        #expect(bench.device.nextDeadline == at(800))
    }

    @Test func nothingIsMadeUntilItIsTaken() throws {
        let lines = (0..<5_000).map {
            DetectionScript.Line(afterMilliseconds: 0, octets: Array(#"{"n":\#($0)}"#.utf8))
        }
        var bench = try Bench(.script(DetectionScript(lines: lines)))
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        var count = 0
        while count < 100, let output = bench.device.nextOutput() {
            if case .send = output { count += 1 }
        }
        // The other 4900 are still in the script: a status answer comes right behind what waits.
        bench.subscribe(one, bench.stream)
        let answers = try bench.write("STATUS")
        #expect(answers.first { $0.contains("status") }?.contains(#""detections":100,"#) == true)
    }

    // MARK: Long objects

    @Test(
        "An object that does not fit goes on and ends with a newline",
        arguments: [
            (23, [#"{"type":"Flock Safet"#, #"y"}"# + "\n"]),
            (26, [#"{"type":"Flock Safety"}"#]), (25, [#"{"type":"Flock Safety""#, "}\n"]),
            (14, [#"{"type":"Flock Safet"#, #"y"}"# + "\n"]),
        ])
    func pieces(mtu: Int, expected: [String]) throws {
        let object = #"{"type":"Flock Safety"}"#
        var bench = try Bench(
            .script(DetectionScript(lines: [.init(afterMilliseconds: 0, octets: Array(object.utf8))])))
        bench.connect(one, mtu: mtu)
        bench.subscribe(one, bench.detection)
        #expect(bench.sent(at: 0) == expected)
    }

    // MARK: Commands

    private func answer(_ bench: inout Bench, _ command: String, at time: UInt64 = 0) throws -> String {
        let answers = try bench.write(command, at: time)
        #expect(answers.count == 1)
        return answers.first ?? ""
    }

    @Test func answersCommandsOnTheStream() throws {
        var bench = try Bench(Bench.script(0, 0, 0))
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        bench.subscribe(one, bench.stream)
        _ = bench.sent(at: 0)
        let tail = #","clients":1,"stream":false,"ts":"#
        #expect(
            try answer(&bench, "PING", at: 7)
                == #"{"evt":"status","msg":"pong","detections":3,"commands":1"# + tail + "7}")
        #expect(
            try answer(&bench, "STATUS", at: 8)
                == #"{"evt":"status","msg":"ready","detections":3,"commands":2"# + tail + "8}")
        #expect(
            try answer(&bench, "RESET", at: 9)
                == #"{"evt":"status","msg":"counters cleared","detections":0,"commands":0"# + tail + "9}")
        #expect(
            try answer(&bench, "dance", at: 10)
                == #"{"evt":"status","msg":"unknown command: dance","detections":0,"commands":1"# + tail
                + "10}")
    }

    @Test(
        "Any text is a command",
        arguments: ["", "ping", "tanz 📷", "a\nb", String(repeating: "x", count: 400)])
    func unknown(command: String) throws {
        var bench = try Bench(.route)
        bench.connect(one)
        bench.subscribe(one, bench.stream)
        _ = bench.drain()
        #expect(try bench.write(command).joined().contains("unknown command"))
    }

    @Test func withoutASubscriptionNothingIsAnswered() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        #expect(try bench.write("PING").isEmpty)
    }

    @Test func commandsThatNobodyTakesAnswersToDoNotPileUp() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        bench.subscribe(one, bench.stream)
        _ = bench.drain()
        for _ in 0..<10_000 { try bench.device.write(bench.command, Array("PING".utf8), on: one, at: .zero) }
        var count = 0
        while bench.device.nextOutput() != nil { count += 1 }
        #expect(count <= FlockFinderDevice.maximumWaiting + 1)
    }

    @Test func tellsWhatClientsDo() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        bench.subscribe(one, bench.stream)
        bench.subscribe(one, bench.stream, false)
        try bench.device.write(bench.command, Array("hi".utf8), on: one, at: .zero)
        bench.device.receive(.disconnected(one), at: .zero)
        var events: [FlockFinderDevice.Event] = []
        while let output = bench.device.nextOutput() {
            if case .event(let event) = output { events.append(event) }
        }
        #expect(
            events == [
                .connected(one, Peer(BluetoothAddress(1, kind: .random))), .detections(one, isOn: true),
                .stream(one, isOn: true), .stream(one, isOn: false), .command(one, "hi"), .disconnected(one),
            ])
    }

    // MARK: The live stream

    @Test func theLiveStreamRunsOnlyWhereItIsSwitchedOn() throws {
        var bench = try Bench(.route)
        for link in [one, two] {
            bench.connect(link)
            bench.subscribe(link, bench.stream)
        }
        #expect(try bench.write("stream_on", two, at: 100).isEmpty)
        #expect(bench.device.nextDeadline == at(600))
        bench.device.deadlineReached(at: at(600))
        #expect(bench.drain(two).first == #"{"evt":"channel","ch":1,"ts":600}"#)
        bench.device.deadlineReached(at: at(1_100))
        #expect(bench.drain(one).isEmpty)
        _ = try bench.write("stream_off", two, at: 1_200)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func theLiveStreamLeavesOutWhatIsLate() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        bench.subscribe(one, bench.stream)
        _ = try bench.write("stream_on")
        let channels = bench.sent(at: 60_000).filter { $0.contains("channel") }
        #expect(channels == [#"{"evt":"channel","ch":1,"ts":60000}"#])
        #expect(bench.device.nextDeadline == at(60_500))
    }

    // MARK: The route

    @Test func theRouteStartsSoonAndGoesOnForEver() throws {
        var bench = try Bench(.route)
        bench.connect(one)
        bench.subscribe(one, bench.detection)
        _ = bench.drain()
        var times: [UInt64] = []
        var labels: Set<DetectionType> = []
        for _ in 0..<3_000 {
            let next = bench.device.nextDeadline
            let deadline = try #require(next)
            for text in bench.sent(at: deadline.microseconds / 1_000) {
                let detection = try Detection(decoding: Array(text.utf8))
                labels.insert(detection.type)
                times.append(deadline.microseconds / 1_000)
                #expect(detection.ts == Int64(deadline.microseconds / 1_000))
                #expect(text.utf8.count <= 149)
            }
        }
        #expect(try #require(times.first) <= 3_000)
        #expect(times.count > 1_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 5_000 })
        #expect(labels.count == DetectionType.allCases.count)
    }
}
