// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import Detections
import FlockFinderCompanion
import HTTPTypes
import Hummingbird

extension HubAPI {
    /// Why something of a file cannot be used.
    static let faultSchema = Schema.object([
        Schema.Property(name: "line", about: "The line of the file.", schema: .integer()),
        Schema.Property(
            name: "column", about: "The column, where it is known.", schema: .nullable(.integer())),
        Schema.Property(name: "reason", about: "What is wrong.", schema: .text()),
    ])

    /// The same, with how many rows are so.
    static let faultsSchema = Schema.list(
        faultSchema.adding([
            Schema.Property(name: "rows", about: "How many rows are so.", schema: .integer())
        ]))

    private static let schema = Schema(of: DetectionsImported.self).adding([
        Schema.Property(
            name: "faults",
            about:
                "Why rows cannot be used: each reason once, with the first such row, at most \(ImportFaults.mostKinds).",
            schema: faultsSchema),
        Schema.Property(
            name: "notes", about: "What is to be known of rows that were taken.", schema: .list(faultSchema)),
        Schema.Property(
            name: "broken",
            about: "Why the file could not be read any further; the rows before are counted.",
            schema: .nullable(faultSchema)),
    ])

    /// Another file is on its way into the database.
    static let isImporting = Problem(.conflict, "Another file is being imported. Wait until it is done.")

    /// Nothing has come.
    private static let noFile = Problem(
        .unprocessableContent,
        "The file is empty, or the request has none. Send it as the body: with curl, --data-binary @FILE.")

    /// Files of detections that come in.
    var importRoutes: [Route] {
        [
            Route(
                method: .post, path: "/imports/detections", name: "importDetections",
                summary:
                    "Reads detections and drives out of a file of Lantern, FlockFinder's app, flock-you, WiGLE or Kismet, or GPX.",
                parameters: [
                    .query(
                        "dry_run", "Whether only to say what would be imported; false when missing.", .flag)
                ],
                body: Route.Body(
                    type: "application/octet-stream",
                    about: "The file, whatever its form, also compressed with gzip.",
                    schema: .text(), isStreamed: true),
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
        var pieces = FilePieces(
            input, atMost: usage.limits.importing, patience: usage.limits.fruitless)
        do {
            while work.broken == nil, let octets = try await pieces.next(found: work.found) {
                try await work.receive(octets)
            }
        } catch FileUnpacking.Failure.tooLarge {
            try await work.stop()
            let limit = usage.limits.importing / 1_000_000
            throw Problem(
                .contentTooLarge,
                "The file has more than \(limit) MB, the most that a hub imports"
                    + (isTrial ? "." : "; the rows within it were imported."))
        } catch FileUnpacking.Failure.damaged(let fault) {
            work.end(fault)
        } catch is FilePieces.Fruitless {
            try await work.stop()
            throw Problem(
                .unprocessableContent,
                "No detection and no drive was found in the file for long, so the hub reads no more of it"
                    + (isTrial ? "." : "; what was found before was imported.")
                    + " Import it on the machine of the hub, with lantern detections import.")
        }
        guard !pieces.isEmpty else {
            try await work.stop()
            throw Self.noFile
        }
        if work.broken == nil { try await work.finish() }
        try await work.stop()
        let report = work.report
        return .object { report.writeValues(isTrial: isTrial, into: &$0) }
    }
}
