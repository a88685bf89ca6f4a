// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionStore
import CompanionText
import Detections
import FlockFinderCompanion
import Foundation

/// `lantern detections known`: cameras that others know.
struct DetectionsKnownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "known",
        abstract: "Import, list and remove sets of cameras that others know.",
        discussion: """
            A detection within 100 m of a known camera says so in detections show, and the map of lantern hub shows them.
            """,
        subcommands: [KnownImportCommand.self, KnownListCommand.self, KnownRemoveCommand.self])
}

/// `lantern detections known import`: a set of cameras out of a file.
struct KnownImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Read cameras from GeoJSON, OSM XML or JSON of Overpass, as DeFlock and OpenStreetMap offer them.",
        discussion: """
            Everything with the tag man_made=surveillance is a camera, and so is everything in DeFlock's own lists and regions; \
            anything else in the file is skipped. A way, a line or an area is placed in the middle of its points. The file may be \
            compressed with gzip. It replaces the whole set of the same name.
            """)

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("What to call the set (default: the name of the file).", valueName: "name"))
    var name: String?

    @Argument(
        help: ArgumentHelp("The file; - for the standard input.", valueName: "file"), completion: .file())
    var file: String

    func validate() throws {
        if file == "-", name == nil {
            throw ValidationError("A set from the standard input needs a name: add --name.")
        }
        let size = setName.utf8.count
        guard size > 0, size <= ReferenceCameras.longestName else {
            throw ValidationError(
                "The name of a set has 1 to \(ReferenceCameras.longestName) octets; give one with --name.")
        }
    }

    private var setName: String {
        if let name { return name }
        let url = URL(fileURLWithPath: file)
        // What is compressed has two endings.
        let plain = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
        return plain.deletingPathExtension().lastPathComponent
    }

    func run() async throws { try await perform() }

    /// Imports, unless the person ends it before it is stored.
    func perform(errors: Output = .standardError()) async throws {
        do {
            try await importSet()
        } catch  where error is CancellationError || (error as? StoreError) == StoreError.cancelled {
            try errors.line("lantern: The import was ended before it was done. Nothing was changed.")
            throw error
        }
    }

    private func importSet() async throws {
        let input = try InputFile(path: file)
        let limit = InputFile.Limit.knownCameras
        try input.check(atMost: limit)
        let (reader, fault) = try await Self.read(input, atMost: limit)
        if let broken = fault ?? reader.broken {
            throw CommandError.failed(
                "\(input.title) cannot be imported. \(DetectionRefused(broken).line.text) Nothing was changed."
            )
        }
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        // Where nothing else is to be said, the error below says it.
        let isSaidBelow = reader.emptiness != nil && reader.faults.count == 1
        for refused in reader.faults {
            let event = DetectionRefused(refused.fault, rows: refused.rows)
            if format.isJSON {
                try printer.show(event)
            } else if !isSaidBelow {
                try Output.standardError().line("lantern: " + PrintableText.escaped(event.line.text))
            }
        }
        if let emptiness = reader.emptiness {
            throw CommandError.failed("\(input.title) \(emptiness). Nothing was changed.")
        }
        let database = try databaseOptions.openOrCreate()
        let origin = reader.origin.isEmpty ? (file == "-" ? "standard input" : file) : reader.origin
        let set = ReferenceCameras(
            name: setName, cameras: reader.cameras.count, origin: origin, version: reader.version,
            imported: .now())
        let replaced = try await database.replace(known: set, with: reader.cameras)
        try await database.close()
        let event = KnownSetImported(
            set, replaced: replaced, passed: reader.passed, refused: reader.refused, note: reader.note)
        if format.isJSON {
            try printer.show(event)
        } else {
            if let note = reader.note { try Output.standardError().line("lantern: " + note) }
            try Output.standard().line(PrintableText.escaped(event.line.text))
        }
        if reader.refused > 0 {
            let cameras = reader.refused == 1 ? "1 camera" : "\(reader.refused) cameras"
            throw CommandError.failed(
                "\(input.title): \(cameras) cannot be used; the others are kept. Correct the file and import it again."
            )
        }
    }
}

extension KnownImportCommand {
    /// Reads a whole file.
    ///
    /// - Returns: What is in it, and why it cannot be unpacked.
    private static func read(
        _ input: InputFile, atMost limit: Int
    ) async throws -> (KnownCameraFile, ImportError?) {
        var reader = KnownCameraFile()
        let unpacking = FileUnpacking(atMost: limit)
        var isOver = false
        do {
            while reader.broken == nil, !isOver {
                let octets = try await input.next(upTo: 65_536)
                // What is cancelled has no end.
                try Task.checkCancellation()
                isOver = octets.isEmpty
                if isOver { unpacking.finish() } else { unpacking.receive(octets) }
                while reader.broken == nil, let piece = try unpacking.next() {
                    reader.receive(piece)
                    // Whoever hears of a signal needs a thread, too, and there may be one for all.
                    await Task.yield()
                    try Task.checkCancellation()
                }
            }
        } catch FileUnpacking.Failure.tooLarge {
            throw input.tooLarge(limit, "Nothing was imported.")
        } catch FileUnpacking.Failure.damaged(let fault) {
            return (reader, fault)
        }
        reader.finish()
        return (reader, nil)
    }
}

/// `lantern detections known list`: the sets that there are.
struct KnownListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sets of cameras that others know.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        let database = try databaseOptions.openForReading()
        let sets = try await database.knownSets()
        let output = Output.standard()
        guard !sets.isEmpty else {
            throw CommandError.nothingFound(
                "There is no set in \(databaseOptions.path). Import one with lantern detections known import."
            )
        }
        if format.isJSON {
            let printer = EventPrinter(to: output, isJSON: true)
            for set in sets { try printer.show(KnownSetShown(set)) }
            return
        }
        var table = TextTable([
            .init("NAME", fixed: 20, rank: 5), .init("CAMERAS", .right, fixed: 8, rank: 4),
            .init("VERSION", fixed: 20, rank: 2), .init("IMPORTED", fixed: 19, rank: 3),
            .init("ORIGIN", fixed: 30, rank: 1),
        ])
        for set in sets {
            table.add([
                .init(set.name), .init("\(set.cameras)"), .init(set.version.isEmpty ? "–" : set.version),
                .init(set.imported.localText), .init(set.origin),
            ])
        }
        try output.write(output.terminal.drawn(table).map { $0 + "\n" }.joined())
    }
}

/// `lantern detections known remove`: takes a set out of the database.
struct KnownRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a set of cameras that others know.")

    @OptionGroup var databaseOptions: DatabaseOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: ArgumentHelp("The name of the set, from detections known list.", valueName: "name"))
    var name: String

    func run() async throws {
        let database = try databaseOptions.openExisting()
        guard let cameras = try await database.remove(known: name) else {
            throw CommandError.nothingFound(
                "There is no set \(name) in \(databaseOptions.path); lantern detections known list shows all sets."
            )
        }
        try await database.close()
        let event = KnownSetRemoved(name, cameras: cameras)
        if format.isJSON {
            try EventPrinter(to: .standard(), isJSON: true).show(event)
        } else {
            try Output.standard().line(PrintableText.escaped(event.line.text))
        }
    }
}
