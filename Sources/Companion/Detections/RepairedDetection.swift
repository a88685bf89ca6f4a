// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
package import FlockFinder
import WireJSON

extension FlockFinderEvent {
    /// The same, or the detection that was meant by octets that real firmware sends and JSON does not allow.
    ///
    /// Firmware puts names into its objects as they came over the air, and an empty text where it has no address.
    package var usable: FlockFinderEvent {
        guard case .parseError(let error, let raw) = self else { return self }
        switch error.reason {
        case .notJSON, .controlCharacter, .badEscape, .loneSurrogate, .badUTF8, .badMAC: break
        default: return self
        }
        return Detection(meantBy: raw).map { .detection($0) } ?? self
    }
}

extension Detection {
    /// Reads an object with names in it as they came over the air; what it keeps as received is as it was.
    ///
    /// | it has | and is read as |
    /// |---|---|
    /// | text that is not UTF-8 | Latin-1 |
    /// | a control character, a quotation mark or a backslash in text | that character |
    /// | an empty text, or `unknown`, for `mac` | no address |
    /// | an address with hyphens | the same with colons |
    ///
    /// - Parameter raw: The object; `nil` comes out when nothing makes sense of it.
    package init?(meantBy raw: [UInt8]) {
        guard raw.first(where: { !JSONText.isBlank($0) }) == UInt8(ascii: "{") else { return nil }
        var octets = JSONText.escaped(raw)
        if let mac = Self.mac(in: octets) {
            let address = FileValue.addressIfAny(mac.text).flatMap { FileValue.address($0) }
            if address != nil || mac.text.isEmpty || mac.text.lowercased() == "unknown" {
                octets.replaceSubrange(
                    mac.range, with: address.map { Array("\"\($0)\"".utf8) } ?? Array("null".utf8))
            }
        }
        do throws(DetectionError) {
            self = try Detection(decoding: octets)
        } catch {
            return nil
        }
        self.raw = raw
    }

    /// The text of the address, and where it stands with its quotation marks.
    private static func mac(in octets: [UInt8]) -> (text: String, range: Range<Int>)? {
        var found: (String, Range<Int>)?
        JSONScanner.forEachEntry(of: octets.octetSpan) { key, value in
            guard key == Array("mac".utf8), value.kind == .string else { return true }
            found = (
                FileValue.text(JSONScanner.text(of: value, in: octets.octetSpan)), value.start..<value.end
            )
            return true
        }
        return found
    }
}

/// JSON whose texts hold whatever somebody has put there.
private enum JSONText {
    static func isBlank(_ octet: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(octet) }

    /// The same with all in its texts escaped that must be, and in UTF-8.
    static func escaped(_ octets: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var text: [UInt8]?
        for (index, octet) in octets.enumerated() {
            guard let open = text else {
                plain.append(octet)
                if octet == UInt8(ascii: "\"") { text = [] }
                continue
            }
            // A quotation mark ends a text where something follows that goes on behind one.
            let next = octets[(index + 1)...].first { !isBlank($0) }
            let isMark = octet == UInt8(ascii: "\"") && !isEscape(at: open.endIndex, of: open)
            guard isMark, next == nil || [UInt8](",:}]".utf8).contains(next ?? 0) else {
                text?.append(octet)
                continue
            }
            plain += written(open)
            plain.append(octet)
            text = nil
        }
        return plain + (text ?? [])
    }

    /// Whether a backslash before this place escapes what stands there.
    private static func isEscape(at end: Int, of octets: [UInt8]) -> Bool {
        var count = 0
        while count < end, octets[end - 1 - count] == UInt8(ascii: "\\") { count += 1 }
        return !count.isMultiple(of: 2)
    }

    private static func written(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        let octets = Array(FileValue.text(text).utf8)
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            index += 1
            switch octet {
            case UInt8(ascii: "\\") where index < octets.count && "\"\\/bfnrtu".utf8.contains(octets[index]):
                plain += [octet, octets[index]]
                index += 1
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): plain += [UInt8(ascii: "\\"), octet]
            case 0..<0x20: plain += Array("\\u00\([octet].hexadecimal)".utf8)
            default: plain.append(octet)
            }
        }
        return plain
    }
}
