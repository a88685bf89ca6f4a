// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion

/// `lantern detections import`: detections and drives out of a file, whoever has written it.
struct DetectionsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read detections and drives from a file of Lantern or of another program.",
        discussion: """
            It reads CSV, JSON and GPX that an export has written, even when a spreadsheet has saved them again; what \
            FlockFinder's app and flock-you export; WiGLE CSV from its app, its site and Kismet, whose Wi-Fi and Bluetooth rows \
            become detections, of a known kind where name, maker or address tell it; and tracks in GPX, which become drives. \
            Any of them may be compressed with gzip. Rows of other kinds, such as cell towers and waypoints, are skipped and \
            counted.

            A detection that is already there is not imported again, so a second import of a file does nothing. It is \
            recognized by its key, which each export has; in a file without keys, by its millisecond and everything \
            else that the file says. Marks and notes of sources are imported where there are none yet. Rows that cannot be \
            used are left out; each reason is reported once, with the first line it is about. Numbers (id) are not kept.
            """)

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Flag(name: .customLong("dry-run"), help: "Only say what would be imported.")
    var isTrial = false

    @Argument(
        help: ArgumentHelp("The file; - for the standard input.", valueName: "file"), completion: .file())
    var file: String

    func run() async throws { try await perform(atMost: InputFile.Limit.detections, to: .standard()) }

    /// Imports, up to the first fault that leaves nothing to read, or until the person ends it.
    func perform(atMost limit: Int, to output: Output, errors: Output = .standardError()) async throws {
        // Before anything is made: a file that is not there, or of no use, leaves nothing behind.
        let input = try InputFile(path: file)
        try input.check(atMost: limit)
        var work = FileImport(into: isTrial ? try trialDatabase() : nil, isTrial: isTrial)
        var database: DetectionDatabase?
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let progress = ImportProgress(of: input.size)
        defer { progress.clear() }
        var (isTooLarge, isEnded) = (false, false)
        do {
            isTooLarge = try await read(input, atMost: limit, &work, &database, progress)
            try await work.stop()
            try await provide(&work, &database)
        } catch StoreError.cancelled {
            isEnded = true
        }
        progress.clear()
        try await database?.close()
        try tell(work, printer, output)
        if isEnded {
            try errors.line("lantern: " + end(of: work))
            throw CancellationError()
        }
        try check(work, input, isTooLarge ? limit : nil)
    }

    /// Reads the file.
    ///
    /// - Returns: Whether there was more in it than there may be.
    /// - Throws: ``StoreError/cancelled`` when the person ends it, and what else goes wrong.
    private func read(
        _ input: InputFile, atMost limit: Int, _ work: inout FileImport,
        _ database: inout DetectionDatabase?, _ progress: ImportProgress
    ) async throws -> Bool {
        let unpacking = FileUnpacking(atMost: limit)
        var (isOver, isTooLarge, done) = (false, false, 0)
        while !isOver, work.broken == nil {
            let octets = try await input.next(upTo: 65_536)
            // What is cancelled has no end.
            if Task.isCancelled { throw StoreError.cancelled }
            isOver = octets.isEmpty
            done += octets.count
            if isOver { unpacking.finish() } else { unpacking.receive(octets) }
            while work.broken == nil, let piece = next(of: unpacking, &work, &isTooLarge) {
                try await take(piece, &work, &database)
                progress.show(rows: work.counts.rows, octets: done)
                // Whoever hears of a signal needs a thread, too, and there may be one for all.
                await Task.yield()
            }
            if isTooLarge { return true }
        }
        if work.broken == nil { try await take(nil, &work, &database) }
        return false
    }

    /// The next octets of the file as it is without compression; notes why there are none.
    private func next(
        of unpacking: FileUnpacking, _ work: inout FileImport, _ isTooLarge: inout Bool
    ) -> [UInt8]? {
        do throws(FileUnpacking.Failure) {
            return try unpacking.next()
        } catch {
            switch error {
            case .tooLarge: isTooLarge = true
            case .damaged(let fault): work.end(fault)
            }
            return nil
        }
    }

    /// Imports a part of the file, or its end.
    private func take(
        _ octets: [UInt8]?, _ work: inout FileImport, _ database: inout DetectionDatabase?
    ) async throws {
        if let octets { try await work.receive(octets) } else { try await work.finish() }
        try await provide(&work, &database)
    }

    /// Makes a database as soon as there is something for it.
    private func provide(_ work: inout FileImport, _ database: inout DetectionDatabase?) async throws {
        guard work.needsDatabase else { return }
        let opened = try databaseOptions.openOrCreate()
        database = opened
        try await work.use(opened)
    }

    /// Says what has become of the file.
    private func tell(_ work: FileImport, _ printer: EventPrinter, _ output: Output) throws {
        for note in work.notes { try name(DetectionRefused(note, rows: 0), printer) }
        for kind in work.faults { try name(DetectionRefused(kind.fault, rows: kind.rows), printer) }
        let event = DetectionsImported(work.counts, isTrial: isTrial)
        // That nothing is in a file is said by the error alone.
        if format.isJSON {
            try printer.show(event)
        } else if work.counts.rows > 0 {
            try output.line(event.line.text)
        }
    }

    /// Fails where not all of the file was of use that should have been.
    private func check(_ work: FileImport, _ input: InputFile, _ exceeded: Int?) throws(CommandError) {
        let done = isTrial ? "read" : "imported"
        if let broken = work.broken {
            let place = DetectionRefused(broken).line.text
            guard work.counts.rows > 0 else {
                throw CommandError.failed("\(input.title) cannot be imported. \(place)")
            }
            throw CommandError.failed(
                "\(input.title) cannot be read any further. \(place) The rows before it were \(done).")
        }
        if let exceeded { throw input.tooLarge(exceeded, "The rows within it were \(done).") }
        if work.counts.refused > 0 {
            let (rows, them) =
                work.counts.refused == 1 ? ("1 row", "it") : ("\(work.counts.refused) rows", "them")
            throw CommandError.failed(
                "\(input.title): \(rows) cannot be used. Correct \(them) and import the file again.")
        }
        if work.counts.isOfNoUse {
            let what =
                work.counts.rows == 0
                ? "there is nothing in it, neither a detection nor a drive"
                : "nothing in it is a detection or a drive"
            throw CommandError.failed("\(input.title): \(what).")
        }
    }

    /// What is said of an import that the person has ended.
    private func end(of work: FileImport) -> String {
        let begin = "The file was not read to its end."
        guard !isTrial else { return begin }
        return work.counts.imported + work.counts.drives > 0
            ? begin + " What was imported stays; import it again for the rest."
            : begin + " Nothing was imported."
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

    /// Names rows: in the output for scripts, beside it for a person.
    private func name(_ event: DetectionRefused, _ printer: EventPrinter) throws {
        guard !format.isJSON else { return try printer.show(event) }
        try Output.standardError().line("lantern: " + PrintableText.escaped(event.line.text))
    }
}

/// How far an import is, for a person who looks on.
private final class ImportProgress {
    private let progress = ProgressLine.standard()
    private let size: Int?
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant?

    init(of size: Int?) { self.size = size }

    func show(rows: Int, octets: Int) {
        let now = clock.now
        // Whoever looks sees no more than ten numbers a second; a short import shows none.
        guard let last else { return self.last = now }
        guard now - last > .milliseconds(100) else { return }
        self.last = now
        let part = size.map { ", \(octets * 100 / max(1, $0))%" } ?? ""
        progress.show("\(rows) rows\(part) …")
    }

    func clear() { progress.clear() }
}
