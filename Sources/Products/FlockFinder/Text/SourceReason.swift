// SPDX-License-Identifier: Apache-2.0

public import Companion
import FlockFinder

/// One reason why a source was raised, or what is to be known of it, in a sentence.
public struct SourceReason: EventPart, Hashable, Sendable {
    /// What a reason is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Something that the device has said.
        case fact
        /// How sure the device was.
        case confidence
        /// Something to know.
        case note
    }

    /// What it is.
    public let kind: Kind
    /// The field of the detection that it is about, if it is about one.
    public let field: String?
    /// The sentence, which ``value`` ends where there is one.
    public let text: String
    /// What the field says.
    public let value: String?

    /// Why a source was raised, as far as its device tells.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - confidence: How sure the device was at the last detection, 0 to 1.
    ///   - last: The last detection, if there is one left.
    /// - Returns: The reasons, the weightiest first.
    public static func reasons(
        of source: DetectionSource, confidence: Double?, last: DetectionRecord?
    ) -> [SourceReason] {
        let isHeardHere = last?.sighting.isHeardHere ?? false
        var reasons = [
            SourceReason(
                kind: .fact, field: "type",
                text: isHeardHere ? "This radio has noticed it, and takes it for " : "The device calls it ",
                value: source.label)
        ]
        for reason in last?.sighting.reasonsHere ?? [] {
            reasons.append(SourceReason(kind: .fact, field: nil, text: "Its advertisement: ", value: reason))
        }
        if let confidence {
            let word =
                confidence >= 0.9
                ? "Very high" : confidence >= 0.7 ? "High" : confidence >= 0.5 ? "Medium" : "Low"
            reasons.append(
                SourceReason(
                    kind: .confidence, field: "confidence",
                    text: isHeardHere
                        ? "\(word) confidence, by what speaks for it and against it: "
                        : "\(word) confidence; the score is the device's own: ",
                    value: "\(Int((confidence * 100).rounded()))%"))
        }
        if let name = last?.sighting.ssid, !name.isEmpty {
            reasons.append(
                SourceReason(kind: .fact, field: "ssid", text: "It goes by the name ", value: name))
        }
        switch source.identity {
        case .address where source.isRandomized:
            reasons.append(
                SourceReason(
                    kind: .note, field: "mac",
                    text: "Its address is made up: the same device may come as another source.", value: nil))
        case .address: break
        case .name:
            reasons.append(
                SourceReason(
                    kind: .note, field: "ssid",
                    text: "It has told no address; all of this kind with its name are one source.", value: nil
                ))
        case .kind:
            reasons.append(
                SourceReason(
                    kind: .note, field: nil,
                    text: "It has told neither address nor name; several devices may be meant.", value: nil))
        }
        reasons.append(
            SourceReason(kind: .note, field: nil, text: "\(source.type.explanation)", value: nil))
        return reasons
    }

    /// Names its values.
    public static func describe(_ shape: inout EventShape<Self>) {
        shape.word("kind", "What it is.", of: Kind.allCases.map { $0.rawValue }) { $0.kind.rawValue }
        shape.text("field", "The field of the detection that it is about, if any.") { $0.field }
        shape.text("text", "The sentence, which the value ends where there is one.") { $0.text }
        shape.text("value", "What the field says, if anything.") { $0.value }
    }
}
