// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI
import UniformTypeIdentifiers

/// What goes out of the app as files and comes into it.
struct FilesSection: View {
    private let app: AppModel
    @State private var files: FilesModel
    @State private var isExportShown = false
    @State private var isChoosing = false

    init(_ app: AppModel) {
        self.app = app
        _files = State(initialValue: FilesModel(app))
    }

    var body: some View {
        Section {
            Button("Export all detections", systemImage: "square.and.arrow.up") { isExportShown = true }
                .sheet(isPresented: $isExportShown) { ExportView(app, DetectionFilter()) }
            Button("Import a file", systemImage: "square.and.arrow.down") { isChoosing = true }
                .importing(files, isPresented: $isChoosing)
            NavigationLink("Drives") { DrivesView(app) }
            NavigationLink("Known cameras") { KnownSetsView(app) }
            NavigationLink("Copy of everything") { BackupView(app) }
            if let trouble = files.trouble { Label(trouble, systemImage: "exclamationmark.triangle") }
        } header: {
            Text("Files")
        } footer: {
            Text(
                "Detections and drives of Lantern, FlockFinder’s app, flock-you, WiGLE and Kismet, and GPX. Nothing is imported twice."
            )
        }
    }
}

/// Cameras that others have mapped.
struct KnownSetsView: View {
    @State private var model: KnownSetsModel
    @State private var isChoosing = false

    init(_ app: AppModel) { _model = State(initialValue: KnownSetsModel(app)) }

    var body: some View {
        List {
            Section {
                Button("Add a set", systemImage: "plus") { isChoosing = true }.disabled(model.isReading)
                if model.isReading { ProgressView("Reading …") }
                if let trouble = model.trouble { Label(trouble, systemImage: "exclamationmark.triangle") }
            } footer: {
                Text(
                    "From a file of DeFlock or OpenStreetMap: GeoJSON, OSM XML or JSON of Overpass. Nothing is fetched."
                )
            }
            if let added = model.added { AddedSetSection(added: added) }
            Section("Sets") {
                ForEach(model.sets ?? [], id: \.name) { set in
                    VStack(alignment: .leading) {
                        Text(set.name)
                        Text("\(set.cameras) cameras, added \(set.imported.date, style: .date)").font(
                            .caption)
                        if !set.origin.isEmpty { Text(set.origin).font(.caption) }
                    }
                    .accessibilityElement(children: .combine)
                    .swipeActions {
                        Button("Remove", role: .destructive) { Task { await model.remove(set) } }
                    }
                }
                if model.sets?.isEmpty == true { Text("None yet") }
            }
        }
        .navigationTitle("Known cameras")
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.data]) { chosen in
            Task { await model.add(chosen) }
        }
        .task { await model.read() }
    }
}

/// What a file of known cameras has brought.
private struct AddedSetSection: View {
    let added: KnownSetsModel.Added

    var body: some View {
        Section(added.set.name) {
            LabeledContent("Cameras", value: added.set.cameras, format: .number)
            if let replaced = added.replaced {
                LabeledContent("In the place of", value: replaced, format: .number)
            }
            if added.passed > 0 {
                LabeledContent("Of other kinds, passed over", value: added.passed, format: .number)
            }
            ForEach(added.faults, id: \.self) { Text(Words.fault($0)) }
            if let note = added.note { Text(note) }
        }
    }
}
