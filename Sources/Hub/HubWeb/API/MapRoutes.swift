// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import Foundation
import HTTPTypes
import Hummingbird

extension HubAPI {
    /// The map: what stands in a part of it, and pictures of the ground.
    var mapRoutes: [Route] {
        let zoom = Schema.integer(0...24)
        let tile = Schema.integer(0...16_777_215)
        return [
            Route(
                method: .get, path: "/map", name: "getMap",
                summary:
                    "What a part of the map shows: sources one by one, or many as one cluster, at most \(MapView.mostFeatures) "
                    + "things in all.",
                parameters: FilterParameters.query.filter { $0.name != "box" } + [
                    Self.box, Self.zoom(zoom),
                    .query(
                        "heat",
                        "Whether it is to say how often what fits the filter was received where, each time by itself.",
                        .flag),
                ],
                answer: .json("The part of the map.", Self.mapSchema), respond: map),
            Route(
                method: .get, path: "/tiles/{z}/{x}/{y}", name: "getTile",
                summary: "A picture of the ground from the map file that the hub was started with.",
                parameters: [
                    .path("z", "The zoom.", zoom), .path("x", "The column, counted from the west.", tile),
                    .path("y", "The row, counted from the north.", tile),
                ],
                answer: .file(
                    "The picture; there is none where nothing is known of the ground.", type: "image/png"),
                refusals: [.notFound], respond: picture),
        ]
    }

    /// A part of the map that has to be said.
    static let box: Parameter = {
        var box = Parameter.query(
            "box", "Within these degrees: west, south, east, north; west may be more than east.",
            .number(-180...180), parts: 4)
        box.isRequired = true
        return box
    }()

    /// A zoom that has to be said.
    static func zoom(_ schema: Schema) -> Parameter {
        var zoom = Parameter.query(
            "zoom",
            "How much is on the screen: 0 has the world on 256 pixels, each further one doubles that.", schema
        )
        zoom.isRequired = true
        return zoom
    }

    private static let mapSchema: Schema = {
        let degrees = [("latitude", "Degrees north."), ("longitude", "Degrees east.")].map {
            Schema.Property(name: $0.0, about: $0.1, schema: .number())
        }
        let edges = ["west", "south", "east", "north"].map {
            Schema.Property(
                name: $0, about: "Degrees at the \($0)ern edge of where they stand.", schema: .number())
        }
        let kind = Schema.object([
            Schema.Property(
                name: "type", about: "The kind.", schema: .word(DetectionType.allCases.map(\.keywordString))),
            Schema.Property(name: "count", about: "How many of it.", schema: .integer()),
        ])
        let cluster = Schema.object(
            degrees + [
                Schema.Property(name: "count", about: "How many sources.", schema: .integer()),
                Schema.Property(name: "types", about: "The four most frequent kinds.", schema: .list(kind)),
            ] + edges)
        return .object([
            Schema.Property(name: "sources", about: "How many sources there are.", schema: .integer()),
            Schema.Property(
                name: "progress",
                about: "How much of the map is there, 0 to 1, while it is built; else null.",
                schema: .nullable(.number(0...1))),
            Schema.Property(
                name: "pins", about: "Sources by themselves, the one seen last first.",
                schema: .list(Shape.source)),
            Schema.Property(
                name: "clusters", about: "Sources together, the largest first.", schema: .list(cluster)),
            Schema.Property(
                name: "heat",
                about: "Degrees north, degrees east, and how often anything was received there.",
                schema: .list(.list(.number(), 3...3))),
        ])
    }()

    @Sendable private func map(_ input: RouteInput) async throws -> Response {
        let now = Timestamp.now()
        let filter = DetectionFilter(named: input.values, at: now)
        guard let box = filter.box, let zoom = input.integer("zoom") else {
            throw Problem(.badRequest, "A part of the map needs box and zoom.")
        }
        let view = try await store.map(box, zoom: zoom, matching: filter, withHeat: input.flag("heat"))
        return .object { view.writeValues(into: &$0, at: now) }
    }

    @Sendable private func picture(_ input: RouteInput) async throws -> Response {
        guard let tiles = hub.mapTiles else {
            throw Problem(.notFound, "This hub has no map file. Start it with --map-file FILE.mbtiles.")
        }
        guard let zoom = input.integer("z"), let x = input.integer("x"), let y = input.integer("y"),
            let picture = try await tiles.picture(zoom: zoom, x: x, y: y)
        else { return Response(status: .noContent) }
        return Response(
            status: .ok, headers: [.contentType: picture.type, .cacheControl: "private, max-age=86400"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.octets)))
    }
}
