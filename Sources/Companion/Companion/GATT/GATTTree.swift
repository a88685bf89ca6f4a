// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// All services of a device, with every value that could be read.
public struct GATTTree: Sendable {
    /// The outcome of reading an attribute.
    public enum Reading: Hashable, Sendable {
        /// It cannot be read, or was not.
        case notReadable
        /// It was not read: it says what this program has subscribed to, and nothing about the device.
        case ours
        /// The value.
        case value([UInt8])
        /// The first part of the value, and why no more has come, as part of a sentence; there need not be more.
        case firstPart([UInt8], String)
        /// Why it could not be read, and the device's error code unless its answer made no sense.
        case refused(String, ATT.ErrorCode?)
    }

    /// Where a tree ends that could not be read whole.
    public struct Ending: Hashable, Sendable {
        /// What was asked for when the link ended.
        public let handle: AttributeHandle
        /// Whether the device did not answer in time.
        public let isTimeout: Bool
        /// Why, as part of a sentence.
        public let reason: String

        /// Makes an ending.
        public init(_ handle: AttributeHandle, isTimeout: Bool, _ reason: String) {
            self.handle = handle
            self.isTimeout = isTimeout
            self.reason = reason
        }
    }

    /// The device.
    public let peer: Peer
    /// The MTU that was agreed, in octets.
    public package(set) var mtu: Int
    /// The services in handle order.
    public let services: [GATT.Service]
    /// The outcomes of reading, by handle.
    public private(set) var readings: [AttributeHandle: Reading]
    /// What the device has said wrongly while its services were found.
    public let faults: [GATT.DiscoveryViolation]
    /// Where it ended, if not everything could be asked for.
    public private(set) var ending: Ending?

    /// Makes a tree.
    public init(
        peer: Peer, mtu: Int, services: [GATT.Service], readings: [AttributeHandle: Reading],
        faults: [GATT.DiscoveryViolation] = []
    ) {
        self.peer = peer
        self.mtu = mtu
        self.services = services
        self.readings = readings
        self.faults = faults
    }

    /// What there is at each handle, with what the device itself says of it.
    public var targets: [AttributeHandle: AttributeTarget] {
        var targets: [AttributeHandle: AttributeTarget] = [:]
        for target in AttributeTarget.all(in: services) where targets[target.handle] == nil {
            targets[target.handle] = target
        }
        for characteristic in services.flatMap({ $0.characteristics }) {
            let handle = characteristic.valueHandle
            if targets[handle]?.characteristic == characteristic {
                targets[handle] = .value(characteristic, readings)
            }
        }
        return targets
    }

    /// The outcome of reading an attribute.
    public subscript(handle: AttributeHandle) -> Reading { readings[handle] ?? .notReadable }

    /// Notes the outcome of reading an attribute.
    package mutating func set(_ reading: Reading, at handle: AttributeHandle) { readings[handle] = reading }

    /// Notes that the link has ended before everything was read.
    ///
    /// - Parameters:
    ///   - ending: Where, and why.
    ///   - reading: What had come of the value there; `nil` for nothing.
    ///   - left: The handles of what was not read.
    package mutating func end(
        _ ending: Ending, _ reading: Reading? = nil, left: some Sequence<AttributeHandle>
    ) {
        self.ending = ending
        readings[ending.handle] = reading ?? .refused(ending.reason, nil)
        for handle in left { readings[handle] = .refused("not read: the link had ended", nil) }
    }

    /// Notes which attributes this program itself has written, and which are where nothing can be.
    ///
    /// - Returns: The handles of those that are to be read, in their order.
    package mutating func markOurs() -> [AttributeHandle] {
        var handles: [AttributeHandle] = []
        for characteristic in services.flatMap({ $0.characteristics }) {
            if characteristic.valueHandle == 0 {
                readings[0] = .refused(
                    "the device says that the value is at 0x0000, where nothing can be", nil)
            } else if characteristic.properties.contains(.read) {
                handles.append(characteristic.valueHandle)
            }
            for descriptor in characteristic.descriptors {
                if Self.isOurs(descriptor.uuid, of: characteristic.uuid) {
                    readings[descriptor.handle] = .ours
                } else {
                    handles.append(descriptor.handle)
                }
            }
        }
        return handles
    }

    /// Whether a descriptor is the Client Characteristic Configuration of Service Changed, which this program writes.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor's UUID.
    ///   - characteristic: The UUID of its characteristic.
    /// - Returns: Whether it is.
    public static func isOurs(_ descriptor: BluetoothUUID, of characteristic: BluetoothUUID) -> Bool {
        characteristic == BluetoothUUID(0x2A05) && descriptor == BluetoothUUID(0x2902)
    }
}

extension GATT.Properties {
    /// The properties as JSON spells them, in the order of their bits.
    public var words: [String] {
        let all: [(GATT.Properties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write_without_response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticated_signed_writes"),
            (.extendedProperties, "extended_properties"),
        ]
        return all.filter { contains($0.0) }.map { $0.1 }
    }

    /// Makes the property that JSON spells so.
    ///
    /// - Parameter word: One of ``words``; anything else gives `nil`.
    public init?(word: String) {
        let all = (0..<8).lazy.map { GATT.Properties(rawValue: 1 << $0) }
        guard let property = all.first(where: { $0.words == [word] }) else { return nil }
        self = property
    }
}
