// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Synchronization
import Testing
import VirtualPhone

@Suite("Channels with streams", .timeLimit(.minutes(5)))
struct ChannelTests {
    /// A channel between two apps, each with its end open.
    private struct Ends {
        let pair: Pair
        let near: CBL2CAPChannel
        let far: CBL2CAPChannel

        init(on air: TestAir) async throws {
            pair = try await Pair(on: air)
            let opened = Mutex<Carried?>(nil)
            let arrived = Mutex<Carried?>(nil)
            let (pairNear, pairFar) = (pair.reader, pair.sensor)
            pairNear.channelOpened = { opened.set($0) }
            pairFar.channelOpened = { arrived.set($0) }
            pairFar.manager.publishL2CAPChannel(withEncryption: false)
            try await pairFar.log.next("published 128")
            pairNear.peripheral?.openL2CAPChannel(128)
            try await pairNear.log.next("channel 128 true")
            try await pairFar.log.next("channel 128 true")
            let (one, other) = (opened.take(), arrived.take())
            near = try #require(one)
            far = try #require(other)
        }

        func open() {
            for channel in [near, far] {
                channel.inputStream.open()
                channel.outputStream.open()
            }
        }
    }

    private func write(_ octets: [UInt8], to channel: CBL2CAPChannel) -> Int {
        channel.outputStream.write(octets, maxLength: octets.count)
    }

    private func read(_ channel: CBL2CAPChannel, _ most: Int = 4096) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = channel.inputStream.read(&buffer, maxLength: most)
        return Array(buffer.prefix(max(0, count)))
    }

    @Test func octetsGoBothWaysByPolling() async throws {
        try await TestAir.run { air in
            let ends = try await Ends(on: air)
            #expect(
                ends.near.outputStream.streamStatus == .notOpen && !ends.near.outputStream.hasSpaceAvailable)
            #expect(write([1], to: ends.near) == -1)
            ends.open()
            #expect(ends.near.outputStream.hasSpaceAvailable && !ends.near.inputStream.hasBytesAvailable)
            #expect(read(ends.near).isEmpty && ends.near.inputStream.streamStatus == .open)
            #expect(write([1, 2, 3], to: ends.near) == 3)
            #expect(write([4], to: ends.near) == 1)
            #expect(write([9, 8], to: ends.far) == 2)
            try await air.advance(by: .seconds(1))
            #expect(ends.far.inputStream.hasBytesAvailable)
            #expect(read(ends.far, 2) == [1, 2])
            #expect(read(ends.far) == [3, 4])
            #expect(!ends.far.inputStream.hasBytesAvailable)
            #expect(read(ends.near) == [9, 8])
        }
    }

    /// Who does not read lets the other side wait, in bounded memory; what was taken arrives whole.
    @Test func aReaderThatIsSlowLetsTheWriterWait() async throws {
        try await TestAir.run { air in
            let ends = try await Ends(on: air)
            ends.open()
            let all = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            var sent = 0
            func fill() async throws {
                while sent < all.count, ends.near.outputStream.hasSpaceAvailable {
                    sent += write(Array(all[sent..<min(sent + 5000, all.count)]), to: ends.near)
                    try await air.advance(by: .milliseconds(200))
                }
            }
            for _ in 0..<20 {
                try await fill()
                try await air.advance(by: .seconds(2))
            }
            #expect(!ends.near.outputStream.hasSpaceAvailable && write([1], to: ends.near) == 0)
            #expect((30_000..<80_000).contains(sent), "\(sent)")
            var received: [UInt8] = []
            var rounds = 0
            while received.count < all.count, rounds < 2000 {
                received += read(ends.far)
                try await fill()
                try await air.advance(by: .milliseconds(100))
                rounds += 1
            }
            #expect(received == all)
        }
    }

    /// Closing one stream ends the other three; what was written before still arrives.
    @Test(arguments: [true, false], [true, false]) func closingAStreamEndsBothSides(
        _ isNear: Bool, _ isInput: Bool
    ) async throws {
        try await TestAir.run { air in
            let ends = try await Ends(on: air)
            ends.open()
            let (here, there) = isNear ? (ends.near, ends.far) : (ends.far, ends.near)
            #expect(write([1, 2], to: here) == 2)
            let closed: Stream = isInput ? here.inputStream : here.outputStream
            closed.close()
            #expect(closed.streamStatus == .closed)
            try await air.advance(by: .seconds(1))
            #expect((isInput ? here.outputStream as Stream : here.inputStream).streamStatus == .atEnd)
            #expect(there.inputStream.streamStatus == .open && there.outputStream.streamStatus == .atEnd)
            #expect(read(there) == [1, 2])
            #expect(there.inputStream.streamStatus == .atEnd && read(there).isEmpty)
            #expect(write([1], to: there) == -1 && !there.outputStream.hasSpaceAvailable)
            // The link is still good.
            ends.pair.reader.read(Sensor.level)
            try await ends.pair.reader.log.next("value [1]")
        }
    }

    @Test func aLostLinkEndsTheStreams() async throws {
        try await TestAir.run { air in
            let ends = try await Ends(on: air)
            ends.open()
            ends.pair.reader.disconnect()
            try await ends.pair.reader.log.next("disconnected")
            try await air.advance(by: .seconds(10))
            for channel in [ends.near, ends.far] {
                #expect(
                    channel.inputStream.streamStatus == .atEnd && channel.outputStream.streamStatus == .atEnd)
            }
        }
    }

    /// What a stream's delegate is told, on the run loop of a thread.
    @Test func aDelegateIsToldOnItsRunLoop() async throws {
        try await TestAir.run { air in
            let ends = try await Ends(on: air)
            let echo = Listener(ends.far, echoes: true)
            let caller = Listener(ends.near, echoes: false)
            try await caller.log.next("output opened")
            try await caller.log.next("output space")
            try await echo.log.next("input opened")
            #expect(write(Array("hello".utf8), to: ends.near) == 5)
            try await echo.log.next("input hello")
            try await caller.log.next("input hello")
            #expect(caller.log.lines.contains("input opened"))
            ends.near.outputStream.close()
            try await echo.log.next("input end")
            #expect(!caller.log.lines.contains("output end"), "who has closed a stream is told nothing of it")
            try await caller.log.next("input end")
            for listener in [echo, caller] {
                listener.stop()
                #expect(listener.log.lines.filter { $0 == "input end" }.count == 1)
                #expect(!listener.log.lines.contains { $0.hasSuffix("elsewhere") })
            }
        }
    }

    @Test func aNumberIsPublishedAndNoLonger() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.sensor.manager.publishL2CAPChannel(withEncryption: true)
            try await pair.sensor.log.next("published 128")
            // Nobody has paired.
            pair.reader.peripheral?.openL2CAPChannel(128)
            try await pair.reader.log.next("channel 0 false ")
            pair.sensor.manager.publishL2CAPChannel(withEncryption: false)
            try await pair.sensor.log.next("published 129")
            pair.reader.peripheral?.openL2CAPChannel(129)
            try await pair.reader.log.next("channel 129 true")
            pair.sensor.manager.unpublishL2CAPChannel(129)
            try await pair.sensor.log.next("unpublished 129")
            try await air.advance(by: .seconds(1))
            pair.reader.peripheral?.openL2CAPChannel(129)
            try await pair.reader.log.next("channel 0 false ")
            pair.sensor.manager.unpublishL2CAPChannel(129)
            try await pair.sensor.log.next("unpublished 129 invalidParameters")
            #expect(pair.sensor.log.lines.filter { $0.hasPrefix("channel") }.count == 1)
        }
    }
}

