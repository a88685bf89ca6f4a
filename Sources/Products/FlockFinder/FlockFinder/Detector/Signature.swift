// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// One thing in an advertisement that speaks for a kind of camera or sensor, or against it.
public struct Signature: Hashable, Sendable {
    /// What there is to be seen in an advertisement.
    public enum Mark: Hashable, Sendable {
        /// A name of this shape.
        case name(NameShape)
        /// A service that is listed, or has data.
        case service(BluetoothUUID)
        /// Data of this company, by its assigned number.
        case maker(UInt16)
        /// A public address that begins so; addresses that a device has made up are not looked at.
        case prefix(AddressPrefix)
    }

    /// What there is to be seen.
    public var mark: Mark
    /// For which kind it speaks, or against which; `nil` is against all.
    public var type: DetectionType?
    /// How much it says, -1 to 1: in how many of ten cases it alone would be right, or below 0, wrong.
    public var weight: Double
    /// Since which version of its table it is as it is; text that means something to whoever writes the table.
    public var version: WireText
    /// Who has said so.
    public var source: WireText

    /// Makes a signature.
    public init(
        _ mark: Mark, type: DetectionType?, weight: Double, version: WireText = "", source: WireText = ""
    ) {
        self.mark = mark
        self.type = type
        self.weight = weight
        self.version = version
        self.source = source
    }

    /// Whether another looks at the same octets of an advertisement, so that only the stronger of both counts.
    func looksWhere(_ other: Signature) -> Bool {
        switch (mark, other.mark) {
        case (.name, .name), (.prefix, .prefix): true
        default: false
        }
    }
}

/// What a name looks like: its text, with `*` for anything and `#` for a digit; A to Z count like a to z.
///
/// A backslash takes the special meaning from the character that follows.
public struct NameShape: Hashable, Sendable {
    /// The longest shape, in octets.
    public static let longest = 64
    /// How many characters other than `*` it must have: with fewer it would fit too much.
    public static let fewestCharacters = 3

    private enum Piece: Hashable, Sendable {
        case anything
        case digit
        case octet(UInt8)
    }

    /// The shape as it is written.
    public let text: WireText
    private let pieces: [Piece]

    /// Reads a shape.
    ///
    /// - Parameter text: The shape; `nil` comes of one that is too long, fits too much, or ends with a backslash.
    public init?(_ text: WireText) {
        guard text.octets.count <= Self.longest else { return nil }
        var pieces: [Piece] = []
        var isLiteral = false
        for octet in text.asciiLowercased.octets {
            if isLiteral {
                pieces.append(.octet(octet))
                isLiteral = false
                continue
            }
            switch octet {
            case UInt8(ascii: "\\"): isLiteral = true
            case UInt8(ascii: "#"): pieces.append(.digit)
            case UInt8(ascii: "*"): if pieces.last != .anything { pieces.append(.anything) }
            default: pieces.append(.octet(octet))
            }
        }
        let count = pieces.count { $0 != .anything }
        guard !isLiteral, count >= Self.fewestCharacters else { return nil }
        self.text = text
        self.pieces = pieces
    }

    /// Tells whether a name has this shape.
    ///
    /// It takes at most as many steps as the lengths of both multiplied, whatever the name is.
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether all of it fits.
    public func fits(_ name: WireText) -> Bool {
        let octets = name.octets
        var (piece, octet) = (0, 0)
        // Where to go on when what follows the last `*` does not fit: with one octet more for it.
        var retry: (piece: Int, octet: Int)?
        while octet < octets.count {
            if piece < pieces.count, pieces[piece] == .anything {
                piece += 1
                retry = (piece, octet)
            } else if piece < pieces.count, Self.fits(pieces[piece], octets[octet]) {
                piece += 1
                octet += 1
            } else if let last = retry {
                retry = (last.piece, last.octet + 1)
                (piece, octet) = (last.piece, last.octet + 1)
            } else {
                return false
            }
        }
        while piece < pieces.count, pieces[piece] == .anything { piece += 1 }
        return piece == pieces.count
    }

    private static func fits(_ piece: Piece, _ octet: UInt8) -> Bool {
        switch piece {
        case .anything: true
        case .digit: (0x30...0x39).contains(octet)
        case .octet(let wanted): wanted == ((0x41...0x5A).contains(octet) ? octet &+ 0x20 : octet)
        }
    }
}

/// How an address begins: three to six octets.
public struct AddressPrefix: Hashable, Sendable {
    /// The octets, the one that is written first the most significant.
    public let value: UInt64
    /// How many there are: 3 to 6.
    public let count: Int

    /// Makes a prefix.
    ///
    /// - Parameters:
    ///   - value: The octets, the one that is written first the most significant.
    ///   - count: How many there are; `nil` comes of fewer than 3, more than 6, and of a value that has more.
    public init?(_ value: UInt64, count: Int) {
        guard (3...6).contains(count), value >> UInt64(count * 8) == 0 else { return nil }
        self.value = value
        self.count = count
    }

    /// Tells whether an address begins so.
    ///
    /// - Parameter address: The address; only a public one is assigned to somebody, so another never does.
    /// - Returns: Whether it does.
    public func fits(_ address: BluetoothAddress) -> Bool {
        address.kind == .public && address.value >> UInt64((6 - count) * 8) == value
    }
}
