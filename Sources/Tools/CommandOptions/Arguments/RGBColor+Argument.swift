// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import BLEWire

extension RGBColor {
    /// What to say when a colour is missing or is none.
    package static let advice = "give RRGGBB, '#RRGGBB' in quotes, or a name such as orange"

    /// Reads a colour that a person has written; for `transform:`.
    package static func argument(_ text: String) throws -> RGBColor {
        guard let color = RGBColor(text) else {
            throw ValidationError("\(text) is not a colour: \(advice).")
        }
        return color
    }
}
