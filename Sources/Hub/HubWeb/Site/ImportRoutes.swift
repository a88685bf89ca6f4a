// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import HTTPTypes
import Hummingbird

extension HubSite {
    /// How many rows that cannot be used are named.
    static let namedRows = 20

    /// Why something of a file cannot be used.
    static let faultSchema = Schema.object([
        Schema.Property(name: "line", about: "The line of the file.", schema: .integer()),
        Schema.Property(
            name: "column", about: "The column, where it is known.", schema: .nullable(.integer())),
        Schema.Property(name: "reason", about: "What is wrong.", schema: .text()),
    ])

    private static let schema = Schema(of: DetectionsImported.self).adding([
        Schema.Property(
            name: "faults", about: "The first \(namedRows) rows that cannot be used.",
            schema: .list(faultSchema)),
        Schema.Property(
            name: "broken",
            about: "Why the file could not be read any further; what stands before is counted.",
            schema: .nullable(faultSchema)),
    ])

    /// Another file is on its way into the database.
    static let isImporting = Problem(.conflict, "Another file is being imported. Wait until it is done.")

    /// Files of detections that come in.
    var importRoutes: [Route] {
        [
            Route(
                method: .post, path: "/imports/detections", name: "importDetections",
                summary: "Reads detections out of a file: CSV, JSON or GPX of an export, WiGLE CSV, tracks.",
                parameters: [
                    .query(
                        "dry_run", "Whether only to say what would be imported; false when missing.", .flag)
                ],
                body: Route.Body(
                    type: "application/octet-stream", about: "The file, whatever its form.", schema: .text(),
                    isStreamed: true),
                answer: .json("What became of the rows.", Self.schema), refusals: [.conflict],
                respond: importDetections)
        ]
    }

    @Sendable private func importDetections(_ input: RouteInput) async throws -> Response {
        guard usage.open(.importing, of: input.client) else {
            throw Self.isImporting
        }
        defer { usage.close(.importing, of: input.client) }
        let isTrial = input.values["dry_run"]?.first?.value == .bool(true)
        var work = FileImport(into: store, isTrial: isTrial)
        var faults: [ImportFault] = []
        var octets = 0
        for try await piece in input.request.body {
            octets += piece.readableBytes
            guard octets <= usage.limits.importing else {
                try await work.stop()
                let limit = usage.limits.importing / 1_000_000
                throw Problem(
                    .contentTooLarge,
                    "The file has more than \(limit) MB, the most that a hub imports"
                        + (isTrial ? "." : "; what stands within that was imported."))
            }
            faults += try await work.receive(Array(piece.readableBytesView)).prefix(
                Self.namedRows - faults.count)
            if work.broken != nil { break }
        }
        if work.broken == nil {
            faults += try await work.finish().prefix(Self.namedRows - faults.count)
        }
        try await work.stop()
        let event = DetectionsImported(work.counts, isTrial: isTrial)
        let (named, broken) = (faults, work.broken)
        return .object { json in
            event.writeValues(into: &json)
            json.key("faults")
            json.array { json in for fault in named { fault.write(into: &json) } }
            json.key("broken")
            if let broken { broken.write(into: &json) } else { json.value(String?.none) }
        }
    }
}
