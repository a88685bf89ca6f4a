// SPDX-License-Identifier: Apache-2.0

public import BluetoothLE
import CompanionHub
public import Foundation
public import Observation
import SwiftUI

/// Starts the app: opens its database and runs it as long as the process lives, with or without a screen.
///
/// The system may start the app in the background when a device calls; so this is made by the app itself and not by a view.
@MainActor @Observable public final class Launch {
    /// How far it is.
    public enum State {
        /// The app runs.
        case running(AppModel)
        /// Its database cannot be used, and why.
        case failed(String)
    }

    /// How far it is.
    public private(set) var state: State

    @ObservationIgnored private let folder: URL
    @ObservationIgnored private let open: @Sendable () async throws -> Radio
    @ObservationIgnored private var work: Task<Void, Never>?

    /// Starts the app.
    ///
    /// - Parameters:
    ///   - folder: Where its database lies; it is made where there is none.
    ///   - open: Opens the phone's radio, and again when it was lost.
    public init(
        in folder: URL = Launch.folder, radio open: @escaping @Sendable () async throws -> Radio
    ) {
        (self.folder, self.open) = (folder, open)
        state = Self.start(in: folder, open)
        run()
    }

    /// Where an app keeps what it needs.
    public nonisolated static var folder: URL {
        let places = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return (places.first ?? FileManager.default.temporaryDirectory).appending(path: "Lantern")
    }

    /// Starts once more what could not be started.
    public func tryAgain() {
        guard case .failed = state else { return }
        state = Self.start(in: folder, open)
        run()
    }

    /// Ends the app: links are closed, and what has come is stored.
    func end() async {
        work?.cancel()
        await work?.value
    }

    private func run() {
        if case .running(let app) = state { work = Task { await app.run() } }
    }

    private static func start(in folder: URL, _ open: @escaping @Sendable () async throws -> Radio) -> State {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #if canImport(Darwin)
            // A device may call while the phone is locked; before it was unlocked once, nobody can.
            try FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: folder.path)
            #endif
            let file = folder.appending(path: "lantern.sqlite").path
            return .running(
                try AppModel(database: file, name: "Lantern", radio: RadioSource("Bluetooth", open: open)))
        } catch let error as StoreError {
            return .failed(error.description)
        } catch {
            return .failed(
                String(localized: "The app’s folder cannot be made: \(error.localizedDescription)"))
        }
    }
}
