// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import SwiftUI

/// All devices in reach, whatever they are.
struct ExplorerListView: View {
    private let app: AppModel
    @State private var text = ""

    init(_ app: AppModel) { self.app = app }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            Section {
                ForEach(shown) { device in
                    NavigationLink(value: DevicePage.explorer(device.id)) {
                        DeviceRow(device, name: DeviceWords.name(device, among: app.devices))
                    }
                }
            } footer: {
                Text("\(shown.count) of \(app.devices.count) devices")
            }
            if app.devices.isEmpty {
                ContentUnavailableView(
                    "No device heard yet", systemImage: "antenna.radiowaves.left.and.right.slash",
                    description: Text("Switch one on and come near. It is listed as soon as it is heard."))
            }
        }
        .navigationTitle("Explorer")
        .searchable(text: $text, prompt: "Name or address")
    }

    private var shown: [HubDevice] {
        app.devices.filter { device in
            text.isEmpty
                || [DeviceWords.name(device), device.peer.plain, device.note].contains {
                    $0.range(of: text, options: .caseInsensitive) != nil
                }
        }
    }
}

/// What a device has: its services, and their characteristics with what was read.
struct ExplorerView: View {
    private let app: AppModel
    private let id: HubDevice.ID
    @State private var model: ExplorerModel
    @State private var value: ExploredValue?

    init(_ app: AppModel, _ id: HubDevice.ID) {
        (self.app, self.id) = (app, id)
        _model = State(initialValue: ExplorerModel(app, device: id))
    }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            LinkSection(held: model.device)
            if let explorer = model.explorer { ExplorerLinkSection(explorer: explorer, device: device) }
            if let tree = model.tree {
                ForEach(Array(tree.services.enumerated()), id: \.offset) { _, service in
                    ServiceSection(model: model, service: service, value: $value)
                }
                if tree.services.isEmpty {
                    ContentUnavailableView(
                        "No services", systemImage: "list.bullet.indent",
                        description: Text("The device offers nothing that can be explored."))
                }
            }
        }
        .navigationTitle(device.map { DeviceWords.name($0) } ?? "")
        .refreshable { await model.refresh() }
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Button("Read all again", systemImage: "arrow.clockwise") { Task { await model.refresh() } }
                    .disabled(!model.device.isOpen || model.explorer?.step != .ready)
            }
        }
        .sheet(item: $value) { ExplorerValueView(model: model, characteristic: $0.characteristic) }
        .troubleAlert(of: model.device, isCovered: value != nil)
        .holding(model.device)
        .task(id: model.device.isOpen) { await model.follow() }
    }

    private var device: HubDevice? { app.devices.first { $0.id == id } }
}

/// A characteristic that a person looks at.
struct ExploredValue: Identifiable {
    let characteristic: GATT.Characteristic

    var id: UInt16 { characteristic.valueHandle.rawValue }
}

/// How the link is, and how far the device is known.
private struct ExplorerLinkSection: View {
    let explorer: HubExplorer
    let device: HubDevice?

    var body: some View {
        Section {
            if let progress = ExplorerWords.progress(explorer), explorer.job.phase != .ended {
                ProgressView(progress)
            }
            if let address = device?.peer.plain {
                LabeledContent("Address") { Text(address) }
            }
            if let mtu = explorer.mtu { LabeledContent("MTU", value: mtu, format: .number) }
            if let rssi = explorer.rssi ?? device?.rssi {
                LabeledContent("Signal") { Text(Words.signal(rssi)) }
            }
            if let trouble = explorer.trouble { Label(trouble, systemImage: "exclamationmark.triangle") }
        }
    }
}

/// A service and what it has.
private struct ServiceSection: View {
    let model: ExplorerModel
    let service: GATT.Service
    @Binding var value: ExploredValue?

    var body: some View {
        Section {
            ForEach(Array(service.characteristics.enumerated()), id: \.offset) { _, characteristic in
                Button {
                    value = ExploredValue(characteristic: characteristic)
                } label: {
                    CharacteristicRow(model: model, characteristic: characteristic)
                }
                .accessibilityLabel(ExplorerWords.name(characteristic, in: model.tree))
                .accessibilityValue(said(characteristic))
            }
            if service.characteristics.isEmpty { Text("No characteristics").foregroundStyle(.secondary) }
        } header: {
            Text("\(ExplorerWords.name(service)), \(service.uuid.pageText)")
        }
    }

    private func said(_ characteristic: GATT.Characteristic) -> String {
        let handle = characteristic.valueHandle
        let words = ExplorerWords.value(
            model.octets(of: handle), model.tree?[handle], of: characteristic, in: model.tree)
        return
            "\(words), \(characteristic.uuid.pageText), \(ExplorerWords.properties(characteristic.properties))"
    }
}

/// A characteristic: its name, value, UUID and what can be done with it.
private struct CharacteristicRow: View {
    let model: ExplorerModel
    let characteristic: GATT.Characteristic

    var body: some View {
        let handle = characteristic.valueHandle
        HStack {
            VStack(alignment: .leading) {
                Text(ExplorerWords.name(characteristic, in: model.tree))
                Text(
                    ExplorerWords.value(
                        model.octets(of: handle), model.tree?[handle], of: characteristic, in: model.tree)
                )
                .font(.caption).foregroundStyle(.secondary)
            }
            Spacer()
            VStack(alignment: .trailing) {
                Text(characteristic.uuid.pageText).font(.caption.monospaced()).lineLimit(1)
                Text(
                    model.isWatched(handle)
                        ? String(localized: "Listening")
                        : ExplorerWords.properties(characteristic.properties)
                )
                .font(.caption2).foregroundStyle(.secondary)
            }
        }
    }
}
