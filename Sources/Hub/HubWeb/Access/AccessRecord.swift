// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import CompanionDevices

/// Who may use a hub, as its database has it: its tokens, and the browsers that have signed in, as hashes.
package struct AccessRecord: Sendable {
    /// A token that was made.
    package struct Token: Hashable, Sendable {
        /// Its number.
        package let id: Int
        /// What it is for, in a person's words; no other token is called so.
        package let name: String
        /// What its holder may do.
        package let role: AccessRole
        let hash: [UInt8]
        /// When it was made.
        package let made: Timestamp
        /// When it was used last.
        package var used: Timestamp?
    }

    /// A browser that has signed in.
    struct Session: Hashable, Sendable {
        let hash: [UInt8]
        /// The number of the token with which.
        let token: Int
        let made: Timestamp
        var seen: Timestamp
        /// When it was seen last, as far as the database knows.
        var kept: Timestamp

        func isOver(at now: Timestamp) -> Bool {
            AccessRecord.days(from: made, to: now) >= AccessControl.longestSession
                || AccessRecord.days(from: seen, to: now) >= AccessControl.longestAbsence
        }

        /// Whether it has yet to be made: the clock is wrong, or was so then, and it would be long before this one ends.
        func isAhead(at now: Timestamp) -> Bool { AccessRecord.days(from: now, to: made) >= 1 }
    }

    /// Whole days between two moments; what a database holds may be any number.
    static func days(from begin: Timestamp, to end: Timestamp) -> Int64 {
        let (difference, overflow) = end.milliseconds.subtractingReportingOverflow(begin.milliseconds)
        return overflow ? .max : difference / 86_400_000
    }

    /// Tokens that there may be.
    static let limit = 32
    /// Characters of a name.
    package static let nameLength = 1...40
    /// What the token is called that a hub begins with.
    static let owner = "owner"

    var tokens: [Token] = []
    var sessions: [Session] = []
    /// What tells the cookies of this hub from those of another: eight digits.
    var cookie = Self.cookie(of: [])

    /// Nobody.
    init() {}

    /// Reads what a database has; before there were several tokens, it had one without a name.
    init(_ text: String?) {
        guard let node = text.flatMap({ try? JSONReader.read(Array($0.utf8)) }) else { return }
        let old = try? node.needed("token").octets("token", atMost: 32)
        if let old {
            let made = Self.time(node, "made") ?? Timestamp(milliseconds: 0)
            tokens = [Token(id: 1, name: Self.owner, role: .admin, hash: old, made: made)]
            cookie = Self.cookie(of: old)
        }
        tokens += ((try? node.list("tokens")) ?? []).compactMap(Self.token)
        if let octets = try? node.needed("cookie").octets("cookie", atMost: 4) { cookie = octets.hexadecimal }
        sessions = ((try? node.list("sessions")) ?? []).compactMap(Self.session)
        endSessionsWithoutToken()
    }

    private static func token(_ node: JSONNode) -> Token? {
        guard let id = try? node.needed("id").number("id", in: 1...Int(Int32.max)),
            let name = try? node.needed("name").text("name"),
            let role = (try? node.needed("role").text("role")).flatMap(AccessRole.init),
            let hash = try? node.needed("hash").octets("hash", atMost: 32), let made = time(node, "made")
        else { return nil }
        return Token(id: id, name: name, role: role, hash: hash, made: made, used: time(node, "used"))
    }

    private static func session(_ node: JSONNode) -> Session? {
        guard let hash = try? node.needed("hash").octets("hash", atMost: 32),
            let made = time(node, "made"), let seen = time(node, "seen")
        else { return nil }
        let token = try? node.needed("token").number("token", in: 1...Int(Int32.max))
        return Session(hash: hash, token: token ?? 1, made: made, seen: seen, kept: seen)
    }

    private static func time(_ node: JSONNode, _ key: String) -> Timestamp? {
        (try? node.needed(key).text(key)).flatMap(Timestamp.init)
    }

    private static func cookie(of octets: [UInt8]) -> String {
        Array(AccessToken.digest(of: Array("cookie".utf8) + octets).prefix(4)).hexadecimal
    }

    /// The text of the setting.
    var text: String {
        var json = JSONWriter()
        json.object { json in
            json.field("cookie", cookie)
            json.key("tokens")
            json.array { json in
                for token in tokens {
                    json.object { json in
                        json.field("id", token.id)
                        json.field("name", token.name)
                        json.field("role", token.role.rawValue)
                        json.key("hash")
                        json.value(octets: token.hash)
                        json.field("made", token.made)
                        json.field("used", token.used)
                    }
                }
            }
            json.key("sessions")
            json.array { json in
                for session in sessions {
                    json.object { json in
                        json.key("hash")
                        json.value(octets: session.hash)
                        json.field("token", session.token)
                        json.field("made", session.made)
                        json.field("seen", session.seen)
                    }
                }
            }
        }
        return json.text
    }

    /// A name without blanks around it; `nil` when it cannot be one.
    package static func name(_ text: String) -> String? {
        let name = String(text[...].trimmingBlanks())
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return nameLength.contains(name.count) && isPlain ? name : nil
    }

    // MARK: Changes

    /// Adds a token; one of the same name opens nothing any more, and who has signed in with it is signed out.
    ///
    /// - Returns: The token; `nil` when there is no room for another one.
    mutating func make(_ name: String, _ role: AccessRole, _ hash: [UInt8], at moment: Timestamp) -> Token? {
        let others = tokens.filter { $0.name != name }
        guard others.count < Self.limit else { return nil }
        if tokens.isEmpty { cookie = Self.cookie(of: hash) }
        let token = Token(
            id: (tokens.map(\.id).max() ?? 0) + 1, name: name, role: role, hash: hash, made: moment)
        tokens = others + [token]
        endSessionsWithoutToken()
        return token
    }

    /// Why a token is not revoked.
    package enum Refusal: Hashable, Sendable {
        /// There is none of this number.
        case unknown
        /// Nobody could make another one.
        case last
    }

    /// Takes a token away; who has signed in with it is signed out.
    mutating func revoke(_ id: Int) -> Refusal? {
        guard let token = tokens.first(where: { $0.id == id }) else { return .unknown }
        let others = tokens.filter { $0.id != id }
        guard token.role != .admin || others.contains(where: { $0.role == .admin }) else { return .last }
        tokens = others
        endSessionsWithoutToken()
        return nil
    }

    /// Takes over when tokens were used last.
    mutating func noteUse(of known: AccessRecord) {
        for index in tokens.indices {
            let used = known.tokens.first { $0.id == tokens[index].id }?.used
            if let used, tokens[index].used.map({ $0 < used }) ?? true { tokens[index].used = used }
        }
    }

    /// Whether it has a token that another one lacks.
    func hasTokens(beside other: AccessRecord) -> Bool {
        tokens.contains { mine in !other.tokens.contains { $0.id == mine.id } }
    }

    /// Signs out who has signed in with a token that there is no more.
    mutating func endSessionsWithoutToken() {
        sessions.removeAll { session in !tokens.contains { $0.id == session.token } }
    }
}
