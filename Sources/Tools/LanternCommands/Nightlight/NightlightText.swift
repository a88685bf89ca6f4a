// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Nightlight

/// What lamps say, in a parent's words.
enum NightlightText {
    /// Why the LEDs shine or not.
    static func reason(_ source: LightSource) -> String {
        switch source {
        case .off: "nothing is due"
        case .week: "the week"
        case .day: "tonight's schedule"
        case .button: "the child's button"
        case .proof: "an app tries colours out"
        default: "a reason that this version does not know (\(source.rawValue))"
        }
    }

    /// Why a press of the button did nothing.
    static func reason(_ verdict: ButtonVerdict) -> String {
        switch verdict {
        case .lit: "the light is on"
        case .disabled: "it is switched off"
        case .usedUp: "today's presses are used up"
        case .deactivated: "it does nothing at this time of the day"
        case .noTime: "its light lasts 0 seconds"
        }
    }
}
