// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// The FlockFinders and their links, where the phone is, and what was noticed last.
struct ScannerView: View {
    private let app: AppModel
    @State private var model: ScannerModel

    init(_ app: AppModel) {
        self.app = app
        _model = State(initialValue: ScannerModel(app))
    }

    var body: some View {
        NavigationStack {
            List {
                if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
                Section("Devices") {
                    if model.finders.isEmpty, model.refused.isEmpty {
                        ContentUnavailableView(
                            "No FlockFinder in reach", systemImage: "antenna.radiowaves.left.and.right.slash",
                            description: Text(
                                "Switch it on and come near. It is listed as soon as it is heard."))
                    }
                    ForEach(model.finders) { FinderRow(device: $0, model: model) }
                    ForEach(model.refused) { RefusedRow(device: $0) }
                }
                LocationSection(app)
                Section("Latest detections") {
                    if model.detections.isEmpty {
                        ContentUnavailableView(
                            "Nothing noticed yet", systemImage: "camera",
                            description: Text(
                                "What your FlockFinder notices is listed here, the newest first."))
                    }
                    ForEach(model.detections) { record in
                        if let source = record.source {
                            NavigationLink {
                                SourceView(app, source)
                            } label: {
                                DetectionRow(record: record)
                            }
                        } else {
                            DetectionRow(record: record)
                        }
                    }
                }
            }
            .navigationTitle("Scanner")
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    NavigationLink("Debug") { DebugView(app) }
                }
            }
            .alert(on: $model.trouble)
        }
        .task { await model.run() }
    }
}

/// A FlockFinder, how its link is, and what can be asked of it.
struct FinderRow: View {
    let device: HubDevice
    let model: ScannerModel

    var body: some View {
        VStack(alignment: .leading) {
            Text(device.ownName ?? device.name ?? "FlockFinder").font(.headline)
            Text(Words.link(device.link)).foregroundStyle(.secondary)
            if let reason = device.reason, device.link == .lost { Text(reason).font(.caption) }
            if let next = device.nextTry?.date, device.link == .lost { CountdownText(until: next) }
            if let rssi = device.rssi, device.link == .none { SignalText(rssi: rssi) }
            if device.link == .connected {
                Text("\(device.received) received, \(device.refused) refused").font(.caption)
            }
            if let answer = model.answer, device.link == .connected { Text(answer).font(.caption) }
        }
        .accessibilityElement(children: .combine)
        if device.link == .none {
            Button("Connect") { Task { await model.connect(device) } }
        } else {
            Button("Disconnect", role: .destructive) { Task { await model.disconnect(device) } }
        }
        if device.link == .connected {
            Menu("Commands") {
                ForEach(["PING", "STATUS", "RESET"], id: \.self) { command in
                    Button(command) { Task { await model.send(command, to: device) } }
                }
            }
        }
        Toggle(
            "Connect by itself",
            isOn: Binding(
                get: { device.connectsByItself },
                set: { isOn in Task { await model.setConnectsByItself(device, isOn) } }))
    }
}

/// How long it is until a link is tried again.
private struct CountdownText: View {
    let until: Date

    var body: some View {
        // It begins before now, so that it counts at once.
        Text("Next try in \(Text(timerInterval: until.addingTimeInterval(-3600)...until))")
            .font(.caption).monospacedDigit()
    }
}

/// A device that was taken for a FlockFinder, and why it is none.
private struct RefusedRow: View {
    let device: HubDevice

    var body: some View {
        VStack(alignment: .leading) {
            Label(DeviceWords.name(device), systemImage: "exclamationmark.triangle").font(.headline)
            Text(device.reason ?? "").font(.caption)
        }
        .accessibilityElement(children: .combine)
    }
}

/// Something that was noticed.
struct DetectionRow: View {
    let record: DetectionRecord

    var body: some View {
        HStack {
            Image(systemName: Words.symbol(record.sighting.type)).accessibilityHidden(true)
            VStack(alignment: .leading) {
                Text(record.sighting.label)
                Text(record.sighting.ssid ?? record.sighting.mac ?? "").font(.caption).foregroundStyle(
                    .secondary)
            }
            Spacer()
            VStack(alignment: .trailing) {
                SignalText(rssi: record.sighting.rssi)
                Text(record.sighting.received.date, style: .time).font(.caption)
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// How strong something is, and what that means for its distance.
struct SignalText: View {
    let rssi: Int

    var body: some View {
        Text(Words.signal(rssi)).font(.caption).monospacedDigit()
    }
}
