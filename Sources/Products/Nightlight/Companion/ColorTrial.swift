// SPDX-License-Identifier: Apache-2.0

package import BLEWire

/// A colour that is shown on some LEDs of a lamp, as the body of a page's request has it.
package struct ColorTrial: Sendable {
    /// The colour.
    package let color: RGBColor
    /// On which LEDs, from 1.
    package let leds: [Int]

    /// Reads the body of a request.
    ///
    /// - Throws: ``HubFault/badValue(_:)`` when it is none.
    package init(_ body: JSONNode?) throws(HubFault) {
        guard case .text(let text)? = body?.value(of: "color"), let color = RGBColor(text),
            case .array(let nodes)? = body?.value(of: "leds")
        else { throw .badValue("The colour must be like #ff8800.") }
        self.color = color
        leds = nodes.compactMap { node in
            if case .number(let number) = node.value { Int(exactly: number) } else { nil }
        }
    }
}

extension LampChange {
    /// Reads the body of a page's request, and what ``LampDashboard/changes`` was when the person looked.
    ///
    /// - Throws: ``HubFault/badValue(_:)`` that says what is wrong with it.
    package static func asked(_ body: JSONNode?) throws(HubFault) -> (change: LampChange, ifChanges: Int?) {
        guard let body else { throw .badValue("There is nothing to change.") }
        var seen: Int?
        if case .number(let number)? = body.value(of: "if_changes") { seen = Int(exactly: number) }
        do throws(BadInput) { return (try LampChange(body), seen) } catch {
            throw .badValue(error.description)
        }
    }
}
