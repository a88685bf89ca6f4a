// SPDX-License-Identifier: Apache-2.0

/// Codec `v1`: the match octet AA and four octets of payload, at octet 0 or 8 of the map.
///
/// The sender changes between the two positions every 5 s. Each octet has its bits turned round on the air,
/// so AA 01 02 03 04 is sent as 55 80 40 C0 20.
///
/// Other apps of the same phone set bits, too. The half of the map in which the message does not stand shows
/// them: it should be empty, else it is polluted, and a message that later stands there is not believed.
///
/// Spec: Documentation/Protocols/overflow-area.md, Codec v1.
public struct OverflowBanks: Hashable, Sendable {
    /// What must be empty of a position in which no message stands.
    public enum Reading: Hashable, Sendable, CaseIterable {
        /// The whole half of the map, 64 bits: what its README says.
        case bank
        /// The five octets of a message: what the demo app does.
        case pattern
    }

    /// What is known of a position.
    public enum Judgement: Hashable, Sendable {
        /// It was not seen without a message yet.
        case unknown
        /// It was empty when no message stood there.
        case clean
        /// It was not.
        case polluted
    }

    /// The outcome of a map.
    public enum Verdict: Hashable, Sendable {
        /// A message that can be believed.
        case accepted(OverflowMessage)
        /// A message that stands in a polluted position.
        case polluted(OverflowMessage)
        /// A message in a position of which nothing is known yet.
        case unknownPosition(OverflowMessage)
        /// No match octet.
        case noMatch
    }

    /// Which bits beside a message mean that it cannot be trusted.
    public let reading: Reading
    private var first = Judgement.unknown
    private var second = Judgement.unknown

    /// Makes the state of a sender that was not heard yet.
    public init(reading: Reading = .bank) { self.reading = reading }

    /// What is known of a position.
    ///
    /// - Parameter position: The position.
    /// - Returns: What the last map without a message there has shown.
    public func judgement(of position: OverflowPosition) -> Judgement {
        position == .first ? first : second
    }

    /// Judges the next map of the same sender.
    ///
    /// - Parameter map: The map.
    /// - Returns: What comes of it.
    public mutating func receive(_ map: OverflowMap) -> Verdict {
        let message = Self.message(in: map)
        for position in OverflowPosition.allCases where position != message?.position {
            let isOccupied = Self.isOccupied(position, in: map, reading)
            set(position, isOccupied ? .polluted : .clean)
        }
        guard let message else { return .noMatch }
        switch judgement(of: message.position) {
        case .clean: return .accepted(message)
        case .polluted: return .polluted(message)
        case .unknown: return .unknownPosition(message)
        }
    }

    private mutating func set(_ position: OverflowPosition, _ judgement: Judgement) {
        switch position {
        case .first: first = judgement
        case .second: second = judgement
        }
    }

    /// The map of a message and nothing else.
    ///
    /// - Parameters:
    ///   - payload: What it says.
    ///   - position: Where it stands.
    /// - Returns: The map.
    public static func map(of payload: OverflowPayload, at position: OverflowPosition) -> OverflowMap {
        var map = OverflowMap()
        map.setBank(position, to: payload.packed)
        return map
    }

    /// The message that starts with the first match octet, believed or not.
    ///
    /// - Parameter map: The map.
    /// - Returns: The message; `nil` when neither octet 0 nor octet 8 is the match octet.
    public static func message(in map: OverflowMap) -> OverflowMessage? {
        for position in OverflowPosition.allCases {
            if let payload = OverflowPayload(packed: map.bank(position)) {
                return OverflowMessage(codec: .v1, position: position, payload: payload, correctedBits: 0)
            }
        }
        return nil
    }

    /// Whether a position has bits that should not be there when no message is.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - map: The map.
    ///   - reading: How much of it counts.
    /// - Returns: Whether any bit that counts is set.
    public static func isOccupied(
        _ position: OverflowPosition, in map: OverflowMap, _ reading: Reading
    ) -> Bool {
        let bits = map.bank(position)
        return reading == .bank ? bits != 0 : bits & 0xFF_FFFF_FFFF != 0
    }
}
