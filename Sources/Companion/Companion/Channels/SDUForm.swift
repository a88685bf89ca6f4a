// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// How SDUs are written into a stream of octets.
package enum SDUForm: Hashable, Sendable {
    /// Octets as they are; each read is an SDU.
    case chunks
    /// Text, each line an SDU.
    case lines
    /// Hex digits, each line an SDU.
    case hex

    /// An SDU as it is written.
    ///
    /// - Parameters:
    ///   - sdu: The SDU.
    ///   - isSeen: Whether it goes to a terminal, which what came over the air must not steer.
    /// - Returns: The octets.
    package func written(_ sdu: [UInt8], isSeen: Bool) -> [UInt8] {
        switch self {
        case .hex: Array(sdu.hexadecimal.utf8) + [UInt8(ascii: "\n")]
        case .lines: (isSeen ? Self.escaped(sdu) : sdu) + [UInt8(ascii: "\n")]
        case .chunks: isSeen ? Self.escaped(sdu) : sdu
        }
    }

    private static func escaped(_ sdu: [UInt8]) -> [UInt8] {
        let lines = String(decoding: sdu, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.map { PrintableText.escaped($0) }.joined(separator: "\n").utf8)
    }
}

/// SDUs out of octets that come in pieces.
package struct SDUSplitter {
    /// Octets that a line may have: what a channel can carry, in hex and with blanks between the pairs.
    private static let longestLine = 65535 * 3

    private let form: SDUForm
    private var octets: [UInt8] = []
    /// Octets at the front that have become SDUs, and those that hold no line end.
    private var start = 0
    private var searched = 0
    private var line = 0

    /// Starts with nothing.
    package init(_ form: SDUForm) { self.form = form }

    /// Adds a piece.
    package mutating func append(_ piece: [UInt8]) {
        octets.removeFirst(start)
        (searched, start) = (searched - start, 0)
        octets += piece
    }

    /// The next SDU of what has come.
    ///
    /// - Parameter isEnd: Whether nothing more comes.
    /// - Returns: The SDU; `nil` when more has to come.
    /// - Throws: ``BadInput`` that names the line that is no SDU.
    package mutating func next(isEnd: Bool) throws(BadInput) -> [UInt8]? {
        guard form != .chunks else {
            defer { (start, searched) = (octets.count, octets.count) }
            return start < octets.count ? Array(octets[start...]) : nil
        }
        let end: Int
        if let found = octets[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            end = found
        } else if isEnd, start < octets.count {
            end = octets.count
        } else {
            searched = octets.count
            guard searched - start <= Self.longestLine else {
                throw BadInput("Line \(line + 1) of the input is longer than any SDU.")
            }
            return nil
        }
        line += 1
        let text = octets[start..<end]
        start = min(end + 1, octets.count)
        searched = start
        guard form == .hex else { return Array(text) }
        let digits = String(decoding: text.last == UInt8(ascii: "\r") ? text.dropLast() : text, as: UTF8.self)
        guard let sdu = [UInt8](typed: digits) else {
            throw BadInput("Line \(line) of the input is not two hex digits for each octet.")
        }
        return sdu
    }
}
