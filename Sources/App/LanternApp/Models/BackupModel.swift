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
        let file = URL(toShare: "sqlite", at: app.hub.now, in: folder)
        do {
            try file.makeFolder()
            try await app.hub.store.copy(to: file.path)
            copy = file
        } catch {
            trouble = "The copy could not be made: \(Self.reason(error))"
            // Half a copy is none.
            file.removeWithFolder()
        }
    }

    /// Puts the content of a copy that a person has chosen in the place of everything.
    public func restore(_ file: URL) async {
        guard !isWorking else { return }
        (isWorking, isRestored, trouble) = (true, false, nil)
        defer { isWorking = false }
        // Where SQLite may work on it, whoever's the file is.
        let own = URL(toShare: "sqlite", at: app.hub.now, in: folder)
        do {
            try own.makeFolder()
            try await file.access { try await Self.copy($0, to: own) }
            try await app.hub.restore(from: own.path, keeping: [])
            await app.hub.readSettingsAgain()
            isRestored = true
        } catch {
            trouble = "Nothing was changed. \(Self.reason(error))"
        }
        own.removeWithFolder()
    }

    /// Says why a file could not be opened, or not be saved where a person wanted it.
    public func failed(_ error: any Error) { trouble = Self.reason(error) }

    /// Takes the copy away that was made last.
    public func forget() {
        guard let copy else { return }
        copy.removeWithFolder()
        self.copy = nil
    }

    /// Copies a file, away from the main actor.
    private nonisolated static func copy(_ file: URL, to own: URL) async throws {
        try FileManager.default.copyItem(at: file, to: own)
    }

    private nonisolated static func reason(_ error: any Error) -> String {
        switch error as? StoreError {
        case .foreign?: "It is the database of another program."
        case .newer?: "It was written by a newer version of Lantern. Update the app first."
        case .damaged?: "It is damaged."
        case .missing?, .cannotOpen?, .notADatabase?: "It is not a copy that Lantern has made."
        default: error.reason
        }
    }
}
