// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Foundation
public import Observation

/// Cameras that others have mapped, set by set: the sets that there are, and a file that brings one.
@MainActor @Observable public final class KnownSetsModel {
    /// What has come of a file.
    public struct Added: Hashable, Sendable {
        /// The set.
        public let set: ReferenceCameras
        /// How many cameras of this name it has replaced; `nil` where there was none.
        public let replaced: Int?
        /// Entries that are no cameras.
        public let passed: Int
        /// Why entries could not be used, each reason once.
        public let faults: [ImportFaults.Kind]
        /// What a person should know of the file.
        public let note: String?
    }

    /// The sets by name; `nil` before they were read.
    public private(set) var sets: [ReferenceCameras]?
    /// What the last file has brought.
    public private(set) var added: Added?
    /// Whether a file is being read.
    public private(set) var isReading = false
    /// What could not be done, and what to do.
    public var trouble: String?

    /// How many octets a file may have when it is unpacked: as many as a hub reads of known cameras.
    private nonisolated static let mostOctets = 128 << 20

    @ObservationIgnored private let app: AppModel

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// Reads which sets there are.
    public func read() async {
        do throws(StoreError) { sets = try await app.hub.store.knownSets() } catch {
            trouble = error.description
        }
    }

    /// Reads a file that a person has chosen; its set takes the place of the one of its name.
    public func add(_ chosen: Result<URL, any Error>) async {
        guard !isReading else { return }
        (isReading, added, trouble) = (true, nil, nil)
        defer { isReading = false }
        do {
            let url = try chosen.get()
            let file = try await url.access { try await Self.read($0) }
            guard file.broken == nil, file.emptiness == nil else {
                let fault = file.broken.map { "cannot be read: line \($0.line), \($0.reason)" }
                trouble = "The file \(fault ?? file.emptiness ?? ""). Nothing was changed."
                return
            }
            let set = ReferenceCameras(
                name: Self.name(of: url), cameras: file.cameras.count, origin: file.origin,
                version: file.version, imported: app.hub.now)
            let replaced = try await app.hub.store.replace(known: set, with: file.cameras)
            added = Added(
                set: set, replaced: replaced, passed: file.passed, faults: file.faults, note: file.note)
        } catch {
            trouble = "The file could not be read: \(error.reason)"
        }
        await read()
    }

    /// Takes a set away.
    public func remove(_ set: ReferenceCameras) async {
        do throws(StoreError) { _ = try await app.hub.store.remove(known: set.name) } catch {
            trouble = error.description
        }
        await read()
    }

    private nonisolated static func read(_ url: URL) async throws -> KnownCameraFile {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        var file = KnownCameraFile()
        let unpacking = FileUnpacking(atMost: mostOctets)
        var isOver = false
        while file.broken == nil, !isOver {
            let piece = try handle.read(upToCount: 1 << 16) ?? Data()
            isOver = piece.isEmpty
            if isOver { unpacking.finish() } else { unpacking.receive([UInt8](piece)) }
            while file.broken == nil, let octets = try unpacking.next() { file.receive(octets) }
            try Task.checkCancellation()
        }
        file.finish()
        return file
    }

    /// The name of a set: that of its file without the ending, or the two of a compressed one, as much as a name may have.
    private nonisolated static func name(of url: URL) -> String {
        var url = url
        if url.pathExtension.lowercased() == "gz" { url.deletePathExtension() }
        if ["json", "geojson", "xml", "osm"].contains(url.pathExtension.lowercased()) {
            url.deletePathExtension()
        }
        var name = url.lastPathComponent
        while name.utf8.count > ReferenceCameras.longestName { name.removeLast() }
        return name.isEmpty ? "known cameras" : name
    }
}
