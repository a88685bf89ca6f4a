// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import SwiftUI

/// A device that wants a network: what it hears, and a way into one of them.
struct WiFiView: View {
    private let app: AppModel
    private let id: HubDevice.ID
    @State private var model: WiFiModel

    init(_ app: AppModel, _ id: HubDevice.ID) {
        (self.app, self.id) = (app, id)
        _model = State(initialValue: WiFiModel(app, device: id))
    }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            if let device { Section { WiFiDeviceRow(device: device, setup: model.setup) } }
            LinkSection(held: model.device)
            if let setup = model.setup, model.device.isOpen {
                NetworksSection(model: model, setup: setup)
            }
        }
        .navigationTitle("Choose a network")
        .refreshable { await model.lookAgain() }
        .toolbar {
            ToolbarItemGroup(placement: .primaryAction) {
                if model.setup?.canIdentify == true {
                    Button("Identify", systemImage: "lightbulb.max") { Task { await model.identify() } }
                        .disabled(!model.device.isOpen)
                        .accessibilityHint("The device shows itself by a light or a sound")
                }
                Button("Look again", systemImage: "arrow.clockwise") { Task { await model.lookAgain() } }
                    .disabled(!model.device.isOpen || model.setup?.isListing == true)
            }
        }
        .sheet(item: Bindable(model).target) { _ in
            WiFiPasswordView(model: model, name: device.map { DeviceWords.name($0) } ?? "")
        }
        .troubleAlert(of: model.device, isCovered: model.target != nil)
        .holding(model.device)
        .task(id: model.setup?.lists) { await model.readNetworks() }
        .onDisappear { model.forgetPassword() }
    }

    private var device: HubDevice? { app.devices.first { $0.id == id } }
}

/// Which device it is, so that the password goes to the right one.
struct WiFiDeviceRow: View {
    let device: HubDevice
    let setup: WiFiSetup?

    var body: some View {
        VStack(alignment: .leading) {
            Label(DeviceWords.name(device), systemImage: "wifi").font(.headline)
            Text(device.peer.plain).font(.caption.monospaced()).foregroundStyle(.secondary)
            if let name = setup?.protocolName { Text(name).font(.caption).foregroundStyle(.secondary) }
            if let rssi = device.rssi { SignalText(rssi: rssi) }
            if let status = setup?.status?.state, status.word == .connected, let ssid = status.ssid {
                Text("The device is in “\(WiFiText.name(ssid))”.")
            }
            if let identified = setup?.identified {
                Text("It has shown itself at \(identified.date, style: .time).").font(.caption)
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// The networks that a device hears.
private struct NetworksSection: View {
    let model: WiFiModel
    let setup: WiFiSetup

    var body: some View {
        Section {
            if setup.isListing { ProgressView("The device looks for networks …") }
            if let failure = setup.listFailure, !setup.isListing {
                Label(failure, systemImage: "exclamationmark.triangle")
            }
            ForEach(model.networks, id: \.self) { folded in
                if folded.network.security.canBeJoined {
                    Button {
                        model.target = .heard(folded)
                    } label: {
                        NetworkRow(folded: folded)
                    }
                } else {
                    NetworkRow(folded: folded).foregroundStyle(.secondary)
                }
            }
            if model.networks.isEmpty, !setup.isListing, setup.listFailure == nil {
                Text("The device hears no network. Put it where Wi-Fi reaches it, then look again.")
                    .foregroundStyle(.secondary)
            }
            Button("Hidden network, type its name", systemImage: "plus") { model.target = .hidden }
        } header: {
            Text("Networks")
        } footer: {
            Text(
                "The networks that the device itself hears. Access points with the same name share a row.")
        }
    }
}

/// A network: its name, how it is secured or why it cannot be joined, and how strong the device hears it.
struct NetworkRow: View {
    let folded: FoldedNetwork

    var body: some View {
        HStack {
            VStack(alignment: .leading) {
                Text(WiFiText.name(folded.network.ssid))
                Text(folded.words).font(.caption).foregroundStyle(.secondary)
            }
            Spacer()
            if let rssi = folded.network.rssi {
                VStack(alignment: .trailing) {
                    Image(systemName: "wifi", variableValue: Double(folded.network.bars) / 4)
                        .accessibilityHidden(true)
                    Text("\(WiFiWords.bars(folded.network.bars)), \(rssi, format: TrueMinus()) dBm").font(
                        .caption)
                }
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// What the Wi-Fi set-up calls things.
enum WiFiWords {
    /// How many of four bars, in words.
    static func bars(_ bars: Int) -> String {
        switch bars {
        case 4...: String(localized: "Very good signal")
        case 3: String(localized: "Good signal")
        case 2: String(localized: "Fair signal")
        case 1: String(localized: "Weak signal")
        default: String(localized: "Very weak signal")
        }
    }

    /// What a password of such a network is like.
    static func prompt(_ security: NetworkSecurity) -> LocalizedStringKey {
        switch security {
        case .wep: "5 or 13 characters"
        case .unknown: "Nothing, if it is open"
        default: "8 to 63 characters"
        }
    }

    /// What a person should know of such a network.
    static func risk(_ security: NetworkSecurity) -> LocalizedStringKey? {
        switch security {
        case .open: "It is open: there is no password, and anyone nearby can listen."
        case .wep: "It is secured with WEP, which is easily broken."
        default: nil
        }
    }
}
