// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// The drives, the newest first.
struct DrivesView: View {
    private let app: AppModel
    @State private var model: DrivesModel

    init(_ app: AppModel) {
        self.app = app
        _model = State(initialValue: DrivesModel(app))
    }

    var body: some View {
        List {
            if model.drives?.isEmpty == true {
                ContentUnavailableView(
                    "Nothing driven yet", systemImage: "road.lanes",
                    description: Text(
                        "While “Record where” is on, each drive is kept here with what was new on it."))
            }
            ForEach(model.drives ?? []) { drive in
                NavigationLink {
                    DriveView(app, drive.id)
                } label: {
                    DriveRow(drive: drive, units: app.settings.units)
                }
                .swipeActions {
                    Button("Delete", role: .destructive) { Task { await model.delete(drive) } }
                }
            }
        }
        .navigationTitle("Drives")
        .refreshable { await model.read() }
        .alert(on: $model.trouble)
        .task { await model.run() }
    }
}

/// A drive in the list.
private struct DriveRow: View {
    let drive: Drive
    let units: HubSettings.Units

    var body: some View {
        VStack(alignment: .leading) {
            Text(Words.times(drive)).font(.headline)
            Text("\(Words.length(drive.metres, units)), \(drive.newSources + drive.knownSources) sources")
                .foregroundStyle(.secondary)
            if drive.newSources > 0 { Text("\(drive.newSources) new").font(.caption) }
        }
        .accessibilityElement(children: .combine)
    }
}
