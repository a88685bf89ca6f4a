// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

extension Sighting {
    /// Why the radio here has noticed it, what weighs most first, and what speaks against it behind what speaks for it:
    /// `It offers the services 3100 and 3200, which this kind has.` for `service 3100 +0.4` and `service 3200 +0.4`.
    ///
    /// The weights stay out: what they come to together is no sum, and nobody could reckon it after them.
    package var reasonSentences: [String] {
        var signs: [SeenSign] = []
        var others: [String] = []
        for reason in reasonsHere {
            if let sign = SeenSign(reason) {
                if !signs.contains(where: { $0.sentence == sign.sentence }) { signs.append(sign) }
            } else if !others.contains(reason) {
                others.append(reason)
            }
        }
        let sorted = signs.enumerated().ordered { one, other in
            let (mine, theirs) = (one.element.weight, other.element.weight)
            if (mine < 0) != (theirs < 0) { return theirs < 0 }
            return mine.magnitude != theirs.magnitude
                ? mine.magnitude > theirs.magnitude : one.offset < other.offset
        }.map { $0.element }
        var sentences: [String] = []
        for (index, sign) in sorted.enumerated() {
            let isSame = { (other: SeenSign) in
                sign.kind == .service && other.kind == .service && (other.weight < 0) == (sign.weight < 0)
            }
            // Several services are one sentence, where the weightiest of them stands.
            if sorted[..<index].contains(where: isSame) { continue }
            let together = sorted[index...].filter(isSame).map { $0.what }
            sentences.append(sign.sentence(of: together.isEmpty ? [sign.what] : together))
        }
        return sentences + others.map { "Its advertisement: \($0)" }
    }
}

/// Something that was seen in an advertisement, and what it weighs.
private struct SeenSign {
    enum Kind: String {
        case name, service, maker, prefix
    }

    let kind: Kind
    /// What there was to be seen: a shape, a number.
    let what: String
    /// -1 to 1.
    let weight: Double

    /// Reads a reason as ``DetectionOrigin/reason(_:)`` writes it; `nil` when it is anything else.
    init?(_ reason: String) {
        let blank = UInt8(ascii: " ")
        // What there is to be seen may have blanks of its own.
        guard let first = reason.utf8.firstIndex(of: blank), let last = reason.utf8.lastIndex(of: blank),
            first < last, let kind = Kind(rawValue: String(reason[..<first])),
            let weight = Self.weight(Array(reason.utf8[reason.utf8.index(after: last)...]))
        else { return nil }
        self.kind = kind
        what = String(reason[reason.utf8.index(after: first)..<last])
        self.weight = weight
    }

    var sentence: String { sentence(of: [what]) }

    /// What it says, together with others of its kind.
    func sentence(of all: [String]) -> String {
        if weight < 0 { return "\(fact(all)), which speaks against it." }
        return "\(fact(all)), \(kind == .service ? "which this kind has" : "as with this kind")."
    }

    private func fact(_ all: [String]) -> String {
        switch kind {
        case .name: "Its name \(Self.words(ofShape: what))"
        case .service: "It offers the service\(all.count == 1 ? "" : "s") \(Self.list(all))"
        case .maker: "Its maker has the number \(what)"
        case .prefix: "Its address begins with \(what)"
        }
    }

    /// The weight: a sign, and a number up to 1.
    private static func weight(_ octets: [UInt8]) -> Double? {
        // A file may have been imported in which the reasons are anything.
        guard let sign = octets.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let number = try? JSONReader.read(Array(octets.dropFirst())).number("", in: 0.0...1.0)
        else { return nil }
        return sign == UInt8(ascii: "-") ? -number : number
    }

    // MARK: Names

    private enum Piece: Equatable {
        case text(String)
        case digits(Int)
        case anything
    }

    /// What a ``NameShape`` means: `is Penguin- and ten digits`, `has flock in it`.
    private static func words(ofShape shape: String) -> String {
        let pieces = pieces(ofShape: shape)
        switch (pieces.count, pieces.first, pieces.last) {
        case (2, .text(let text), .anything): return "begins with \(text)"
        case (2, .anything, .text(let text)): return "ends with \(text)"
        case (3, .anything, .anything):
            if case .text(let text) = pieces[1] { return "has \(text) in it" }
        default: break
        }
        return "is "
            + list(
                pieces.map { piece in
                    switch piece {
                    case .text(let text): text
                    case .digits(let count): "\(word(count)) digit\(count == 1 ? "" : "s")"
                    case .anything: "anything"
                    }
                })
    }

    private static func pieces(ofShape shape: String) -> [Piece] {
        var pieces: [Piece] = []
        var isLiteral = false
        for character in shape {
            if !isLiteral, character == "\\" {
                isLiteral = true
                continue
            }
            switch (character, pieces.last) {
            case ("#", .digits(let count)) where !isLiteral: pieces[pieces.count - 1] = .digits(count + 1)
            case ("#", _) where !isLiteral: pieces.append(.digits(1))
            case ("*", .anything) where !isLiteral: break
            case ("*", _) where !isLiteral: pieces.append(.anything)
            case (_, .text(let text)): pieces[pieces.count - 1] = .text("\(text)\(character)")
            default: pieces.append(.text(String(character)))
            }
            isLiteral = false
        }
        return pieces
    }

    private static func word(_ count: Int) -> String {
        let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        return words.indices.contains(count - 1) ? words[count - 1] : "\(count)"
    }

    /// `one`, `one and two`, `one, two and three`.
    private static func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return "\(items.dropLast().joined(separator: ", ")) and \(last)"
    }
}
