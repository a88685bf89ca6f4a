// SPDX-License-Identifier: Apache-2.0

extension XMLPieces {
    /// A look ahead for where a piece ends, which goes on where it was when more has come: no octet is looked at twice.
    struct Ahead: Sendable {
        private enum Kind {
            /// Text: it ends where a tag begins.
            case text
            /// What ends with some characters.
            case until(StaticString)
            /// A tag: its `>` outside of quotation marks.
            case tag
            /// A declaration: its `>` outside of brackets.
            case declaration
        }

        /// What a piece begins with, longest first where one begins with another.
        private static let kinds: [(begin: StaticString, kind: Kind)] = [
            ("<![CDATA[", .until("]]>")), ("<!--", .until("-->")), ("<?", .until("?>")),
            ("<!", .declaration), ("<", .tag),
        ]

        private var kind: Kind?
        /// Octets of the piece that were looked at.
        private var seen = 0
        private var mark: UInt8?
        private var depth = 0

        /// Looks on.
        ///
        /// - Parameter octets: What is there of the piece.
        /// - Returns: Whether it is there to its end.
        mutating func isWhole(_ octets: ArraySlice<UInt8>) -> Bool {
            if kind == nil {
                guard let first = octets.first else { return false }
                // So long is what tells the kinds apart.
                guard first != UInt8(ascii: "<") || octets.count >= 9 else { return false }
                let found = Self.kinds.first { octets.starts(with: $0.begin.description.utf8) }
                kind = found?.kind ?? .text
                seen = found?.begin.utf8CodeUnitCount ?? 0
            }
            guard let kind else { return false }
            while seen < octets.count {
                let index = octets.startIndex + seen
                seen += 1
                if isEnd(octets[index], at: index, of: octets, kind) { return true }
            }
            return false
        }

        private mutating func isEnd(
            _ octet: UInt8, at index: Int, of octets: ArraySlice<UInt8>, _ kind: Kind
        ) -> Bool {
            switch kind {
            case .text: return octet == UInt8(ascii: "<")
            case .until(let end):
                guard octet == UInt8(ascii: ">") else { return false }
                return octets[..<index].suffix(end.utf8CodeUnitCount - 1).elementsEqual(
                    end.description.utf8.dropLast())
            case .tag:
                if let open = mark {
                    if octet == open { mark = nil }
                } else if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "'") {
                    mark = octet
                } else {
                    return octet == UInt8(ascii: ">")
                }
            case .declaration:
                if octet == UInt8(ascii: "[") { depth += 1 }
                if octet == UInt8(ascii: "]") { depth -= 1 }
                return octet == UInt8(ascii: ">") && depth <= 0
            }
            return false
        }
    }
}
