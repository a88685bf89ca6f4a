// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
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
                text: isHeardHere
                    ? "The hub's own radio noticed it and takes it for " : "The device calls it ",
                value: source.label)
        ]
        for sentence in last?.sighting.reasonSentences ?? [] {
            reasons.append(SourceReason(kind: .fact, field: nil, text: sentence, value: nil))
        }
        if let confidence {
            let by = isHeardHere ? "by what speaks for it and against it" : "as the device reckons"
            reasons.append(
                SourceReason(
                    kind: .confidence, field: "confidence",
                    text: "\(Int((confidence * 100).rounded()))% sure that it is \(source.type.noun), \(by)",
                    value: nil))
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
                    text: "Its address is a random one: "
                        + "the same device may appear as another source later.", value: nil))
        case .address: break
        case .name:
            reasons.append(
                SourceReason(
                    kind: .note, field: "ssid",
                    text: "It gave no address, so all devices of this kind with this name are one source.",
                    value: nil))
        case .kind:
            reasons.append(
                SourceReason(
                    kind: .note, field: nil,
                    text: "It gave neither address nor name, so this may be several devices.", value: nil))
        }
        reasons.append(
            SourceReason(kind: .note, field: nil, text: "\(source.type.explanation)", value: nil))
        return reasons
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.word("kind", "What it is.", of: Kind.allCases.map { $0.rawValue }) { $0.kind.rawValue }
        schema.text("field", "The field of the detection that it is about, if any.") { $0.field }
        schema.text("text", "The sentence, which the value ends where there is one.") { $0.text }
        schema.text("value", "What the field says, if anything.") { $0.value }
    }
}

extension DetectionType {
    /// What it is, as the pages say it, too: `a Flock Safety plate reader`.
    fileprivate var noun: String {
        switch self {
        case .flockSafety: "a Flock Safety plate reader"
        case .verkada: "a Verkada office camera"
        case .lorex: "a Lorex home camera"
        case .reolink: "a Reolink home IP camera"
        case .axis: "an Axis pro IP camera"
        case .hikvision: "a Hikvision pro camera"
        case .dahua: "a Dahua pro camera"
        case .ring: "a Ring doorbell"
        case .nest: "a Nest camera or doorbell"
        case .arlo: "an Arlo wireless camera"
        case .wyze: "a Wyze low-cost camera"
        case .eufy: "a Eufy home camera"
        case .penguin: "a Penguin reader battery"
        case .pigvision: "a Pigvision plate reader"
        case .raven: "a Raven gunshot detector"
        case .unknown: "a camera or sensor of a kind that is not known"
        }
    }
}
