// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI
import UniformTypeIdentifiers

/// A copy of everything, to be taken away and put in place again.
struct BackupView: View {
    @State private var model: BackupModel
    @State private var isSaving = false
    @State private var isChoosing = false
    @State private var isAsked = false
    @State private var chosen: URL?

    init(_ app: AppModel) { _model = State(initialValue: BackupModel(app)) }

    var body: some View {
        List {
            Section {
                Button("Make a copy") { Task { await model.make() } }.disabled(model.isWorking)
                if let copy = model.copy {
                    ShareLink("Share", item: copy)
                    Button("Save to Files", systemImage: "folder") { isSaving = true }
                }
            } footer: {
                Text("Detections, drives, known cameras, saved weeks and settings in one file.")
            }
            Section {
                Button("Put a copy in place", role: .destructive) { isChoosing = true }
                    .disabled(model.isWorking)
                    .confirmationDialog(
                        "Replace everything?", isPresented: $isAsked, titleVisibility: .visible
                    ) {
                        Button("Replace everything", role: .destructive) {
                            if let chosen { Task { await model.restore(chosen) } }
                        }
                        Button("Leave it", role: .cancel) {}
                    } message: {
                        Text("What is on this phone now is gone then. Make a copy of it first.")
                    }
                if model.isRestored {
                    Label("Everything is as in the copy.", systemImage: "checkmark.circle")
                }
            } footer: {
                Text("A copy of another phone or of a hub will do, too.")
            }
            if model.isWorking { ProgressView("Working …") }
            if let trouble = model.trouble { Label(trouble, systemImage: "exclamationmark.triangle") }
        }
        .navigationTitle("Copy of everything")
        .fileExporter(
            isPresented: $isSaving, document: model.copy.map { SavedCopy(of: $0) },
            contentType: SavedCopy.type(of: model.copy), defaultFilename: model.copy?.lastPathComponent
        ) { if case .failure(let error) = $0 { model.failed(error) } }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.data]) { result in
            switch result {
            case .success(let file): (chosen, isAsked) = (file, true)
            case .failure(let error): model.failed(error)
            }
        }
    }
}
