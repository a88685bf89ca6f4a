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
/// the sequence. ``elements`` decodes all structures, ``faults`` says which could not be decoded.
///
/// Spec: Core v5.4, Vol 3, Part C, 11.
public struct AdvertisingData: Hashable, Sendable, Sequence {
    /// The octets as they were received.
    public let octets: [UInt8]

    /// Wraps octets.
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

        /// Where it begins, with its length, in ``AdvertisingData/octets``.
        @inlinable
        public var offset: Int { range.lowerBound &- 2 }
    }

    /// Goes from structure to structure over octets that somebody else holds.
    @frozen
    @usableFromInline
    struct Cursor {
        @usableFromInline var offset = 0

        @inlinable
        init() {}

        /// The next structure; `nil` at the end, at a length of 0 and at a fault.
        @inlinable
        @inline(__always)
        mutating func next(in octets: borrowing Span<UInt8>) -> Structure? {
            guard offset < octets.count else { return nil }
            let length = Int(octets[offset])
            guard length > 0, length < octets.count &- offset else { return nil }
            let type = AdvertisingDataType(rawValue: octets[offset &+ 1])
            let start = offset &+ 2
            offset = offset &+ 1 &+ length
            return Structure(type: type, range: start..<offset)
        }
    }

    /// Walks from structure to structure.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let octets: [UInt8]
        @usableFromInline var cursor = Cursor()

        @inlinable
        init(_ octets: [UInt8]) { self.octets = octets }

        /// The next structure.
        ///
        /// - Returns: The structure; `nil` at the end, at a length of 0 and at a fault.
        @inlinable
        public mutating func next() -> Structure? {
            // A copy, because the octets are borrowed from the same iterator.
            var cursor = cursor
            defer { self.cursor = cursor }
            return cursor.next(in: octets.octetSpan)
        }
    }

    /// Starts at the first structure.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(octets) }

    /// The offset of the structure whose length runs past the end, if there is one.
    ///
    /// A length of 0 early ends the data and is no fault.
    public var fault: Int? {
        var cursor = Cursor()
        while cursor.next(in: octets.octetSpan) != nil {}
        guard cursor.offset < octets.count, octets[cursor.offset] != 0 else { return nil }
        return cursor.offset
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
        range(of: type).map { octets[$0] }
    }

    /// Where the data of the first structure of a type lies.
    func range(of type: AdvertisingDataType) -> Range<Int>? {
        let span = octets.octetSpan
        var cursor = Cursor()
        while let structure = cursor.next(in: span) {
            if structure.type == type { return structure.range }
        }
        return nil
    }

    /// The only octet of the first structure of a type.
    func octet(of type: AdvertisingDataType) -> UInt8? {
        guard let range = range(of: type), range.count == 1 else { return nil }
        return octets[range.lowerBound]
    }

    /// A reader over the data of a structure.
    func withReader<Result, Failure>(
        _ range: Range<Int>, _ body: (inout ByteReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var reader = ByteReader(octets.octetSpan.bytes.extracting(range))
        return try body(&reader)
    }
}
