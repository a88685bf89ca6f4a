// SPDX-License-Identifier: Apache-2.0

package import Companion

extension Sighting {
    /// Why the radio here has noticed it: `It offers the service 3100: 40% more sure.` for `service 3100 +0.4`.
    package var reasonSentences: [String] { reasonsHere.map(Self.sentence) }

    private static func sentence(_ reason: String) -> String {
        let blank = UInt8(ascii: " ")
        // What there is to be seen may have blanks of its own.
        guard let first = reason.utf8.firstIndex(of: blank), let last = reason.utf8.lastIndex(of: blank),
            first < last, let opening = Self.opening(of: String(reason[..<first])),
            let weight = Self.weight(Array(reason.utf8[reason.utf8.index(after: last)...]))
        else { return "Its advertisement: \(reason)" }
        let what = String(reason[reason.utf8.index(after: first)..<last])
        let percent = Int((weight.magnitude * 100).rounded())
        return "\(opening) \(what): \(percent)% \(weight < 0 ? "less" : "more") sure."
    }

    private static func opening(of mark: String) -> String? {
        switch mark {
        case "name": "Its name is like"
        case "service": "It offers the service"
        case "maker": "Its maker has the number"
        case "prefix": "Its address begins with"
        default: nil
        }
    }

    /// The weight as ``DetectionOrigin/reason(_:)`` writes it: a sign, and a number up to 1.
    private static func weight(_ octets: [UInt8]) -> Double? {
        // A file may have been imported in which the reasons are anything.
        guard let sign = octets.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let number = try? JSONReader.read(Array(octets.dropFirst())).number("", in: 0.0...1.0)
        else { return nil }
        return sign == UInt8(ascii: "-") ? -number : number
    }
}
