// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
    /// How deep arrays and objects of a text may stand in each other that is kept: what it is written into later has some
    /// levels of its own, and is to be read again.
    package static let keptDepth = depthLimit - 8

    /// Whether a text may be kept, as far as its depth is concerned.
    ///
    /// - Parameter octets: The text of a value; whether it is one is not looked at.
    /// - Returns: Whether nothing in it stands deeper than ``keptDepth``.
    package static func mayBeKept(_ octets: String.UTF8View) -> Bool {
        guard octets.count > keptDepth else { return true }
        var depth = 0
        var (isText, isEscaped) = (false, false)
        for octet in octets {
            switch octet {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= keptDepth else { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return true
    }
}
