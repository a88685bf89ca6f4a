// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// All that is in reach or known beside FlockFinders, by kind, and a way into each.
struct DevicesView: View {
    private let app: AppModel

    init(_ app: AppModel) { self.app = app }

    var body: some View {
        NavigationStack {
            List {
                if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
                DeviceSection(
                    app: app, kind: .nightlight,
                    empty: "No lamp near. Switch the nightlight on and bring it near.")
                DeviceSection(
                    app: app, kind: .bulb, empty: "No bulb near. Switch it on, and no other app that has it.")
                DeviceSection(
                    app: app, kind: .wifiSet,
                    empty: "No device wants a network. Switch it on and bring it near.")
                Section("Tools") {
                    NavigationLink {
                        ExplorerListView(app)
                    } label: {
                        VStack(alignment: .leading) {
                            Label("Explorer", systemImage: "list.bullet.indent")
                            Text("\(app.devices.count) devices heard").font(.caption).foregroundStyle(
                                .secondary)
                        }
                        .accessibilityElement(children: .ignore)
                        .accessibilityLabel("Explorer: all devices in reach")
                        .accessibilityValue("\(app.devices.count)")
                    }
                    NavigationLink {
                        OverflowView(app)
                    } label: {
                        VStack(alignment: .leading) {
                            Label("Overflow", systemImage: "square.grid.4x3.fill")
                            Text("What iPhone apps in the background send").font(.caption).foregroundStyle(
                                .secondary)
                        }
                        .accessibilityElement(children: .combine)
                    }
                }
            }
            .navigationTitle("Devices")
            .navigationDestination(for: DevicePage.self) { page in
                switch page {
                case .lamp(let id): LampPages(app, id)
                case .bulb(let id): BulbView(app, id)
                case .wifi(let id): WiFiView(app, id)
                case .explorer(let id): ExplorerView(app, id)
                }
            }
        }
    }
}

/// A page of a device.
enum DevicePage: Hashable {
    case lamp(HubDevice.ID)
    case bulb(HubDevice.ID)
    case wifi(HubDevice.ID)
    case explorer(HubDevice.ID)

    init(_ device: HubDevice, as kind: HubDevice.Kind) {
        self =
            switch kind {
            case .nightlight: .lamp(device.id)
            case .bulb: .bulb(device.id)
            case .wifiSet: .wifi(device.id)
            case .flockFinder, .other: .explorer(device.id)
            }
    }
}

/// The devices of a kind.
private struct DeviceSection: View {
    let app: AppModel
    let kind: HubDevice.Kind
    let empty: LocalizedStringKey

    var body: some View {
        let devices = app.devices.filter { $0.kind == kind || kind == .wifiSet && $0.mayBeWiFiSet }
        Section(DeviceWords.title(kind)) {
            ForEach(devices) { device in
                NavigationLink(value: DevicePage(device, as: kind)) {
                    DeviceRow(device, name: app.name(of: device, among: devices))
                }
            }
            if devices.isEmpty { Text(empty).foregroundStyle(.secondary) }
        }
    }

}

/// What is in the way of Bluetooth.
struct ObstacleSection: View {
    let obstacle: RadioObstacle

    var body: some View {
        Section {
            Label(obstacle.title, systemImage: "exclamationmark.triangle")
            Text(obstacle.text).foregroundStyle(.secondary)
            OpenSettingsButton()
        }
    }
}
