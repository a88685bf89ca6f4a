// SPDX-License-Identifier: Apache-2.0

import BLETransport
import DBus
import Synchronization
import Testing

@Suite(
    "Objects that are served", .enabled(if: PrivateBus.isThere, "there is no /usr/bin/dbus-daemon"),
    .timeLimit(.minutes(5)))
struct DBusServingTests {
    /// Serves objects on one connection; the other calls them by the first one's name.
    private static func withObjects(
        _ handler: @escaping @Sendable (DBusRequest) -> Void,
        _ body: (_ name: String, DBusConnection, DBusConnection) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let loop = try TransportLoop()
        let ours = try DBusConnection.open(bus.address, on: loop)
        let other = try DBusConnection.open(bus.address, on: loop)
        defer {
            ours.close()
            other.close()
            bus.end()
        }
        ours.serve("/top", handler)
        let name = "org.example.Objects"
        let service = "org.freedesktop.DBus"
        _ = try await ours.call(
            DBusCall(service, "/org/freedesktop/DBus", service, "RequestName", [.string(name), .uint32(0)]))
        try await body(name, ours, other)
    }

    private static func refusal(_ error: DBusError?) -> String? {
        if case .refused(let name, _)? = error { name } else { nil }
    }

    @Test func aCallOfAnObjectAtOrBelowThePathIsAnswered() async throws {
        try await Self.withObjects {
            $0.answer([.path($0.path), .string($0.interface + "." + $0.method)] + $0.arguments)
        } _: { name, _, other in
            for path in ["/top", "/top/one/two"] {
                let arguments: [DBusValue] = [.octets([1, 2]), .options(["a": .uint16(7)])]
                let answer = try await other.call(DBusCall(name, path, "org.example.One", "Do", arguments))
                #expect(answer == [.path(path), .string("org.example.One.Do")] + arguments)
            }
            let error = await #expect(throws: DBusError.self) {
                try await other.call(DBusCall(name, "/elsewhere", "org.example.One", "Do"))
            }
            #expect(Self.refusal(error) == "org.freedesktop.DBus.Error.UnknownObject")
        }
    }

    @Test func aCallIsRefusedByNameAndAnsweredOnce() async throws {
        try await Self.withObjects {
            $0.refuse("org.example.Error.No", "not today")
            $0.answer([.bool(true)])
        } _: { name, _, other in
            await #expect(throws: DBusError.refused(name: "org.example.Error.No", message: "not today")) {
                try await other.call(DBusCall(name, "/top", "org.example.One", "Do"))
            }
        }
    }

    @Test func aCallThatNobodyAnswersFails() async throws {
        try await Self.withObjects { _ in
        } _: { name, _, other in
            let error = await #expect(throws: DBusError.self) {
                try await other.call(DBusCall(name, "/top", "org.example.One", "Do"), timeout: .seconds(60))
            }
            #expect(Self.refusal(error) == "org.freedesktop.DBus.Error.Failed")
        }
    }

    @Test func aCallMayBeAnsweredLaterAndAfterTheEndNot() async throws {
        let held = Mutex<[DBusRequest]>([])
        let (calls, source) = AsyncStream.makeStream(of: Void.self)
        try await Self.withObjects { request in
            held.withLock { $0.append(request) }
            source.yield()
        } _: { name, ours, other in
            var came = calls.makeAsyncIterator()
            async let answer = other.call(DBusCall(name, "/top", "org.example.One", "Do"))
            await came.next()
            held.withLock { $0.removeFirst() }.answer([.string("late")])
            let late = try await answer
            #expect(late == [.string("late")])
            let second = Task { try await other.call(DBusCall(name, "/top", "org.example.One", "Do")) }
            await came.next()
            ours.close()
            await #expect(throws: DBusError.self) { _ = try await second.value }
            held.withLock { $0.removeFirst() }.answer()
        }
    }

    @Test func whatIsServedNoMoreIsUnknown() async throws {
        try await Self.withObjects {
            $0.answer()
        } _: { name, ours, other in
            _ = try await other.call(DBusCall(name, "/top", "org.example.One", "Do"))
            ours.stopServing("/top")
            let error = await #expect(throws: DBusError.self) {
                try await other.call(DBusCall(name, "/top", "org.example.One", "Do"))
            }
            #expect(Self.refusal(error) == "org.freedesktop.DBus.Error.UnknownObject")
        }
    }

    @Test func aSignalReachesOthers() async throws {
        try await Self.withObjects {
            $0.answer()
        } _: { name, ours, other in
            let (signals, source) = AsyncStream.makeStream(of: DBusSignal.self)
            other.handleSignals("type='signal',interface='org.example.One'") {
                if let signal = try? $0.get() { source.yield(signal) }
            }
            _ = try await other.call(DBusCall(name, "/top", "org.example.One", "Do"))
            ours.emit(
                DBusSignal(
                    path: "/top/one", interface: "org.example.One", name: "Changed",
                    arguments: [.options(["Value": .octets([1])]), .array([], of: "s")]))
            var came = signals.makeAsyncIterator()
            let signal = try #require(await came.next())
            #expect((signal.path, signal.name) == ("/top/one", "Changed"))
            #expect(signal.arguments.first?.named?["Value"] == .octets([1]))
        }
    }
}
