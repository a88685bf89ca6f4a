// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// Where the phone is, how fast it goes and how it is moved, and whether detections are stored with that.
struct LocationSection: View {
    private let app: AppModel
    @State private var settings: SettingsModel

    init(_ app: AppModel) {
        self.app = app
        _settings = State(initialValue: SettingsModel(app))
    }

    var body: some View {
        Section {
            Toggle("Record where", isOn: $settings.recordsPlaces)
            if let status = Words.condition(app.place.condition) {
                Label(status, systemImage: app.place.condition.isRefused ? "location.slash" : "location")
            }
            if app.place.condition.isRefused { OpenSettingsButton() }
            if case .known = app.place.condition, let location = app.state?.location { known(location) }
        } header: {
            Text("Location")
        } footer: {
            Text(
                "Detections are stored with the place where this phone was, and drives with their way. Nothing leaves the phone."
            )
        }
    }

    @ViewBuilder private func known(_ location: HubLocation) -> some View {
        if let position = location.position {
            LabeledContent("Place") { Text(Words.place(position, accuracy: location.accuracy, units)) }
        }
        if let speed = location.speed {
            LabeledContent("Speed") { Text(Words.speed(speed, units)) }
        }
        if let heading = location.heading, location.speed ?? 0 > 1 {
            LabeledContent("Heading") { Text(Words.heading(heading)) }
        }
        if let activity = app.place.activity { LabeledContent("Movement") { Text(Words.activity(activity)) } }
    }

    private var units: HubSettings.Units { settings.settings.units }
}

extension PhonePlace.Condition {
    /// Whether a person has to change something in the system's settings.
    fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }
}
