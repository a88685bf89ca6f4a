// SPDX-License-Identifier: Apache-2.0

import Charts
import CompanionHub
import SwiftUI
import UniformTypeIdentifiers

/// The numbers of a value over the last minute.
struct ExplorerPlotSection: View {
    let plot: ExplorerModel.Plot

    var body: some View {
        Section("The last minute") {
            Chart(plot.points) { point in
                LineMark(x: .value("Time", point.time), y: .value(name, point.number))
                PointMark(x: .value("Time", point.time), y: .value(name, point.number))
                    .symbolSize(12)
                    .accessibilityHidden(true)
            }
            .chartYScale(domain: .automatic(includesZero: false))
            .chartXAxis { AxisMarks(format: .dateTime.hour().minute().second()) }
            .frame(height: 160)
            .accessibilityLabel("\(name) over the last minute")
            Text(ExplorerWords.range(plot)).font(.caption).foregroundStyle(.secondary)
        }
    }

    private var name: String { plot.name ?? String(localized: "Number") }
}

/// Shares the log of a value.
struct ExplorerLogShare: View {
    let model: ExplorerModel
    let characteristic: GATT.Characteristic

    var body: some View {
        Menu("Share the log", systemImage: "square.and.arrow.up") {
            link("CSV, for a spreadsheet", .csv)
            link("JSON lines, for lantern device", .jsonLines)
        }
    }

    private func link(_ title: LocalizedStringKey, _ form: ExplorerLogFile) -> some View {
        let handle = characteristic.valueHandle
        let name = ExplorerWords.name(characteristic, in: model.tree)
        let log = SharedLog(name: "\(name).\(form.rawValue)", form: form) {
            await model.logFile(of: handle, as: form)
        }
        return ShareLink(title, item: log, preview: SharePreview(name))
    }
}

/// The log of a value, made when somebody takes it.
private struct SharedLog: Transferable {
    let name: String
    let form: ExplorerLogFile
    let content: @MainActor @Sendable () async -> Data

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .commaSeparatedText) { await $0.content() }
            .suggestedFileName { $0.name }
            .exportingCondition { $0.form == .csv }
        DataRepresentation(exportedContentType: UTType(filenameExtension: "jsonl") ?? .json) {
            await $0.content()
        }
        .suggestedFileName { $0.name }
        .exportingCondition { $0.form == .jsonLines }
    }
}
