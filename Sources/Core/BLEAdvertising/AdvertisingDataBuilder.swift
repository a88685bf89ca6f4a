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
    /// The limit of extended advertising that one HCI command carries, in octets.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
    public static let extendedLimit = 251

    /// What was put together so far.
    public private(set) var octets: [UInt8] = []
    /// Octets that there may be.
    public let limit: Int

    /// Starts empty.
    ///
    /// - Parameter limit: Octets that there may be.
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
    /// - Parameter flags: The octet; 0x06 is general discoverable, LE only.
    /// - Throws: ``Overflow`` when it does not fit.
    public mutating func appendFlags(_ flags: UInt8 = 0x06) throws(Overflow) { try append(.flags, [flags]) }

    /// Appends lists of all services, one list for each width.
    ///
    /// - Parameter uuids: The services.
    /// - Throws: ``Overflow`` when they do not all fit; nothing is appended then.
    public mutating func appendServices(_ uuids: [BluetoothUUID]) throws(Overflow) {
        var whole = self
        for isShort in [true, false] {
            let list = uuids.filter { ($0.short != nil) == isShort }
            guard !list.isEmpty else { continue }
            var writer = ByteWriter()
            for uuid in list { uuid.encodeAttributeType(into: &writer) }
            try whole.append(isShort ? .completeServices16 : .completeServices128, writer.octets)
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
