// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import LEDBulb

extension BulbCommand {
    /// Reads the body of a page's request.
    ///
    /// - Throws: ``HubFault/badValue(_:)`` that says what is wrong with it.
    package init(_ body: JSONNode?) throws(HubFault) {
        func octet(_ name: String) throws(HubFault) -> UInt8 {
            guard case .number(let number)? = body?.value(of: name), let octet = UInt8(exactly: number) else {
                throw .badValue("\(name) is missing: the command needs it.")
            }
            return octet
        }
        guard case .text(let word)? = body?.value(of: "command") else {
            throw .badValue("Say what the bulb is to do.")
        }
        switch word {
        case "on": self = .power(true)
        case "off": self = .power(false)
        case "state": self = .requestState
        case "white":
            let percent = try octet("white_percent")
            guard percent <= 100 else { throw .badValue("white_percent is at most 100.") }
            self = .white(percent: percent)
        case "effect":
            let speed = body?.value(of: "speed") == nil ? 1 : max(1, try octet("speed"))
            self = .effect(BulbEffect(code: try octet("effect"), speed: speed))
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
    /// - Throws: ``HubFault/badValue(_:)`` when it is none.
    package static func turn(_ body: JSONNode?) throws(HubFault) -> Int {
        guard case .number(let number)? = body?.value(of: "turn"), let turn = Int(exactly: number),
            (500...3_600_000).contains(turn)
        else { throw .badValue("A turn takes 500 to 3600000 milliseconds.") }
        return turn
    }
}
