// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Foundation
public import Observation

/// Files of detections that go out of the app and come in.
@MainActor @Observable public final class FilesModel {
    /// A file that is brought in, or was.
    public struct Import: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// What has come of it so far.
        public fileprivate(set) var counts = ImportSummary()
        /// Why rows could not be used, each reason once.
        public fileprivate(set) var faults: [ImportFaults.Kind] = []
        /// Whether nothing more comes of it.
        public fileprivate(set) var isOver = false
        /// Why it could not be read, or no further.
        public fileprivate(set) var failure: String?
    }

    /// The file that is being written; `nil` while none is.
    public private(set) var exporting: ExportFormat?
    /// The file that was written last, to be shared.
    public private(set) var exported: URL?
    /// The file that is brought in, or was last.
    public private(set) var importing: Import?
    /// What could not be done, and what to do.
    public var trouble: String?

    /// How many octets of a file are read at once.
    private nonisolated static let pieceSize = 1 << 16

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let folder: URL

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - folder: Where files lie until they are shared.
    public init(_ app: AppModel, folder: URL = FileManager.default.temporaryDirectory) {
        (self.app, self.folder) = (app, folder)
    }

    /// Writes detections into a file that can be shared.
    ///
    /// - Parameters:
    ///   - format: Its form.
    ///   - filter: Which are wanted.
    public func export(as format: ExportFormat, matching filter: DetectionFilter = DetectionFilter()) async {
        guard exporting == nil else { return }
        (exporting, exported, trouble) = (format, nil, nil)
        defer { exporting = nil }
        let now = app.hub.now
        let name = "lantern-\(now.description.prefix(10)).\(format.ending)"
        let file = folder.appending(path: name)
        let (store, version) = (app.hub.store, app.state?.version ?? "")
        do {
            try await Self.write(file) { write in
                _ = try await store.export(
                    matching: filter, as: format, heading: ExportHeading(date: now, appVersion: version),
                    to: write)
            }
            exported = file
        } catch is CancellationError {
        } catch {
            trouble = "The file could not be written: \(error.localizedDescription)"
        }
    }

    private nonisolated static func write(
        _ file: URL,
        _ body: @Sendable (@escaping @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        do { try await body { try handle.write(contentsOf: $0) } } catch {
            // Half a file is none.
            try? FileManager.default.removeItem(at: file)
            throw error
        }
    }

    /// Brings in a file of detections and drives, whatever its form.
    ///
    /// - Parameter file: The file, which the person has chosen.
    public func bringIn(_ file: URL) async {
        guard importing?.isOver != false else { return }
        importing = Import(name: file.lastPathComponent)
        trouble = nil
        do {
            try await read(file)
        } catch let error as StoreError {
            importing?.failure = error.description
        } catch {
            importing?.failure = "The file could not be read: \(error.localizedDescription)"
        }
        importing?.isOver = true
    }

    private func read(_ file: URL) async throws {
        let work = try await Self.read(file, into: app.hub.store) { counts, faults in
            self.importing?.counts = counts
            self.importing?.faults = faults
        }
        importing?.counts = work.counts
        importing?.faults = work.faults
        importing?.failure = work.broken.map { "Line \($0.line): \($0.reason)" }
    }

    /// Reads a file, away from the main actor.
    private nonisolated static func read(
        _ file: URL, into store: DetectionDatabase,
        progress: @MainActor (ImportSummary, [ImportFaults.Kind]) -> Void
    ) async throws -> FileImport {
        #if canImport(Darwin)
        let isOpened = file.startAccessingSecurityScopedResource()
        defer { if isOpened { file.stopAccessingSecurityScopedResource() } }
        #endif
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var work = FileImport(into: store)
        while work.broken == nil, let piece = try handle.read(upToCount: pieceSize), !piece.isEmpty {
            try await work.receive([UInt8](piece))
            await progress(work.counts, work.faults)
        }
        if work.broken == nil { try await work.finish() }
        try await work.stop()
        return work
    }
}
