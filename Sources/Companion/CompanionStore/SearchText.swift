// SPDX-License-Identifier: Apache-2.0

import Companion
import GRDB

/// The text of a row in which people search: one column, the same for rows that the index has and for those that it does
/// not have yet.
///
/// It holds the label, the SSID and the extra keys with their values, out of JSON, each in lower case.
enum SearchText {
    /// Octets of one row; what is longer is cut.
    static let longest = 4096
    /// Stands between the parts, and nowhere else, so that nothing is found across two of them.
    private static let separator: UInt8 = 0x1F

    /// The text of a row.
    static func make(label: String, ssid: String?, extra: String) -> String {
        var octets: [UInt8] = []
        append(label, to: &octets)
        if let ssid { append(ssid, to: &octets) }
        if extra.utf8.count > 2 { appendJSON(extra, to: &octets) }
        return String(decoding: cut(octets), as: UTF8.self)
    }

    /// Text as it stands in the column: each character in lower case, where that is one character, and none that SQLite
    /// or the index stumbles over.
    static func folded(_ text: String) -> String {
        var octets: [UInt8] = []
        append(text, to: &octets)
        return String(decoding: octets.dropLast(), as: UTF8.self)
    }

    private static func append(_ text: String, to octets: inout [UInt8]) {
        // What is beyond the limit is not worth folding.
        guard octets.count < longest else { return }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for octet in text.utf8 {
                switch octet {
                case 0, separator: octets.append(0x20)
                case 0x41...0x5A: octets.append(octet | 0x20)
                default: octets.append(octet)
                }
            }
        } else {
            for scalar in text.unicodeScalars { octets.append(contentsOf: String(folded(scalar)).utf8) }
        }
        octets.append(separator)
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0, UInt32(separator): return " "
        // The sigma at the end of a word is the other one's lower case, too.
        case 0x03C2: return "\u{03C3}"
        default:
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first ?? scalar : scalar
        }
    }

    private static func appendJSON(_ text: String, to octets: inout [UInt8]) {
        do throws(JSONDecodingError) {
            append(try JSONReader.read(Array(text.utf8), line: 1, column: 1), to: &octets)
        } catch {
            // Only what was put into the table by other means; as it stands, it is found as well.
            append(text, to: &octets)
        }
    }

    private static func append(_ node: JSONNode, to octets: inout [UInt8]) {
        switch node.value {
        case .text(let text): append(text, to: &octets)
        case .number(let number):
            // As people write it: 6, not 6.0.
            let isWhole = number.rounded() == number && number.magnitude < 1e15
            append(isWhole ? "\(Int64(number))" : "\(number)", to: &octets)
        case .bool(let flag): append("\(flag)", to: &octets)
        case .array(let nodes): for node in nodes { append(node, to: &octets) }
        case .object(let members):
            for member in members {
                append(member.key, to: &octets)
                append(member.node, to: &octets)
            }
        case .null: break
        }
    }

    /// At most ``longest`` octets, of whole characters.
    private static func cut(_ octets: [UInt8]) -> ArraySlice<UInt8> {
        guard octets.count > longest else { return octets[...] }
        var end = longest
        while end > 0, octets[end] & 0xC0 == 0x80 { end -= 1 }
        return octets[..<end]
    }

    /// `search_text(label, ssid, extra)`: the text of a row.
    static let function = DatabaseFunction("search_text", argumentCount: 3, pure: true) { values in
        make(
            label: StoredText.fromDatabaseValue(values[0])?.text ?? "",
            ssid: StoredText.fromDatabaseValue(values[1])?.text,
            extra: String.fromDatabaseValue(values[2]) ?? "")
    }
}
