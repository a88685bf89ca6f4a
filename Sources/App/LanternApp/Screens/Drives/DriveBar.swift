// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// The drive that goes on, under the map; a person begins and ends it there.
struct DriveBar: View {
    let app: AppModel
    @Bindable var settings: SettingsModel

    var body: some View {
        HStack {
            if settings.recordsPlaces {
                VStack(alignment: .leading) {
                    if let drive = app.drive.current {
                        Text("Drive since \(drive.begin.date, style: .time)").font(.headline)
                        Text(
                            "\(Words.length(drive.metres, app.settings.units)), \(drive.newSources) new, \(drive.knownSources) met again"
                        )
                        .monospacedDigit()
                    } else {
                        Text(Words.waiting(app.place.condition))
                    }
                }
                .accessibilityElement(children: .combine)
                Spacer()
                Button("End the drive") { settings.recordsPlaces = false }
            } else {
                Button("Start a drive", systemImage: "car") { settings.recordsPlaces = true }
            }
        }
        .padding()
        .background(.regularMaterial)
    }
}
