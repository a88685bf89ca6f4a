// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Foundation
public import Observation

/// Files of detections and drives that go out of the app and come in.
@MainActor @Observable public final class FilesModel {
    /// A file that was written.
    public struct Export: Hashable, Sendable {
        /// Its form.
        public let format: ExportFormat
        /// Where it lies until the next one is written.
        public let file: URL
        /// What it has, and what was left out.
        public let summary: ExportSummary
    }

    /// A file that is brought in, or was.
    public struct Import: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// What has come of it so far.
        public fileprivate(set) var counts = ImportSummary()
        /// Why rows could not be used, each reason once.
        public fileprivate(set) var faults: [ImportFaults.Kind] = []
        /// What a person should know of rows that were taken, each kind once.
        public fileprivate(set) var notes: [ImportError] = []
        /// Whether nothing more comes of it.
        public fileprivate(set) var isOver = false
        /// Whether a person has stopped it: what was read before is stored.
        public fileprivate(set) var isStopped = false
        /// Why it could be read no further, and from which line on.
        public fileprivate(set) var broken: ImportError?
        /// Why it could not be read at all, or not be stored.
        public fileprivate(set) var failure: String?

        fileprivate mutating func take(_ work: FileImport) {
            (counts, faults, notes, broken) = (work.counts, work.faults, work.notes, work.broken)
        }
    }

    /// The file that was written last, to be shared; `nil` while the next one is written.
    public private(set) var exported: Export?
    /// The file that is brought in, or was last; `nil` when a person has seen what has come of it.
    public private(set) var importing: Import?
    /// What could not be done, and what to do.
    public var trouble: String?

    /// How many octets of a file are read at once.
    private nonisolated static let pieceSize = 1 << 16
    /// How many octets a file may have when it is unpacked: as many as a hub takes at most.
    private nonisolated static let mostOctets = 1 << 30

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let folder: URL
    /// How many files were wanted: of several that are written at once the last one counts.
    @ObservationIgnored private var wanted = 0
    @ObservationIgnored private var work: Task<Void, Never>?

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - folder: Where files lie until they are shared.
    public init(_ app: AppModel, folder: URL = FileManager.default.temporaryDirectory) {
        (self.app, self.folder) = (app, folder)
    }

    // MARK: Out

    /// Writes detections, and the drives of their time, into a file that can be shared.
    ///
    /// - Parameters:
    ///   - format: Its form.
    ///   - filter: Which are wanted.
    public func export(as format: ExportFormat, matching filter: DetectionFilter = DetectionFilter()) async {
        wanted += 1
        let number = wanted
        forget()
        trouble = nil
        let now = app.hub.now
        let file = URL(toShare: format.ending, at: now, in: folder)
        let heading = ExportHeading(date: now, appVersion: app.state?.version ?? "")
        do {
            try file.makeFolder()
            let summary = try await Self.write(file, app.hub.store, filter, format, heading)
            if number == wanted {
                exported = Export(format: format, file: file, summary: summary)
                return
            }
        } catch is CancellationError {
        } catch StoreError.cancelled {
        } catch {
            if number == wanted { trouble = "The file could not be written: \(error.reason)" }
        }
        // Half a file is none.
        file.removeWithFolder()
    }

    /// Says why the file could not be saved where a person wanted it.
    public func saved(_ result: Result<URL, any Error>) {
        guard case .failure(let error) = result else { return }
        trouble = "The file could not be saved: \(error.reason)"
    }

    /// Takes the file away that was written last.
    public func forget() {
        guard let exported else { return }
        exported.file.removeWithFolder()
        self.exported = nil
    }

    private nonisolated static func write(
        _ file: URL, _ store: DetectionDatabase, _ filter: DetectionFilter, _ format: ExportFormat,
        _ heading: ExportHeading
    ) async throws -> ExportSummary {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        return try await store.export(matching: filter, as: format, heading: heading) {
            try handle.write(contentsOf: $0)
        }
    }

    // MARK: In

    /// Begins to bring in a file that a person has chosen, or says why there is none.
    public func bringIn(_ chosen: Result<URL, any Error>) {
        guard work == nil else { return }
        switch chosen {
        case .success(let file):
            work = Task {
                await bringIn(file)
                work = nil
            }
        case .failure(let error):
            trouble = "The file could not be opened: \(error.reason)"
        }
    }

    /// Brings in no more of the file.
    public func stop() { work?.cancel() }

    /// Takes note that a person has seen what has come of the file.
    public func endImport() {
        guard importing?.isOver == true else { return }
        importing = nil
    }

    /// Brings in a file of detections and drives, whatever its form, also one that is compressed with gzip.
    ///
    /// - Parameter file: The file, which the person has chosen.
    public func bringIn(_ file: URL) async {
        guard importing?.isOver != false else { return }
        importing = Import(name: file.lastPathComponent)
        trouble = nil
        do {
            let isEmpty = try await file.access {
                try await Self.read($0, into: app.hub.store) { self.importing?.take($0) }
            }
            if isEmpty { importing?.failure = "The file is empty. Choose one that has detections." }
        } catch is CancellationError {
            importing?.isStopped = true
        } catch StoreError.cancelled {
            importing?.isStopped = true
        } catch {
            importing?.failure = "The file could not be read: \(error.reason)"
        }
        importing?.isOver = true
    }

    /// Reads a file, away from the main actor.
    ///
    /// - Returns: Whether nothing was in it.
    private nonisolated static func read(
        _ file: URL, into store: DetectionDatabase, progress: @MainActor (FileImport) -> Void
    ) async throws -> Bool {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var work = FileImport(into: store)
        let unpacking = FileUnpacking(atMost: mostOctets)
        var (isOver, isEmpty) = (false, true)
        while work.broken == nil {
            if let octets = next(of: unpacking, &work) {
                try await work.receive(octets)
                await progress(work)
                continue
            }
            if isOver || work.broken != nil { break }
            let piece = try handle.read(upToCount: pieceSize) ?? Data()
            (isOver, isEmpty) = (piece.isEmpty, isEmpty && piece.isEmpty)
            if isOver { unpacking.finish() } else { unpacking.receive([UInt8](piece)) }
        }
        if work.broken == nil, !isEmpty { try await work.finish() }
        try await work.stop()
        await progress(work)
        return isEmpty
    }

    /// The next octets of a file as it is without compression; notes why there are none.
    private nonisolated static func next(of unpacking: FileUnpacking, _ work: inout FileImport) -> [UInt8]? {
        do throws(FileUnpacking.Failure) {
            return try unpacking.next()
        } catch {
            switch error {
            case .tooLarge: work.end(ImportError(0, "it has more than \(mostOctets >> 20) MB"))
            case .damaged(let fault): work.end(fault)
            }
            return nil
        }
    }
}
