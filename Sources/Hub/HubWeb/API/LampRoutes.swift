// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionHub
import HTTPTypes
import Hummingbird
import Nightlight
import NightlightCompanion

extension HubAPI {
    /// A lamp while there is a link to it: a job, and what is asked of it.
    var lampRoutes: [Route] {
        let answer = Route.Answer.json("How it is.", Shape.nightlight)
        return [
            Route(
                method: .post, path: "/devices/{id}/nightlight", name: "beginNightlight",
                summary: "Connects to a lamp and reads it; pages that look at the same lamp share the link.",
                parameters: [
                    .path("id", "The number of the device.", .integer(0...2_147_483_647)), Self.lampPage,
                ],
                answer: answer, refusals: [.conflict]
            ) { input in
                let (id, page) = (Int(try input.id()), input.text("page") ?? "")
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.beginLamp(device: id, for: page)
                    })
            },
            Route(
                method: .get, path: "/nightlights/{id}", name: "getNightlight", summary: "How a lamp is.",
                parameters: [Self.jobID], answer: answer
            ) { input in
                try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.shown
                }
            },
            Route(
                method: .patch, path: "/nightlights/{id}", name: "changeNightlight",
                summary: "Writes to a lamp what is to be others; what is missing or null stays.",
                parameters: [Self.jobID],
                body: Route.Body(
                    about: "What is to be others.",
                    schema: .object(
                        Self.changeProperties + [
                            Schema.Property(
                                name: "if_changes",
                                about:
                                    "What changes was when the person looked, so that nobody else's is lost.",
                                schema: .nullable(.integer(0...2_147_483_647)), isRequired: false)
                        ])), answer: answer, refusals: [.conflict]
            ) { input in
                let (change, seen) = try asking { () throws(HubError) in
                    try LampChange.asked(input.body)
                }
                return try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.change(change, ifChanges: seen)
                }
            },
            Route(
                method: .post, path: "/nightlights/{id}/proof", name: "tryColor",
                summary: "Shows a colour on a lamp; it ends by itself after a minute, or with the link.",
                parameters: [Self.jobID],
                body: Route.Body(
                    about: "The colour.",
                    schema: .object([
                        Schema.Property(
                            name: "leds", about: "On which LEDs, from 1.",
                            schema: .list(.integer(1...Int64(NightlightLimit.leds)), 1...NightlightLimit.leds)
                        ),
                        Schema.Property(
                            name: "color", about: "The colour, as #ff8800.", schema: .text(1...40)),
                    ])), answer: answer, refusals: [.conflict]
            ) { input in
                let trial = try asking { () throws(HubError) in try ColorTrial(input.body) }
                return try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.tryOut(trial.color, on: trial.leds)
                }
            },
            Route(
                method: .delete, path: "/nightlights/{id}/proof", name: "endColor",
                summary: "Ends what is tried out on a lamp.", parameters: [Self.jobID], answer: answer,
                refusals: [.conflict]
            ) { input in
                try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.endProof()
                }
            },
            Route(
                method: .post, path: "/nightlights/{id}/clock", name: "setNightlightClock",
                summary: "Sets the clock of a lamp, however far it is off.", parameters: [Self.jobID],
                answer: answer, refusals: [.conflict]
            ) { input in
                try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.setClock()
                }
            },
            Route(
                method: .post, path: "/nightlights/{id}/keep", name: "keepNightlight",
                summary: "Says that a page still looks; without this the link ends after its lease.",
                parameters: [Self.jobID, Self.lampPage], answer: answer
            ) { input in
                let page = input.text("page") ?? ""
                return try await asked(input) { (lamp: JobHandle<LampJob>) async throws(HubError) in
                    try await lamp.look(page)
                }
            },
            Route(
                method: .post, path: "/nightlights/{id}/leave", name: "leaveNightlight",
                summary: "Says that a page does not look any more; with the last one the link ends.",
                parameters: [Self.jobID, Self.lampPage], answer: .empty("It is known.")
            ) { input in
                let page = input.text("page") ?? ""
                let lamp: JobHandle<LampJob> = hub.job(try input.id())
                try await asking { () async throws(HubError) in try await lamp.leave(page) }
                return .empty
            },
        ]
    }

    private static let lampPage = Parameter.query(
        "page", "The name of the page, which it has given itself.", .text(0...40))
}
