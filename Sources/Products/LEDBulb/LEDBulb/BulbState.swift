// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A command to a bulb.
public enum BulbCommand: Hashable, Sendable {
    /// Shine in a colour.
    case color(RGBColor)
    /// Shine white, with the white LEDs where the bulb has such; how bright, 0 to 255.
    case white(UInt8)
    /// Switch on as it was, or off.
    case power(Bool)
    /// Shine as before, but so bright, 0 to 255.
    case brightness(UInt8)
    /// Play an effect that is built in.
    case effect(BulbEffect)
    /// Report the state.
    case requestState

    /// Shine white.
    ///
    /// - Parameter percent: How bright, 0 to 100; more counts as 100.
    /// - Returns: The command.
    public static func white(percent: UInt8) -> BulbCommand { .white(BulbLevel.octet(ofPercent: percent)) }
}

/// An effect that is built into a bulb.
public struct BulbEffect: Hashable, Sendable {
    /// Which one, as the octet on the wire; what it means depends on the dialect.
    public var code: UInt8
    /// How fast, as the octet on the wire: 1 is the fastest; 0 when the dialect does not say.
    public var speed: UInt8

    /// Makes an effect.
    public init(code: UInt8, speed: UInt8 = 0) {
        self.code = code
        self.speed = speed
    }
}

/// What a bulb shows while it is switched on.
public enum BulbLight: Hashable, Sendable {
    /// A colour.
    case color(RGBColor)
    /// White light; how bright, 0 to 255.
    case white(UInt8)
    /// An effect that is built in.
    case effect(BulbEffect)
}

extension BulbLight {
    /// The light with the brightness of its brightest part changed; an effect stays as it is.
    fileprivate func dimmed(to level: UInt8) -> BulbLight {
        switch self {
        case .color(let color):
            let most = max(color.red, color.green, color.blue)
            func part(_ octet: UInt8) -> UInt8 { BulbLevel.rescaled(octet, from: most, to: level) }
            return .color(
                most == 0
                    ? RGBColor(white: level)
                    : RGBColor(red: part(color.red), green: part(color.green), blue: part(color.blue)))
        case .white: return .white(level)
        case .effect: return self
        }
    }
}

/// The state of a bulb.
///
/// A bulb that is switched off still takes colours, and shows them when it is switched on.
public struct BulbState: Hashable, Sendable {
    /// Whether it is switched on.
    public var isOn: Bool
    /// What it shows then.
    public var light: BulbLight

    /// Makes a state.
    public init(isOn: Bool = true, light: BulbLight = .color(.white)) {
        self.isOn = isOn
        self.light = light
    }

    /// The colour that an eye sees; `nil` while an effect plays.
    public var shown: RGBColor? {
        guard isOn else { return .black }
        switch light {
        case .color(let color): return color
        case .white(let level): return RGBColor(white: level)
        case .effect: return nil
        }
    }

    /// Applies a command to the state.
    ///
    /// - Parameter command: The command.
    public mutating func apply(_ command: BulbCommand) {
        switch command {
        case .color(let color): light = .color(color)
        case .white(let level): light = .white(level)
        case .brightness(let level): light = light.dimmed(to: level)
        case .effect(let effect): light = .effect(effect)
        case .power(let isOn): self.isOn = isOn
        case .requestState: break
        }
    }
}
