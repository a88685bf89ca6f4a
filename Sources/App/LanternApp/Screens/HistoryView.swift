// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderCompanion
import SwiftUI

/// What was noticed, a row for each source, to be looked for, marked and deleted.
struct HistoryView: View {
    @Bindable private var app: AppModel
    @State private var model: HistoryModel
    @State private var files: FilesModel
    @State private var isFilterShown = false
    @State private var isExportShown = false
    @State private var isChoosing = false

    init(_ app: AppModel) {
        self.app = app
        _model = State(initialValue: HistoryModel(app))
        _files = State(initialValue: FilesModel(app))
    }

    var body: some View {
        NavigationStack {
            List(selection: $model.ticked) {
                if let undo = model.undo {
                    Section {
                        Text(Words.undo(undo))
                        Button("Undo") { Task { await model.takeBack() } }
                    }
                }
                Section {
                    ForEach(model.sources ?? [], id: \.source.id) { listed in
                        NavigationLink {
                            SourceView(app, listed.source.id)
                        } label: {
                            SourceRow(listed: listed)
                        }
                        .swipeActions {
                            Button("Delete", role: .destructive) {
                                Task { await model.delete(listed.source) }
                            }
                        }
                        .swipeActions(edge: .leading) {
                            Button("Mute") { Task { await model.mark(listed.source, as: .muted) } }
                            Button("Mine") { Task { await model.mark(listed.source, as: .mine) } }
                            Button("False alarm") {
                                Task { await model.mark(listed.source, as: .falseAlarm) }
                            }
                        }
                    }
                    if model.hasMore { Button("Show more") { Task { await model.readMore() } } }
                } footer: {
                    Text("\(model.counts.matching) of \(model.counts.all) sources")
                }
                if model.sources?.isEmpty == true {
                    ContentUnavailableView(
                        "Nothing to show", systemImage: "clock",
                        description: Text(
                            model.isFiltered
                                ? "Nothing fits the search and the filters. Change them to see more."
                                : "What was noticed stays here until you delete it."))
                }
            }
            .navigationTitle("History")
            .refreshable { await model.search() }
            .searchable(text: $model.text, prompt: "Name, address, kind or note")
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button("Filters", systemImage: "line.3.horizontal.decrease.circle") {
                        isFilterShown = true
                    }
                }
                ToolbarItem(placement: .primaryAction) { EditButton() }
                ToolbarItem(placement: .secondaryAction) { NavigationLink("Drives") { DrivesView(app) } }
                ToolbarItem(placement: .secondaryAction) {
                    Button("Export", systemImage: "square.and.arrow.up") { isExportShown = true }
                }
                ToolbarItem(placement: .secondaryAction) {
                    Button("Import", systemImage: "square.and.arrow.down") { isChoosing = true }
                }
                if !model.ticked.isEmpty {
                    ToolbarItem(placement: .bottomBar) {
                        Button("Export \(model.ticked.count) ticked") { isExportShown = true }
                    }
                    ToolbarItem(placement: .bottomBar) {
                        Button("Delete \(model.ticked.count) ticked", role: .destructive) {
                            Task { await model.deleteTicked() }
                        }
                    }
                }
            }
            .navigationDestination(item: $app.wantedSource) { SourceView(app, $0) }
            .sheet(isPresented: $isFilterShown) { HistoryFilterView(model: model) }
            .sheet(isPresented: $isExportShown) { ExportView(app, model.chosen) }
            .importing(files, isPresented: $isChoosing)
            .alert(on: trouble)
        }
        .task(id: model.filterChanges) { await model.run() }
    }

    private var trouble: Binding<String?> {
        Binding(
            get: { model.trouble ?? files.trouble },
            set: { if $0 == nil { (model.trouble, files.trouble) = (nil, nil) } })
    }
}

/// A source in the list.
struct SourceRow: View {
    let listed: ListedSource

    var body: some View {
        VStack(alignment: .leading) {
            HStack {
                Image(systemName: Words.symbol(listed.source.type)).accessibilityHidden(true)
                Text(listed.source.label).font(.headline)
                if let mark = Words.mark(listed.source.mark) { Text(mark).font(.caption) }
            }
            Text(listed.ssid ?? Words.name(listed.source)).foregroundStyle(.secondary)
            Text("\(listed.source.count) times, last \(listed.source.lastSeen.date, style: .date)").font(
                .caption)
        }
        .accessibilityElement(children: .combine)
    }
}

/// What of the list is wanted.
struct HistoryFilterView: View {
    @Bindable var model: HistoryModel
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            Form {
                Picker("Period", selection: $model.period) {
                    ForEach(HistoryModel.Period.allCases) { Text(Words.period($0)).tag($0) }
                }
                Picker("Marks", selection: $model.marks) {
                    ForEach(HistoryModel.Marks.allCases) { Text(Words.marks($0)).tag($0) }
                }
                Slider(value: $model.minimumConfidence, in: 0...1, step: 0.05) { Text("Minimum confidence") }
            }
            .navigationTitle("Filters")
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button("Done") { dismiss() } }
            }
        }
    }
}

/// What is known of one source.
struct SourceView: View {
    @State private var model: SourceModel

    init(_ app: AppModel, _ id: Int64) { _model = State(initialValue: SourceModel(app, source: id)) }

    var body: some View {
        List {
            if let listed = model.listed {
                Section { SourceRow(listed: listed) }
                Section("Why it was raised") {
                    ForEach(model.reasons, id: \.self) { reason in
                        Text(reason.value.map { "\(reason.text) \($0)" } ?? reason.text)
                    }
                }
                Section("Detections") {
                    ForEach(model.detections.reversed()) { DetectionRow(record: $0) }
                }
            } else if model.isRead {
                ContentUnavailableView(
                    "This source is gone", systemImage: "trash",
                    description: Text("Its detections were deleted. History can bring them back for a while.")
                )
            } else {
                ProgressView("Reading …")
            }
        }
        .navigationTitle(model.listed?.source.label ?? "")
        .task { await model.run() }
    }
}
