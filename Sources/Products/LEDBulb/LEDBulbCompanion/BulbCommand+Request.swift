// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import LEDBulb

extension BulbCommand {
    /// Reads the body of a page's request.
    ///
    /// - Throws: ``HubError/badValue(_:)`` that says what is wrong with it.
    package init(_ body: JSONNode?) throws(HubError) {
        func octet(_ name: String, _ range: ClosedRange<Int>) throws(HubError) -> UInt8 {
            guard let number = try HubError.whole(name, range, in: body) else {
                throw .badValue("\(name) is missing: the command needs it.")
            }
            return UInt8(number)
        }
        guard case .text(let word)? = body?.value(of: "command") else {
            throw .badValue("Say what the bulb is to do.")
        }
        switch word {
        case "on": self = .power(true)
        case "off": self = .power(false)
        case "state": self = .requestState
        case "white": self = .white(percent: try octet("white_percent", 0...100))
        case "effect":
            let speed = try HubError.whole("speed", 1...255, in: body) ?? 1
            self = .effect(BulbEffect(code: try octet("effect", 0...255), speed: UInt8(speed)))
        case "color":
            guard case .text(let text)? = body?.value(of: "color"), let color = RGBColor(text) else {
                throw .badValue("color must be a colour such as #ff8800: the command needs it.")
            }
            self = .color(color)
        default: throw .badValue("Say what the bulb is to do.")
        }
    }

    /// How long a turn through all hues takes, as the body of a page's request has it.
    ///
    /// - Returns: The time in milliseconds.
    /// - Throws: ``HubError/badValue(_:)`` when it is none.
    package static func turn(_ body: JSONNode?) throws(HubError) -> Int {
        guard let turn = try HubError.whole("turn", 500...3_600_000, in: body) else {
            throw .missing("turn")
        }
        return turn
    }
}
