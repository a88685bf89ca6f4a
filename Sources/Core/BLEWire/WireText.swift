// SPDX-License-Identifier: Apache-2.0

/// Text as it travelled: octets that are meant to be UTF-8 but may be anything.
///
/// Chips pay up to 110 KB for `String`; Core and Kits keep text in this form and never look inside beyond
/// ASCII. Hosts turn it into a `String` with `string` or `validString`.
@frozen
public struct WireText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The octets.
    public var octets: [UInt8]

    /// Wraps octets.
    @inlinable
    public init(_ octets: [UInt8]) { self.octets = octets }

    /// Takes text written in code.
    ///
    /// - Parameter value: The text.
    @inlinable
    public init(stringLiteral value: StaticString) {
        octets = []
        guard value.hasPointerRepresentation else { return }
        // Safe: a literal lives for ever and its count is the compiler's.
        let buffer = unsafe UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
        unsafe octets.append(contentsOf: buffer)
    }

    /// Takes a name without what many devices fill theirs up with: NULs, blanks, the ends of lines and what an erased
    /// memory holds.
    ///
    /// - Parameter octets: The name as a device gives it; `nil` comes of one that has nothing else.
    public init?(name octets: [UInt8]) {
        var count = octets.count
        while count > 0, Self.isFilling(octets[count - 1]) { count -= 1 }
        guard count > 0 else { return nil }
        self.init(count == octets.count ? octets : Array(octets[..<count]))
    }

    /// Whether an octet says nothing at the end of a name; 0xFF is in no text.
    private static func isFilling(_ octet: UInt8) -> Bool {
        octet == 0 || octet == 0x20 || octet == 0xFF || (0x09...0x0D).contains(octet)
    }

    /// Whether there is no text.
    @inlinable
    public var isEmpty: Bool { octets.isEmpty }

    /// The text with the letters A to Z in lower case.
    @inlinable
    public var asciiLowercased: WireText {
        WireText(octets.map { (0x41...0x5A).contains($0) ? $0 &+ 0x20 : $0 })
    }

    /// Tells whether other text stands somewhere in this one.
    ///
    /// - Parameter other: What to look for; empty text is found everywhere.
    /// - Returns: Whether it was found.
    public func contains(_ other: WireText) -> Bool {
        guard !other.isEmpty else { return true }
        guard other.octets.count <= octets.count else { return false }
        for start in 0...(octets.count - other.octets.count)
        where octets[start..<(start + other.octets.count)].elementsEqual(other.octets) {
            return true
        }
        return false
    }
}
