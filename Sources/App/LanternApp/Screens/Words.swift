// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// What values are called on screens; every word is a key of the app's catalogue of strings.
enum Words {
    static func link(_ link: HubDevice.Link) -> LocalizedStringKey {
        switch link {
        case .none: "Not connected"
        case .connecting: "Connecting …"
        case .connected: "Connected"
        case .lost: "Lost, tried again by itself"
        }
    }

    /// How near something is, by its strength.
    static func proximity(_ rssi: Int) -> String {
        switch Detection.Proximity(rssi: rssi) {
        case .veryClose: String(localized: "Very close")
        case .close: String(localized: "Close")
        case .medium: String(localized: "Medium distance")
        case .far: String(localized: "Far")
        }
    }

    /// How strong something is, and what that means for its distance.
    static func signal(_ rssi: Int) -> LocalizedStringKey {
        "\(proximity(rssi)), \(rssi, format: TrueMinus()) dBm"
    }

    static func symbol(_ type: DetectionType) -> String {
        switch type {
        case .unknown: "questionmark.circle"
        default: "camera"
        }
    }

    static func name(_ source: DetectionSource) -> String {
        switch source.identity {
        case .address(let address): address
        case .name(let name): name
        case .kind: String(localized: "No name, no address")
        }
    }

    static func mark(_ mark: SourceMark) -> LocalizedStringKey? {
        switch mark {
        case .none: nil
        case .mine: "Mine"
        case .muted: "Muted"
        case .falseAlarm: "False alarm"
        }
    }

    static func undo(_ undo: HistoryModel.Undo) -> LocalizedStringKey {
        switch undo {
        case .deletion(_, let count): "\(count) detections deleted"
        case .mark(_, _, let now): now == .none ? "Mark taken away" : "Marked"
        }
    }

    static func period(_ period: HistoryModel.Period) -> LocalizedStringKey {
        switch period {
        case .day: "Last day"
        case .week: "Last 7 days"
        case .month: "Last 30 days"
        case .all: "All"
        }
    }

    static func marks(_ marks: HistoryModel.Marks) -> LocalizedStringKey {
        switch marks {
        case .all: "All"
        case .unmarked: "Without a mark"
        case .mine: "Mine"
        case .muted: "Muted"
        case .falseAlarms: "False alarms"
        }
    }
}

/// A whole number by the locale, with a minus that is no hyphen, which VoiceOver may pass over.
struct TrueMinus: FormatStyle {
    private var locale = Locale.autoupdatingCurrent

    func format(_ value: Int) -> String {
        (value < 0 ? "−" : "") + value.magnitude.formatted(.number.locale(locale))
    }

    func locale(_ locale: Locale) -> TrueMinus {
        var style = self
        style.locale = locale
        return style
    }
}

extension Timestamp {
    /// The same for the system.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
