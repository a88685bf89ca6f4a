// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import HTTPTypes
import HubModel
import Hummingbird

extension HubAPI {
    private static let pairingID = Parameter.path(
        "id", "The number of the pairing.", .integer(0...9_007_199_254_740_991))

    /// Devices that pair, and those that have: what a person is asked, what is answered, and whose keys are kept.
    var pairingRoutes: [Route] {
        [
            Route(
                method: .get, path: "/pairings", name: "listPairings",
                summary: "The devices that pair now, with the digits that are shown.",
                answer: .json(
                    "The pairings.",
                    .object([
                        Schema.Property(
                            name: "items", about: "The oldest first.",
                            schema: .list(
                                .object([
                                    Schema.Property(
                                        name: "pairing", about: "How it is.", schema: Shape.pairing),
                                    Schema.Property(
                                        name: "digits",
                                        about:
                                            "The six digits to show or to compare, while they are; null otherwise. They stand in no event.",
                                        schema: .nullable(.text())),
                                ])))
                    ])), role: .admin, hasSecret: true
            ) { _ in
                let list = await hub.pairings.list()
                return .object { json in
                    json.key("items")
                    json.array { json in
                        for (pairing, digits) in list {
                            json.object { json in
                                json.key("pairing")
                                pairing.write(into: &json)
                                json.field("digits", digits)
                            }
                        }
                    }
                }
            },
            answerRoute,
            Route(
                method: .delete, path: "/explorers/{id}/pair", name: "cancelPairing",
                summary: "Gives up the pairing that a page has begun.", parameters: [Self.jobID],
                answer: .empty("It is given up.")
            ) { input in
                let job = explorer(try input.id())
                try await asking { () async throws(HubError) in try await job.cancelPairing() }
                return .empty
            },
        ] + bondRoutes
    }

    private var answerRoute: Route {
        Route(
            method: .post, path: "/pairings/{id}/answer", name: "answerPairing",
            summary:
                "Says yes or no to what is asked while a device pairs, or types its digits; the first answer counts.",
            parameters: [Self.pairingID],
            body: Route.Body(
                about: "The answer.",
                schema: .object([
                    Schema.Property(
                        name: "question", about: "Which question is answered: what the pairing says.",
                        schema: .integer(1...1_000_000)),
                    Schema.Property(
                        name: "accept", about: "Yes or no; a no gives up pairing.", schema: .flag),
                    Schema.Property(
                        name: "digits",
                        about: "The six digits that the device shows, where they are asked for.",
                        schema: .nullable(.text(6...6)), isRequired: false),
                ])), answer: .json("How it is.", Shape.pairing), refusals: [.conflict]
        ) { input in
            let id = try input.id()
            guard case .number(let number)? = input.member("question") else { throw Problem.unexpected }
            var answer = Pairings.Answer.accept(input.member("accept") == .bool(true))
            if case .text(let text)? = input.member("digits"), answer == .accept(true) {
                guard let passkey = SMP.Passkey(digits: text) else {
                    guard await hub.pairings.list().contains(where: { $0.pairing.id == id }) else {
                        throw Problem(.notFound, "This pairing is over.")
                    }
                    throw Problem(.unprocessableContent, "Six digits are needed, as in 012345.")
                }
                answer = .digits(passkey)
            }
            let given = answer
            return .json(
                try await asking { () async throws(HubError) in
                    try await hub.pairings.answer(id, question: Int(number), given)
                })
        }
    }

    private var bondRoutes: [Route] {
        [
            Route(
                method: .get, path: "/bonds", name: "listBonds",
                summary: "The devices whose keys the hub keeps; never the keys.",
                answer: .json(
                    "The devices.",
                    .object([
                        Schema.Property(
                            name: "items", about: "The one that was paired first at the beginning.",
                            schema: .list(Shape.bond)),
                        Schema.Property(
                            name: "unreadable", about: "How many there are that cannot be read.",
                            schema: .integer()),
                        Schema.Property(
                            name: "fault", about: "Why no keys can be kept; null when they can.",
                            schema: .nullable(.text())),
                    ]))
            ) { _ in
                let bonds = await hub.bonds()
                return .object { json in
                    json.key("items")
                    json.array { json in for bond in bonds.items { bond.write(into: &json) } }
                    json.field("unreadable", bonds.unreadable)
                    json.field("fault", bonds.fault)
                }
            },
            Route(
                method: .delete, path: "/bonds", name: "removeBond", summary: "Forgets the keys of a device.",
                parameters: [
                    Parameter(
                        name: "address", place: .query,
                        about: "The address of the device, as commands take it.",
                        schema: .address, isRequired: true)
                ], answer: .empty("They are forgotten."), refusals: [.notFound, .conflict]
            ) { input in
                guard let address = input.text("address").flatMap({ DeviceAddress($0) }) else {
                    throw Problem(.badRequest, "Say which device, by its address.")
                }
                try await asking { () async throws(HubError) in try await hub.removeBond(of: address) }
                return .empty
            },
            Route(
                method: .delete, path: "/bonds/unreadable", name: "removeUnreadableBonds",
                summary: "Forgets the bonds that cannot be read, so that others can be kept.",
                answer: .empty("They are forgotten."), refusals: [.conflict]
            ) { _ in
                try await asking { () async throws(HubError) in try await hub.removeUnreadableBonds() }
                return .empty
            },
        ]
    }
}
