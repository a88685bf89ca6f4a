// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import Detections
import HTTPTypes
import Hummingbird

extension HubAPI {
    /// How many come at once.
    private static let knownAtOnce = 500

    private static let knownSchema = Schema.object([
        Schema.Property(
            name: "known", about: "The cameras, at most \(knownAtOnce).",
            schema: .list(
                .object([
                    Schema.Property(name: "id", about: "Its number in this database.", schema: .integer()),
                    Schema.Property(name: "set", about: "The name of its set.", schema: .text()),
                    Schema.Property(name: "name", about: "What it is called.", schema: .text()),
                    Schema.Property(name: "latitude", about: "Degrees north.", schema: .number()),
                    Schema.Property(name: "longitude", about: "Degrees east.", schema: .number()),
                    Schema.Property(
                        name: "direction", about: "Where it looks first, in degrees from north, clockwise.",
                        schema: .nullable(.number())),
                    Schema.Property(
                        name: "directions", about: "Where it looks, to all sides.", schema: .list(.number())),
                    Schema.Property(
                        name: "reference", about: "What names it where it comes from.", schema: .text()),
                ]))),
        Schema.Property(name: "more", about: "Whether there are more of them there.", schema: .flag),
    ])

    private static let setsSchema = Schema.object([
        Schema.Property(
            name: "sets", about: "The sets by name.", schema: .list(Schema(of: KnownSetShown.self)))
    ])

    private static let importedSchema = Schema(of: KnownSetImported.self).adding([
        Schema.Property(
            name: "faults",
            about:
                "Why entries cannot be used: each reason once, with the first such entry, at most \(ImportFaults.mostKinds).",
            schema: faultsSchema)
    ])

    /// The name of a set.
    private static let name: Parameter = {
        var name = Parameter.query(
            "name", "What the set is called, 1 to \(ReferenceCameras.longestName) octets.",
            .text(1...ReferenceCameras.longestName))
        name.isRequired = true
        return name
    }()

    /// Cameras that others know.
    var knownRoutes: [Route] {
        [
            Route(
                method: .get, path: "/map/known/sets", name: "listKnownSets",
                summary: "The sets of cameras that others know.",
                answer: .json("The sets.", Self.setsSchema)
            ) { _ in
                let sets = try await store.knownSets()
                return .object { json in
                    json.key("sets")
                    json.array { json in
                        for set in sets { json.object { KnownSetShown(set).writeValues(into: &$0) } }
                    }
                }
            },
            Route(
                method: .post, path: "/map/known", name: "importKnownCameras",
                summary:
                    "Reads a set of cameras out of GeoJSON, OSM XML or JSON of Overpass; it takes the place of the one of its name.",
                parameters: [
                    Self.name,
                    .query(
                        "origin", "Where the file comes from, if it does not say so itself.", .text(1...400)),
                ],
                body: Route.Body(
                    type: "application/octet-stream", about: "The file, whatever its form.", schema: .text(),
                    isStreamed: true),
                answer: .json("What the set has.", Self.importedSchema), refusals: [.conflict],
                respond: importKnownCameras),
            Route(
                method: .delete, path: "/map/known", name: "removeKnownCameras",
                summary: "Removes a set of cameras that others know.", parameters: [Self.name],
                answer: .empty("It is removed."), refusals: [.notFound]
            ) { input in
                guard try await store.remove(known: input.text("name") ?? "") != nil else {
                    throw Problem(.notFound, "There is no set of this name. It may have been removed.")
                }
                return .empty
            },
            Route(
                method: .get, path: "/map/known", name: "listKnownCameras",
                summary: "Cameras that others know, in a part of the map.",
                parameters: [
                    .query(
                        "box",
                        "Within these degrees: west, south, east, north; west may be more than east. Everywhere when missing.",
                        .number(-180...180), parts: 4)
                ],
                answer: .json("The cameras.", Self.knownSchema), respond: listKnownCameras),
        ]
    }

    @Sendable private func listKnownCameras(_ input: RouteInput) async throws -> Response {
        let box =
            DetectionFilter(named: input.values, at: .now()).box
            ?? .world
        let (cameras, more) = try await store.knownCameras(in: box, limit: Self.knownAtOnce)
        return .object { KnownCamera.writeValues(of: cameras, more: more, into: &$0) }
    }

    /// A file that others cannot change meanwhile; nothing is stored before all of it was read.
    @Sendable private func importKnownCameras(_ input: RouteInput) async throws -> Response {
        let name = input.text("name") ?? ""
        guard name.utf8.count <= ReferenceCameras.longestName else {
            throw Problem(
                .badRequest, "The name of a set has at most \(ReferenceCameras.longestName) octets.")
        }
        guard usage.open(.importing, of: input.client) else { throw Self.isImporting }
        defer { usage.close(.importing, of: input.client) }
        var file = KnownCameraFile()
        var pieces = FilePieces(input, atMost: usage.limits.knownSet, patience: usage.limits.fruitless)
        var broken: ImportError?
        do {
            while file.broken == nil, let octets = try await pieces.next(found: file.cameras.count) {
                file.receive(octets)
            }
        } catch FileUnpacking.Failure.tooLarge {
            let limit = usage.limits.knownSet / 1_000_000
            throw Problem(
                .contentTooLarge,
                "The file has more than \(limit) MB, the most that a hub reads of known cameras. Nothing was changed."
            )
        } catch FileUnpacking.Failure.damaged(let fault) {
            broken = fault
        } catch is FilePieces.Fruitless {
            throw Problem(
                .unprocessableContent,
                "No camera was found in the file for long, so the hub reads no more of it. Nothing was changed. Import it on the "
                    + "machine of the hub, with lantern detections known import.")
        }
        file.finish()
        if let broken = broken ?? file.broken {
            throw Problem(
                .unprocessableContent,
                "The file cannot be read: line \(broken.line), \(broken.reason). Nothing was changed.")
        }
        if let emptiness = file.emptiness {
            throw Problem(.unprocessableContent, "The file \(emptiness). Nothing was changed.")
        }
        let origin = file.origin.isEmpty ? input.text("origin") ?? "" : file.origin
        let set = ReferenceCameras(
            name: name, cameras: file.cameras.count, origin: origin, version: file.version, imported: .now())
        let replaced = try await store.replace(known: set, with: file.cameras)
        let event = KnownSetImported(
            set, replaced: replaced, passed: file.passed, refused: file.refused, note: file.note)
        let faults = file.faults
        return .object { json in
            event.writeValues(into: &json)
            json.key("faults")
            json.array { json in for kind in faults { kind.write(into: &json) } }
        }
    }
}
