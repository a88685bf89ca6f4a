// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import Testing

@testable import HubWeb

@Suite("What happens, as server-sent events", .timeLimit(.minutes(5)))
struct EventStreamTests {
    private static let path = "/api/v1/events"

    private static func publish(_ numbers: ClosedRange<Int>, to server: TestServer) {
        for number in numbers { server.hub.feed.publish(LinesLeftOut(lines: number), at: .now()) }
    }

    /// Opens a stream and reads over its beginning.
    private static func open(
        _ connection: inout WebConnection, after id: Int64? = nil
    ) async throws {
        try await connection.request(
            "GET", path, headers: id.map { [("Last-Event-ID", "\($0)")] } ?? [])
        let head = try await connection.head()
        #expect(head.status == 200 && head.header("content-type") == "text/event-stream; charset=utf-8")
        #expect(head.header("cache-control") == "no-store")
        _ = try await connection.read(upTo: ": Lantern\n\n")
    }

    /// The next event with this name: its number and its data.
    private static func event(
        _ connection: inout WebConnection, _ name: String
    ) async throws -> (id: Int64, data: JSONNode) {
        while true {
            let event = try await event(&connection)
            if event.name == name { return (event.id, event.data) }
        }
    }

    /// The next event.
    private static func event(
        _ connection: inout WebConnection
    ) async throws -> (id: Int64, name: String, data: JSONNode) {
        let id = try await connection.read(upTo: "\nevent: ").split(separator: "id: ").last ?? ""
        let name = String(try await connection.read(upTo: "\ndata: ").dropLast(7))
        let data = try await connection.read(upTo: "\n\n")
        return (Int64(id.dropLast(8)) ?? 0, name, try JSONReader.read(Array(data.utf8)))
    }

    private static func lines(_ data: JSONNode) throws -> Int? {
        guard case .number(let number)? = try data.member("lines")?.value else { return nil }
        return Int(number)
    }

    @Test func eventsComeWithTheirNumbersAndNames() async throws {
        try await TestServer.run { server in
            try await WebConnection.open(server.port) { stream in
                try await Self.open(&stream)
                Self.publish(1...3, to: server)
                var last: Int64 = 0
                for number in 1...3 {
                    let (id, data) = try await Self.event(&stream, "left_out")
                    #expect(id > last)
                    last = id
                    #expect(try Self.lines(data) == number)
                    #expect(try data.member("event")?.value == .text("left_out"))
                }
                #expect(last <= server.hub.feed.lastID)
            }
        }
    }

    @Test func whoComesBackMissesNothing() async throws {
        try await TestServer.run { server in
            let hub = try await server.get("/hub")
            guard case .number(let last)? = try hub.value("last_event_id") else {
                throw WebConnection.Fault.ended
            }
            Self.publish(1...5, to: server)
            let id = try await WebConnection.open(server.port) { stream in
                try await Self.open(&stream, after: Int64(last))
                for _ in 1...2 { _ = try await Self.event(&stream, "left_out") }
                return try await Self.event(&stream, "left_out").id
            }
            try await WebConnection.open(server.port) { stream in
                try await Self.open(&stream, after: id)
                #expect(try Self.lines(try await Self.event(&stream, "left_out").data) == 4)
                #expect(try Self.lines(try await Self.event(&stream, "left_out").data) == 5)
            }
        }
    }

    @Test func whoComesBackTooLateIsTold() async throws {
        try await TestServer.run { server in
            Self.publish(1...3, to: server)
            for id in [0, 1, 9_007_199_254_740_991] as [Int64] {
                try await WebConnection.open(server.port) { stream in
                    try await Self.open(&stream, after: id)
                    let (number, data) = try await Self.event(&stream, "gap")
                    #expect(number > 1 && number <= server.hub.feed.lastID)
                    guard case .number(let lost)? = try data.member("lost")?.value else {
                        throw WebConnection.Fault.ended
                    }
                    #expect(lost >= 3)
                }
            }
            for text in ["x", "-1", "1.5", "99999999999999999999"] {
                let answer = try await server.request("GET", Self.path, headers: [("Last-Event-ID", text)])
                #expect(answer.status == 400, "\(text)")
            }
        }
    }

