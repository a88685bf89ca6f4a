// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
import Nightlight

/// A colour that is shown on some LEDs of a lamp, as the body of a page's request has it.
package struct ColorTrial: Sendable {
    /// The colour.
    package let color: RGBColor
    /// On which LEDs, from 1.
    package let leds: [Int]

    /// Reads the body of a request.
    ///
    /// - Throws: ``HubError/badValue(_:)`` when it is none.
    package init(_ body: JSONNode?) throws(HubError) {
        guard let listed = body?.value(of: "leds") else { throw .missing("leds") }
        guard case .array(let nodes) = listed, (1...NightlightLimit.leds).contains(nodes.count) else {
            throw .mustBe("leds", "a list of 1 to \(NightlightLimit.leds) values")
        }
        var leds: [Int] = []
        for (index, node) in nodes.enumerated() {
            guard case .number(let number) = node.value, let led = Int(exactly: number),
                (1...NightlightLimit.leds).contains(led)
            else { throw .mustBe("leds[\(index)]", "a whole number from 1 to \(NightlightLimit.leds)") }
            leds.append(led)
        }
        self.leds = leds
        guard case .text(let text)? = body?.value(of: "color"), let color = RGBColor(text) else {
            throw .badValue("The colour must be like #ff8800.")
        }
        self.color = color
    }
}

extension LampChange {
    /// Reads the body of a page's request, and what ``LampDashboard/changes`` was when the person looked.
    ///
    /// - Throws: ``HubError/badValue(_:)`` that says what is wrong with it.
    package static func asked(_ body: JSONNode?) throws(HubError) -> (
        change: LampChange, ifChanges: Int?
    ) {
        guard let body else { throw .badValue("There is nothing to change.") }
        let isAny = body.value(of: "if_changes") == .null
        let seen = isAny ? nil : try HubError.whole("if_changes", 0...2_147_483_647, in: body)
        do throws(BadInput) { return (try LampChange(body), seen) } catch {
            throw .badValue(error.description)
        }
    }
}
