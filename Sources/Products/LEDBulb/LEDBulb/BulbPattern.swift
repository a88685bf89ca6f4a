// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What can stand in the octets of a pattern.
struct BulbValues: Sendable {
    var color = RGBColor.black
    /// Brightness of the white light, 0 to 255.
    var level: UInt8 = 0
    var isOn = true
    var mode: UInt8 = 0
    var speed: UInt8 = 0
    /// A colour as its hue, 0 to 179, and in percent how saturated and how bright it is.
    var hue: (half: UInt8, saturation: UInt8, brightness: UInt8) = (0, 0, 0)
}

/// One message of a dialect, octet by octet: it writes messages and understands them.
///
/// A pattern is as long as its message; there are no optional parts. Octets behind a whole message are not looked at:
/// apps and bulbs send some there.
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
        /// The hue of the colour, 0 to 179.
        case hue
        /// How saturated the colour is, in percent.
        case saturation
        /// How bright the colour is, in percent.
        case brightness
        /// The sum of the octets from this one on; bulbs do not look at it.
        case sum(from: Int)
    }

    let octets: [Octet]

    init(_ octets: [Octet]) { self.octets = octets }

    /// Makes a pattern of octets that are always the same.
    init(fixed octets: [UInt8]) { self.octets = octets.map { .fixed($0) } }

    /// Writes the message.
    func encode(_ values: BulbValues) -> [UInt8] {
        var message: [UInt8] = []
        let (hue, saturation, brightness) = values.color.hue
        for octet in octets {
            let value =
                switch octet {
                case .fixed(let value), .filler(let value): value
                case .red: values.color.red
                case .green: values.color.green
                case .blue: values.color.blue
                case .level(let full): BulbLevel.rescaled(values.level, from: 255, to: full)
                case .power(let on, let off), .powerAgain(let on, let off): values.isOn ? on : off
                case .mode: values.mode
                case .speed: values.speed
                case .hue: hue
                case .saturation: saturation
                case .brightness: brightness
                case .sum(let first): message[first...].reduce(0, &+)
                }
            message.append(value)
        }
        return message
    }

    /// Understands the message that octets begin with; `nil` when it is another one.
    func decode(_ message: [UInt8]) -> BulbValues? {
        guard message.count >= octets.count else { return nil }
        var values = BulbValues()
        for (octet, value) in zip(octets, message) {
            switch octet {
            case .fixed(let expected): if value != expected { return nil }
            case .filler, .powerAgain, .sum: break
            case .hue: values.hue.half = value
            case .saturation: values.hue.saturation = value
            case .brightness: values.hue.brightness = value
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
        if octets.contains(.hue) { values.color = RGBColor(hue: values.hue) }
        return values
    }
}

extension RGBColor {
    /// The hue, 0 to 179, and in percent how saturated and how bright it is.
    var hue: (half: UInt8, saturation: UInt8, brightness: UInt8) {
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        let most = max(red, green, blue)
        let spread = most - min(red, green, blue)
        let brightness = UInt8((most * 100 + 127) / 255)
        guard spread > 0 else { return (0, 0, brightness) }
        // A sixth of the turn is 30.
        let sixths =
            switch most {
            case red: (green - blue, 0)
            case green: (blue - red, 60)
            default: (red - green, 120)
            }
        let half = (sixths.1 * spread + sixths.0 * 30 + 180 * spread + spread / 2) / spread % 180
        return (UInt8(half), UInt8((spread * 100 + most / 2) / most), brightness)
    }

    /// Makes the colour of a hue, 0 to 179; in percent how saturated and how bright it is.
    init(hue: (half: UInt8, saturation: UInt8, brightness: UInt8)) {
        let most = Int(min(hue.brightness, 100)) * 255 / 100
        let least = most * (100 - Int(min(hue.saturation, 100))) / 100
        let (sixth, rest) = (Int(hue.half) / 30 % 6, Int(hue.half) % 30)
        let rising = UInt8(least + (most - least) * rest / 30)
        let falling = UInt8(most - (most - least) * rest / 30)
        let (most8, least8) = (UInt8(most), UInt8(least))
        switch sixth {
        case 0: self.init(red: most8, green: rising, blue: least8)
        case 1: self.init(red: falling, green: most8, blue: least8)
        case 2: self.init(red: least8, green: most8, blue: rising)
        case 3: self.init(red: least8, green: falling, blue: most8)
        case 4: self.init(red: rising, green: least8, blue: most8)
        default: self.init(red: most8, green: least8, blue: falling)
        }
    }
}
