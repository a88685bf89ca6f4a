// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionStore
import CompanionText

/// `lantern detections import`: detections out of a file that an export has written.
struct DetectionsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read detections out of a file: CSV, JSON, GPX or WiGLE CSV.",
        discussion: """
            CSV and JSON are what an export has written, also as a spreadsheet has saved them again; of GPX, our own \
            waypoints become detections and tracks become drives; of WiGLE CSV, what is heard over Wi-Fi and Bluetooth \
            becomes detections, of a kind that is known where name, maker or address tell it. A detection that is there already is not imported again, so a second import of a file does nothing. It is \
            known by its key, which each export has; in a file without keys, by being of the same millisecond and \
            alike in all that the file says. Marks and notes of sources are taken over where there are none. Rows that \
            cannot be used are named with their lines and left out. Numbers (id) are not kept.
            """)

    /// How many rows that cannot be used are named.
    static let namedRows = 20

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Flag(name: .customLong("dry-run"), help: "Only say what would be imported.")
    var isTrial = false

    @Argument(
        help: ArgumentHelp("The file; - for the standard input.", valueName: "file"), completion: .file())
    var file: String

    func run() async throws { try await perform(atMost: InputFile.Limit.detections, to: .standard()) }

    /// Imports, up to the first fault that leaves nothing to read.
    func perform(atMost limit: Int, to output: Output) async throws {
        // Before anything is made: a file that is not there leaves nothing behind.
        let input = try InputFile(path: file)
        try input.check(atMost: limit)
        let database = try isTrial ? trialDatabase() : databaseOptions.openOrCreate()
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        var work = FileImport(into: database, isTrial: isTrial)
        let progress = ImportProgress(of: input.size)
        defer { progress.clear() }
        var isOver = false
        // A pipe does not say how much there is.
        var isTooLarge = false
        var (room, named) = (limit, 0)
        while !isOver, !isTooLarge, work.broken == nil {
            let octets = try input.read(upTo: 65_536)
            isTooLarge = octets.count > room
            isOver = octets.isEmpty
            let faults = isOver ? try await work.finish() : try await work.receive(Array(octets.prefix(room)))
            room -= octets.count
            for fault in faults.prefix(Self.namedRows - named) {
                progress.clear()
                try name(fault, printer)
                named += 1
            }
            progress.show(rows: work.counts.rows, octets: limit - room)
            try Task.checkCancellation()
        }
        try await work.stop()
        progress.clear()
        try await database.close()
        let (counts, broken) = (work.counts, work.broken)
        let event = DetectionsImported(counts, isTrial: isTrial)
        // That nothing came of a file that is none is said by the error alone.
        let hasRead = counts.rows > 0
        if format.isJSON {
            try printer.show(event)
        } else if hasRead || broken == nil {
            try output.line(event.line.text)
        }
        let done = isTrial ? "read" : "imported"
        if let broken {
            let place = DetectionRefused(broken).line.text
            guard hasRead else {
                throw CommandError.failed("\(input.title) cannot be imported. \(place)")
            }
            throw CommandError.failed(
                "\(input.title) cannot be read any further. \(place) What stands before it was \(done).")
        }
        if isTooLarge { throw input.tooLarge(limit, "What stands within that was \(done).") }
        if counts.refused > 0 {
            let more = counts.refused - Self.namedRows
            throw CommandError.failed(
                "\(input.title): \(counts.refused == 1 ? "1 row" : "\(counts.refused) rows") cannot be used"
                    + (more > 0 ? "; the first \(Self.namedRows) are named above." : ".")
                    + " Mend them and import the file again.")
        }
    }

    /// The database to compare with; an empty one when there is none yet.
    private func trialDatabase() throws -> DetectionDatabase {
        do throws(StoreError) {
            return try DetectionDatabase(reading: databaseOptions.path)
        } catch {
            guard case .missing = error else { throw CommandError.failed(error.description) }
            return try DetectionDatabase()
        }
    }

    /// Names a row: in the output for scripts, beside it for a person.
    private func name(_ fault: ImportFault, _ printer: EventPrinter) throws {
        let event = DetectionRefused(fault)
        guard !format.isJSON else { return try printer.show(event) }
        try Output.standardError().line("lantern: " + PrintableText.escaped(event.line.text))
    }
}

/// How far an import is, for a person who looks on.
private final class ImportProgress {
    private let progress = Progress.standard()
    private let size: Int?
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant?

    /// - Parameter size: Octets of the file, where that is known.
    init(of size: Int?) { self.size = size }

    func show(rows: Int, octets: Int) {
        let now = clock.now
        // Whoever looks sees no more than ten numbers a second; a short import shows none.
        guard let last else { return self.last = now }
        guard now - last > .milliseconds(100) else { return }
        self.last = now
        let part = size.map { ", \(octets * 100 / max(1, $0)) %" } ?? ""
        progress.show("\(rows) rows\(part) …")
    }

    func clear() { progress.clear() }
}
