// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CoreLocation
import MapKit
import SwiftUI

/// One drive: its way, what was new on it, and its file.
struct DriveView: View {
    private let app: AppModel
    @State private var model: DriveModel
    @State private var isExportShown = false

    init(_ app: AppModel, _ id: Int64) {
        self.app = app
        _model = State(initialValue: DriveModel(app, drive: id))
    }

    var body: some View {
        List {
            if let (drive, points) = model.drive {
                Section {
                    LabeledContent("Length", value: Words.length(drive.metres, app.settings.units))
                    LabeledContent("Time", value: Words.duration(drive))
                    LabeledContent("New sources", value: drive.newSources, format: .number)
                    LabeledContent("Met again", value: drive.knownSources, format: .number)
                }
                Section { DriveMap(points: points, sources: model.new + model.met).frame(height: 280) }
                sources("New on this drive", model.new)
                sources("Met again", model.met)
            } else if model.isRead {
                ContentUnavailableView(
                    "This drive is gone", systemImage: "trash", description: Text("It was deleted."))
            } else {
                ProgressView("Reading …")
            }
        }
        .navigationTitle(model.drive.map { Words.times($0.drive) } ?? "")
        .toolbar {
            if model.drive != nil {
                ToolbarItem(placement: .primaryAction) {
                    Button("Export", systemImage: "square.and.arrow.up") { isExportShown = true }
                }
            }
        }
        .sheet(isPresented: $isExportShown) {
            // Of the forms that have its way, the one that Lantern reads again comes first.
            if let drive = model.drive?.drive { ExportView(app, drive.filter, as: .gpx) }
        }
        .task { await model.run() }
    }

    @ViewBuilder private func sources(_ title: LocalizedStringKey, _ sources: [ListedSource]) -> some View {
        if !sources.isEmpty {
            Section(title) {
                ForEach(sources, id: \.source.id) { listed in
                    NavigationLink {
                        SourceView(app, listed.source.id)
                    } label: {
                        SourceRow(listed: listed)
                    }
                }
            }
        }
    }
}

/// The way of a drive, and where its sources were heard best.
private struct DriveMap: View {
    let points: [DrivePoint]
    let sources: [ListedSource]

    var body: some View {
        Map {
            MapPolyline(coordinates: points.map(\.coordinate)).stroke(Color.accentColor, lineWidth: 4)
            if let first = points.first, let last = points.last {
                Marker("Start", systemImage: "flag", coordinate: first.coordinate)
                Marker("End", systemImage: "flag.checkered", coordinate: last.coordinate)
            }
            ForEach(places, id: \.listed.source.id) { place in
                Marker(
                    place.listed.source.label, systemImage: Words.symbol(place.listed.source.type),
                    coordinate: place.coordinate)
            }
        }
    }

    private var places: [(listed: ListedSource, coordinate: CLLocationCoordinate2D)] {
        sources.compactMap { listed in
            listed.source.strongestPlace.map { (listed, CLLocationCoordinate2D($0.position)) }
        }
    }
}

extension DrivePoint {
    fileprivate var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
}
