// SPDX-License-Identifier: Apache-2.0

/// Why a text is not one of assigned numbers.
public enum AssignedNumbersError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more octets than there can be.
    case tooLong
    /// Its end is missing.
    case cutOff
    /// It is not in UTF-8.
    case notUTF8
    /// A line, counted from 1, is not a kind, a number and a name.
    case malformed(line: Int)
    /// A line, counted from 1, does not come behind the one before it.
    case outOfOrder(line: Int)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .tooLong: "the text of assigned numbers is too long"
        case .cutOff: "the end of the text of assigned numbers is missing"
        case .notUTF8: "the text of assigned numbers is not in UTF-8"
        case .malformed(let line): "line \(line) of the assigned numbers is not a kind, a number and a name"
        case .outOfOrder(let line): "line \(line) of the assigned numbers is not in order"
        }
    }
}

extension NumberLines {
    /// Four times what there is; nobody waits for more.
    static let longestText = 1_000_000
    /// More than twice what the longest layout has.
    static let longestLine = 4_000

    /// Holds a text from elsewhere against all that looking up relies on.
    ///
    /// - Parameter text: The text.
    /// - Throws: What is wrong first.
    static func check(_ text: [UInt8]) throws(AssignedNumbersError) {
        guard text.count <= longestText else { throw .tooLong }
        var (number, rest, before) = (1, text[...], ArraySlice<UInt8>())
        while true {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw .cutOff }
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.elementsEqual(CollectionOfOne(UInt8(ascii: "~"))) { break }
            guard let key = key(of: line) else { throw .malformed(line: number) }
            guard before.lexicographicallyPrecedes(key) else { throw .outOfOrder(line: number) }
            (number, before) = (number + 1, key)
        }
        guard rest.isEmpty else { throw .malformed(line: number + 1) }
        guard String(validating: text, as: UTF8.self) != nil else { throw .notUTF8 }
    }

    /// Kind and number of a line, with the blanks behind them; `nil` where it has none, or no name.
    private static func key(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let blank = UInt8(ascii: " ")
        guard line.count <= longestLine, line.allSatisfy({ $0 >= blank && $0 != 0x7F }),
            let kind = line.firstIndex(of: blank),
            let number = line[(kind + 1)...].firstIndex(of: blank),
            NumberKind.allCases.contains(where: { line[..<kind].elementsEqual($0.rawValue.utf8) }),
            (1...32).contains(number - kind - 1),
            line[(kind + 1)..<number].allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }),
            number + 1 < line.endIndex, line[number + 1] != blank
        else { return nil }
        return line[...number]
    }
}
