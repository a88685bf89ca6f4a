// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// In how many octets UUIDs travel.
@frozen
public enum UUIDWidth: UInt8, Hashable, Sendable {
    /// Two octets.
    case bits16 = 2
    /// Four octets.
    case bits32 = 4
    /// Sixteen octets.
    case bits128 = 16

    /// How many octets a UUID takes.
    @inlinable
    public var octetCount: Int { Int(rawValue) }

    /// This width, or the next that all the UUIDs can travel in.
    func widened(for uuids: [BluetoothUUID]) -> UUIDWidth {
        var width = self
        for uuid in uuids {
            if uuid.short32 == nil { return .bits128 }
            if width == .bits16, uuid.short == nil { width = .bits32 }
        }
        return width
    }

    /// Appends a UUID that can travel in this width.
    func encode(_ uuid: BluetoothUUID, into writer: inout ByteWriter) {
        switch (self, uuid.short32) {
        case (.bits16, let short?): writer.write(UInt16(truncatingIfNeeded: short))
        case (.bits32, let short?): writer.write(short)
        default: uuid.encode128(into: &writer)
        }
    }
}

extension AdvertisingDataType {
    /// The width of the UUIDs in a list of services.
    @inline(__always)
    var serviceListWidth: UUIDWidth? {
        switch rawValue {
        case 0x02, 0x03: .bits16
        case 0x04, 0x05: .bits32
        case 0x06, 0x07: .bits128
        default: nil
        }
    }

    /// Whether a list of services has all of its width.
    var isCompleteServiceList: Bool { rawValue & 1 == 1 }

    /// The width of the UUIDs in a list of services that are looked for.
    var solicitationWidth: UUIDWidth? {
        switch self {
        case .solicitation16: .bits16
        case .solicitation32: .bits32
        case .solicitation128: .bits128
        default: nil
        }
    }

    /// The width of the UUID before data of a service.
    @inline(__always)
    var serviceDataWidth: UUIDWidth? {
        switch rawValue {
        case 0x16: .bits16
        case 0x20: .bits32
        case 0x21: .bits128
        default: nil
        }
    }

    /// A list of services.
    static func services(_ width: UUIDWidth, isComplete: Bool) -> AdvertisingDataType {
        switch width {
        case .bits16: isComplete ? .completeServices16 : .incompleteServices16
        case .bits32: isComplete ? .completeServices32 : .incompleteServices32
        case .bits128: isComplete ? .completeServices128 : .incompleteServices128
        }
    }

    /// A list of services that are looked for.
    static func solicitation(_ width: UUIDWidth) -> AdvertisingDataType {
        switch width {
        case .bits16: .solicitation16
        case .bits32: .solicitation32
        case .bits128: .solicitation128
        }
    }

    /// Data of a service.
    static func serviceData(_ width: UUIDWidth) -> AdvertisingDataType {
        switch width {
        case .bits16: .serviceData16
        case .bits32: .serviceData32
        case .bits128: .serviceData128
        }
    }
}
