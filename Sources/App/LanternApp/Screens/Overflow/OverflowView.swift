// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import OverflowArea
import OverflowAreaCompanion
import SwiftUI

/// What apps in the background of iPhones send, and what this phone sends so itself.
struct OverflowView: View {
    private let app: AppModel
    @State private var model: OverflowModel
    @Environment(\.scenePhase) private var phase

    init(_ app: AppModel) {
        self.app = app
        _model = State(initialValue: OverflowModel(app))
    }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            OverflowSendersSection(model: model)
            OverflowBeaconSection(model: model)
            OverflowRulesSections()
        }
        .navigationTitle("Overflow")
        .task { await model.run() }
        .onChange(of: phase, initial: true) { _, phase in model.place(onScreen: phase != .background) }
    }
}

/// The phones that are heard, and those that were.
private struct OverflowSendersSection: View {
    let model: OverflowModel

    var body: some View {
        Section {
            if !model.isAnyoneHere {
                ContentUnavailableView(
                    "No phone heard yet", systemImage: "iphone.slash",
                    description: Text("Bring an iPhone near that has such an app in the background."))
            }
            ForEach(model.sources, id: \.peer) { source in
                NavigationLink {
                    OverflowSourceView(model: model, peer: source.peer)
                } label: {
                    OverflowSourceRow(source: source)
                }
            }
        } header: {
            Text("Senders")
        } footer: {
            if let absence = model.absence { OverflowAbsenceText(absence: absence) }
        }
    }
}

/// When nothing could be heard.
private struct OverflowAbsenceText: View {
    let absence: OverflowModel.Absence

    var body: some View {
        if let until = absence.until {
            Text(
                "Not listened from \(absence.from, style: .time) to \(until, style: .time): Lantern was not on the screen."
            )
        } else {
            Text("Not listening since \(absence.from, style: .time): Lantern is not on the screen.")
        }
    }
}

/// A phone, what it says, and how sure that is.
private struct OverflowSourceRow: View {
    let source: OverflowSource

    var body: some View {
        HStack {
            VStack(alignment: .leading) {
                if let payload = source.payload {
                    Text(DeviceWords.octets(payload.message.payload.octets)).font(.body.monospaced())
                    Text(
                        "\(OverflowWords.name(payload.message.codec)), \(OverflowWords.quality(payload.quality))"
                    )
                    .font(.caption)
                } else if let count = source.octetsOfCutMap {
                    Text("Map too short: \(count) of 16 octets")
                } else {
                    Text("No message, \(source.map.count) bits set")
                }
                Text(source.peer.plain).font(.caption2.monospaced()).foregroundStyle(.secondary)
            }
            Spacer()
            VStack(alignment: .trailing) {
                if source.isHere {
                    if let rssi = source.rssi { SignalText(rssi: rssi) }
                } else {
                    Text("Not heard any more").font(.caption)
                }
                Text(source.last.date, style: .time).font(.caption)
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// What this phone sends, and in which way.
private struct OverflowBeaconSection: View {
    @Bindable var model: OverflowModel

    var body: some View {
        Section {
            TextField("Payload, 4 octets", text: $model.text)
                .font(.body.monospaced())
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .disabled(isOn)
            Picker("Codec", selection: $model.codec) {
                ForEach(OverflowCodec.allCases, id: \.self) { Text(OverflowWords.title($0)).tag($0) }
            }
            .pickerStyle(.segmented)
            .disabled(isOn)
            trouble
            if let payload = model.beacon.payload { onAir(payload) }
            if isOn {
                Button("Stop sending", role: .destructive) { Task { await model.stop() } }
                    .disabled(model.isBusy)
            } else {
                Button("Start sending") { Task { await model.start() } }.disabled(model.isBusy)
            }
        } header: {
            Text("Send")
        } footer: {
            if model.codec == .v1 {
                Text(
                    "The second place of v1 sets bit \(OverflowBit.watchSetup.number), Apple’s Watch set-up. iPhones nearby may show a Watch card."
                )
            }
        }
    }

    private var isOn: Bool { model.beacon.payload != nil }

    @ViewBuilder private var trouble: some View {
        switch model.trouble {
        case .notFourOctets:
            Label(
                "Four octets: eight hexadecimal digits, such as 01 02 03 04.",
                systemImage: "exclamationmark.triangle")
        case .refused(let reason): Label(reason, systemImage: "exclamationmark.triangle")
        case nil:
            if let reason = model.beacon.reason { Label(reason, systemImage: "exclamationmark.triangle") }
        }
    }

    @ViewBuilder private func onAir(_ payload: OverflowPayload) -> some View {
        VStack(alignment: .leading) {
            if let map = model.beacon.map, let since = model.beacon.since {
                Text("\(DeviceWords.octets(payload.octets)) on the air since \(since.date, style: .time)")
                Text(DeviceWords.octets(map.octets)).font(.caption.monospaced())
            } else {
                Text("\(DeviceWords.octets(payload.octets)) goes on the air …")
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// What the system does with the services of an app, in plain words.
private struct OverflowRulesSections: View {
    var body: some View {
        Section("How it works") {
            Text(
                "An app in the background cannot advertise its services by name. iOS sets one of 128 bits for each instead: the overflow area."
            )
            Text(
                "Lantern sends four octets by choosing services whose bits spell them. Any iPhone that looks for all 128 services can read them."
            )
        }
        Section("When you send") {
            Text(
                "On the screen: one service goes out by name, and its bit is missing. v2 can be read all the same, v1 cannot."
            )
            Text("In the background, and locked: all services are bits, so both codecs can be read.")
            Text(
                "When iOS suspends Lantern, what was sent last stays on the air. v1 then changes its place no more, and whoever hears it first cannot be sure of it. v2 need not move."
            )
            Text("When a person swipes Lantern away, nothing is sent any more.")
        }
        Section("When you listen") {
            Text("On the screen: all phones near are heard.")
            Text("In the background, and locked: nothing. iOS does not tell apps of overflow areas then.")
        }
    }
}
