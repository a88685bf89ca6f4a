// SPDX-License-Identifier: Apache-2.0

public import Companion
import LEDBulbCompanion
import OverflowAreaCompanion

/// Events that a hub has beyond those of commands.
public enum HubEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(DeviceChanged.self),
        EventDescription(DeviceGone.self),
        EventDescription(HubChanged.self),
        EventDescription(SettingsChanged.self),
        EventDescription(AlertFailed.self),
        EventDescription(WiFiSetupChanged.self),
        EventDescription(BulbChanged.self),
        EventDescription(OverflowSourceChanged.self),
        EventDescription(OverflowBeaconChanged.self),
        EventDescription(ScanChanged.self),
        EventDescription(ExplorerChanged.self),
        EventDescription(ExplorerValuesCame.self),
        EventDescription(SavesChanged.self),
        EventDescription(ServingChanged.self),
        EventDescription(PairingChanged.self),
        EventDescription(BondsChanged.self),
        EventDescription(EventsLost.self),
    ]
}

/// A device was heard first, or something about it has changed.
public struct DeviceChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "device_changed"
    /// When it happens.
    public static let summary: StaticString =
        "A device was heard first, or something about it has changed; each device at most once a second."

    /// The device as it is now.
    public let device: HubDevice

    /// Makes the event.
    public init(_ device: HubDevice) { self.device = device }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("device", "The device as it is now.") { $0.device }
    }
}

/// A device was not heard for so long that it is not listed any more.
public struct DeviceGone: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "device_gone"
    /// When it happens.
    public static let summary: StaticString =
        "A device was not heard for so long that it is not listed any more."

    /// Its number.
    public let id: Int

    /// Makes the event.
    public init(_ id: Int) { self.id = id }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("id", "Its number.") { $0.id }
    }
}

/// Something about a hub has changed.
public struct HubChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "hub_changed"
    /// When it happens.
    public static let summary: StaticString = "Something about the hub has changed; at most once a second."

    /// The hub as it is now.
    public let hub: HubState

    /// Makes the event.
    public init(_ hub: HubState) { self.hub = hub }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("hub", "The hub as it is now.") { $0.hub }
    }
}

/// Somebody has changed a hub's settings.
public struct SettingsChanged: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "settings_changed"
    /// When it happens.
    public static let summary: StaticString = "Somebody has changed the hub's settings."

    /// The settings as they are now.
    public let settings: HubSettings
    /// How often settings were changed.
    public let revision: Int64

    /// Makes the event.
    public init(_ settings: HubSettings, revision: Int64) {
        self.settings = settings
        self.revision = revision
    }

    /// What a change of them has to name in `If-Match`.
    public var tag: String { "\"\(revision)\"" }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("settings", "The settings as they are now.") { $0.settings }
        schema.text("etag", "What a change of them has to name in If-Match.") { $0.tag }
    }
}

/// The program that is run for alerts could not be started, or has failed.
public struct AlertFailed: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "alert_failed"
    /// When it happens.
    public static let summary: StaticString =
        "The program that is run for alerts could not be started, or has failed; at most once an interval of alerts."

    /// The source that was alerted of.
    public let source: Int64
    /// What has happened and what to do, in a sentence or two.
    public let reason: String

    /// Makes the event.
    public init(source: Int64, reason: String) {
        self.source = source
        self.reason = reason
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("source", "The source that raised the alert.") { $0.source }
        schema.text("reason", "What has happened and what to do.") { $0.reason }
    }
}
