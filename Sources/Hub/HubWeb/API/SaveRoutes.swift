// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionHub
import HTTPTypes
import HubModel
import Hummingbird

extension HubAPI {
    private static let saveID = Parameter.path(
        "id", "The number of what was saved.", .integer(0...9_007_199_254_740_991))

    /// Devices that were saved: kept, compared, and served again.
    var saveRoutes: [Route] {
        let answer = Route.Answer.json("What was saved.", Shape.savedDevice)
        return [
            Route(
                method: .post, path: "/explorers/{id}/save", name: "saveExplored",
                summary: "Saves what is known of a device that is explored, or was.",
                parameters: [Self.jobID],
                body: Route.Body(about: "Its name.", schema: .object([Self.nameProperty(0...100)])),
                answer: answer, refusals: [.conflict]
            ) { input in
                let (id, name) = (try input.id(), Self.name(input))
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.saveExplored(job: id, as: name)
                    })
            },
            Route(
                method: .get, path: "/saves", name: "listSaves", summary: "The devices that were saved.",
                answer: .json(
                    "The devices.",
                    .object([
                        Schema.Property(
                            name: "items", about: "The last first.", schema: .list(Shape.savedDevice)),
                        Schema.Property(
                            name: "limit", about: "How many there may be.", schema: .integer()),
                    ]))
            ) { _ in
                let saves = try await asking { () async throws(HubError) in try await hub.saves() }
                return .object { json in
                    json.key("items")
                    json.array { json in for save in saves { save.write(into: &json) } }
                    json.field("limit", SavedDeviceEntry.limit)
                }
            },
            Route(
                method: .post, path: "/saves", name: "importSave",
                summary: "Saves a file of gatt tree --output.",
                parameters: [
                    .query("name", "Its name; that of the device when missing.", .text(1...100))
                ],
                body: Route.Body(
                    about: "The file, at most 1 MiB.", schema: .anyObject,
                    fileLimit: SavedDeviceEntry.longestFile),
                answer: answer
            ) { input in
                let name = input.text("name") ?? ""
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.keep(file: input.file, as: name)
                    })
            },
            Route(
                method: .get, path: "/saves/{id}", name: "getSave", summary: "One of these devices.",
                parameters: [Self.saveID], answer: answer
            ) { input in .json(try await save(input).entry) },
            Route(
                method: .get, path: "/saves/{id}/tree", name: "openSave",
                summary: "All that one of these devices has, to be looked at without the device.",
                parameters: [Self.saveID], answer: .json("The device.", Schema(of: OpenedSave.self))
            ) { input in
                let id = try input.id()
                return .json(
                    try await asking { () async throws(HubError) in try await hub.opened(save: id) })
            },
            Route(
                method: .get, path: "/saves/{id}/file", name: "getSaveFile",
                summary: "Its file, as gatt tree --output writes it.", parameters: [Self.saveID],
                answer: .file("The file.", type: "application/json")
            ) { input in
                let (entry, file) = try await save(input)
                return .file(NamedFile(entry, file), type: "application/json")
            },
            Route(
                method: .patch, path: "/saves/{id}", name: "renameSave",
                summary: "Gives it another name.", parameters: [Self.saveID],
                body: Route.Body(about: "The name.", schema: .object([Self.nameProperty(1...100)])),
                answer: answer
            ) { input in
                let (id, name) = (try input.id(), Self.name(input))
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.rename(save: id, to: name)
                    })
            },
            Route(
                method: .delete, path: "/saves/{id}", name: "deleteSave", summary: "Deletes it.",
                parameters: [Self.saveID], answer: .empty("It is deleted.")
            ) { input in
                let id = try input.id()
                try await asking { () async throws(HubError) in try await hub.delete(save: id) }
                return .empty
            },
            differencesRoute,
        ] + servingRoutes
    }

    private var differencesRoute: Route {
        Route(
            method: .get, path: "/saves/{id}/differences", name: "compareSaves",
            summary: "In what two of these devices differ.",
            parameters: [
                Self.saveID,
                Parameter(
                    name: "with", place: .query, about: "The number of the newer one.",
                    schema: .integer(0...9_007_199_254_740_991), isRequired: true),
            ],
            answer: .json("Both, and what differs.", Schema(of: SaveComparison.self))
        ) { input in
            let (id, other) = (try input.id(), Int64(input.integer("with") ?? 0))
            return .json(
                try await asking { () async throws(HubError) in try await hub.differences(id, other) })
        }
    }

    private var servingRoutes: [Route] {
        let answer = Route.Answer.json("How far it is.", Schema(of: HubServing.self))
        return [
            Route(
                method: .get, path: "/serving", name: "getServing",
                summary: "The saved device that the hub serves again.", answer: answer
            ) { _ in .json(await hub.serving) },
            Route(
                method: .post, path: "/saves/{id}/serve", name: "serveSave",
                summary: "Serves a saved device on the hub's radio; what was served before ends first.",
                parameters: [Self.saveID],
                body: Route.Body(
                    about: "Another name.",
                    schema: .object([
                        Schema.Property(
                            name: "name", about: "Another name for the device; null for its own.",
                            schema: .nullable(.text(1...62)), isRequired: false)
                    ]), isRequired: false), answer: answer, refusals: [.conflict]
            ) { input in
                let id = try input.id()
                var name: String?
                if case .text(let text)? = input.member("name") { name = text }
                return .json(
                    try await asking { [name] () async throws(HubError) in
                        try await hub.serve(save: id, as: name)
                    })
            },
            Route(
                method: .delete, path: "/serving", name: "endServing",
                summary: "Ends that, and answers when nothing of it is on the air any more.",
                answer: .empty("It is off.")
            ) { _ in
                await hub.endServing()
                return .empty
            },
        ]
    }

    private func save(_ input: RouteInput) async throws -> (entry: SavedDeviceEntry, file: [UInt8]) {
        let id = try input.id()
        return try await asking { () async throws(HubError) in try await hub.save(id) }
    }

    private static func nameProperty(_ count: ClosedRange<Int>) -> Schema.Property {
        Schema.Property(name: "name", about: "What to call it.", schema: .text(count))
    }

    private static func name(_ input: RouteInput) -> String {
        guard case .text(let name)? = input.member("name") else { return "" }
        return name
    }
}
