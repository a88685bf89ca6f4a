// SPDX-License-Identifier: Apache-2.0

public import Companion
import CompanionDevices
public import CompanionStore

/// Who may use a hub over the network: one token, and the browsers that have signed in with it.
///
/// Token and sessions are kept in the hub's database as hashes. Where no login is needed, everybody may.
public actor AccessControl {
    /// Whether requests need a token or a session.
    public nonisolated let needsLogin: Bool

    /// Browsers that may be signed in at once; the one that was seen longest ago goes.
    static let sessionLimit = 64
    private static let setting = "access"

    private struct Session {
        let hash: [UInt8]
        let made: Timestamp
        var seen: Timestamp
    }

    private let store: DetectionDatabase
    private let now: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> ContinuousClock.Instant
    private var token: [UInt8]?
    private var tokenMade: Timestamp?
    private var sessions: [Session] = []
    private var gate = LoginGate()

    /// Reads what was kept.
    ///
    /// - Parameters:
    ///   - store: The hub's database.
    ///   - needsLogin: Whether requests need a token or a session.
    /// - Throws: ``StoreError``.
    public init(store: DetectionDatabase, needsLogin: Bool) async throws(StoreError) {
        try await self.init(
            store: store, needsLogin: needsLogin, now: Timestamp.now, monotonic: { ContinuousClock.now })
    }

    init(
        store: DetectionDatabase, needsLogin: Bool, now: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> ContinuousClock.Instant
    ) async throws(StoreError) {
        self.store = store
        self.needsLogin = needsLogin
        self.now = now
        self.monotonic = monotonic
        if let kept = try await store.settings().values[Self.setting] { read(kept) }
    }

    /// Whether a token was made.
    public var hasToken: Bool { token != nil }

    /// Makes a token; the one before opens nothing any more, and everybody is signed out.
    ///
    /// - Returns: The token, which cannot be had again, and when it was made.
    /// - Throws: ``StoreError``.
    public func makeToken() async throws(StoreError) -> (text: String, made: Timestamp) {
        var generator = SystemRandomNumberGenerator()
        let made = AccessToken.made(using: &generator)
        token = made.hash
        sessions = []
        let moment = now()
        tokenMade = moment
        try await keep()
        return (made.text, moment)
    }

    /// What pages show of it.
    ///
    /// - Parameter access: Takes login, sessions and token.
    public func describe(in access: inout HubAccess) {
        access.needsLogin = needsLogin
        access.sessions = sessions.count
        access.lastSession = sessions.map { $0.seen }.max()
        access.tokenMade = tokenMade
    }

    // MARK: Requests

    /// Why somebody is not let in.
    enum Refusal: Error, Hashable {
        /// It is not the token.
        case wrong(retryAfter: Duration)
        /// There were too many wrong ones.
        case tooSoon(retryAfter: Duration)
    }

    /// Signs a browser in.
    ///
    /// - Returns: What the browser keeps.
    func signIn(_ text: String, from client: ClientAddress) throws(Refusal) -> String {
        try check(text, from: client)
        var generator = SystemRandomNumberGenerator()
        let secret = AccessToken(
            text: (0..<4).map { _ in
                let digits = String(generator.next() as UInt64, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined())
        let moment = now()
        let oldest = sessions.indices.min { sessions[$0].seen < sessions[$1].seen }
        if sessions.count >= Self.sessionLimit, let oldest { sessions.remove(at: oldest) }
        if let hash = secret.hash { sessions.append(Session(hash: hash, made: moment, seen: moment)) }
        // A disk that is full, or a database that somebody else holds, must not keep the owner out.
        Task { try? await keep() }
        return secret.text
    }

    /// Whether a browser is signed in.
    func isSignedIn(_ secret: String?) -> Bool {
        guard let index = session(secret) else { return false }
        sessions[index].seen = now()
        return true
    }

    /// Holds a token against the one that was made.
    func check(_ text: String, from client: ClientAddress) throws(Refusal) {
        let moment = monotonic()
        if let wait = gate.wait(for: client, at: moment) { throw .tooSoon(retryAfter: wait) }
        guard let token, let hash = AccessToken(text: text).hash, AccessToken.matches(hash, token) else {
            throw .wrong(retryAfter: gate.fail(client, at: moment))
        }
        gate.succeed(client)
    }

    /// Signs a browser out.
    func signOut(_ secret: String?) async throws(StoreError) {
        guard let index = session(secret) else { return }
        sessions.remove(at: index)
        try await keep()
    }

    /// Signs all browsers out; the token stays.
    func signEverybodyOut() async throws(StoreError) {
        sessions = []
        try await keep()
    }

    private func session(_ secret: String?) -> Int? {
        guard let secret, let hash = AccessToken(text: secret).hash else { return nil }
        return sessions.firstIndex { AccessToken.matches($0.hash, hash) }
    }

    // MARK: What is kept

    /// Stores who may use the hub, once more.
    func keep() async throws(StoreError) {
        var json = JSONWriter()
        json.object { json in
            json.key("token")
            json.value(octets: token)
            json.field("made", tokenMade)
            json.key("sessions")
            json.array { json in
                for session in sessions {
                    json.object { json in
                        json.key("hash")
                        json.value(octets: session.hash)
                        json.field("made", session.made)
                        json.field("seen", session.seen)
                    }
                }
            }
        }
        _ = try await store.change(settings: [Self.setting: json.text])
    }

    private func read(_ kept: String) {
        guard let node = try? JSONReader.read(Array(kept.utf8)) else { return }
        token = try? node.needed("token").octets("token", atMost: 32)
        tokenMade = Self.time(node, "made")
        for item in (try? node.list("sessions")) ?? [] {
            guard let hash = try? item.needed("hash").octets("hash", atMost: 32),
                let made = Self.time(item, "made"), let seen = Self.time(item, "seen")
            else { continue }
            sessions.append(Session(hash: hash, made: made, seen: seen))
        }
    }

    private static func time(_ node: JSONNode, _ key: String) -> Timestamp? {
        (try? node.needed(key).text(key)).flatMap(Timestamp.init)
    }
}
