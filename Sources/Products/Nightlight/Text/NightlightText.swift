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
        case .day: "tonight’s schedule"
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

    /// What a value is, without an article.
    static func plainName(_ item: NightlightItem) -> String {
        switch item {
        case .ledPower: "LED power"
        case .ledLink: "LED link"
        case .ledProof: "trying out of colours"
        case .led1: "colour of LED 1"
        case .led2: "colour of LED 2"
        case .led3: "colour of LED 3"
        case .led4: "colour of LED 4"
        case .buttonOnTime: "button's time"
        case .buttonDailyUsage: "button's daily presses"
        case .buttonDeactivation: "time in which the button does nothing"
        case .buttonShake: "shaking"
        case .buttonColor: "button's colour"
        case .buttonEnabled: "switch of the button"
        case .week: "week"
        case .day: "schedule for tonight"
        case .activeSource: "source of its light"
        case .childName: "child's name"
        case .batteryLevel: "battery level"
        case .batteryStatus: "charging state"
        case .localTimeInformation: "time zone"
        case .timeWithDST: "next change of DST"
        case .currentTime: "clock"
        case .systemID: "system id"
        case .modelNumber: "model"
        case .serialNumber: "serial number"
        case .firmwareRevision: "firmware version"
        case .hardwareRevision: "hardware version"
        case .softwareRevision: "software version"
        }
    }

    /// What a value is, in a sentence.
    static func name(_ item: NightlightItem) -> String { "the " + plainName(item) }

    /// What a lamp did not take, why, and what to do.
    static func refusal(_ item: NightlightItem, _ failure: RequestFailure) -> String {
        guard case .refused(let code) = failure else {
            return "Writing \(name(item)) did not work: \(failure). Try again."
        }
        let refusal = NightlightRefusal(rawValue: code.rawValue)
        let start = "The lamp refused \(name(item)) and keeps the old one: "
        switch refusal {
        case .badVersion: return start + "it does not know this version of schedules. Update its firmware."
        case .badLength where item == .childName:
            return start + "a name has at most 32 octets. Give a shorter one."
        case .badLength: return start + "its length is not what the lamp expects. Update its firmware."
        case .badDays:
            return start + "each day of the week must be in one group. Check the file with `week check`."
        case .overlap: return start + "two times of light overlap. Check the file."
        case .outOfRange: return start + "a value is out of the lamp's range. Check what you gave."
        case .wrongSize: return start + "it expects another size. Update its firmware."
        default: return start + "\(failure)."
        }
    }

    /// A number of minutes in words.
    static func duration(minutes: Int) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        switch (hours, rest) {
        case (0, _): return "\(rest) min"
        case (_, 0): return "\(hours) h"
        default: return "\(hours) h \(rest) min"
        }
    }

    /// A number of seconds in words, whole minutes from ten on.
    static func duration(seconds: Int) -> String {
        seconds < 600 && seconds % 60 != 0 ? "\(seconds) s" : duration(minutes: (seconds + 30) / 60)
    }
}
