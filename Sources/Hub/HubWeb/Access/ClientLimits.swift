// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How much one client, and all together, may ask for at once.
///
/// Clients of this machine are only counted together: a proxy in front of the hub is one of them, with everybody behind
/// it.
struct ClientLimits: Hashable, Sendable {
    /// Open connections of all clients; ``OpenConnections`` says who has to go when there are more.
    var connections = 256
    /// Open connections beyond those, on which only those are answered who are signed in.
    var reserve = 64
    /// Open connections of one client.
    var connectionsOfOne = 64
    /// Open event streams of all clients.
    var streams = 240
    /// Open event streams of one client.
    var streamsOfOne = 32
    /// Requests of one client that are being answered, without event streams.
    var requestsOfOne = 32
    /// Requests that one client may send in a burst.
    var burst = 600
    /// Requests a second that one client may send after a burst.
    var rate = 100.0
    /// Octets of an answer that its client has not taken; until it does, no further request of it is read.
    var waiting = 32_768
    /// Octets of answers of all clients that are in memory as a whole, each of more than ``waiting``.
    var answers = 16 << 20
    /// Octets of a body, but for a file.
    var body = 262_144
    /// Octets of a body before its sender has signed in, and of one that is always taken.
    var smallBody = 8192
    /// Bodies of all clients that have more, and are in memory at once.
    var largeBodies = 8
    /// Octets of a database that is restored.
    var database = 4 << 30
    /// Copies of the database that are being made or sent at once.
    var downloads = 2
    /// Octets of a file of detections that is imported.
    var importing = 1 << 30
    /// Octets of a set of cameras that others know.
    var knownSet = 128 << 20
    /// How long one of these files is read, beside a second for each MB that comes, while nothing of use comes out of it.
    var fruitless = Duration.seconds(60)
    /// Octets of all headers.
    var headers = 16_384
    /// How long a connection may be idle, or take to send a request's head.
    var idle = Duration.seconds(30)
    /// In so long a body has to bring ``slowestOctets``, and a client has to take something of an answer.
    var slowest = Duration.seconds(20)
    /// See ``slowest``.
    var slowestOctets = 10_000
    /// How long after a client has ended its side it is asked whether it still waits for its answer.
    var halfClosed = Duration.milliseconds(100)
    /// How long answers that are being sent may take when the server has to stop.
    var farewell = Duration.seconds(2)
    /// How long they may take in any case.
    var shortestFarewell = Duration.milliseconds(250)
    /// Whether limits of one client hold for clients of this machine, too.
    var countsLoopback = false
}

/// Counts what clients have open.
final class ClientUsage: Sendable {
    /// What is counted.
    enum Kind: Hashable {
        case connection, stream, request, largeBody, restore, importing, download
    }

    private struct Bucket {
        var left: Double
        var filled: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let client: ClientAddress
        let kind: Kind
    }

    private struct State {
        var ofOne: [Key: Int] = [:]
        var ofAll: [Kind: Int] = [:]
        var buckets: [ClientAddress: Bucket] = [:]
        var answers = 0
    }

    /// Room for an answer, given back when nothing refers to it any more.
    final class Room: Sendable {
        private let usage: ClientUsage
        private let octets: Int

        fileprivate init(_ usage: ClientUsage, _ octets: Int) { (self.usage, self.octets) = (usage, octets) }

        deinit { usage.state.withLock { $0.answers -= octets } }
    }

    let limits: ClientLimits
    private let state = Mutex(State())

    init(_ limits: ClientLimits) { self.limits = limits }

    /// How many of a kind are open.
    func count(_ kind: Kind) -> Int { state.withLock { $0.ofAll[kind] ?? 0 } }

    /// Notes one more, if there may be one more; ``close(_:of:)`` has to follow.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - client: Whose it is.
    ///   - isInPlace: Whether another one of the client has just been told to go for it.
    /// - Returns: Whether it is noted.
    func open(_ kind: Kind, of client: ClientAddress, inPlaceOfAnother isInPlace: Bool = false) -> Bool {
        let (ofAll, ofOne) = allowed(kind)
        return state.withLock { state in
            let key = Key(client: client, kind: kind)
            guard state.ofAll[kind, default: 0] < ofAll,
                isFree(client) || isInPlace || state.ofOne[key, default: 0] < ofOne
            else { return false }
            state.ofAll[kind, default: 0] += 1
            state.ofOne[key, default: 0] += 1
            return true
        }
    }

    /// Notes that one is closed.
    func close(_ kind: Kind, of client: ClientAddress) {
        state.withLock { state in
            let key = Key(client: client, kind: kind)
            state.ofAll[kind, default: 0] -= 1
            let left = state.ofOne[key, default: 0] - 1
            state.ofOne[key] = left > 0 ? left : nil
        }
    }

    /// Takes room for an answer that is in memory as a whole.
    ///
    /// - Returns: `nil` when too much of it is taken.
    func room(for octets: Int) -> Room? {
        let isTaken = state.withLock { state in
            // One that is alone may be larger.
            guard state.answers == 0 || state.answers + octets <= limits.answers else { return false }
            state.answers += octets
            return true
        }
        return isTaken ? Room(self, octets) : nil
    }

    /// Takes a request out of a client's allowance.
    ///
    /// - Returns: How long it has to wait when nothing is left.
    func spend(_ client: ClientAddress, at now: ContinuousClock.Instant) -> Duration? {
        if isFree(client) { return nil }
        let (burst, rate) = (Double(limits.burst), limits.rate)
        return state.withLock { state in
            if state.buckets.count >= 4096 {
                // Who has a full allowance need not be remembered.
                state.buckets = state.buckets.filter { ($0.value.filled - now) / .seconds(-1) * rate < burst }
            }
            var bucket = state.buckets[client] ?? Bucket(left: burst, filled: now)
            bucket.left = min(burst, bucket.left + (now - bucket.filled) / .seconds(1) * rate)
            bucket.filled = now
            let isEnough = bucket.left >= 1
            if isEnough { bucket.left -= 1 }
            state.buckets[client] = bucket
            return isEnough ? nil : .seconds((1 - bucket.left) / rate)
        }
    }

    private func isFree(_ client: ClientAddress) -> Bool { client.isLoopback && !limits.countsLoopback }

    private func allowed(_ kind: Kind) -> (ofAll: Int, ofOne: Int) {
        switch kind {
        case .connection: (.max, limits.connectionsOfOne)
        case .largeBody: (limits.largeBodies, max(1, limits.largeBodies / 2))
        case .stream: (limits.streams, limits.streamsOfOne)
        case .request: (.max, limits.requestsOfOne)
        // They would only undo each other.
        case .restore, .importing: (1, 1)
        // Each takes as much of the disk as the database has.
        case .download: (limits.downloads, limits.downloads)
        }
    }
}

/// One of the places that ``ClientUsage`` counts, until it is left or nobody has it any more.
final class UsedPlace: Sendable {
    private let kind: ClientUsage.Kind
    private let client: ClientAddress
    private let usage: ClientUsage
    private let isLeft = Mutex(false)

    /// Takes a place, where there is one.
    init?(_ kind: ClientUsage.Kind, of client: ClientAddress, in usage: ClientUsage) {
        guard usage.open(kind, of: client) else { return nil }
        (self.kind, self.client, self.usage) = (kind, client, usage)
    }

    deinit { leave() }

    /// Leaves it.
    func leave() {
        let wasLeft = isLeft.withLock { isLeft in
            defer { isLeft = true }
            return isLeft
        }
        if !wasLeft { usage.close(kind, of: client) }
    }
}
