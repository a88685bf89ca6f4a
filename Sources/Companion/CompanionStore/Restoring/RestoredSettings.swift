// SPDX-License-Identifier: Apache-2.0

import HubModel
import NightlightCompanion

/// Which settings of a copy are taken: those that a hub writes itself, of each kind no more than it keeps.
///
/// What else a copy has nobody would ever read or remove, and would leave no room for what is.
struct RestoredSettings {
    /// Settings that were not taken.
    private(set) var leftOut = 0
    private var names: Set<String> = []
    private var octets = 0
    private var (lamps, unseenLamps, weeks) = (0, 0, 0)

    /// Looks at a setting.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value.
    /// - Returns: The value that is taken; `nil` when none is.
    /// - Throws: ``BadValue`` when the copy is none that a hub has made.
    mutating func take(_ name: String, _ value: String) throws -> String? {
        let limits = DetectionDatabase.settingLimits
        guard name.utf8.count + value.utf8.count <= limits.octets, let value = checked(name, value) else {
            leftOut += 1
            return nil
        }
        guard names.insert(name).inserted else { throw BadValue("its name is there twice") }
        octets += name.utf8.count + value.utf8.count
        guard octets <= limits.together else {
            throw BadValue("settings have more than \(limits.together >> 20) MiB")
        }
        return value
    }

    private mutating func checked(_ name: String, _ value: String) -> String? {
        if HubSettings.names.contains(name) || name == KnownDevice.setting { return value }
        if name.hasPrefix(RememberedLamp.prefix) { return lamp(name, value) }
        return name.hasPrefix(KeptSchedule.prefix) ? week(name, value) : nil
    }

    /// What is remembered of a lamp, as it is read.
    private mutating func lamp(_ name: String, _ value: String) -> String? {
        guard let lamp = try? RememberedLamp(value), lamp.setting == name, lamps < RememberedLamp.limits.all
        else {
            return nil
        }
        if lamp.seen == nil {
            guard unseenLamps < RememberedLamp.limits.unseen else { return nil }
            unseenLamps += 1
        }
        let text = lamp.text
        guard name.utf8.count + text.utf8.count <= DetectionDatabase.settingLimits.octets else { return nil }
        lamps += 1
        return text
    }

    private mutating func week(_ name: String, _ value: String) -> String? {
        guard let week = try? KeptSchedule(value), week.setting == name, weeks < KeptSchedule.limit else {
            return nil
        }
        weeks += 1
        return value
    }
}