    @Test func whoHasNothingToReadHearsThatTheHubIsThere() async throws {
        #expect(EventStreams.heartbeat < .seconds(10))
        try await TestServer.run { server in
            try await WebConnection.open(server.port) { stream in
                try await Self.open(&stream)
                // Until the stream waits, there is nobody to be nudged.
                let nudging = Task {
                    while (try? await Task.sleep(for: .milliseconds(20))) != nil { server.hub.feed.nudge() }
                }
                _ = try await stream.read(upTo: "\n:\n\n")
                nudging.cancel()
            }
        }
    }

    @Test func streamsOfWhichHalfAreNotReadHoldUpNobody() async throws {
        try await TestServer.run { server in
            let readers = 100
            let (opened, open) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<(2 * readers) {
                    group.addTask {
                        try await WebConnection.open(server.port) { stream in
                            try await Self.open(&stream)
                            open.yield()
                            if index % 2 == 0 {
                                // It reads nothing until it is over.
                                while server.hub.feed.subscriptions > 0 {
                                    try await Task.sleep(for: .milliseconds(100))
                                }
                                return 0
                            }
                            try await stream.skip(to: #""lines":10000}"#)
                            return 1
                        }
                    }
                }
                var count = 0
                for await _ in opened {
                    count += 1
                    if count == 2 * readers { break }
                }
                #expect(server.hub.feed.subscriptions == 2 * readers)
                // More than what lies between a server and a client who does not read.
                let text = String(repeating: "x", count: 4000)
                for number in 1...400 {
                    server.hub.feed.publish(FlockNoise(text: text), at: .now())
                    if number % 100 == 0 { try await Task.sleep(for: .milliseconds(5)) }
                }
                Self.publish(10_000...10_000, to: server)
                // The others are done although half of them still sit there.
                var done = 0
                while done < readers, let value = try await group.next() { done += value }
                #expect(done == readers)
                #expect(try await server.get("/hub").status == 200)
                server.hub.feed.finish()
                group.cancelAll()
            }
        }
    }

    @Test func aStreamThatIsReadAgainGoesOnAfterAGap() async throws {
        try await TestServer.run { server in
            try await WebConnection.open(server.port) { stream in
                try await Self.open(&stream)
                let text = String(repeating: "x", count: 10_000)
                for _ in 1...4000 { server.hub.feed.publish(FlockNoise(text: text), at: .now()) }
                var gaps = 0
                while true {
                    let event = try await Self.event(&stream)
                    // While the client is behind, what is published may be in the next gap.
                    if event.name == "gap" {
                        gaps += 1
                        Self.publish(1...1, to: server)
                    } else if event.name == "left_out" {
                        break
                    }
                }
                #expect(gaps > 0)
            }
        }
    }

    @Test func aClientThatGoesGivesItsPlaceUp() async throws {
        try await TestServer.run { server in
            try await WebConnection.open(server.port) { stream in try await Self.open(&stream) }
            while server.hub.feed.subscriptions > 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    /// Who ends the streams of a session ends those that are there, of which this one is not yet when its client is let in.
    @Test func noStreamIsOpenedForASessionThatEndsMeanwhile() async throws {
        let clock = SkippingClock()
        try await TestServer.run(needsLogin: true, clock: clock) { server in
            let (token, _) = try await server.access.makeToken()
            let signedIn = try await server.request(
                "POST", "/api/v1/session", body: #"{"token":"\#(token)"}"#)
            let cookie = try #require(signedIn.header("set-cookie")?.split(separator: ";").first)
            clock.skip(after: 1)
            try await WebConnection.open(server.port) { stream in
                try await stream.request("GET", Self.path, headers: [("Cookie", String(cookie))])
                #expect(try await stream.head().status == 401)
            }
            while server.hub.feed.subscriptions > 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func theEndOfTheServerEndsStreamsAtOnce() async throws {
        let (streams, stream) = AsyncStream<Int>.makeStream()
        let client = Task {
            for await port in streams {
                try await WebConnection.open(port) { connection in
                    try await Self.open(&connection)
                    stream.finish()
                    while try await connection.receive() {}
                }
            }
        }
        try await TestServer.run { configuration in
            // Who is not ended at once would be cut off then.
            configuration.limits.farewell = .seconds(3600)
        } _: { server in
            stream.yield(server.port)
            while server.hub.feed.subscriptions == 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
        try await client.value
    }
}

/// An event of a size that a test wants.
struct FlockNoise: Event {
    static let name: StaticString = "noise"
    static let summary: StaticString = "A test makes noise."
    let text: String

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("text", "The noise.") { $0.text }
    }
}
