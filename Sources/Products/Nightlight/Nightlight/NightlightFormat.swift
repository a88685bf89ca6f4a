// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What a value of a lamp is made of.
enum NightlightFormat: Hashable, Sendable {
    /// 0 or 1.
    case flag
    /// An octet.
    case number
    /// An octet from 0 to 100.
    case percent
    /// Two octets, least significant first.
    case number16
    /// R, G, B.
    case color
    /// ``ButtonSettings/Deactivation``.
    case window
    /// ``WeekSchedule``.
    case week
    /// ``DaySchedule``, or nothing.
    case day
    /// ``ActiveSource``.
    case source
    /// UTF-8.
    case text
    /// ``BatteryLevelStatus``.
    case batteryStatus
    /// ``CurrentTime``.
    case currentTime
    /// ``LocalTimeInformation``.
    case localTime
    /// ``TimeWithDST``.
    case timeWithDST
    /// Eight octets.
    case systemID

    /// The size, where it is always the same, in octets.
    var size: Int? {
        switch self {
        case .flag, .number, .percent: 1
        case .number16, .localTime: 2
        case .color: 3
        case .window: 4
        case .source: 6
        case .timeWithDST, .systemID: 8
        case .currentTime: 10
        case .week, .day, .text, .batteryStatus: nil
        }
    }

    /// Whether octets are a value of this format.
    func accepts(_ octets: [UInt8]) -> Bool {
        if let size, octets.count != size { return false }
        do throws(DecodeError) {
            switch self {
            case .flag: return octets[0] <= 1
            case .percent: return octets[0] <= 100
            case .window: _ = try ButtonSettings.Deactivation(decoding: octets)
            case .batteryStatus: _ = try BatteryLevelStatus(octets: octets)
            case .currentTime: _ = try CurrentTime(decoding: octets)
            case .localTime: _ = try LocalTimeInformation(decoding: octets)
            case .timeWithDST: _ = try TimeWithDST(decoding: octets)
            case .week, .day: return isSchedule(octets)
            case .number, .number16, .color, .source, .text, .systemID: break
            }
            return true
        } catch {
            return false
        }
    }

    private func isSchedule(_ octets: [UInt8]) -> Bool {
        do throws(ScheduleError) {
            if self == .week {
                _ = try WeekSchedule(decoding: octets)
            } else {
                _ = try DaySchedule.decode(octets)
            }
            return true
        } catch {
            return false
        }
    }
}
