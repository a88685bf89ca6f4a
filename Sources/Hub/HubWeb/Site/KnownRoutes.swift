// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import Hummingbird

extension HubSite {
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
                        name: "direction", about: "Where it looks, in degrees from north, clockwise.",
                        schema: .nullable(.number())),
                    Schema.Property(
                        name: "reference", about: "What names it where it comes from.", schema: .text()),
                ]))),
        Schema.Property(name: "more", about: "Whether there are more of them there.", schema: .flag),
    ])

    /// Cameras that others know.
    var knownRoutes: [Route] {
        [
            Route(
                method: .get, path: "/map/known", name: "listKnownCameras",
                summary: "Cameras that others know, in a part of the map.",
                parameters: [
                    .query(
                        "box",
                        "Within these degrees: west, south, east, north; west may be more than east. Everywhere when missing.",
                        .number(-180...180), parts: 4)
                ],
                answer: .json("The cameras.", Self.knownSchema), respond: listKnownCameras)
        ]
    }

    @Sendable private func listKnownCameras(_ input: RouteInput) async throws -> Response {
        let box =
            FilterParameters.filter(input.values, at: .now()).box
            ?? MapBox(west: -180, south: -90, east: 180, north: 90)
        let (cameras, more) = try await store.knownCameras(in: box, limit: Self.knownAtOnce)
        return .object { json in
            json.key("known")
            json.array { json in
                for camera in cameras {
                    json.object { json in
                        json.field("id", camera.id)
                        json.field("set", camera.set)
                        json.field("name", camera.name)
                        json.field("latitude", camera.position.latitude)
                        json.field("longitude", camera.position.longitude)
                        json.field("direction", camera.direction)
                        json.field("reference", camera.reference)
                    }
                }
            }
            json.field("more", more)
        }
    }
}
