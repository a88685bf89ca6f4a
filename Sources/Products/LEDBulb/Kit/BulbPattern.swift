// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What can stand in the octets of a pattern.
struct BulbValues: Hashable, Sendable {
    var color = RGBColor.black
    /// Brightness of the white light, 0 to 255.
    var level: UInt8 = 0
    var isOn = true
    var mode: UInt8 = 0
    var speed: UInt8 = 0
}

/// One message of a dialect, octet by octet: it writes messages and understands them.
///
/// A pattern is as long as its message; there are no optional parts.
struct BulbPattern: Hashable, Sendable {
    /// What an octet of the message is.
    enum Octet: Hashable, Sendable {
        /// Always this.
        case fixed(UInt8)
        /// Written so; bulbs do not look at it.
        case filler(UInt8)
        /// How red.
        case red
        /// How green.
        case green
        /// How blue.
        case blue
        /// How bright the white light is; what stands for full.
        case level(full: UInt8)
        /// Switched on or off; nothing else is understood.
        case power(on: UInt8, off: UInt8)
        /// Written on or off once more; bulbs do not look at it.
        case powerAgain(on: UInt8, off: UInt8)
        /// Which effect, or that there is none.
        case mode
        /// How fast an effect is.
        case speed
    }

    let octets: [Octet]

    init(_ octets: [Octet]) { self.octets = octets }

    /// Makes a pattern of octets that are always the same.
    init(fixed octets: [UInt8]) { self.octets = octets.map { .fixed($0) } }

    /// Writes the message.
    func encode(_ values: BulbValues) -> [UInt8] {
        octets.map { octet in
            switch octet {
            case .fixed(let value), .filler(let value): value
            case .red: values.color.red
            case .green: values.color.green
            case .blue: values.color.blue
            case .level(let full): BulbLevel.rescaled(values.level, from: 255, to: full)
            case .power(let on, let off), .powerAgain(let on, let off): values.isOn ? on : off
            case .mode: values.mode
            case .speed: values.speed
            }
        }
    }

    /// Understands the message; `nil` when it is another one.
    func decode(_ message: [UInt8]) -> BulbValues? {
        guard message.count == octets.count else { return nil }
        var values = BulbValues()
        for (octet, value) in zip(octets, message) {
            switch octet {
            case .fixed(let expected): if value != expected { return nil }
            case .filler, .powerAgain: break
            case .red: values.color.red = value
            case .green: values.color.green = value
            case .blue: values.color.blue = value
            case .level(let full): values.level = BulbLevel.rescaled(value, from: full, to: 255)
            case .power(let on, let off):
                guard value == on || value == off else { return nil }
                values.isOn = value == on
            case .mode: values.mode = value
            case .speed: values.speed = value
            }
        }
        return values
    }
}
