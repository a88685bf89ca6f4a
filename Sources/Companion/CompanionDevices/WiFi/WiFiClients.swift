// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
public import BluetoothLE
public import Companion
import Synchronization

/// A connection to a device that accepts Wi-Fi credentials, by whatever protocol.
public protocol WiFiLink {
    /// The device; there once ``WiFiReport/ready(_:)`` has come.
    var device: WiFiDevice { get }

    /// Asks for something; reports follow.
    ///
    /// - Parameter request: What to ask for.
    /// - Throws: ``WiFiSecretError`` when credentials cannot be sent, ``WiFiError/unsupported`` when the protocol
    ///   cannot do it.
    nonisolated(nonsending) func request(_ request: WiFiRequest) async throws

    /// The next report.
    ///
    /// - Returns: The report.
    /// - Throws: As `ClientConnection.next()`.
    nonisolated(nonsending) mutating func next() async throws -> WiFiReport

    /// The next report, or nothing when somebody calls ``wake`` meanwhile.
    ///
    /// - Returns: The report; `nil` when it was woken, and for what is of no interest.
    /// - Throws: As `ClientConnection.next()`.
    nonisolated(nonsending) mutating func nextUnlessWoken() async throws -> WiFiReport?

    /// Ends the wait of ``nextUnlessWoken()``, the present one or the next; anybody may call it.
    var wake: @Sendable () async -> Void { get }

    /// Waits for an answer of a person or another task, as long as the link lasts.
    ///
    /// - Parameter body: Gets the answer; it returns nothing soon after it is cancelled.
    /// - Returns: The answer; `nil` when there is none.
    /// - Throws: As `ClientConnection.next()`.
    nonisolated(nonsending) mutating func whileConnected<Answer: Sendable>(
        @_inheritActorContext _ body: @escaping @Sendable () async -> Answer?
    ) async throws -> Answer?
}

/// A protocol for Wi-Fi credentials: what a product adds to the list of them.
public protocol WiFiClientKind: Sendable {
    /// The protocol.
    var kind: WiFiProtocol { get }

    /// Finds a device, does some work when it is ready, and closes the link, also when the work fails.
    ///
    /// - Parameters:
    ///   - target: The device.
    ///   - radio: The radio.
    ///   - options: How to look for it, and for how long.
    ///   - notices: Called with what happens meanwhile.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: ``ConnectionError``, and what the body throws.
    nonisolated(nonsending) func open<Value: Sendable>(
        _ target: DeviceLink.Target, on radio: Radio, _ options: ConnectionOptions,
        notices: @escaping (ConnectionNotice) -> Void,
        _ body: nonisolated(nonsending) (inout any WiFiLink) async throws -> Value
    ) async throws -> Value
}

/// The protocol of one kind of session.
public struct WiFiClients<Session: WiFiSession & ~Copyable & SendableMetatype>: WiFiClientKind {
    private struct Link: WiFiLink {
        var connection: ClientConnection<Session>
        var device: WiFiDevice

        nonisolated(nonsending) func request(_ request: WiFiRequest) async throws {
            let result = Mutex<Result<Void, any Error>>(.success(()))
            await connection.update { session, now in
                var outcome: Result<Void, any Error> = .success(())
                switch request {
                case .list: session.listNetworks(at: now)
                case .state: session.requestState(at: now)
                case .send(let secret):
                    do throws(WiFiSecretError) {
                        try session.send(secret, at: now)
                    } catch {
                        outcome = .failure(error)
                    }
                case .identify:
                    if !session.showItself(at: now) { outcome = .failure(WiFiError.unsupported) }
                case .describe:
                    if !session.describeItself(at: now) { outcome = .failure(WiFiError.unsupported) }
                }
                result.withLock { $0 = outcome }
            }
            try result.withLock { $0 }.get()
        }

        nonisolated(nonsending) mutating func next() async throws -> WiFiReport {
            while true {
                guard let report = Session.wifiReport(in: try await connection.next()) else { continue }
                if case .ready(let device) = report { self.device = device }
                return report
            }
        }

        nonisolated(nonsending) mutating func nextUnlessWoken() async throws -> WiFiReport? {
            guard let event = try await connection.nextUnlessWoken() else { return nil }
            return Session.wifiReport(in: event)
        }

        var wake: @Sendable () async -> Void { connection.wake }

        nonisolated(nonsending) mutating func whileConnected<Answer: Sendable>(
            @_inheritActorContext _ body: @escaping @Sendable () async -> Answer?
        ) async throws -> Answer? { try await connection.whileConnected(body) }
    }

    /// Makes the protocol.
    public init() {}

    /// The protocol.
    public var kind: WiFiProtocol { Session.kind }

    /// Finds a device, does some work when it is ready, and closes the link, also when the work fails.
    public nonisolated(nonsending) func open<Value: Sendable>(
        _ target: DeviceLink.Target, on radio: Radio, _ options: ConnectionOptions,
        notices: @escaping (ConnectionNotice) -> Void,
        _ body: nonisolated(nonsending) (inout any WiFiLink) async throws -> Value
    ) async throws -> Value {
        try await ClientConnection.open(
            Session(wifiTarget: target, seed: .random(in: 0 ... .max)), on: radio, options, notices: notices
        ) { connection in
            while true {
                guard case .ready(let device)? = Session.wifiReport(in: try await connection.next()) else {
                    continue
                }
                var link: any WiFiLink = Link(connection: connection, device: device)
                return try await body(&link)
            }
        }
    }
}

extension [any WiFiClientKind] {
    /// Finds a device and does some work with it, by the protocol that its characteristics say.
    ///
    /// The first protocol is tried first; a device that lacks what it needs, but has what another one needs, is
    /// connected to once more.
    ///
    /// - Parameters:
    ///   - target: The device.
    ///   - radio: The radio.
    ///   - options: How to look for it, and for how long.
    ///   - notices: Called with what happens meanwhile.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: ``ConnectionError``, and what the body throws.
    public nonisolated(nonsending) func open<Value: Sendable>(
        _ target: DeviceLink.Target, on radio: Radio, _ options: ConnectionOptions = .init(),
        notices: @escaping (ConnectionNotice) -> Void = { _ in },
        _ body: nonisolated(nonsending) (inout any WiFiLink) async throws -> Value
    ) async throws -> Value {
        var rest = self
        guard !rest.isEmpty else { throw WiFiError.unsupported }
        var kind = rest.removeFirst()
        while true {
            do {
                return try await kind.open(target, on: radio, options, notices: notices, body)
            } catch ConnectionError.wrongDevice(let missing, let having) {
                guard
                    let fitting = rest.firstIndex(where: { other in
                        other.kind.characteristics.allSatisfy { having.contains($0.uuid) }
                    })
                else { throw ConnectionError.wrongDevice(missing: missing, having: having) }
                kind = rest.remove(at: fitting)
            }
        }
    }
}
