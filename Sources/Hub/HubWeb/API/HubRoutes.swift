// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionHub
import FlockFinder
import HTTPTypes
import HubModel
import Hummingbird

extension HubAPI {
    /// The hub, its radio and what happens in it.
    var hubRoutes: [Route] {
        [
            Route(
                method: .get, path: "/hub", name: "getHub", summary: "How the hub is.",
                answer: .json("The hub.", Shape.hub)
            ) { _ in .json(await state()) },
            Route(
                method: .post, path: "/radio/retry", name: "retryRadio",
                summary: "Tries to open the radio at once, if it cannot be used.",
                answer: .empty("It is being tried.")
            ) { _ in
                await hub.retryRadio()
                return .empty
            },
            Route(
                method: .get, path: "/events", name: "followEvents",
                summary: "What happens, as server-sent events; see Documentation/Events.md.",
                parameters: [
                    .header(
                        "Last-Event-ID", "The number of the last event that is known.",
                        .integer(0...9_007_199_254_740_991))
                ],
                answer: Route.Answer(
                    about: "Events, for as long as the client likes.", type: "text/event-stream",
                    schema: .text()),
                isStream: true
            ) { input in
                try streams.answer(
                    to: input.client, after: input.integer("Last-Event-ID").map { Int64($0) })
            },
        ]
    }

    /// The hub, with who is signed in now.
    func state() async -> HubState {
        var state = await hub.state()
        await access.describe(in: &state.access)
        return state
    }

    /// What people have set.
    var settingsRoutes: [Route] {
        let answer = Route.Answer.json(
            "The settings.", Shape.settings, headers: ["ETag": "Names this state of them."])
        return [
            Route(
                method: .get, path: "/settings", name: "getSettings", summary: "What people have set.",
                answer: answer
            ) { _ in
                let (settings, revision) = await hub.revisedSettings
                return .json(settings, headers: [.eTag: "\"\(revision)\""])
            },
            Route(
                method: .patch, path: "/settings", name: "changeSettings",
                summary: "Changes some of the settings (RFC 7396); null is what a new hub has.",
                parameters: [
                    .header(
                        "If-Match",
                        "The ETag of the settings that were seen, so that nobody else's change is lost; * overrides.",
                        .text(1...200), isRequired: true)
                ],
                body: Route.Body(about: "The changes.", schema: .anyObject), answer: answer
            ) { input in
                let revision = try Self.revision(in: input)
                guard let body = input.body else { throw Problem(HubError.changedMeanwhile) }
                let (settings, new) = try await asking { () async throws(HubError) in
                    try await hub.change(settings: body, ifRevision: revision)
                }
                return .json(settings, headers: [.eTag: "\"\(new)\""])
            },
        ]
    }

    /// What a client has seen of what it changes, by its If-Match; `nil` for whatever it is.
    static func revision(in input: RouteInput) throws -> Int64? {
        guard let tag = input.text("If-Match"), tag != "*" else { return nil }
        // A weak tag is nobody's, however its number reads.
        let isPacked = tag.hasSuffix(Gzip.tagEnd)
        let number = tag.dropFirst().dropLast(isPacked ? Gzip.tagEnd.count : 1)
        guard let revision = Int64(number), tag == "\"\(revision)\(isPacked ? Gzip.tagEnd : "\"")" else {
            throw Problem(HubError.changedMeanwhile)
        }
        return revision
    }

    /// Devices that are heard or known.
    var deviceRoutes: [Route] {
        let id = Parameter.path("id", "The number of the device.", .integer(0...2_147_483_647))
        let answer = Route.Answer.json("The device.", Shape.device)
        return [
            Route(
                method: .get, path: "/devices", name: "listDevices",
                summary: "The devices that the hub hears or knows.",
                answer: .json(
                    "The devices.",
                    .object([
                        Schema.Property(
                            name: "items", about: "In the order in which they were heard first.",
                            schema: .list(Shape.device))
                    ]))
            ) { _ in
                .object { json in
                    json.key("items")
                    json.array { json in for device in hub.devices { device.write(into: &json) } }
                }
            },
            Route(
                method: .post, path: "/devices", name: "addDevice",
                summary:
                    "Remembers a device whose address is known, and connects to it if it is a FlockFinder.",
                body: Route.Body(
                    about: "Which.",
                    schema: .object([
                        Schema.Property(
                            name: "address",
                            about: "Its address; /P or /R behind it says that it is public or random.",
                            schema: .address),
                        Schema.Property(
                            name: "own_name", about: "What its owner calls it.",
                            schema: .nullable(.text(0...60)), isRequired: false),
                    ])), answer: answer
            ) { input in
                guard case .text(let text)? = input.member("address"), let address = DeviceAddress(text)
                else { throw Problem(.unprocessableContent, "Say which device, by its address.") }
                var ownName: String?
                if case .text(let text)? = input.member("own_name") { ownName = text }
                return .json(
                    try await asking { [ownName] () async throws(HubError) in
                        try await hub.add(address, ownName: ownName)
                    })
            },
            Route(
                method: .patch, path: "/devices/{id}", name: "changeDevice",
                summary: "Says what is wanted of a device.", parameters: [id],
                body: Route.Body(
                    about: "What is to be changed.",
                    schema: .object([
                        Schema.Property(
                            name: "own_name", about: "What its owner calls it; null or empty for nothing.",
                            schema: .nullable(.text(0...60)), isRequired: false),
                        Schema.Property(
                            name: "auto_connect", about: "Whether the hub connects to it by itself.",
                            schema: .flag, isRequired: false),
                    ])), answer: answer, refusals: [.conflict]
            ) { input in
                let (id, change) = (try Self.device(input), DeviceChange(input.body))
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.change(device: id, change)
                    })
            },
            Route(
                method: .post, path: "/devices/{id}/connect", name: "connectDevice",
                summary: "Connects to a device, and comes back to it when the link is lost.",
                parameters: [id], answer: answer, refusals: [.conflict]
            ) { input in
                let id = try Self.device(input)
                return .json(
                    try await asking { () async throws(HubError) in try await hub.connect(id) })
            },
            Route(
                method: .post, path: "/devices/{id}/disconnect", name: "disconnectDevice",
                summary: "Disconnects a device, and leaves it alone until somebody connects it again.",
                parameters: [id], answer: answer, refusals: [.conflict]
            ) { input in
                let id = try Self.device(input)
                return .json(
                    try await asking { () async throws(HubError) in try await hub.disconnect(id) })
            },
            Route(
                method: .post, path: "/devices/{id}/commands", name: "commandDevice",
                summary: "Sends a command to a FlockFinder and waits for its answer.", parameters: [id],
                body: Route.Body(
                    about: "The command.",
                    schema: .object([
                        Schema.Property(
                            name: "command", about: "What the device is to do.",
                            schema: .word(FlockFinderCommand.all.map(\.string)))
                    ])),
                answer: .json("What the device has answered.", Schema(of: CommandAnswer.self)),
                refusals: [.conflict]
            ) { input in
                guard case .text(let command)? = input.member("command") else { throw Problem.unexpected }
                let id = try Self.device(input)
                return .json(
                    try await asking { () async throws(HubError) in try await hub.send(command, to: id)
                    })
            },
        ]
    }

    private static func device(_ input: RouteInput) throws(Problem) -> Int { Int(try input.id()) }
}
