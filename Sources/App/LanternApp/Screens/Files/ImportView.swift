// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI
import UniformTypeIdentifiers

extension View {
    /// Lets a person choose a file of detections and drives, and shows what comes of it.
    func importing(_ files: FilesModel, isPresented: Binding<Bool>) -> some View {
        // What a file is, it says itself: many are named by whoever has sent them.
        fileImporter(isPresented: isPresented, allowedContentTypes: [.data]) { files.bringIn($0) }
            .sheet(
                isPresented: Binding(get: { files.importing != nil }, set: { if !$0 { files.endImport() } })
            ) {
                ImportView(files: files)
            }
    }
}

/// What comes of a file that is brought in.
struct ImportView: View {
    let files: FilesModel

    var body: some View {
        NavigationStack {
            List {
                if let file = files.importing {
                    Section(file.name) {
                        if !file.isOver { ProgressView("Reading …") }
                        ImportCountRows(counts: file.counts)
                        if file.isStopped {
                            Text(
                                "Stopped. What was read before is stored; import it again for the rest."
                            )
                        }
                        if let failure = file.failure {
                            Label(failure, systemImage: "exclamationmark.triangle")
                        }
                        if let broken = file.broken {
                            Label(
                                "The file cannot be read any further. \(Words.fault(broken))",
                                systemImage: "exclamationmark.triangle")
                        }
                    }
                    if !file.faults.isEmpty {
                        Section("Why rows could not be used") {
                            ForEach(file.faults, id: \.self) { Text(Words.fault($0)) }
                        }
                    }
                    if !file.notes.isEmpty {
                        Section("Good to know") {
                            ForEach(file.notes, id: \.self) { Text(Words.fault($0)) }
                        }
                    }
                }
            }
            .navigationTitle(Words.title(files.importing))
            .toolbar {
                if files.importing?.isOver == true {
                    ToolbarItem(placement: .confirmationAction) { Button("Done") { files.endImport() } }
                }
                if files.importing?.isOver == false {
                    ToolbarItem(placement: .cancellationAction) { Button("Stop") { files.stop() } }
                }
            }
            .interactiveDismissDisabled(files.importing?.isOver == false)
        }
    }
}

/// How many rows came, and what became of them.
private struct ImportCountRows: View {
    let counts: ImportSummary

    var body: some View {
        LabeledContent("New detections", value: counts.imported, format: .number)
        if counts.known > 0 { LabeledContent("Known before", value: counts.known, format: .number) }
        if counts.drives > 0 { LabeledContent("New drives", value: counts.drives, format: .number) }
        if counts.knownDrives > 0 {
            LabeledContent("Drives known before", value: counts.knownDrives, format: .number)
        }
        if counts.passed > 0 {
            LabeledContent("Of other kinds, passed over", value: counts.passed, format: .number)
        }
        if counts.refused > 0 { LabeledContent("Could not be used", value: counts.refused, format: .number) }
    }
}
