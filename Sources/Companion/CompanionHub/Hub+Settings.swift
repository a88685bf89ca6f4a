// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
import CompanionStore
package import Detections
public import HubModel
import Synchronization

extension Hub {
    /// What people have set.
    public var settings: HubSettings { kept.settings }

    /// The settings, and how often they were changed.
    package var revisedSettings: (settings: HubSettings, revision: Int64) {
        (kept.settings, kept.stored.revision)
    }

    /// Changes settings; what others change meanwhile stays changed.
    ///
    /// - Parameter body: Makes the change; called again where somebody else was faster.
    /// - Returns: The settings, stored.
    /// - Throws: ``HubError/badValue(_:)`` that says what a value may be, or ``HubError/store(_:)``.
    @discardableResult
    public func changeSettings(
        _ body: @Sendable (inout HubSettings) -> Void
    ) async throws(HubError) -> HubSettings {
        try await changeStored { () throws(HubError) in
            var wanted = kept.settings
            body(&wanted)
            do throws(BadInput) { return kept.changes(to: try wanted.checked()) } catch {
                throw .badValue(error.description)
            }
        }
        return kept.settings
    }

    /// Changes settings.
    ///
    /// - Parameters:
    ///   - patch: The changes: an object with the values that are to be others.
    ///   - revision: What it was when the person looked; `nil` for whatever it is.
    /// - Returns: The settings, and how often they were changed.
    /// - Throws: ``HubError/changedMeanwhile``, ``HubError/badValue(_:)`` or ``HubError/store(_:)``.
    package func change(
        settings patch: JSONNode, ifRevision revision: Int64? = nil
    ) async throws(HubError) -> (settings: HubSettings, revision: Int64) {
        try await changeStored(ifRevision: revision) { () throws(HubError) in
            kept.changes(to: try kept.merging(patch, seen: revision))
        }
        return revisedSettings
    }

    /// Says where the hub takes its place from; a track is no matter of settings.
    package func setPlace(_ source: LocationSource) async throws(HubError) {
        let node = { JSONNode(line: 1, value: $0) }
        var place: [JSONNode.Member]
        switch source {
        case .track: return
        case .gpsd: place = [.init(key: "source", node: node(.text(HubLocation.Source.gpsd.rawValue)))]
        case .fixed(let position):
            place = [
                .init(key: "source", node: node(.text(HubLocation.Source.fixed.rawValue))),
                .init(key: "latitude", node: node(.number(position.latitude))),
                .init(key: "longitude", node: node(.number(position.longitude))),
            ]
        }
        _ = try await change(
            settings: node(.object([.init(key: "location", node: node(.object(place)))])))
    }

    /// Stores the devices that are remembered.
    func storeKnownDevices() async throws(HubError) {
        try await changeStored { kept.changes(remembering: board.known) }
    }

    /// Changes what is stored, whoever else does so at once.
    ///
    /// Nobody waits for a turn: where somebody was faster, this hub or another program, what is stored by then is read and the
    /// change is made of that. So each failed try is a change of somebody else's that is done.
    ///
    /// - Parameters:
    ///   - revision: What it was when a person looked, after which nobody may have changed anything; `nil` for whatever it is.
    ///   - body: Says by what is ``kept`` what is to be another; called once for each try.
    /// - Throws: What the body throws, ``HubError/changedMeanwhile`` when a revision was given, or ``HubError/store(_:)``.
    func changeStored(
        ifRevision revision: Int64? = nil, _ body: () throws(HubError) -> [KeptSettings.Change]
    ) async throws(HubError) {
        ownChanges += 1
        defer { ownChanges -= 1 }
        while true {
            var changes: [String: String?] = [:]
            for change in try body() { changes.updateValue(change.text, forKey: change.name) }
            if changes.isEmpty, revision == nil { return }
            do throws(StoreError) {
                take(
                    try await store.change(
                        settings: changes, ifRevision: revision ?? kept.stored.revision))
                return
            } catch {
                guard error == .conflict, revision == nil else { throw HubError(error) }
            }
            let known = kept.stored.revision
            do throws(StoreError) {
                let read = try await store.settings()
                // What is older than what was known before is of another file.
                take(read, isFirst: read.revision < known)
            } catch {
                throw HubError(error)
            }
        }
    }

    /// Reads what is set, and which devices are remembered.
    func readSettings() async {
        guard let read = try? await store.settings() else { return }
        take(read, isFirst: true)
        for known in kept.devices { board.know(known, at: clock.now()) }
    }

    /// Reads again what another program has changed.
    package func readSettingsAgain() async {
        if let read = try? await store.settings() { take(read) }
    }

    /// Has something done whenever a setting has got another value, whoever has changed it.
    package func watch(setting name: String, _ body: @escaping @Sendable () async -> Void) {
        watchers.append((name, body))
    }

    private func take(_ read: StoredSettings, isFirst: Bool = false) {
        let before = kept.stored.values
        let effect = kept.take(read, isFirst: isFirst)
        if effect == .none { return }
        for (name, body) in watchers where before[name] != read.values[name] {
            // It reads for itself what is there by then, so nobody waits for it, and the order does not matter.
            Task { await body() }
        }
        place.set(kept.settings.location)
        detector.set(isOn: kept.settings.detectsItself)
        leastConfidence.withLock { $0 = kept.settings.minimumConfidence }
        guard case .changed(let linksBeginAnew) = effect else { return }
        if linksBeginAnew { for link in links.values { Task { await link.beginAnew() } } }
        feed.publish(kept.event, at: clock.now())
    }
}
