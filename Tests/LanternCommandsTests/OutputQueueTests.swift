// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionText
import Dispatch
import Synchronization
import Testing

@testable import CommandIO

/// A reader who reads when a test lets it.
private final class SlowReader: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let writes = Mutex<[String]>([])
    private let failure: OutputError?

    init(failure: OutputError? = nil) { self.failure = failure }

    var output: Output {
        Output(terminal: .none) { octets throws(OutputError) in
            self.gate.wait()
            if let failure = self.failure { throw failure }
            self.writes.withLock { $0.append(String(decoding: octets, as: UTF8.self)) }
        }
    }

    var read: [String] { writes.withLock { $0 } }

    func readOn(_ count: Int = 1000) { for _ in 0..<count { gate.signal() } }
}

@Suite("Printing that nobody waits for", .timeLimit(.minutes(5)))
struct OutputQueueTests {
    private static func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

    @Test func whatWaitsIsWrittenAtOnceAndInOrder() async throws {
        let reader = SlowReader()
        let queue = OutputQueue(to: reader.output)
        for number in 0..<1000 { try queue.offer(Self.line(number)) }
        reader.readOn()
        try await queue.drain()
        #expect(reader.read.joined() == (0..<1000).map { "line \($0)\n" }.joined())
        #expect(reader.read.count <= 2)
    }

    @Test func whatNobodyReadsIsLeftOutAndCounted() async throws {
        let reader = SlowReader()
        let queue = OutputQueue(to: reader.output, limit: 64) { "\($0) left out" }
        for number in 0..<1000 { try queue.offer(Self.line(number)) }
        reader.readOn()
        try await queue.drain()
        try queue.offer(Self.line(1000))
        try await queue.drain()
        let lines = reader.read.joined().split(separator: "\n")
        let gaps = lines.compactMap { line in
            line.hasSuffix(" left out") ? Int(line.prefix { $0.isNumber }) : nil
        }
        #expect(lines.last == "line 1000")
        #expect(lines.count < 64)
        #expect(lines.count - gaps.count + gaps.reduce(0, +) == 1001)
    }

    @Test func whoPutsWaitsForRoomAndNothingIsLost() async throws {
        let reader = SlowReader()
        let queue = OutputQueue(to: reader.output, limit: 64)
        let producer = Task { for number in 0..<1000 { try await queue.put(Array("line \(number)".utf8)) } }
        reader.readOn()
        try await producer.value
        try await queue.drain()
        #expect(reader.read.joined() == (0..<1000).map { "line \($0)\n" }.joined())
    }

    @Test func whoWaitsGoesOnWhenTheTaskIsCancelled() async throws {
        let reader = SlowReader()
        let queue = OutputQueue(to: reader.output, limit: 8)
        for number in 0..<4 { try queue.offer(Self.line(number)) }
        let producer = Task { for number in 0..<4 { try await queue.put(Array("put \(number)".utf8)) } }
        let drain = Task { try await queue.drain() }
        producer.cancel()
        drain.cancel()
        try await producer.value
        try await drain.value
        reader.readOn()
        try await queue.drain()
    }

    @Test func aReaderWhoIsGoneIsToldToAll() async throws {
        let reader = SlowReader(failure: .readerGone)
        let queue = OutputQueue(to: reader.output, limit: 8)
        try queue.offer(Self.line(1))
        try queue.offer(Self.line(2))
        let putting = Task { for _ in 0..<100 { try await queue.put(Array("more".utf8)) } }
        let watching = Task { try await queue.watch() }
        reader.readOn()
        await #expect(throws: OutputError.readerGone) { try await putting.value }
        await #expect(throws: OutputError.readerGone) { try await watching.value }
        await #expect(throws: OutputError.readerGone) { try await queue.drain() }
        #expect(throws: OutputError.readerGone) { try queue.offer(Self.line(3)) }
    }

    @Test func aRadioThatNobodyListensToGoesOn() async throws {
        // As `radio serve` prints: with the output itself this would wait for the reader for ever.
        let reader = SlowReader()
        try await reader.output.withoutWaiting(isJSON: true, now: { Timestamp(milliseconds: 0) }) { output in
            let printer = EventPrinter(to: output, isJSON: true)
            for _ in 0..<10_000 { try printer.show(RadioReady()) }
            reader.readOn()
        }
        let lines = reader.read.joined().split(separator: "\n")
        #expect(lines.count > 1000)
        #expect(lines.count < 10_000)
    }
}
