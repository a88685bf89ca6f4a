// SPDX-License-Identifier: Apache-2.0

import CompanionHub
public import Foundation
public import Observation

/// A copy of everything that the app keeps: the same file that a hub makes and takes.
@MainActor @Observable public final class BackupModel {
    /// The copy that was made, to be shared.
    public private(set) var copy: URL?
    /// Whether a copy is made or put in place.
    public private(set) var isWorking = false
    /// Whether everything was replaced by a copy.
    public private(set) var isRestored = false
    /// What could not be done, and what to do.
    public var trouble: String?

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let folder: URL

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - folder: Where copies lie until they are shared.
    public init(_ app: AppModel, folder: URL = FileManager.default.temporaryDirectory) {
        (self.app, self.folder) = (app, folder)
    }

    /// Makes a copy as everything is now.
    public func make() async {
        guard !isWorking else { return }
        (isWorking, isRestored, trouble) = (true, false, nil)
        defer { isWorking = false }
        forget()
        let place = folder.appending(path: "lantern-\(UUID().uuidString)")
        let file = place.appending(path: "lantern-\(app.hub.now.description.prefix(10)).sqlite")
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try await app.hub.store.copy(to: file.path)
            copy = file
        } catch {
            trouble = "The copy could not be made: \(Self.reason(error))"
            // Half a copy is none.
            try? FileManager.default.removeItem(at: place)
        }
    }

    /// Puts the content of a copy that a person has chosen in the place of everything.
    public func restore(_ file: URL) async {
        guard !isWorking else { return }
        (isWorking, isRestored, trouble) = (true, false, nil)
        defer { isWorking = false }
        let place = folder.appending(path: "lantern-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let own = place.appending(path: "copy.sqlite")
            try await Self.take(file, to: own)
            try await app.hub.restore(from: own.path, keeping: [])
            await app.hub.readSettingsAgain()
            isRestored = true
        } catch {
            trouble = "Nothing was changed. \(Self.reason(error))"
        }
        // The system takes away what stays.
        try? FileManager.default.removeItem(at: place)
    }

    /// Says why a file could not be opened, or not be saved where a person wanted it.
    public func failed(_ error: any Error) { trouble = Self.reason(error) }

    /// Takes the copy away that was made last.
    public func forget() {
        guard let copy else { return }
        try? FileManager.default.removeItem(at: copy.deletingLastPathComponent())
        self.copy = nil
    }

    /// Copies a file that may be another app's to where SQLite may work on it.
    private nonisolated static func take(_ file: URL, to own: URL) async throws {
        #if canImport(Darwin)
        let isOpened = file.startAccessingSecurityScopedResource()
        defer { if isOpened { file.stopAccessingSecurityScopedResource() } }
        #endif
        try FileManager.default.copyItem(at: file, to: own)
    }

    private nonisolated static func reason(_ error: any Error) -> String {
        switch error as? StoreError {
        case .foreign?: "It is the database of another program."
        case .newer?: "It was written by a newer version of Lantern. Update the app first."
        case .damaged?: "It is damaged."
        case .missing?, .cannotOpen?, .notADatabase?: "It is not a copy that Lantern has made."
        case let error?: error.description
        case nil: error.localizedDescription
        }
    }
}
