// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// A device in a list: what it is called, how near it is, and when it was heard last.
struct DeviceRow: View {
    let device: HubDevice
    let name: String

    init(_ device: HubDevice, name: String) { (self.device, self.name) = (device, name) }

    var body: some View {
        HStack {
            Image(systemName: DeviceWords.symbol(device.kind)).accessibilityHidden(true)
            VStack(alignment: .leading) {
                Text(name).font(.headline).lineLimit(1)
                if !device.note.isEmpty { Text(device.note).font(.caption).foregroundStyle(.secondary) }
                if let rssi = device.rssi { SignalText(rssi: rssi).foregroundStyle(.secondary) }
                HeardText(device: device)
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// When a device was heard last.
struct HeardText: View {
    let device: HubDevice

    var body: some View {
        Group {
            if device.link == .connected {
                Text("Connected")
            } else if let heard = device.lastHeard {
                Text("Heard at \(heard.date, style: .time)")
            } else {
                Text("Not heard yet")
            }
        }
        .font(.caption)
        .foregroundStyle(.secondary)
    }
}

/// How the link to a device is, while there is none; nothing while it is open.
struct LinkSection<Device: ConnectedDevice>: View {
    let held: HeldDevice<Device>

    var body: some View {
        switch held.link {
        case .opening:
            Section { ProgressView("Connecting …") }
        case .ended(let reason):
            Section {
                Label("Not connected", systemImage: "exclamationmark.triangle").font(.headline)
                Text(reason).foregroundStyle(.secondary)
                Button("Try again") { held.tryAgain() }
            }
        case .open:
            EmptyView()
        }
    }
}

extension View {
    /// Holds a device while this page is there.
    func holding<Device: ConnectedDevice>(_ held: HeldDevice<Device>) -> some View {
        modifier(Holding(held: held))
    }

    /// Tells what a device has not taken, unless a sheet lies over this page, which tells it itself.
    func troubleAlert<Device: ConnectedDevice>(
        of held: HeldDevice<Device>, isCovered: Bool = false
    ) -> some View {
        modifier(TroubleAlert(held: held, isCovered: isCovered))
    }
}

private struct Holding<Device: ConnectedDevice>: ViewModifier {
    let held: HeldDevice<Device>

    func body(content: Content) -> some View {
        content.task(id: held.attempt) { await held.run() }
    }
}

private struct TroubleAlert<Device: ConnectedDevice>: ViewModifier {
    let held: HeldDevice<Device>
    let isCovered: Bool
    @State private var isThere = false

    func body(content: Content) -> some View {
        content.alert(on: trouble)
            // A page that lies under another one tells nothing.
            .onAppear { isThere = true }
            .onDisappear { isThere = false }
    }

    private var trouble: Binding<String?> {
        Binding(get: { isThere && !isCovered ? held.trouble : nil }, set: { held.trouble = $0 })
    }
}
