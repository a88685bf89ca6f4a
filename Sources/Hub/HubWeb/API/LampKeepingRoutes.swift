// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionHub
import HTTPTypes
import Hummingbird
import Nightlight
import NightlightCompanion
import NightlightDevices

extension HubAPI {
    /// Lamps that may be away, schedules that are kept, and what they would do.
    var lampKeepingRoutes: [Route] {
        let memory = Route.Answer.json("What is remembered of the lamp.", Shape.lampMemory)
        let weekBody = Route.Body(
            about: "The week, as week files have it.",
            schema: .object([Schema.Property(name: "week", about: "The week.", schema: .anyObject)]))
        return [
            Route(
                method: .get, path: "/nightlights", name: "listNightlights",
                summary: "The lamps that the hub remembers, and what waits for them.",
                answer: .json(
                    "The lamps.",
                    .object([
                        Schema.Property(name: "items", about: "The lamps.", schema: .list(Shape.lampMemory))
                    ]))
            ) { _ in
                let lamps = await hub.kept.lamps
                return .object { json in
                    json.key("items")
                    json.array { json in for lamp in lamps { lamp.write(into: &json) } }
                }
            },
            Route(
                method: .post, path: "/nightlights/pending", name: "addPendingChange",
                summary: "Keeps what is wanted of a lamp until it is back, then sends it, oldest first.",
                parameters: [Self.lampAddress],
                body: Route.Body(about: "What is to be others.", schema: .object(Self.changeProperties)),
                answer: memory
            ) { input in
                let change = try asking { () throws(HubError) in
                    try LampChange.asked(input.body).change
                }
                let peer = try Self.lamp(input)
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.addPending(change, of: peer)
                    })
            },
            Route(
                method: .delete, path: "/nightlights/pending/{id}", name: "takeBackPendingChange",
                summary: "Takes back what was not sent yet.",
                parameters: [
                    .path("id", "The number of the change.", .integer(0...2_147_483_647)), Self.lampAddress,
                ], answer: memory
            ) { input in
                let id = Int(try input.id())
                let peer = try Self.lamp(input)
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.takeBack(pending: id, of: peer)
                    })
            },
            Route(
                method: .delete, path: "/nightlights", name: "forgetNightlight",
                summary: "Forgets a lamp and what waits for it.", parameters: [Self.lampAddress],
                answer: .empty("It is forgotten."), refusals: [.notFound]
            ) { input in
                let peer = try Self.lamp(input)
                try await asking { () async throws(HubError) in try await hub.forgetLamp(peer) }
                return .empty
            },
            Route(
                method: .post, path: "/light-preview", name: "previewLight",
                summary: "What schedules would make a lamp do on a day, and what a lamp would refuse.",
                body: Route.Body(
                    about: "The schedules and the day.", schema: .object(Self.previewProperties)),
                answer: .json("What it would do.", Schema(of: LightPreview.self)), role: .read
            ) { input in
                guard let body = input.body else { throw Problem.unexpected }
                let now = HostClock.now()
                let preview = try await asking { () async throws(HubError) in
                    try LightPreview(body, now: now) { HostClock.wall(inZone: $0, around: $1) }
                }
                return .json(preview)
            },
            Route(
                method: .get, path: "/light-schedules", name: "listSchedules",
                summary: "The weeks that the hub keeps for lamps.",
                answer: .json(
                    "The weeks.",
                    .object([
                        Schema.Property(name: "items", about: "The weeks.", schema: .list(Shape.schedule))
                    ]))
            ) { _ in
                let schedules = await hub.kept.schedules
                return .object { json in
                    json.key("items")
                    json.array { json in for schedule in schedules { schedule.write(into: &json) } }
                }
            },
            Route(
                method: .post, path: "/light-schedules", name: "keepSchedule",
                summary: "Keeps a week under its name.", body: weekBody,
                answer: .json("What is kept.", Shape.schedule)
            ) { input in
                let week = try Self.week(input)
                return .json(
                    try await asking { () async throws(HubError) in try await hub.keep(schedule: week)
                    })
            },
            Route(
                method: .put, path: "/light-schedules/{id}", name: "replaceSchedule",
                summary: "Puts another week in the place of one that is kept.",
                parameters: [.path("id", "Its number.", .integer(0...2_147_483_647))], body: weekBody,
                answer: .json("What is kept.", Shape.schedule)
            ) { input in
                let (week, id) = (try Self.week(input), Int(try input.id()))
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.keep(schedule: week, as: id)
                    })
            },
            Route(
                method: .delete, path: "/light-schedules/{id}", name: "forgetSchedule",
                summary: "Forgets a week.",
                parameters: [.path("id", "Its number.", .integer(0...2_147_483_647))],
                answer: .empty("It is forgotten.")
            ) { input in
                let id = Int(try input.id())
                try await asking { () async throws(HubError) in try await hub.forget(schedule: id) }
                return .empty
            },
        ]
    }
}

extension HubAPI {
    static let lampAddress = Parameter(
        name: "address", place: .query, about: "The address of the lamp, as commands take it.",
        schema: .address, isRequired: true)

    static func lamp(_ input: RouteInput) throws(Problem) -> Peer {
        guard let address = input.text("address").flatMap({ DeviceAddress($0) }) else {
            throw Problem(.badRequest, "Say which lamp, by its address.")
        }
        return address.likeliest
    }

    static func week(_ input: RouteInput) throws(Problem) -> JSONNode {
        guard case .object(let members)? = input.body?.value,
            let week = members.first(where: { $0.key == "week" })?.node
        else { throw Problem.unexpected }
        return week
    }

    static func optional(_ name: String, _ about: String, _ schema: Schema) -> Schema.Property {
        Schema.Property(name: name, about: about, schema: .nullable(schema), isRequired: false)
    }

    static let changeProperties = [
        optional("name", "The child's name; empty takes it away.", .text(0...64)),
        optional("week", "The week, as week files have it.", .anyObject),
        optional("tonight", "The schedule for some days in place of the week.", .anyObject),
        optional("tonight_days", "For how many days, with today.", .integer(1...Int64(NightlightLimit.days))),
        optional("clear_tonight", "Whether that schedule is taken away.", .flag),
        optional("power", "Whether the LEDs have power.", .flag),
        optional("linked", "Whether LEDs 2 to 4 follow LED 1.", .flag),
        optional(
            "button", "The child's button.",
            .object([
                optional("enabled", "Whether it does anything.", .flag),
                optional("on_seconds", "How long a press lights the lamp.", .integer(0...65_535)),
                optional(
                    "daily_presses", "How many presses a day count; 0 none, 255 all.", .integer(0...255)),
                optional("from", "The first minute in which it does nothing, as 07:30.", .text(4...5)),
                optional("to", "The minute after the last of them; both equal for never.", .text(4...5)),
                optional("shake", "Whether shaking the lamp turns the colours.", .flag),
                optional("color", "The colour of its light, as #ff8800.", .text(1...40)),
            ])),
    ]

    static let previewProperties = [
        Schema.Property(name: "week", about: "The week, as week files have it.", schema: .anyObject),
        optional("tonight", "The schedule for some days in place of the week.", .anyObject),
        optional("tonight_days", "For how many days.", .integer(1...Int64(NightlightLimit.days))),
        optional("from", "The first of them; the day that is asked about, if not given.", .text(8...10)),
        optional("date", "The day; today, if not given.", .text(8...10)),
        optional("time_zone", "The time zone; the hub's, if not given.", .text(1...64)),
    ]
}
