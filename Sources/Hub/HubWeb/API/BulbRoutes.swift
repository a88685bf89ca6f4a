// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionHub
import HTTPTypes
import Hummingbird
import LEDBulb
import LEDBulbCompanion

extension HubAPI {
    /// Bulbs: a job each, and what is asked of it.
    var bulbRoutes: [Route] {
        let answer = Route.Answer.json("How it is.", Shape.bulb)
        let keywords = BulbDialect.all.map { $0.keyword.string }
        return [
            Route(
                method: .get, path: "/bulb-dialects", name: "listBulbDialects",
                summary: "The dialects that bulbs speak, with their effects.",
                answer: .json(
                    "The dialects.",
                    .object([
                        Schema.Property(
                            name: "items", about: "All of them.",
                            schema: .list(Schema(of: BulbDialectJSON.self)))
                    ]))
            ) { _ in
                .object { json in
                    json.key("items")
                    json.array { json in
                        for dialect in BulbDialect.all { BulbDialectJSON(dialect).write(into: &json) }
                    }
                }
            },
            Route(
                method: .post, path: "/devices/{id}/bulb", name: "beginBulb",
                summary: "Takes a bulb in hand; pages that have the same one share the link.",
                parameters: [
                    .path("id", "The number of the device.", .integer(0...2_147_483_647)), Self.bulbPage,
                ],
                body: Route.Body(
                    about: "How to speak to it.",
                    schema: .object([
                        Schema.Property(
                            name: "dialect",
                            about:
                                "What it speaks; null for what it shows, left out for what was chosen before.",
                            schema: .nullable(.word(keywords)), isRequired: false)
                    ]), isRequired: false),
                answer: answer, refusals: [.conflict]
            ) { input in
                let (id, page) = (Int(try input.id()), input.text("page") ?? "")
                var dialect: BulbDialect?
                if case .text(let word)? = input.member("dialect") { dialect = .named(WireText(word)) }
                let findsOut = input.member("dialect") == .null
                return .json(
                    try await asking { [dialect] () async throws(HubError) in
                        try await hub.beginBulb(device: id, for: page, speaking: dialect, findsOut: findsOut)
                    })
            },
            Route(
                method: .get, path: "/bulbs/{id}", name: "getBulb",
                summary: "What was asked of a bulb, and what it says.", parameters: [Self.jobID],
                answer: answer
            ) { input in
                try await asked(input) { (bulb: JobHandle<BulbJob>) async throws(HubError) in
                    try await bulb.shown
                }
            },
            Route(
                method: .post, path: "/bulbs/{id}/commands", name: "commandBulb",
                summary: "Gives a bulb a command; of those that wait, the newest of a kind is sent.",
                parameters: [Self.jobID],
                body: Route.Body(
                    about: "The command, with what it needs.",
                    schema: .object([
                        Schema.Property(
                            name: "command", about: "What to do.",
                            schema: .word(["color", "white", "on", "off", "effect", "state"])),
                        Schema.Property(
                            name: "color", about: "The colour, such as #ff8800.", schema: .text(1...40),
                            isRequired: false),
                        Schema.Property(
                            name: "white_percent", about: "How bright the white is.",
                            schema: .integer(0...100), isRequired: false),
                        Schema.Property(
                            name: "effect", about: "The effect.", schema: .integer(0...255),
                            isRequired: false),
                        Schema.Property(
                            name: "speed", about: "How fast it is; 1 is the fastest.",
                            schema: .integer(1...255), isRequired: false),
                    ])), answer: answer, refusals: [.conflict]
            ) { input in
                let command = try asking { () throws(HubError) in try BulbCommand(input.body) }
                return try await asked(input) { (bulb: JobHandle<BulbJob>) async throws(HubError) in
                    try await bulb.perform(command)
                }
            },
            Route(
                method: .post, path: "/bulbs/{id}/cycle", name: "startBulbCycle",
                summary: "Lets a bulb go through all hues for as long as its page is there.",
                parameters: [Self.jobID],
                body: Route.Body(
                    about: "How fast.",
                    schema: .object([
                        Schema.Property(
                            name: "turn", about: "How long a turn takes, in milliseconds.",
                            schema: .integer(500...3_600_000))
                    ])), answer: answer, refusals: [.conflict]
            ) { input in
                let turn = try asking { () throws(HubError) in try BulbCommand.turn(input.body) }
                return try await asked(input) { (bulb: JobHandle<BulbJob>) async throws(HubError) in
                    try await bulb.startCycle(turn: turn)
                }
            },
            Route(
                method: .delete, path: "/bulbs/{id}/cycle", name: "stopBulbCycle",
                summary: "Ends that; the bulb keeps the hue that it has come to.",
                parameters: [Self.jobID], answer: answer, refusals: [.conflict]
            ) { input in
                try await asked(input) { (bulb: JobHandle<BulbJob>) async throws(HubError) in
                    try await bulb.stopCycle()
                }
            },
            Route(
                method: .post, path: "/bulbs/{id}/keep", name: "keepBulb",
                summary:
                    "Says that a page still has a bulb in hand; without this the link ends after its lease.",
                parameters: [Self.jobID, Self.bulbPage], answer: answer
            ) { input in
                let page = input.text("page") ?? ""
                return try await asked(input) { (bulb: JobHandle<BulbJob>) async throws(HubError) in
                    try await bulb.look(page)
                }
            },
            Route(
                method: .post, path: "/bulbs/{id}/leave", name: "leaveBulb",
                summary: "Says that a page has a bulb in hand no more; with the last one the link ends.",
                parameters: [Self.jobID, Self.bulbPage], answer: .empty("It is known.")
            ) { input in
                let page = input.text("page") ?? ""
                let bulb: JobHandle<BulbJob> = hub.job(try input.id())
                try await asking { () async throws(HubError) in try await bulb.leave(page) }
                return .empty
            },
        ]
    }

    private static let bulbPage = Parameter.query(
        "page", "The name of the page, which it has given itself.", .text(0...40))
}
