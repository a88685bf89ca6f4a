// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import HTTPTypes
import HubModel
import Hummingbird

extension HubAPI {
    private static let types: [ExportFormat: String] = [
        .csv: "text/csv; charset=utf-8", .json: "application/json", .geojson: "application/geo+json",
        .gpx: "application/gpx+xml", .kml: "application/vnd.google-earth.kml+xml",
        .wigle: "text/csv; charset=utf-8",
    ]

    /// Exports and captures.
    var fileRoutes: [Route] { ExportFormat.allCases.map(export) + captureRoutes }

    private func export(_ format: ExportFormat) -> Route {
        let type = Self.types[format] ?? "application/octet-stream"
        return Route(
            method: .get, path: "/exports/detections.\(format.ending)",
            name: "export\(format.rawValue.uppercased())",
            summary: "The detections that fit a filter as a file, in the order in which they were stored.",
            parameters: FilterParameters.query, answer: .file("The file.", type: type)
        ) { input in
            let now = Timestamp.now()
            let filter = DetectionFilter(named: input.values, at: now)
            let heading = ExportHeading(date: now, appVersion: version)
            let export = try await store.export(matching: filter, as: format, heading: heading)
            let name = "lantern-detections-\(now.description.prefix(10)).\(format.ending)"
            return .file(name, type: type) { writer in
                var export = export
                // The next piece is made when the client has taken the one before.
                while let piece = try await export.next() { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            }
        }
    }

    private var captureRoutes: [Route] {
        let answer = Route.Answer.json("The capture.", Shape.capture)
        return [
            Route(
                method: .get, path: "/capture", name: "getCapture",
                summary: "How far the capture of the radio's traffic is.", answer: answer
            ) { _ in .json(await hub.state().capture) },
            Route(
                method: .post, path: "/capture", name: "startCapture",
                summary: "Begins to capture the radio's traffic; one that runs goes on.", answer: answer,
                refusals: [.conflict]
            ) { _ in
                .json(try await asking { () async throws(HubError) in try await hub.startCapture() })
            },
            Route(
                method: .delete, path: "/capture", name: "stopCapture", summary: "Ends the capture.",
                answer: answer
            ) { _ in .json(await hub.stopCapture()) },
            Route(
                method: .get, path: "/capture/file", name: "getCaptureFile",
                summary: "The capture that was begun last, as btsnoop; it may still grow.",
                answer: .file("The file.", type: "application/octet-stream"), refusals: [.notFound],
                role: .admin
            ) { _ in
                guard let path = await hub.captureFile(), let file = try? await OpenFile(reading: path) else {
                    throw Problem(.notFound, "Nothing was captured yet. Start a capture first.")
                }
                return file.answer("lantern.btsnoop", type: "application/octet-stream")
            },
        ]
    }
}
