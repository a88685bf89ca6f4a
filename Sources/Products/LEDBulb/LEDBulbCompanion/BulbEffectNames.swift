// SPDX-License-Identifier: Apache-2.0

public import LEDBulb

extension BulbDialect {
    /// The effects whose meaning is known, in the order of their codes.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Effects.
    public var namedEffects: [(code: UInt8, name: String)] {
        switch self {
        case .triones, .magicBlue: Self.named(from: 0x25, Self.happyLightingEffects)
        case .elkBLEDOM, .elkBLEDOMF0, .ledLamp, .ledLamp7B: Self.named(from: 0x87, Self.elkEffects)
        default: []
        }
    }

    /// What an effect shows.
    ///
    /// - Parameter code: The effect.
    /// - Returns: Some words; its number where nobody knows.
    public func effectName(_ code: UInt8) -> String {
        namedEffects.first { $0.code == code }?.name ?? "Effect \(code)"
    }

    private static func named(from first: UInt8, _ names: [String]) -> [(code: UInt8, name: String)] {
        names.enumerated().map { (code: first + UInt8($0.offset), name: $0.element) }
    }

    private static let happyLightingEffects = [
        "Seven colours fading", "Red breathing", "Green breathing", "Blue breathing", "Yellow breathing",
        "Cyan breathing", "Purple breathing", "White breathing", "Red and green fading",
        "Red and blue fading", "Green and blue fading", "Seven colours flashing", "Red flashing",
        "Green flashing", "Blue flashing", "Yellow flashing", "Cyan flashing", "Purple flashing",
        "White flashing", "Seven colours jumping",
    ]

    private static let elkEffects = [
        "Three colours jumping", "Seven colours jumping", "Three colours fading", "Seven colours fading",
        "Red breathing", "Green breathing", "Blue breathing", "Yellow breathing", "Cyan breathing",
        "Purple breathing", "White breathing", "Red and green fading", "Red and blue fading",
        "Green and blue fading", "Seven colours flashing", "Red flashing", "Green flashing",
        "Blue flashing", "Yellow flashing", "Cyan flashing", "Purple flashing", "White flashing",
    ]
}
