// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What an advertiser says, as a sequence of structures over its octets.
///
/// | offset | size | field  | notes                              |
/// |--------|------|--------|------------------------------------|
/// | 0      | 1    | length | octets that follow; 0 ends the data |
/// | 1      | 1    | type   |                                    |
/// | 2      | n    | data   | length - 1 octets                  |
///
/// Nothing is copied until a structure's data is asked for. A structure whose length runs past the end ends
/// the sequence; ``fault`` says where.
///
/// Spec: Core v5.4, Vol 3, Part C, 11.
public struct AdvertisingData: Hashable, Sendable, Sequence {
    /// The octets as they were received.
    public let octets: [UInt8]

    /// Wraps octets.
    ///
    /// - Parameter octets: Advertising data or a scan response; nothing is checked yet.
    @inlinable
    public init(_ octets: [UInt8]) { self.octets = octets }

    /// One structure: its type and where its data lies.
    @frozen
    public struct Structure: Hashable, Sendable {
        /// What it holds.
        public let type: AdvertisingDataType
        /// Where its data lies in ``AdvertisingData/octets``.
        public let range: Range<Int>

        @inlinable
        init(type: AdvertisingDataType, range: Range<Int>) {
            self.type = type
            self.range = range
        }
    }

    /// Walks from structure to structure.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let octets: [UInt8]
        @usableFromInline var offset = 0

        @inlinable
        init(_ octets: [UInt8]) { self.octets = octets }

        /// The next structure.
        ///
        /// - Returns: The structure; `nil` at the end, at a length of 0 and at a fault.
        @inlinable
        public mutating func next() -> Structure? {
            guard offset < octets.count else { return nil }
            let length = Int(octets[offset])
            guard length > 0, length < octets.count &- offset else { return nil }
            let type = AdvertisingDataType(rawValue: octets[offset &+ 1])
            let start = offset &+ 2
            offset = offset &+ 1 &+ length
            return Structure(type: type, range: start..<offset)
        }
    }

    /// Starts at the first structure.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(octets) }

    /// The offset of the structure whose length runs past the end, if there is one.
    ///
    /// A length of 0 early ends the data and is no fault.
    public var fault: Int? {
        var iterator = makeIterator()
        while iterator.next() != nil {}
        guard iterator.offset < octets.count, octets[iterator.offset] != 0 else { return nil }
        return iterator.offset
    }

    /// The data of a structure.
    ///
    /// - Parameter structure: A structure of this sequence.
    /// - Returns: Its octets, without length and type.
    @inlinable
    public func data(of structure: Structure) -> ArraySlice<UInt8> { octets[structure.range] }

    /// The data of the first structure of a type.
    ///
    /// - Parameter type: The type.
    /// - Returns: Its octets, if there is such a structure.
    public func first(_ type: AdvertisingDataType) -> ArraySlice<UInt8>? {
        for structure in self where structure.type == type { return octets[structure.range] }
        return nil
    }

    /// The flags, if they are there.
    public var flags: UInt8? { first(.flags)?.first }

    /// The name: the whole one, else its beginning.
    public var localName: WireText? {
        (first(.completeLocalName) ?? first(.shortenedLocalName)).map { WireText(Array($0)) }
    }

    /// The transmit power in dBm.
    public var txPower: Int8? {
        guard let data = first(.txPowerLevel), data.count == 1, let octet = data.first else { return nil }
        return Int8(bitPattern: octet)
    }

    /// The appearance.
    public var appearance: UInt16? {
        guard let data = first(.appearance), data.count == 2, let low = data.first, let high = data.last
        else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }

    /// All service UUIDs in the order in which they stand; each once.
    public var services: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        for structure in self {
            guard let width = Self.serviceListWidth(structure.type) else { continue }
            var reader = ByteReader(octets.span.bytes.extracting(structure.range))
            // A list whose length is no multiple of the width: what fits is kept.
            while let uuid = Self.uuid(&reader, width) {
                if !uuids.contains(uuid) { uuids.append(uuid) }
            }
        }
        return uuids
    }

    /// Data of companies, in the order in which they stand.
    public var manufacturerData: [ManufacturerData] {
        var found: [ManufacturerData] = []
        for structure in self where structure.type == .manufacturerSpecific && structure.range.count >= 2 {
            let start = structure.range.lowerBound
            found.append(
                ManufacturerData(
                    company: UInt16(octets[start]) | UInt16(octets[start + 1]) << 8,
                    data: Array(octets[structure.range].dropFirst(2))))
        }
        return found
    }

    /// Data of services, in the order in which they stand.
    public var serviceData: [ServiceData] {
        var found: [ServiceData] = []
        for structure in self {
            guard let width = Self.serviceDataWidth(structure.type) else { continue }
            var reader = ByteReader(octets.span.bytes.extracting(structure.range))
            guard let uuid = Self.uuid(&reader, width) else { continue }
            found.append(ServiceData(uuid: uuid, data: reader.readRemaining()))
        }
        return found
    }

    private static func uuid(_ reader: inout ByteReader, _ width: Int) -> BluetoothUUID? {
        do throws(DecodeError) {
            return try BluetoothUUID(decoding: &reader, width: width)
        } catch {
            return nil
        }
    }

    private static func serviceListWidth(_ type: AdvertisingDataType) -> Int? {
        switch type {
        case .incompleteServices16, .completeServices16: 2
        case .incompleteServices32, .completeServices32: 4
        case .incompleteServices128, .completeServices128: 16
        default: nil
        }
    }

    private static func serviceDataWidth(_ type: AdvertisingDataType) -> Int? {
        switch type {
        case .serviceData16: 2
        case .serviceData32: 4
        case .serviceData128: 16
        default: nil
        }
    }
}

/// Data that a company defines.
///
/// Spec: CSS v11, Part A, 1.4.
public struct ManufacturerData: Hashable, Sendable {
    /// The company.
    public var company: UInt16
    /// What follows the company.
    public var data: [UInt8]

    /// Makes data of a company.
    ///
    /// - Parameters:
    ///   - company: The company.
    ///   - data: What follows the company.
    public init(company: UInt16, data: [UInt8]) {
        self.company = company
        self.data = data
    }
}

/// Data that a service defines.
///
/// Spec: CSS v11, Part A, 1.11.
public struct ServiceData: Hashable, Sendable {
    /// The service.
    public var uuid: BluetoothUUID
    /// What follows the UUID.
    public var data: [UInt8]

    /// Makes data of a service.
    ///
    /// - Parameters:
    ///   - uuid: The service.
    ///   - data: What follows the UUID.
    public init(uuid: BluetoothUUID, data: [UInt8]) {
        self.uuid = uuid
        self.data = data
    }
}
