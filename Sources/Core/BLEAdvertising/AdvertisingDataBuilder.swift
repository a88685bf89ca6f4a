// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Puts advertising data together and keeps to its limit.
public struct AdvertisingDataBuilder: Sendable {
    /// A structure does not fit any more.
    public struct Overflow: Error, Hashable {
        /// Octets that were needed in all.
        public let needed: Int
        /// Octets that there are.
        public let limit: Int
    }

    /// The limit of legacy advertising and scan responses, in octets.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 2.3.1.
    public static let legacyLimit = 31
    /// The limit of extended advertising in one packet, in octets.
    ///
    /// A packet that says more about itself, as its address or where the next one is, holds less; the
    /// controller then uses several. One HCI command carries 251 of these octets, so the host sends two.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 2.3.4.
    public static let extendedLimit = 254
    /// The limit of extended advertising in any number of packets, in octets, where the controller has room.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 2.3.4.9.
    public static let chainedLimit = 1650

    /// What was put together so far.
    public private(set) var octets: [UInt8] = []
    /// Octets that there may be.
    public let limit: Int

    /// Starts empty.
    public init(limit: Int = AdvertisingDataBuilder.legacyLimit) { self.limit = limit }

    /// Appends a structure.
    ///
    /// - Parameters:
    ///   - type: What it holds.
    ///   - data: Its octets.
    /// - Throws: ``Overflow`` when it does not fit; nothing is appended then.
    public mutating func append(_ type: AdvertisingDataType, _ data: [UInt8]) throws(Overflow) {
        let needed = octets.count + data.count + 2
        guard needed <= limit, data.count <= 254 else { throw Overflow(needed: needed, limit: limit) }
        octets.append(UInt8(data.count + 1))
        octets.append(type.rawValue)
        octets.append(contentsOf: data)
    }

    /// Appends the flags.
    ///
    /// - Parameter flags: How the device can be found; general discoverable and LE only, unless said otherwise.
    /// - Throws: ``Overflow`` when it does not fit.
    public mutating func appendFlags(
        _ flags: AdvertisingFlags = [.generalDiscoverable, .noBREDR]
    ) throws(Overflow) { try append(.flags, [flags.rawValue]) }

    /// Appends lists of all services, one list for each width.
    ///
    /// - Parameter uuids: The services.
    /// - Throws: ``Overflow`` when they do not all fit; nothing is appended then.
    public mutating func appendServices(_ uuids: [BluetoothUUID]) throws(Overflow) {
        var whole = self
        for width in [UUIDWidth.bits16, .bits32, .bits128] {
            let list = uuids.filter { UUIDWidth.bits16.widened(for: [$0]) == width }
            if !list.isEmpty { try whole.append(.services(list, width, isComplete: true)) }
        }
        self = whole
    }

    /// Appends the whole name, or as much of it as fits, marked as shortened.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``Overflow`` when not even one character of it fits.
    public mutating func appendName(_ name: WireText) throws(Overflow) {
        let room = limit - octets.count - 2
        guard name.octets.count > room, room > 0 else {
            try append(.completeLocalName, name.octets)
            return
        }
        var end = room
        // Not in the middle of a UTF-8 character.
        while end > 0, name.octets[end] & 0xC0 == 0x80 { end -= 1 }
        guard end > 0 else {
            throw Overflow(needed: octets.count + name.octets.count + 2, limit: limit)
        }
        try append(.shortenedLocalName, Array(name.octets[..<end]))
    }

    /// Appends data of a company.
    ///
    /// - Parameter data: The company and its data.
    /// - Throws: ``Overflow`` when it does not fit.
    public mutating func append(_ data: ManufacturerData) throws(Overflow) {
        let company = [UInt8(data.company & 0xFF), UInt8(data.company >> 8)]
        try append(.manufacturerSpecific, company + data.data)
    }
}
