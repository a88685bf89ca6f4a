// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A device that this program is can be found.
public struct DeviceAdvertising: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "device_advertising"
    /// When it happens.
    public static let summary: StaticString = "The device that this program acts as is advertising."

    /// What it calls itself, if it does.
    public let deviceName: String?
    /// More for a person, such as what it speaks.
    public let detail: String?

    /// Makes the event.
    public init(_ deviceName: String?, detail: String? = nil) {
        self.deviceName = deviceName
        self.detail = detail
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What it calls itself, if it does.") { $0.deviceName }
    }
}

/// A device that this program is cannot be found any more, against its will.
public struct DeviceAdvertisingStopped: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "device_advertising_stopped"
    /// When it happens.
    public static let summary: StaticString =
        "The device that this program acts as is no longer advertising; it tries again."

    /// Why.
    public let reason: String

    /// Makes the event.
    public init(reason: String) { self.reason = reason }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("reason", "Why.") { $0.reason }
    }
}

/// A device that this program is can be found again.
public struct DeviceAdvertisingResumed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "device_advertising_resumed"
    /// When it happens.
    public static let summary: StaticString = "The device that this program acts as is advertising again."

    /// Makes the event.
    public init() {}

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {}
}

/// An attribute of a device that this program serves, in an event.
public struct ServedAttribute: EventPart, Hashable, Sendable {
    /// The handle, where the device's session says it.
    public let handle: AttributeHandle?
    /// The UUID, where it is known.
    public let uuid: BluetoothUUID?
    /// What people call it, where it has a name.
    public let title: String?

    /// Makes the part.
    public init(_ handle: AttributeHandle?, _ uuid: BluetoothUUID?, title: String? = nil) {
        self.handle = handle
        self.uuid = uuid
        self.title = title
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("handle", "The attribute's handle, where it is known.") { $0.handle?.rawValue }
        schema.text("uuid", "The attribute's UUID, where it is known.") { $0.uuid?.description }
    }
}

/// A client has subscribed to a characteristic.
public struct ClientSubscribed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "client_subscribed"
    /// When it happens.
    public static let summary: StaticString =
        "A client has subscribed to values of the device that this program acts as."

    /// The client's link.
    public let link: LinkID
    /// Of what.
    public let attribute: ServedAttribute
    /// Whether it wants them as notifications.
    public let notify: Bool
    /// Whether it wants them as indications.
    public let indicate: Bool

    /// Makes the event.
    public init(_ link: LinkID, _ attribute: ServedAttribute, notify: Bool, indicate: Bool) {
        self.link = link
        self.attribute = attribute
        self.notify = notify
        self.indicate = indicate
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.include { $0.attribute }
        schema.flag("notify", "Whether it wants notifications.") { $0.notify }
        schema.flag("indicate", "Whether it wants indications.") { $0.indicate }
    }
}

/// A client has unsubscribed from a characteristic.
public struct ClientUnsubscribed: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "client_unsubscribed"
    /// When it happens.
    public static let summary: StaticString =
        "A client has unsubscribed from values of the device that this program acts as."

    /// The client's link.
    public let link: LinkID
    /// Of what.
    public let attribute: ServedAttribute

    /// Makes the event.
    public init(_ link: LinkID, _ attribute: ServedAttribute) {
        self.link = link
        self.attribute = attribute
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.include { $0.attribute }
    }
}

/// A client has written to a device.
public struct AttributeWritten: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "attribute_written"
    /// When it happens.
    public static let summary: StaticString =
        "A client has written to the device that this program acts as, or tried to."

    /// The client's link.
    public let link: LinkID
    /// To what.
    public let attribute: ServedAttribute
    /// What.
    public let octets: [UInt8]
    /// Why it was refused or does nothing; `nil` when it does what it should.
    public let reason: String?

    /// Makes the event.
    public init(_ link: LinkID, _ attribute: ServedAttribute, _ octets: [UInt8], reason: String?) {
        self.link = link
        self.attribute = attribute
        self.octets = octets
        self.reason = reason
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.link { $0.link }
        schema.include { $0.attribute }
        schema.octets("octets", "What it has written.") { $0.octets }
        schema.text("reason", "Why it was refused or does nothing; null when it does what it should.") {
            $0.reason
        }
    }
}
