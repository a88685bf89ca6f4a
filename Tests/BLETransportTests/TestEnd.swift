// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import BLETransport

/// One end of a transport, whose input a test takes out when it likes.
///
/// `next()` ends when the transport has; the test's time limit is what ends it otherwise.
final class TestEnd: Sendable {
    let transport: any Transport
    private let inputs: AsyncStream<[UInt8]>
    private let rest = Mutex<[UInt8]>([])
    private let ends = Mutex<[TransportError?]>([])

    init(_ transport: any Transport) {
        let (inputs, arrivals) = AsyncStream.makeStream(of: [UInt8].self)
        self.transport = transport
        self.inputs = inputs
        transport.start { [weak self] input in
            switch input {
            // A copy of its own size.
            case .octets(let octets): arrivals.yield([UInt8](octets[...]))
            case .ended(let why):
                self?.ends.withLock { $0.append(why) }
                arrivals.finish()
            }
        }
    }

    /// Connects to a port of this machine.
    static func connect(_ port: Int) async throws -> TestEnd {
        TestEnd(try await TransportAddress.tcp(host: "127.0.0.1", port: port).open(on: TransportLoop()))
    }

    func send(_ octets: [UInt8]) { transport.send(octets) }

    /// Octets or a packet; `nil` at the end.
    func next() async -> [UInt8]? {
        for await octets in inputs { return octets }
        return nil
    }

    /// So many octets, or fewer at the end.
    func read(_ count: Int) async -> [UInt8] {
        var octets = rest.withLock { $0 }
        while octets.count < count, let more = await next() { octets += more }
        let first = Array(octets.prefix(count))
        rest.withLock { $0 = Array(octets.dropFirst(count)) }
        return first
    }

    /// Why it ended; waits for that.
    func end() async -> [TransportError?] {
        while await next() != nil {}
        return ends.withLock { $0 }
    }

    func close() { transport.close() }
}

/// A step of the random numbers of tests.
func step(_ random: inout UInt64) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33)
}

/// What happened, in order.
final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])
    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
    var all: [Entry] { entries.withLock { $0 } }
}
