// SPDX-License-Identifier: Apache-2.0

import BLEWire
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
    /// A browser that was not seen for so many days is signed out.
    static let longestAbsence: Int64 = 30
    /// A browser has to sign in again after so many days, seen or not.
    static let longestSession: Int64 = 180
    /// The setting in which that is kept.
    static let setting = "access"

    private struct Session {
        let hash: [UInt8]
        let made: Timestamp
        var seen: Timestamp
        /// When it was seen last, as far as the database knows.
        var kept: Timestamp

        func isOver(at now: Timestamp) -> Bool {
            AccessControl.days(from: made, to: now) >= AccessControl.longestSession
                || AccessControl.days(from: seen, to: now) >= AccessControl.longestAbsence
        }

        /// Whether it has yet to be made: the clock is wrong, or was so then, and it would be long before this one ends.
        func isAhead(at now: Timestamp) -> Bool { AccessControl.days(from: now, to: made) >= 1 }
    }

    private let write: @Sendable (_ kept: String) async throws(StoreError) -> Void
    private let now: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> ContinuousClock.Instant
    private var token: [UInt8]?
    private var tokenMade: Timestamp?
    private var sessions: [Session] = []
    /// The token that the database has, and the browsers that a change of it signs out, until it is stored.
    private var stored: (token: [UInt8]?, made: Timestamp?)
    private var leaving: [Session] = []
    private var gate = LoginGate()
    /// Sign-ins that are not stored yet; ``keepSessions()`` takes them, or nobody once the server has ended.
    private let signIns = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

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
        let kept = try await store.settings().values[Self.setting]
        self.init(kept: kept, needsLogin: needsLogin, now: now, monotonic: monotonic) {
            kept throws(StoreError) in _ = try await store.change(settings: [Self.setting: kept])
        }
    }

    init(
        kept: String?, needsLogin: Bool, now: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> ContinuousClock.Instant,
        write: @escaping @Sendable (_ kept: String) async throws(StoreError) -> Void
    ) {
        self.write = write
        self.needsLogin = needsLogin
        self.now = now
        self.monotonic = monotonic
        guard let node = kept.flatMap({ try? JSONReader.read(Array($0.utf8)) }) else { return }
        token = try? node.needed("token").octets("token", atMost: 32)
        tokenMade = Self.time(node, "made")
        stored = (token, tokenMade)
        sessions = ((try? node.list("sessions")) ?? []).compactMap { item in
            guard let hash = try? item.needed("hash").octets("hash", atMost: 32),
                let made = Self.time(item, "made"), let seen = Self.time(item, "seen")
            else { return nil }
            return Session(hash: hash, made: made, seen: seen, kept: seen)
        }
    }

    /// Whether a token was made.
    public var hasToken: Bool { token != nil }

    /// Makes a token; the one before opens nothing any more, and everybody is signed out.
    ///
    /// When it cannot be stored, all stays as it was.
    ///
    /// - Returns: The token, which cannot be had again, and when it was made.
    /// - Throws: ``StoreError``.
    public func makeToken() async throws(StoreError) -> (text: String, made: Timestamp) {
        var generator = SystemRandomNumberGenerator()
        let made = AccessToken.made(using: &generator)
        token = made.hash
        leaving += sessions
        sessions = []
        let moment = now()
        tokenMade = moment
        do throws(StoreError) {
            try await keep()
        } catch {
            // Nobody gets to know the new one, so nobody could sign in any more.
            if token == made.hash {
                (token, tokenMade) = stored
                sessions += leaving
                leaving = []
            }
            throw error
        }
        if token == made.hash { leaving = [] }
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
        sessions.removeAll { $0.isOver(at: moment) }
        let oldest =
            sessions.firstIndex { $0.isAhead(at: moment) }
            ?? sessions.indices.min { sessions[$0].seen < sessions[$1].seen }
        if sessions.count >= Self.sessionLimit, let oldest { sessions.remove(at: oldest) }
        if let hash = secret.hash {
            sessions.append(Session(hash: hash, made: moment, seen: moment, kept: moment))
        }
        // A disk that is full, or a database that somebody else holds, must not keep the owner out.
        signIns.continuation.yield()
        return secret.text
    }

    /// Stores who has signed in, until it is cancelled.
    func keepSessions() async {
        for await _ in signIns.stream { try? await keep() }
    }

    /// Whether a browser is signed in.
    func isSignedIn(_ secret: String?) -> Bool {
        let moment = now()
        guard let index = sessions.firstIndex(where: Self.isMade(of: secret)),
            !sessions[index].isOver(at: moment), !sessions[index].isAhead(at: moment)
        else { return false }
        sessions[index].seen = moment
        if Self.days(from: sessions[index].kept, to: moment) >= 1 {
            sessions[index].kept = moment
            signIns.continuation.yield()
        }
        return true
    }

    /// Signs out those whose time is over.
    ///
    /// - Returns: Whether there were any.
    func endOldSessions() -> Bool {
        let moment = now()
        let count = sessions.count
        sessions.removeAll { $0.isOver(at: moment) }
        guard sessions.count < count else { return false }
        signIns.continuation.yield()
        return true
    }

    /// What tells the cookies of this hub from those of another: eight digits that follow from its token, and say
    /// nothing of it.
    var cookieName: String {
        let digest = AccessToken.digest(of: Array("cookie".utf8) + (token ?? []))
        return Array(digest.prefix(4)).hexadecimal
    }

    /// Holds a token against the one that was made.
    ///
    /// The right one always gets in: wrong ones of strangers must not keep its owner out. That lets nobody guess
    /// faster, because 125 random bits are beyond any guessing.
    func check(_ text: String, from client: ClientAddress) throws(Refusal) {
        if let token, let hash = AccessToken(text: text).hash, AccessToken.matches(hash, token) {
            return gate.succeed(client)
        }
        let moment = monotonic()
        if let wait = gate.wait(for: client, at: moment) { throw .tooSoon(retryAfter: wait) }
        throw .wrong(retryAfter: gate.fail(client, at: moment))
    }

    /// Signs a browser out.
    func signOut(_ secret: String?) async throws(StoreError) {
        let count = sessions.count + leaving.count
        sessions.removeAll(where: Self.isMade(of: secret))
        leaving.removeAll(where: Self.isMade(of: secret))
        guard sessions.count + leaving.count < count else { return }
        try await keep()
    }

    /// Signs all browsers out; the token stays.
    func signEverybodyOut() async throws(StoreError) {
        (sessions, leaving) = ([], [])
        try await keep()
    }

    /// Whole days between two moments; what a database holds may be any number.
    private static func days(from begin: Timestamp, to end: Timestamp) -> Int64 {
        let (difference, overflow) = end.milliseconds.subtractingReportingOverflow(begin.milliseconds)
        return overflow ? .max : difference / 86_400_000
    }

    private static func isMade(of secret: String?) -> (Session) -> Bool {
        guard let hash = secret.flatMap({ AccessToken(text: $0).hash }) else { return { _ in false } }
        return { AccessToken.matches($0.hash, hash) }
    }

    // MARK: What is kept

    /// Stores who may use the hub, once more.
    func keep() async throws(StoreError) {
        let kept = (token, tokenMade)
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
        try await write(json.text)
        stored = kept
    }

    private static func time(_ node: JSONNode, _ key: String) -> Timestamp? {
        (try? node.needed(key).text(key)).flatMap(Timestamp.init)
    }
}
