// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import HTTPTypes
import Hummingbird

extension HubAPI {
    private static let noDrive = Problem(.notFound, "There is no such drive. It may have been deleted.")

    private static let driveSchema = Schema(of: Drive.self)

    /// Drives, the ways on the map, and the browser's own place.
    var driveRoutes: [Route] {
        let id = Parameter.path(
            "id", "The number of the drive.", .integer(1...9_007_199_254_740_991))
        return [
            Route(
                method: .get, path: "/drives", name: "listDrives", summary: "Drives, the newest first.",
                parameters: [
                    .query("limit", "How many at most; 100 when missing.", .integer(1...1000))
                ],
                answer: .json(
                    "The drives.",
                    .object([
                        Schema.Property(
                            name: "drives", about: "The newest first.", schema: .list(Self.driveSchema))
                    ]))
            ) { input in
                let drives = try await store.drives(limit: input.integer("limit") ?? 100)
                return .object { json in
                    json.key("drives")
                    json.array { json in for drive in drives { drive.write(into: &json) } }
                }
            },
            Route(
                method: .get, path: "/drives/{id}", name: "getDrive", summary: "A drive and its way.",
                parameters: [id],
                answer: .json(
                    "The drive.",
                    Self.driveSchema.adding([
                        Schema.Property(
                            name: "points",
                            about:
                                "Each is latitude, longitude, milliseconds since 1970, metres a second or null.",
                            schema: .list(.list(.nullable(.number()), 4...4)))
                    ]))
            ) { input in
                guard let (drive, points) = try await store.drive(id: try input.id()) else {
                    throw Self.noDrive
                }
                return .object { json in DriveShown(drive, points: points).writeValues(into: &json) }
            },
            Route(
                method: .delete, path: "/drives/{id}", name: "deleteDrive",
                summary: "Deletes a drive for good; detections stay.", parameters: [id],
                answer: .empty("It is deleted.")
            ) { input in
                let id = try input.id()
                try await asking { () async throws(HubError) in try await hub.delete(drive: id) }
                return .empty
            },
            Route(
                method: .get, path: "/map/routes", name: "listRoutes",
                summary: "The ways of drives within a part of the map, as fine as they can be seen.",
                parameters: [Self.box, Self.zoom(.number(0...24))],
                answer: .json("The ways.", Self.routesSchema),
                respond: listRoutes),
            Route(
                method: .post, path: "/position", name: "sendPosition",
                summary: "Takes the browser's place for the hub's, where location.source is browser.",
                body: Route.Body(about: "The place.", schema: Self.positionSchema),
                answer: .json(
                    "What became of it.",
                    .object([
                        Schema.Property(
                            name: "used", about: "Whether the hub is there now.", schema: .flag),
                        Schema.Property(
                            name: "reason", about: "Why it is not used.", schema: .nullable(.text())),
                    ])), refusals: [.conflict], respond: takePosition),
        ]
    }

    private static let routesSchema = Schema.object([
        Schema.Property(
            name: "routes",
            about:
                "The newest drive last; a drive that leaves the part and comes back is there more than once.",
            schema: .list(
                .object([
                    Schema.Property(name: "drive", about: "The number of the drive.", schema: .integer()),
                    Schema.Property(name: "begin", about: "When it began.", schema: .time),
                    Schema.Property(name: "end", about: "When it ended.", schema: .time),
                    Schema.Property(
                        name: "metres", about: "How long the whole drive is.", schema: .number()),
                    Schema.Property(
                        name: "points", about: "Each is latitude and longitude.",
                        schema: .list(.list(.number(), 2...2))),
                ])))
    ])

    @Sendable private func listRoutes(_ input: RouteInput) async throws -> Response {
        guard let box = DetectionFilter(named: input.values, at: .now()).box else {
            throw Problem(.badRequest, "Say which part of the map, with box.")
        }
        let routes = try await store.routes(in: box, zoom: input.number("zoom") ?? 0)
        return .object { DrawnRoutes.writeValues(of: routes, into: &$0) }
    }

    // MARK: The browser's place

    private static let positionSchema: Schema = {
        let optional = { (name: String, about: String, schema: Schema) in
            Schema.Property(name: name, about: about, schema: .nullable(schema), isRequired: false)
        }
        return .object([
            Schema.Property(name: "latitude", about: "Degrees north.", schema: .number(-90...90)),
            Schema.Property(name: "longitude", about: "Degrees east.", schema: .number(-180...180)),
            optional("accuracy", "How far it may be wrong, in metres.", .number()),
            optional("altitude", "Metres above the sea.", .number()),
            optional("altitude_accuracy", "How far the altitude may be wrong, in metres.", .number()),
            optional("speed", "Metres a second over ground.", .number()),
            optional("heading", "Degrees from north, clockwise.", .number()),
            optional("time", "When, by the browser's clock; now when missing.", .time),
        ])
    }()

    @Sendable private func takePosition(_ input: RouteInput) async throws -> Response {
        let number = { (name: String) -> Double? in
            if case .number(let number)? = input.member(name) { number } else { nil }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude") else {
            throw Problem(.unprocessableContent, "A place needs both a latitude and a longitude.")
        }
        var time = Timestamp.now()
        if case .text(let text)? = input.member("time"), let stated = Timestamp(text) { time = stated }
        let fix = Fix(
            time: time.milliseconds, latitude: latitude, longitude: longitude, altitude: number("altitude"),
            accuracy: number("accuracy"), altitudeAccuracy: number("altitude_accuracy"),
            speed: number("speed"), course: number("heading"), source: .browser)
        let reason = try await asking { () async throws(HubError) in try hub.receive(fix) }
        return .object { json in
            json.field("used", reason == nil)
            json.field("reason", reason)
        }
    }
}