/// A channel on its way from an app's queue to the test.
private struct Carried: @unchecked Sendable {
    let channel: CBL2CAPChannel
}

extension Mutex where Value == Carried? {
    fileprivate func set(_ channel: CBL2CAPChannel) { withLock { $0 = Carried(channel: channel) } }
    fileprivate func take() -> CBL2CAPChannel? { withLock { $0?.channel } }
}

/// Listens to both streams of a channel on a thread of its own, and reads what comes.
private final class Listener: NSObject, StreamDelegate, @unchecked Sendable {
    let log = Log()
    private let channel: CBL2CAPChannel
    private let echoes: Bool
    private let isOver = Mutex(false)
    private var thread: Thread?

    init(_ channel: CBL2CAPChannel, echoes: Bool) {
        self.channel = channel
        self.echoes = echoes
        super.init()
        let thread = Thread { [self] in
            for stream in streams {
                stream.delegate = self
                stream.schedule(in: .current, forMode: .default)
                stream.open()
            }
            while !isOver.withLock({ $0 }) {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
            for stream in streams { stream.remove(from: .current, forMode: .default) }
        }
        self.thread = thread
        thread.start()
    }

    private var streams: [Stream] { [channel.inputStream, channel.outputStream] }

    func stop() { isOver.withLock { $0 = true } }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        let which = stream is InputStream ? "input" : "output"
        let place = Thread.current === thread ? "" : " elsewhere"
        switch event {
        case .openCompleted: log.add("\(which) opened\(place)")
        case .hasSpaceAvailable: log.add("\(which) space\(place)")
        case .endEncountered: log.add("\(which) end\(place)")
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = channel.inputStream.read(&buffer, maxLength: 100)
            if echoes { _ = channel.outputStream.write(buffer, maxLength: count) }
            log.add("\(which) \(String(decoding: buffer.prefix(count), as: UTF8.self))\(place)")
        default: log.add("\(which) \(event)\(place)")
        }
    }
}
