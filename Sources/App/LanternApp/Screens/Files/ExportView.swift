// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// Detections as a file, to be shared or saved.
struct ExportView: View {
    private let filter: DetectionFilter
    @State private var files: FilesModel
    @State private var format: ExportFormat
    @State private var isSaving = false
    @Environment(\.dismiss) private var dismiss

    init(_ app: AppModel, _ filter: DetectionFilter, as format: ExportFormat = .csv) {
        self.filter = filter
        _files = State(initialValue: FilesModel(app))
        _format = State(initialValue: format)
    }

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    Picker("Form", selection: $format) {
                        ForEach(ExportFormat.allCases, id: \.self) { Text(Words.form($0)).tag($0) }
                    }
                } footer: {
                    Text(Words.hint(format))
                }
                if let trouble = files.trouble {
                    Section { Label(trouble, systemImage: "exclamationmark.triangle") }
                }
                // What is there of another form is not what is wanted.
                if let exported = files.exported, exported.format == format {
                    Section { ExportSummaryRows(summary: exported.summary) }
                    Section {
                        ShareLink("Share", item: exported.file)
                        Button("Save to Files", systemImage: "folder") { isSaving = true }
                    }
                } else if files.trouble == nil {
                    ProgressView("Writing …")
                }
            }
            .navigationTitle("Export")
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button("Done") { dismiss() } }
            }
            .fileExporter(
                isPresented: $isSaving, document: files.exported.map { SavedCopy(of: $0.file) },
                contentType: SavedCopy.type(of: files.exported?.file),
                defaultFilename: files.exported?.file.lastPathComponent
            ) {
                files.saved($0)
            }
        }
        .task(id: format) { await files.export(as: format, matching: filter) }
    }
}

/// What is in a file, and what is not.
private struct ExportSummaryRows: View {
    let summary: ExportSummary

    var body: some View {
        LabeledContent("Detections", value: summary.written, format: .number)
        if summary.drives > 0 { LabeledContent("Drives", value: summary.drives, format: .number) }
        if summary.withoutPosition > 0 {
            LabeledContent("Left out without a place", value: summary.withoutPosition, format: .number)
        }
        if summary.withoutAddress > 0 {
            LabeledContent("Left out without an address", value: summary.withoutAddress, format: .number)
        }
        if summary.withoutRadio > 0 {
            LabeledContent("Left out without a known radio", value: summary.withoutRadio, format: .number)
        }
    }
}
