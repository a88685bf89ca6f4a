// SPDX-License-Identifier: Apache-2.0

/// A bounds-checked, little-endian reader over borrowed octets.
///
/// It never copies what it is given and never reads past the end: every read that would do so throws
/// ``DecodeError/Reason/truncated(needed:)`` and leaves the position where it was. Finish with
/// ``finish()`` so that left-over octets are an error, too.
@frozen
public struct ByteReader: ~Escapable {
    /// The octets that are read from.
    @usableFromInline let octets: RawSpan
    /// Octets read so far.
    @inlinable public var offset: Int { position }
    @usableFromInline var position: Int

    /// Starts reading at the first octet.
    ///
    /// - Parameter octets: What to read; borrowed for the life of the reader.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
        self.position = 0
    }

    /// Octets not read yet.
    @inlinable
    public var remaining: Int { octets.byteCount &- offset }

    /// Whether everything has been read.
    @inlinable
    public var isAtEnd: Bool { offset == octets.byteCount }

    /// Checks that `count` octets are left.
    @inlinable
    func require(_ count: Int) throws(DecodeError) {
        guard count >= 0 else { throw DecodeError(.badLength(count), at: offset) }
        guard count <= remaining else {
            throw DecodeError(.truncated(needed: count &- remaining), at: offset)
        }
    }

    /// The octet `distance` octets ahead; the caller has checked that it exists.
    @inlinable
    func octet(_ distance: Int) -> UInt8 {
        // Safe: every caller has called require(_:) for more than `distance` octets.
        unsafe octets.unsafeLoad(fromUncheckedByteOffset: offset &+ distance, as: UInt8.self)
    }

    /// Reads one octet.
    ///
    /// - Returns: The octet.
    /// - Throws: ``DecodeError`` when nothing is left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readUInt8() throws(DecodeError) -> UInt8 {
        try require(1)
        defer { position &+= 1 }
        return octet(0)
    }

    /// Reads one signed octet.
    ///
    /// - Returns: The value.
    /// - Throws: ``DecodeError`` when nothing is left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readInt8() throws(DecodeError) -> Int8 {
        Int8(bitPattern: try readUInt8())
    }

    /// Reads two octets, least significant first.
    ///
    /// - Returns: The value.
    /// - Throws: ``DecodeError`` when fewer than two octets are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readUInt16() throws(DecodeError) -> UInt16 {
        try require(2)
        defer { position &+= 2 }
        return UInt16(octet(0)) | UInt16(octet(1)) &<< 8
    }

    /// Reads three octets, least significant first.
    ///
    /// - Returns: The value, at most 0xFFFFFF.
    /// - Throws: ``DecodeError`` when fewer than three octets are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readUInt24() throws(DecodeError) -> UInt32 {
        try require(3)
        defer { position &+= 3 }
        return UInt32(octet(0)) | UInt32(octet(1)) &<< 8 | UInt32(octet(2)) &<< 16
    }

    /// Reads four octets, least significant first.
    ///
    /// - Returns: The value.
    /// - Throws: ``DecodeError`` when fewer than four octets are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readUInt32() throws(DecodeError) -> UInt32 {
        try require(4)
        let low = UInt32(octet(0)) | UInt32(octet(1)) &<< 8
        let high = UInt32(octet(2)) | UInt32(octet(3)) &<< 8
        position &+= 4
        return low | high &<< 16
    }

    /// Reads eight octets, least significant first.
    ///
    /// - Returns: The value.
    /// - Throws: ``DecodeError`` when fewer than eight octets are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readUInt64() throws(DecodeError) -> UInt64 {
        try require(8)
        let low = UInt64(try readUInt32())
        return low | UInt64(try readUInt32()) &<< 32
    }

    /// Copies the next octets.
    ///
    /// - Parameter count: How many octets.
    /// - Returns: The octets.
    /// - Throws: ``DecodeError`` when fewer are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readOctets(_ count: Int) throws(DecodeError) -> [UInt8] {
        try require(count)
        defer { position &+= count }
        return copy(count)
    }

    /// Copies everything that is left.
    ///
    /// - Returns: The octets; none at the end.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func readRemaining() -> [UInt8] {
        let count = remaining
        defer { position &+= count }
        return copy(count)
    }

    /// Appends everything that is left to octets that are there already.
    ///
    /// - Parameter octets: Where to append.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func appendRemaining(to octets: inout [UInt8]) {
        let view = self.octets.extracting(offset..<(offset &+ remaining))
        position &+= remaining
        // Safe: the view is not kept.
        unsafe view.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
    }

    /// Lends the next octets without copying them.
    ///
    /// - Parameter count: How many octets.
    /// - Returns: A view that lives as long as what the reader was made from.
    /// - Throws: ``DecodeError`` when fewer are left.
    @inlinable
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    public mutating func readSpan(_ count: Int) throws(DecodeError) -> RawSpan {
        try require(count)
        let view = octets.extracting(offset..<(offset &+ count))
        position &+= count
        return view
    }

    /// Passes over octets.
    ///
    /// - Parameter count: How many octets.
    /// - Throws: ``DecodeError`` when fewer are left.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func skip(_ count: Int) throws(DecodeError) {
        try require(count)
        position &+= count
    }

    /// Checks that everything has been read.
    ///
    /// - Throws: ``DecodeError`` with ``DecodeError/Reason/trailing(count:)`` otherwise.
    @inlinable
    public func finish() throws(DecodeError) {
        guard isAtEnd else { throw DecodeError(.trailing(count: remaining), at: offset) }
    }

    /// Copies `count` octets from the position; the caller has checked that they exist.
    @inlinable
    func copy(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        let view = octets.extracting(offset..<(offset &+ count))
        // Safe: the view is not kept. This initialiser is the stdlib's fastest, by a third.
        return unsafe view.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
