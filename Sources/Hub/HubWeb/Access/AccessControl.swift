// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import CompanionDevices
public import CompanionStore
import Detections
public import HubModel
import Synchronization

/// Who may use a hub over the network: those who have one of its tokens, and the browsers that have signed in with one.
///
/// Tokens and sessions are kept in the hub's database as hashes. Where no login is needed, everybody may do everything. Which tokens
/// there are is the database's to say, because other programs make and revoke them, too: ``reload()`` takes that over.
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
    package static let setting = "access"

    /// Where it is kept.
    struct Storage: Sendable {
        typealias Change =
            @Sendable (_ body: @escaping @Sendable (String?) -> String) async throws(StoreError) -> Void

        /// Reads the setting.
        let read: @Sendable () async throws(StoreError) -> String?
        /// Changes the setting by what it is then; nobody else does meanwhile.
        let change: Change

        /// A database.
        init(_ store: DetectionDatabase) {
            read = { () async throws(StoreError) in try await store.settings().values[AccessControl.setting] }
            change = { body async throws(StoreError) in
                _ = try await store.change(setting: AccessControl.setting, body)
            }
        }

        init(
            read: @escaping @Sendable () async throws(StoreError) -> String?, change: @escaping Change
        ) {
            self.read = read
            self.change = change
        }
    }

    /// How often what others have stored is tried to be read, a second apart.
    private static let readings = 60

    private let storage: Storage
    private let now: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> ContinuousClock.Instant
    private var record: AccessRecord
    private var gate = LoginGate()
    /// Whether somebody is signed out, or a token gone, whose streams nobody has ended yet.
    private var areOut = false
    /// Ends with the last change that is being stored.
    private var changing: Task<Void, Never>?
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
        let storage = Storage(store)
        self.init(
            kept: try await storage.read(), needsLogin: needsLogin, now: now, monotonic: monotonic,
            storage: storage)
    }

    init(
        kept: String?, needsLogin: Bool, now: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> ContinuousClock.Instant, storage: Storage
    ) {
        self.storage = storage
        self.needsLogin = needsLogin
        self.now = now
        self.monotonic = monotonic
        record = AccessRecord(kept)
    }

    // MARK: Tokens

    /// Whether there is a token.
    public var hasToken: Bool { !record.tokens.isEmpty }

    /// The tokens, the oldest first.
    package var tokens: [AccessRecord.Token] { record.tokens }

    /// Whether the token of a name is the only one that may do everything.
    package func isLastAdministrator(_ name: String?) -> Bool {
        let administrators = record.tokens.filter { $0.role == .admin }
        return administrators.count == 1 && administrators[0].name == name ?? AccessRecord.owner
    }

    /// How many browsers have signed in with a token.
    func sessions(of token: Int) -> Int { record.sessions.count { $0.token == token } }

    /// Makes a token; one of the same name opens nothing any more, and who has signed in with it is signed out.
    ///
    /// When it cannot be stored, all stays as it was.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - role: What its holder may do.
    /// - Returns: The token, which cannot be had again, and when it was made.
    /// - Throws: ``StoreError``; ``StoreError/tooMuch(reason:)`` when there are too many.
    public func makeToken(
        named name: String? = nil, role: AccessRole = .admin
    ) async throws(StoreError) -> (text: String, made: Timestamp) {
        var generator = SystemRandomNumberGenerator()
        let made = AccessToken.made(using: &generator)
        guard let hash = made.hash else { throw .closed }
        let moment = now()
        let token =
            try await change { record in
                record.make(name ?? AccessRecord.owner, role, hash, at: moment)
            } ?? nil
        guard token != nil else { throw .tooMuch(reason: "there are at most \(AccessRecord.limit) tokens") }
        return (made.text, moment)
    }

    /// Takes a token away; who has signed in with it is signed out.
    ///
    /// - Returns: Why it is not; `nil` when it was.
    package func revoke(_ id: Int) async throws(StoreError) -> AccessRecord.Refusal? {
        try await change { $0.revoke(id) } ?? nil
    }

    /// Takes over which tokens there are now, whoever has made or revoked them.
    ///
    /// - Returns: Whether some are gone, and who had signed in with them.
    func reload() async -> Bool {
        // In turn with changes: what one of them has stored before must not be taken for newer than what is read here.
        await inTurn { await self.reloadNext() }.value
    }

    private func reloadNext() async -> Bool {
        // A token that was revoked must not open anything for longer because it could not be read at once.
        for _ in 0..<Self.readings {
            if let kept = try? await storage.read() {
                if take(AccessRecord(kept)) { areOut = true }
                return takeOut()
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { break }
        }
        return false
    }

    /// Whether some are out since this was asked last.
    private func takeOut() -> Bool {
        defer { areOut = false }
        return areOut
    }

    /// Stores who may use the hub, once more.
    func keep() async throws(StoreError) { _ = try await change { _ in } }

    /// Changes what is stored, by what it is then.
    ///
    /// One change after the other, so that what is older is not stored last. Whoever waits is resumed when the store has done it, or
    /// gives it up; a task that is cancelled waits on, and what it wanted is done.
    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout AccessRecord) -> Value
    ) async throws(StoreError) -> Value? {
        try await inTurn { await self.changeNext(body) }.value.get()
    }

    /// Does something once all that was begun before has ended.
    private func inTurn<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never>
    {
        let before = changing
        let task = Task {
            await before?.value
            return await work()
        }
        changing = Task { _ = await task.value }
        return task
    }

    private func changeNext<Value: Sendable>(
        _ body: @escaping @Sendable (inout AccessRecord) -> Value
    ) async -> Result<Value?, StoreError> {
        let (known, outcome) = (record, ChangeOutcome<Value>())
        do throws(StoreError) {
            try await storage.change { text in
                var stored = AccessRecord(text)
                // A database that has lost them does not lock its owner out.
                if stored.tokens.isEmpty { stored = known }
                let isLess = known.hasTokens(beside: stored)
                stored.noteUse(of: known)
                stored.sessions = known.sessions
                stored.endSessionsWithoutToken()
                let value = body(&stored)
                outcome.value.withLock { $0 = (stored, value, isLess) }
                return stored.text
            }
        } catch {
            return .failure(error)
        }
        guard let (stored, value, isLess) = outcome.value.withLock({ $0 }) else { return .success(nil) }
        // Of what others have revoked meanwhile, nobody would be told any more.
        if isLess { areOut = true }
        _ = take(stored)
        return .success(value)
    }

    /// Takes over the tokens of what is stored.
    ///
    /// - Returns: Whether some are gone.
    private func take(_ stored: AccessRecord) -> Bool {
        guard !stored.tokens.isEmpty else { return false }
        let gone = record.hasTokens(beside: stored)
        let known = record
        record.tokens = stored.tokens
        record.noteUse(of: known)
        record.cookie = stored.cookie
        record.endSessionsWithoutToken()
        return gone
    }

    /// What pages show of it.
    ///
    /// - Parameter access: Takes login, sessions and token.
    public func describe(in access: inout HubAccess) {
        access.needsLogin = needsLogin
        access.sessions = record.sessions.count
        access.lastSession = record.sessions.map { $0.seen }.max()
        access.tokenMade = record.tokens.map { $0.made }.max()
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
        let token = try token(text, from: client)
        var generator = SystemRandomNumberGenerator()
        let secret = AccessToken(
            text: (0..<4).map { _ in
                let digits = String(generator.next() as UInt64, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined())
        let moment = now()
        let count = record.sessions.count
        record.sessions.removeAll { $0.isOver(at: moment) }
        let oldest =
            record.sessions.firstIndex { $0.isAhead(at: moment) }
            ?? record.sessions.indices.min { record.sessions[$0].seen < record.sessions[$1].seen }
        if record.sessions.count >= Self.sessionLimit, let oldest { record.sessions.remove(at: oldest) }
        if record.sessions.count < count { areOut = true }
        if let hash = secret.hash {
            record.sessions.append(
                AccessRecord.Session(hash: hash, token: token, made: moment, seen: moment, kept: moment))
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
    func isSignedIn(_ secret: String?) -> Bool { role(ofSession: secret) != nil }

    /// What a browser may do; `nil` when it is not signed in.
    func role(ofSession secret: String?) -> AccessRole? {
        let moment = now()
        guard let index = record.sessions.firstIndex(where: Self.isMade(of: secret)),
            !record.sessions[index].isOver(at: moment), !record.sessions[index].isAhead(at: moment),
            let token = record.tokens.first(where: { $0.id == record.sessions[index].token })
        else { return nil }
        record.sessions[index].seen = moment
        if AccessRecord.days(from: record.sessions[index].kept, to: moment) >= 1 {
            record.sessions[index].kept = moment
            signIns.continuation.yield()
        }
        return token.role
    }

    /// Signs out those whose time is over.
    ///
    /// - Returns: Whether somebody is out, also for another reason, whose streams may go on.
    func endOldSessions() -> Bool {
        let moment = now()
        let count = record.sessions.count
        record.sessions.removeAll { $0.isOver(at: moment) }
        if record.sessions.count < count {
            areOut = true
            signIns.continuation.yield()
        }
        return takeOut()
    }

    /// What tells the cookies of this hub from those of another: eight digits that say nothing of its tokens.
    var cookieName: String { record.cookie }

    /// Holds a token against those that were made.
    ///
    /// The right one always gets in: wrong ones of strangers must not keep its owner out. That lets nobody guess
    /// faster, because 125 random bits are beyond any guessing.
    ///
    /// - Returns: What its holder may do.
    @discardableResult
    func check(_ text: String, from client: ClientAddress) throws(Refusal) -> AccessRole {
        let id = try token(text, from: client)
        return record.tokens.first { $0.id == id }?.role ?? .read
    }

    /// Whether it is a token of this hub; nothing is noted.
    func isToken(_ text: String) -> Bool { index(ofToken: text) != nil }

    private func index(ofToken text: String) -> Int? {
        guard let hash = AccessToken(text: text).hash else { return nil }
        // Each is compared, so that the time says nothing of which one it is.
        var found: Int?
        for index in record.tokens.indices where AccessToken.matches(hash, record.tokens[index].hash) {
            found = index
        }
        return found
    }

    /// - Returns: The number of the token.
    private func token(_ text: String, from client: ClientAddress) throws(Refusal) -> Int {
        if let found = index(ofToken: text) {
            gate.succeed(client)
            let (moment, before) = (now(), record.tokens[found].used)
            record.tokens[found].used = moment
            // Not each of a program's requests is stored.
            if before.map({ AccessRecord.days(from: $0, to: moment) >= 1 }) ?? true {
                signIns.continuation.yield()
            }
            return record.tokens[found].id
        }
        let moment = monotonic()
        if let wait = gate.wait(for: client, at: moment) { throw .tooSoon(retryAfter: wait) }
        throw .wrong(retryAfter: gate.fail(client, at: moment))
    }

    /// Signs a browser out.
    func signOut(_ secret: String?) async throws(StoreError) {
        let count = record.sessions.count
        record.sessions.removeAll(where: Self.isMade(of: secret))
        guard record.sessions.count < count else { return }
        try await keep()
    }

    /// Signs all browsers out; the tokens stay.
    func signEverybodyOut() async throws(StoreError) {
        record.sessions = []
        try await keep()
    }

    private static func isMade(of secret: String?) -> (AccessRecord.Session) -> Bool {
        guard let hash = secret.flatMap({ AccessToken(text: $0).hash }) else { return { _ in false } }
        return { AccessToken.matches($0.hash, hash) }
    }
}

/// What has come of a change that was made within the store, and whether others had taken tokens away before.
private final class ChangeOutcome<Value: Sendable>: Sendable {
    let value = Mutex<(AccessRecord, Value, Bool)?>(nil)
}
