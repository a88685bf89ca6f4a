// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import HTTPTypes
import Hummingbird
import Synchronization

/// Sends what happens to whoever follows, as server-sent events.
///
/// Spec: HTML, 9.2. A stream has no queue of its own: it reads on in the feed when its client has taken what was sent.
final class EventStreams: Sendable {
    /// How often a client that has nothing to read gets a comment, which shows that the hub is there.
    static let heartbeat = Duration.seconds(8)
    /// Events that come within so long leave together.
    private static let pause = Duration.milliseconds(50)
    /// Events in one write.
    private static let batch = 256
    /// More than what stands around the data of an event.
    private static let heading = 128

    private struct State {
        var subscriptions: [Int: EventFeed.Subscription] = [:]
        var last = 0
        var isStopped = false
    }

    private let feed: EventFeed
    private let usage: ClientUsage
    private let state = Mutex(State())

    init(_ feed: EventFeed, _ usage: ClientUsage) {
        self.feed = feed
        self.usage = usage
    }

    /// Sends a comment to all who wait, and ends the streams when sessions have come to their end, until the task is
    /// cancelled.
    func keepAlive(_ access: AccessControl) async {
        while (try? await Task.sleep(for: Self.heartbeat)) != nil {
            if await access.endOldSessions() { endAll() }
            feed.nudge()
        }
    }

    /// Ends all streams, for good.
    func stop() {
        state.withLock { $0.isStopped = true }
        endAll()
    }

    /// Ends the streams that are there now, because who may read them has changed.
    func endAll() {
        for subscription in state.withLock({ Array($0.subscriptions.values) }) { subscription.end() }
    }

    /// The answer that goes on for as long as the client likes; it begins behind the event that the client knows.
    func answer(to client: ClientAddress, after id: Int64?) throws(Problem) -> Response {
        guard usage.open(.stream, of: client) else {
            throw Problem(
                .tooManyRequests, "Too many pages follow this hub. Close some of them.",
                retryAfter: .seconds(10))
        }
        let subscription = feed.subscribe(after: id)
        let key: Int? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.last += 1
            state.subscriptions[state.last] = subscription
            return state.last
        }
        let place = Place { [usage, self] in
            usage.close(.stream, of: client)
            if let key { state.withLock { _ = $0.subscriptions.removeValue(forKey: key) } }
        }
        guard key != nil else { throw Problem(.serviceUnavailable, "The hub is about to stop.") }
        let body = ResponseBody { writer in
            // The place is given up when the answer is let go, even if it was never begun.
            defer { withExtendedLifetime(place) {} }
            try await writer.write(ByteBuffer(string: ": Lantern\n\n"))
            while let items = await subscription.next(atMost: Self.batch) {
                for piece in Self.encoded(items) { try await writer.write(piece) }
                // One who is behind reads on at once.
                if 1..<Self.batch ~= items.count { try await Task.sleep(for: Self.pause) }
            }
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [
            .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
        ]
        // nginx would hold events back.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// What a client has taken, given back when nothing refers to it any more.
    private final class Place: Sendable {
        private let leave: @Sendable () -> Void

        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    /// The text of events, in pieces that are made one after the other.
    static func encoded(_ items: [EventFeed.Item]) -> some Sequence<ByteBuffer> {
        var rest = items[...]
        var isSilent = items.isEmpty
        return AnySequence {
            AnyIterator {
                var buffer = ByteBuffer()
                if isSilent {
                    isSilent = false
                    buffer.writeString(":\n\n")
                }
                // Whole events, but for one that is longer than a piece.
                while let item = rest.first,
                    buffer.readableBytes == 0
                        || buffer.readableBytes + item.json.count + Self.heading <= PacedWriter.piece
                {
                    rest.removeFirst()
                    buffer.writeString("id: \(item.id)\nevent: \(item.name)\ndata: ")
                    buffer.writeBytes(item.json)
                    buffer.writeString("\n\n")
                }
                return buffer.readableBytes > 0 ? buffer : nil
            }
        }
    }
}
