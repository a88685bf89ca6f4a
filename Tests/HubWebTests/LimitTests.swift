// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import NIOCore
import Testing

@testable import HubWeb

@Suite("How much one client may ask for", .timeLimit(.minutes(5)))
struct LimitTests {
    private static func limited(
        _ change: (inout ClientLimits) -> Void, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run { configuration in
            configuration.limits.countsLoopback = true
            change(&configuration.limits)
        } _: {
            try await body($0)
        }
    }

    @Test func bodiesAreBounded() async throws {
        try await Self.limited {
            $0.body = 1000
        } _: { server in
            let path = "/api/v1/detections/bulk"
            let body = #"{"action":"delete","detections":[]"# + String(repeating: " ", count: 2000) + "}"
            #expect(try await server.request("POST", path, body: body).status == 413)
            // Without a length it is read up to the limit and no further.
            try await WebConnection.open(server.port) { connection in
                try await connection.send(
                    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                for _ in 0..<3 {
                    try await connection.send("200\r\n" + String(repeating: " ", count: 512) + "\r\n")
                }
                #expect(try await connection.answer().status == 413)
                // The rest is of no use to anybody.
                while try await connection.receive() {}
            }
        }
    }

    @Test func answersInMemoryHaveSoMuchRoomTogether() {
        let usage = ClientUsage(ClientLimits())
        var rooms: [ClientUsage.Room] = []
        while let room = usage.room(for: 1 << 20) { rooms.append(room) }
        #expect(rooms.count == 16)
        #expect(usage.room(for: 1) == nil)
        // Whoever has taken an answer makes room for another one of its size.
        rooms.removeLast()
        #expect(usage.room(for: (1 << 20) + 1) == nil)
        #expect(usage.room(for: 1 << 20) != nil)
        rooms = []
        // One that is alone may be larger than all together.
        let large = usage.room(for: 17 << 20)
        #expect(large != nil && usage.room(for: 1) == nil)
        withExtendedLifetime(large) {}
    }

    @Test func headersAreBounded() async throws {
        try await TestServer.run { server in
            for head in [
                "X-Long: \(String(repeating: "x", count: 20_000))\r\n",
                String(repeating: "X-Many: x\r\n", count: 200),
            ] {
                try await WebConnection.open(server.port) { connection in
                    try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n")
                    let answer = try await connection.answer()
                    #expect(answer.status == 431 && answer.text.contains("at most 16384 octets"))
                    #expect(answer.header("content-type") == "application/problem+json")
                    while try await connection.receive() {}
                }
            }
        }
    }

    @Test func whatIsNoRequestIsRefusedInWords() async throws {
        try await TestServer.run { server in
            for text in ["\u{16}\u{3}\u{1} TLS\r\n\r\n", "GET /healthz HTTP/9.9.9\r\n\r\n", "hello\r\n\r\n"] {
                try await WebConnection.open(server.port) { connection in
                    try await connection.send(text)
                    let answer = try await connection.answer()
                    #expect(answer.status == 400, "\(answer.text)")
                    #expect(answer.text.contains("not an HTTP request"), "\(answer.text)")
                    while try await connection.receive() {}
                }
            }
        }
    }

    @Test func whoSendsAHeadTooSlowlyIsCutOff() async throws {
        try await Self.limited {
            $0.idle = .milliseconds(500)
        } _: { server in
            let began = ContinuousClock.now
            try await WebConnection.open(server.port) { connection in
                let outbound = connection.outbound
                let sending = Task {
                    for octet in Array(
                        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "y", count: 300))"
                            .utf8)
                    {
                        try await outbound.write(ByteBuffer(bytes: [octet]))
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
                while try await connection.receive() {}
                sending.cancel()
                _ = await sending.result
            }
            #expect(ContinuousClock.now - began < .seconds(40))
        }
    }

    @Test func whoSendsABodyTooSlowlyIsCutOff() async throws {
        try await Self.limited {
            $0.slowest = .milliseconds(500)
        } _: { server in
            let began = ContinuousClock.now
            try await WebConnection.open(server.port) { connection in
                try await connection.send(
                    "POST /api/v1/detections/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
                )
                let outbound = connection.outbound
                let sending = Task {
                    while true {
                        try await outbound.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
                while try await connection.receive() {}
                sending.cancel()
                _ = await sending.result
            }
            #expect(ContinuousClock.now - began < .seconds(40))
        }
    }

    @Test func whoTakesNothingOfAnAnswerIsCutOff() async throws {
        try await Self.limited {
            $0.slowest = .milliseconds(500)
        } _: { server in
            try await WebConnection.open(server.port) { connection in
                try await connection.request("GET", "/api/v1/events")
                let text = String(repeating: "x", count: 100_000)
                while server.hub.feed.subscriptions == 0 { try await Task.sleep(for: .milliseconds(10)) }
                while server.hub.feed.subscriptions > 0 {
                    server.hub.feed.publish(FlockNoise(text: text), at: .now())
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(try await server.get("/hub").status == 200)
        }
    }

    @Test func connectionsOfOneClientAreBounded() async throws {
        try await Self.limited {
            $0.connectionsOfOne = 2
        } _: { server in
            try await WebConnection.open(server.port) { one in
                try await one.request("GET", "/healthz")
                _ = try await one.answer()
                try await WebConnection.open(server.port) { two in
                    try await two.request("GET", "/healthz")
                    _ = try await two.answer()
                    // Nothing happens on both: who has been so for longest goes.
                    try await WebConnection.open(server.port) { three in
                        try await three.request("GET", "/healthz")
                        #expect(try await three.answer().status == 200)
                        let isOpen = try await one.receive()
                        #expect(!isOpen)
                    }
                }
            }
            while true {
                // What was closed is free again.
                if let answer = try? await server.request("GET", "/healthz") {
                    #expect(answer.status == 200)
                    break
                }
            }
        }
    }

    @Test func streamsOfOneClientAreBounded() async throws {
        try await Self.limited {
            $0.streamsOfOne = 1
        } _: { server in
            try await WebConnection.open(server.port) { stream in
                try await stream.request("GET", "/api/v1/events")
                _ = try await stream.read(upTo: ": Lantern\n\n")
                let answer = try await server.get("/events")
                #expect(answer.status == 429 && answer.header("retry-after") == "10")
            }
            while server.hub.feed.subscriptions > 0 { try await Task.sleep(for: .milliseconds(10)) }
            try await WebConnection.open(server.port) { stream in
                try await stream.request("GET", "/api/v1/events")
                _ = try await stream.read(upTo: ": Lantern\n\n")
            }
        }
    }

    @Test func aBurstOfRequestsIsSlowedDown() async throws {
        try await Self.limited {
            $0.burst = 5
            $0.rate = 0.01
        } _: { server in
            for _ in 1...5 { #expect(try await server.request("GET", "/healthz").status == 200) }
            let answer = try await server.request("GET", "/healthz")
            #expect(answer.status == 429 && answer.header("retry-after") != nil)
        }
    }

    /// A whole network may have one address.
    @Test func whoIsSignedInIsNotKeptOutByNeighbours() async throws {
        try await TestServer.run(needsLogin: true) { configuration in
            configuration.limits.countsLoopback = true
            (configuration.limits.burst, configuration.limits.rate) = (5, 0.01)
            configuration.limits.connectionsOfOne = 4
        } _: { server in
            let (token, _) = try await server.access.makeToken()
            for _ in 1...5 { #expect(try await server.request("GET", "/healthz").status == 200) }
            let wrong = [("Authorization", "Bearer 0123456789abcdef0123456789abcdef")]
            #expect(try await server.request("GET", "/api/v1/hub").status == 429)
            #expect(try await server.request("GET", "/api/v1/hub", headers: wrong).status == 429)
            let right = [("Authorization", "Bearer \(token)")]
            for _ in 1...5 {
                #expect(try await server.request("GET", "/api/v1/hub", headers: right).status == 200)
            }
            // It has an allowance, too.
            #expect(try await server.request("GET", "/api/v1/hub", headers: right).status == 429)
        }
    }

    @Test func connectionsOnWhichNothingHappensKeepNobodyOut() async throws {
        try await TestServer.run(needsLogin: true) { configuration in
            configuration.limits.countsLoopback = true
            configuration.limits.connectionsOfOne = 2
        } _: { server in
            let (token, _) = try await server.access.makeToken()
            try await WebConnection.open(server.port) { one in
                try await one.send("GET /api/v1/hub HTTP/1.1\r\n")
                try await WebConnection.open(server.port) { two in
                    try await two.send("GET /api/v1/hub HTTP/1.1\r\n")
                    let right = [("Authorization", "Bearer \(token)")]
                    for _ in 1...5 {
                        #expect(try await server.request("GET", "/api/v1/hub", headers: right).status == 200)
                    }
                }
            }
        }
    }

    @Test func theAllowanceFillsUpAgainAndNoFurther() {
        var limits = ClientLimits()
        limits.burst = 10
        limits.rate = 2
        let usage = ClientUsage(limits)
        let client = LoginGateTests.client("10.0.0.1")
        var now = ContinuousClock.now
        for _ in 1...10 { #expect(usage.spend(client, at: now) == nil) }
        #expect(usage.spend(client, at: now) == .seconds(0.5))
        now += .seconds(1)
        for _ in 1...2 { #expect(usage.spend(client, at: now) == nil) }
        #expect(usage.spend(client, at: now) != nil)
        #expect(usage.spend(LoginGateTests.client("10.0.0.2"), at: now) == nil)
        now += .seconds(1000)
        for _ in 1...10 { #expect(usage.spend(client, at: now) == nil) }
        #expect(usage.spend(client, at: now) != nil)
        // A program of this machine may be a proxy with everybody behind it.
        let local = LoginGateTests.client("127.0.0.1")
        for _ in 1...100 { #expect(usage.spend(local, at: now) == nil) }
    }

    @Test func requestsAtOnceAreCountedPerClientAndForAll() {
        var limits = ClientLimits()
        limits.requestsOfOne = 2
        limits.streams = 3
        let usage = ClientUsage(limits)
        let (one, other) = (LoginGateTests.client("10.0.0.1"), LoginGateTests.client("10.0.0.2"))
        #expect(usage.open(.request, of: one) && usage.open(.request, of: one))
        #expect(!usage.open(.request, of: one))
        #expect(usage.open(.request, of: other))
        usage.close(.request, of: one)
        #expect(usage.open(.request, of: one))
        #expect(
            usage.open(.stream, of: one) && usage.open(.stream, of: one) && usage.open(.stream, of: other))
        #expect(!usage.open(.stream, of: other))
        #expect(usage.count(.stream) == 3)
    }
}
