// SPDX-License-Identifier: Apache-2.0

import BLETransport
import DBus
import Testing

@Suite(
    "A connection to a bus", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct DBusConnectionTests {
    private static let bus = "org.freedesktop.DBus"

    private static func call(_ method: String, _ arguments: [DBusValue] = []) -> DBusCall {
        DBusCall(bus, "/org/freedesktop/DBus", bus, method, arguments)
    }

    /// Uses two connections to one bus.
    private static func withBus(
        _ body: (PrivateBus, DBusConnection, DBusConnection) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        let one = try DBusConnection.open(bus.address, on: loop)
        let other = try DBusConnection.open(bus.address, on: loop)
        defer {
            one.close()
            other.close()
            bus.end()
        }
        try await body(bus, one, other)
    }

    @Test("calls made before it is connected are answered")
    func calls() async throws {
        try await Self.withBus { _, one, other in
            let id = try await one.call(Self.call("GetId"))
            #expect(id.first?.string?.count == 32)
            #expect(try await other.call(Self.call("GetId")) == id)
            let names = try await one.call(Self.call("ListNames"))
            #expect(try #require(names.first?.strings).contains(Self.bus))
            let who = try await one.call(
                Self.call("GetConnectionCredentials", [.string(Self.bus)]))
            #expect(who.first?.named?["ProcessID"]?.integer != nil)
        }
    }

    @Test("an error of the service comes with its name and its text")
    func errors() async throws {
        try await Self.withBus { _, one, _ in
            let error = await #expect(throws: DBusError.self) {
                try await one.call(Self.call("GetNameOwner", [.string("org.example.Nobody")]))
            }
            guard case .refused(let name, let message)? = error else {
                Issue.record("it was not refused")
                return
            }
            #expect(name == "org.freedesktop.DBus.Error.NameHasNoOwner")
            #expect(message.contains("org.example.Nobody"))
        }
    }

    @Test("what is no message is refused before it is sent")
    func invalid() async throws {
        try await Self.withBus { _, one, _ in
            for call in [
                DBusCall(Self.bus, "no path", Self.bus, "GetId"),
                Self.call("GetNameOwner", [.string("a\0b")]),
                Self.call("GetNameOwner", [.path("not a path")]),
                Self.call("GetNameOwner", [.array([.uint32(1)], of: "s")]),
            ] {
                await #expect {
                    try await one.call(call)
                } throws: {
                    if case .invalid = $0 as? DBusError { true } else { false }
                }
            }
            let (answers, source) = AsyncStream.makeStream(of: Result<DBusSignal, DBusError>.self)
            one.handleSignals("no rule") { source.yield($0) }
            var iterator = answers.makeAsyncIterator()
            #expect(await iterator.next() == .failure(.invalid("no rule is no rule for signals")))
            let id = try await one.call(Self.call("GetId"))
            #expect(id.count == 1)
        }
    }

    @Test("signals come, also those of the time before the call after them is answered")
    func signals() async throws {
        try await Self.withBus { _, one, other in
            let (names, source) = AsyncStream.makeStream(of: String.self)
            one.handleSignals("type='signal',sender='\(Self.bus)',member='NameOwnerChanged'") {
                if let name = try? $0.get().arguments.first?.string, !name.hasPrefix(":") {
                    source.yield(name)
                }
            }
            _ = try await one.call(Self.call("GetId"))
            let taken = try await other.call(
                Self.call("RequestName", [.string("org.example.Here"), .uint32(0)]))
            #expect(taken == [.uint32(1)])
            var iterator = names.makeAsyncIterator()
            #expect(await iterator.next() == "org.example.Here")
        }
    }

    @Test("a call that nobody answers ends by its time, or by the cancellation of its task")
    func silence() async throws {
        let bus = try PrivateBus()
        defer { bus.end() }
        let loop = try TransportLoop()
        let one = try DBusConnection.open(bus.address, on: loop)
        let owner = try SilentService(at: bus.address)
        defer { owner.end() }
        let call = DBusCall(owner.name, "/", "org.example.Thing", "Never")
        await #expect(throws: DBusError.timeout) { try await one.call(call, timeout: .milliseconds(50)) }
        let task = Task { try await one.call(call) }
        _ = try await one.call(Self.call("GetId"))
        task.cancel()
        await #expect(throws: DBusError.cancelled) { try await task.value }
        one.close()
        await #expect(throws: DBusError.lost("it was closed")) { try await one.call(Self.call("GetId")) }
    }

    @Test("a service that goes without an answer has refused")
    func goneService() async throws {
        try await Self.withBus { bus, one, _ in
            let owner = try SilentService(at: bus.address)
            let call = DBusCall(owner.name, "/", "org.example.Thing", "Never")
            let task = Task { try await one.call(call) }
            _ = try await one.call(Self.call("GetId"))
            owner.end()
            let error = await #expect(throws: DBusError.self) { try await task.value }
            guard case .refused? = error else {
                Issue.record("the call ended otherwise: \(String(describing: error))")
                return
            }
        }
    }

    @Test("the end of the bus ends what waits and what is called afterwards, and is told once")
    func end() async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        let (ends, source) = AsyncStream.makeStream(of: DBusError.self)
        let connection = try DBusConnection.open(bus.address, on: loop) { source.yield($0) }
        let owner = try SilentService(at: bus.address)
        let call = DBusCall(owner.name, "/", "org.example.Thing", "Never")
        let task = Task { try await connection.call(call) }
        _ = try await connection.call(Self.call("GetId"))
        bus.end()
        owner.end()
        let error = await #expect(throws: DBusError.self) { try await task.value }
        switch error {
        // A bus that ends may say first that the service has gone.
        case .lost?, .refused?: break
        default: Issue.record("the call ended otherwise: \(String(describing: error))")
        }
        var iterator = ends.makeAsyncIterator()
        guard case .lost? = await iterator.next() else {
            Issue.record("its end was not told")
            return
        }
        await #expect(throws: DBusError.self) { try await connection.call(Self.call("GetId")) }
    }

    @Test("what is called before anybody has noticed that the bus has gone says that it is lost")
    func endUnnoticed() async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        let connection = try DBusConnection.open(bus.address, on: loop) { _ in }
        _ = try await connection.call(Self.call("GetId"))
        let (answers, source) = AsyncStream.makeStream(of: Result<[DBusValue], DBusError>.self)
        // The loop reads nothing before both are done.
        nonisolated(unsafe) let ending = bus
        loop.execute {
            ending.end()
            connection.send(Self.call("GetId")) { source.yield($0) }
        }
        var iterator = answers.makeAsyncIterator()
        guard case .failure(.lost)? = await iterator.next() else {
            Issue.record("it says something else")
            return
        }
    }

    @Test("where nothing is, it says so")
    func nobody() throws {
        let loop = try TransportLoop()
        #expect {
            _ = try DBusConnection.open("unix:path=/nonexistent/socket", on: loop)
        } throws: {
            "\($0)".contains("nothing answers at unix:path=/nonexistent/socket")
        }
    }
}
