// SPDX-License-Identifier: Apache-2.0

package import Companion
package import Detections
package import HubModel
import NightlightCompanion

/// What is kept by name beside detections: what people have set, the devices and lamps that are remembered, and weeks for lamps.
///
/// ```
/// a person, a device ─► changes ─► store ─► take ─► what follows
/// ```
///
/// Whoever wants something else asks what is to be changed, which is made of what is stored at that moment. A store changes all of it
/// at once or nothing, and what it has then is taken, whoever has changed it. Where somebody was faster, what is stored by then is taken and
/// the changes are asked for again.
package struct KeptSettings: Sendable {
    /// A value that is to be another.
    package struct Change: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// The text of one JSON value; `nil` for none any more.
        package let text: String?

        package init(_ name: String, _ text: String?) { (self.name, self.text) = (name, text) }
    }

    /// What follows from what was taken.
    package enum Effect: Hashable, Sendable {
        /// Nothing: what is known is newer.
        case none
        /// All that depends on settings does as they say: nobody is told, since nobody knows others.
        case begins
        /// The same, and all are told; links to FlockFinders begin anew where their encryption is to be another.
        case changed(linksBeginAnew: Bool)
    }

    /// What is stored.
    package private(set) var stored = StoredSettings(revision: 0, values: [:])
    /// What people have set.
    package private(set) var settings = HubSettings()
    /// When was tried last to send what waits for lamps, by the numbers of the devices.
    var lampTries: [Int: Int64] = [:]

    /// Begins with what a new hub has.
    package init() {}

    /// What is told when something has changed.
    package var event: SettingsChanged { SettingsChanged(settings, revision: stored.revision) }

    // MARK: What the store has

    /// Takes what is stored.
    ///
    /// - Parameters:
    ///   - read: What was read, or is stored after a change; answers may overtake each other.
    ///   - isFirst: Whether it counts whatever was known before, as that was of another store.
    /// - Returns: What follows.
    package mutating func take(_ read: StoredSettings, isFirst: Bool = false) -> Effect {
        guard isFirst || read.revision > stored.revision else { return .none }
        let before = settings.encryption.flock
        stored = read
        settings = HubSettings(stored: read.values)
        return isFirst ? .begins : .changed(linksBeginAnew: settings.encryption.flock != before)
    }

    /// Takes changes, where memory is the store.
    ///
    /// - Parameter changes: What is to be changed.
    /// - Returns: What follows.
    package mutating func take(_ changes: [Change]) -> Effect {
        guard !changes.isEmpty else { return .none }
        var next = stored
        for change in changes { next.values[change.name] = change.text }
        next.revision += 1
        return take(next)
    }

    // MARK: What people set

    /// The settings as somebody wants them.
    ///
    /// - Parameters:
    ///   - patch: The changes: an object with the values that are to be others.
    ///   - revision: What it was when the person looked; `nil` for whatever it is.
    /// - Returns: The settings, for ``changes(to:)``.
    /// - Throws: ``HubError/changedMeanwhile`` or ``HubError/badValue(_:)``.
    package func merging(_ patch: JSONNode, seen revision: Int64?) throws(HubError) -> HubSettings {
        if let revision, revision != stored.revision { throw .changedMeanwhile }
        do throws(BadInput) { return try settings.merging(patch) } catch {
            throw .badValue(error.description)
        }
    }

    /// What is to be changed so that people have set something else.
    package func changes(to new: HubSettings) -> [Change] {
        let (old, values) = (settings.stored, new.stored)
        var changes: [Change] = []
        for name in HubSettings.names where old[name] != values[name] {
            changes.append(Change(name, values[name]))
        }
        return changes
    }

    // MARK: Devices

    /// The devices that are remembered; no more than there may be, whoever has written them.
    package var devices: [KnownDevice] {
        Array(KnownDevice.list(stored.values[KnownDevice.setting] ?? "[]").prefix(KnownDevice.limit))
    }

    /// What is to be changed so that these devices are remembered.
    package func changes(remembering devices: [KnownDevice]) -> [Change] {
        let text = KnownDevice.text(devices)
        return stored.values[KnownDevice.setting] == text ? [] : [Change(KnownDevice.setting, text)]
    }
}
