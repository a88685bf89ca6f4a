// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import HTTPTypes
import Hummingbird

extension HubAPI {
    private static let roleWords = Schema.word(AccessRole.allCases.map(\.rawValue))
    private static let roleAbout =
        "What its holder may do: look (read), change lamps and bulbs, too (home), or everything (admin)."

    private static let tokenSchema = Schema.object([
        Schema.Property(name: "id", about: "Its number.", schema: .integer()),
        Schema.Property(name: "name", about: "What it is for.", schema: .text()),
        Schema.Property(name: "role", about: roleAbout, schema: roleWords),
        Schema.Property(name: "made", about: "When it was made.", schema: .time),
        Schema.Property(
            name: "used", about: "When it was used last; null for never.", schema: .nullable(.time)),
        Schema.Property(
            name: "sessions", about: "How many browsers are signed in with it.", schema: .integer()),
    ])

    /// The tokens, for administrators alone.
    var tokenRoutes: [Route] {
        [
            Route(
                method: .get, path: "/tokens", name: "listTokens",
                summary: "The tokens that open this hub; none of them can be had again.",
                answer: .json(
                    "The tokens.",
                    .object([
                        Schema.Property(
                            name: "items", about: "The oldest first.", schema: .list(Self.tokenSchema))
                    ])), role: .admin
            ) { _ in
                var items: [(AccessRecord.Token, sessions: Int)] = []
                for token in await access.tokens {
                    items.append((token, await access.sessions(of: token.id)))
                }
                return .object { [items] json in
                    json.key("items")
                    json.array { json in
                        for (token, sessions) in items {
                            json.object { json in
                                json.field("id", token.id)
                                json.field("name", token.name)
                                json.field("role", token.role.rawValue)
                                json.field("made", token.made)
                                json.field("used", token.used)
                                json.field("sessions", sessions)
                            }
                        }
                    }
                }
            },
            Route(
                method: .post, path: "/tokens", name: "makeToken",
                summary:
                    "Makes a token; one of the same name stops working, and who has signed in with it is signed out.",
                body: Route.Body(
                    about: "What it is for; nothing makes the owner's token anew.",
                    schema: .object([
                        Schema.Property(
                            name: "name", about: "What it is for, in a person's words.",
                            schema: .text(AccessRecord.nameLength)),
                        Schema.Property(name: "role", about: Self.roleAbout, schema: Self.roleWords),
                    ]), isRequired: false),
                answer: .json(
                    "The token, which cannot be had again.",
                    .object([
                        Schema.Property(name: "token", about: "The token.", schema: .text()),
                        Schema.Property(name: "made", about: "When it was made.", schema: .time),
                    ])), refusals: [.conflict],
                role: .admin, hasSecret: true
            ) { input in
                var name: String?
                var role = AccessRole.admin
                if case .text(let text)? = input.member("name") { name = try Self.name(text) }
                if case .text(let word)? = input.member("role"), let wanted = AccessRole(rawValue: word) {
                    role = wanted
                }
                if role != .admin, await access.isLastAdministrator(name) {
                    throw Self.lastAdministrator
                }
                let (token, made) = try await access.makeToken(named: name, role: role)
                streams.endAll()
                return .object { json in
                    json.field("token", token)
                    json.field("made", made)
                }
            },
            Route(
                method: .delete, path: "/tokens/{id}", name: "revokeToken",
                summary: "Takes a token away; browsers that have signed in with it are signed out.",
                parameters: [.path("id", "The number of the token.", .integer(1...2_147_483_647))],
                answer: .empty("It stops working."), refusals: [.conflict], role: .admin
            ) { input in
                switch try await access.revoke(Int(input.id())) {
                case .unknown: throw Problem(.notFound, "There is no such token. It may have been revoked.")
                case .last: throw Self.lastAdministrator
                case nil: break
                }
                streams.endAll()
                return .empty
            },
            Route(
                method: .delete, path: "/tokens/sessions", name: "signEverybodyOut",
                summary: "Signs all browsers out; the tokens stay.",
                answer: .empty("Nobody is signed in."), role: .admin
            ) { _ in
                // Also where it cannot be stored: they are out now.
                defer { streams.endAll() }
                try await access.signEverybodyOut()
                return .empty
            },
        ]
    }

    private static let lastAdministrator = Problem(
        .conflict, "This is the last token that may do everything. Make another one first.")

    /// A name as it is kept.
    private static func name(_ text: String) throws(Problem) -> String {
        guard let name = AccessRecord.name(text) else {
            throw Problem(
                .unprocessableContent,
                "A name has 1 to \(AccessRecord.nameLength.upperBound) characters, and says what the token is for."
            )
        }
        return name
    }
}
