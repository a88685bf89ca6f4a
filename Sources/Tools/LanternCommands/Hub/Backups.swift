// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Foundation

/// Copies of a hub's database, made now and then into a folder.
struct Backups: Sendable {
    /// How often a copy is made, and how many are kept, where nothing else is said.
    static let usual = (hours: 24, kept: 7)
    /// Hours between two copies, and copies that are kept, at most.
    static let limits = (hours: 1...8760, kept: 1...1000)

    let folder: String
    var hours = usual.hours
    var kept = usual.kept

    /// Makes copies as they are due, until the task is cancelled.
    ///
    /// A clock that is set does no harm: what was made in the future counts for nothing.
    ///
    /// - Parameters:
    ///   - store: The database.
    ///   - log: Told when one cannot be made, and when one can again.
    func run(_ store: DetectionDatabase, log: @Sendable (String) -> Void) async {
        var fault: String?
        while !Task.isCancelled {
            do {
                if isDue(at: Date()) {
                    _ = try await make(of: store, at: Date())
                    prune()
                    if fault != nil { log("Copying the database to \(folder) works again.") }
                    fault = nil
                }
            } catch {
                let why = (error as? StoreError)?.description ?? "\(folder) cannot be written to."
                if why != fault { log("The database could not be copied. \(why)") }
                fault = why
            }
            // Short enough for a machine that was asleep; an error says that the task is cancelled.
            do { try await Task.sleep(for: .seconds(60)) } catch { return }
        }
    }

    /// Whether the newest copy is so old that another one is to be made.
    func isDue(at now: Date) -> Bool {
        let last = files().compactMap { Self.time(of: $0) }.filter { $0 <= now }.max()
        guard let last else { return true }
        return now.timeIntervalSince(last) >= Double(hours) * 3600
    }

    /// Makes a copy, which has its name once it is whole.
    ///
    /// - Returns: Its path.
    func make(of store: DetectionDatabase, at now: Date) async throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try await Self.copy(store, to: "\(folder)/\(Self.name(at: now))")
    }

    /// Copies a database into a file that is not there yet.
    ///
    /// - Returns: The path of the file.
    static func copy(_ store: DetectionDatabase, to path: String) async throws -> String {
        let place = URL(fileURLWithPath: path)
        let partial =
            place.deletingLastPathComponent().appendingPathComponent(".lantern-\(UUID().uuidString)").path
        defer { unlink(partial) }
        try await store.copy(to: partial)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: partial))
        try file.synchronize()
        try file.close()
        // Not over another file: whoever made that wants it.
        guard link(partial, path) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        return path
    }

    /// Removes the oldest copies beyond those that are kept; nothing else in the folder is touched.
    func prune() {
        for name in files().sorted().dropLast(kept) { unlink("\(folder)/\(name)") }
    }

    /// The copies that are there, by their names, which say when they were made.
    func files() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { Self.time(of: $0) != nil }
    }

    /// `lantern-20261127T150707Z.sqlite`: the time, so that names and times have one order.
    static func name(at moment: Date) -> String { "lantern-\(formatter.string(from: moment)).sqlite" }

    private static func time(of name: String) -> Date? {
        guard name.hasPrefix("lantern-"), name.hasSuffix(".sqlite") else { return nil }
        return formatter.date(from: String(name.dropFirst(8).dropLast(7)))
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return formatter
    }
}
