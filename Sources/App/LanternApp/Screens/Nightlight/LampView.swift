// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// One lamp at a time, and a way to the others.
struct LampPages: View {
    private let app: AppModel
    @State private var shown: HubDevice.ID

    init(_ app: AppModel, _ id: HubDevice.ID) {
        self.app = app
        _shown = State(initialValue: id)
    }

    var body: some View {
        let lamps = app.devices(of: .nightlight)
        LampView(app, shown)
            .id(shown)
            .toolbar {
                ToolbarItem(placement: .secondaryAction) {
                    if lamps.count > 1 {
                        Menu("Other lamps", systemImage: "moon.stars") {
                            ForEach(lamps.filter { $0.id != shown }) { lamp in
                                Button(app.name(of: lamp, among: lamps)) { shown = lamp.id }
                            }
                        }
                    }
                }
            }
    }
}

/// A nightlight: what shines now and why, tonight, and ways to all else of it.
struct LampView: View {
    private let app: AppModel
    private let id: HubDevice.ID
    @State private var model: LampModel
    @State private var period: PeriodDraft?
    @State private var isNameShown = false

    init(_ app: AppModel, _ id: HubDevice.ID) {
        (self.app, self.id) = (app, id)
        _model = State(initialValue: LampModel(app, lamp: id))
    }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            LinkSection(held: model.lamp)
            if let dashboard = model.dashboard {
                Group {
                    LampNotes(model: model, isNameShown: $isNameShown)
                    LampNowSection(model: model, dashboard: dashboard, device: device)
                    LampTonightSection(model: model, period: $period)
                }
                .disabled(!model.lamp.isOpen)
                links
            }
        }
        .navigationTitle(LampWords.whose(model.dashboard?.state?.childName))
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Button("Name", systemImage: "pencil") { isNameShown = true }
                    .disabled(!model.lamp.isOpen)
                    .accessibilityLabel("The child’s name")
            }
        }
        .sheet(item: $period) { LampPeriodView(model: model, draft: $0) }
        .sheet(isPresented: $isNameShown) {
            LampNameView(model: model, name: model.dashboard?.state?.childName ?? "")
        }
        .troubleAlert(of: model.lamp, isCovered: period != nil || isNameShown)
        .holding(model.lamp)
    }

    private var device: HubDevice? { app.devices.first { $0.id == id } }

    private var links: some View {
        Section {
            NavigationLink(LampWords.week(model.values?.week)) { LampWeekView(model: model) }
            NavigationLink("Child button") { LampButtonView(model: model) }
        }
    }
}

/// What a parent has to do something about: whose lamp it is, its clock, its battery, and what was done.
private struct LampNotes: View {
    let model: LampModel
    @Binding var isNameShown: Bool
    @State private var isClockAsked = false

    var body: some View {
        Section {
            if model.lamp.isOpen, model.dashboard?.state?.childName == nil {
                Text("Whose lamp is it? The lamp keeps the name, so that you know it among others.")
                Button("Give it a name") { isNameShown = true }
            }
            if let done = model.done { Label(done, systemImage: "checkmark.circle") }
            if let note = model.dashboard?.clockNote { Label(note, systemImage: "clock") }
            if model.lamp.isOpen, model.isClockAsked, let state = model.dashboard?.state {
                Label(LampWords.clockWarning(state), systemImage: "clock.badge.exclamationmark")
                Button("Set the clock") { isClockAsked = true }
                    .confirmationDialog(
                        "Set the lamp’s clock?", isPresented: $isClockAsked, titleVisibility: .visible
                    ) {
                        Button("Set it") { Task { await model.setClock() } }
                        Button("Leave it", role: .cancel) {}
                    } message: {
                        Text(LampWords.clockQuestion(state))
                    }
            }
            if let battery = LampWords.lowBattery(model.values) {
                Label(battery, systemImage: "battery.25percent")
            }
        }
    }
}

/// What shines now, until when and why; power, battery and clock.
private struct LampNowSection: View {
    let model: LampModel
    let dashboard: LampDashboard
    let device: HubDevice?

    var body: some View {
        Section {
            HStack {
                ForEach(1...4, id: \.self) { led in
                    if let color = model.values?.led(led) { ColorDot(color: color) }
                }
                VStack(alignment: .leading) {
                    Text(dashboard.title).font(.headline)
                    Text(dashboard.reason).foregroundStyle(.secondary)
                }
            }
            .accessibilityElement(children: .combine)
            if model.isTrying, let end = dashboard.proofEnd {
                Label("On the lamp now, ends by itself in \(end.date, style: .timer)", systemImage: "eye")
                Button("End it now") { Task { await model.endTrial() } }
            }
            if let isPowered = model.values?.isPowered {
                Toggle(
                    "LEDs on",
                    isOn: Binding(
                        get: { isPowered }, set: { isOn in Task { await model.setPowered(isOn) } }))
            }
            if let isLinked = model.values?.isLinked {
                Toggle(
                    "All LEDs together",
                    isOn: Binding(
                        get: { isLinked }, set: { isOn in Task { await model.setLinked(isOn) } }))
            }
            if let battery = LampWords.battery(model.values) {
                LabeledContent("Battery") { Text(battery) }
            }
            if let state = dashboard.state { LabeledContent("Clock") { Text(LampWords.clock(state)) } }
            if let rssi = device?.rssi {
                LabeledContent("Signal") { Text(Words.signal(rssi)) }
            }
        }
    }
}

/// Tonight, from noon to noon: what shines, and the times of light that can be changed.
private struct LampTonightSection: View {
    let model: LampModel
    @Binding var period: PeriodDraft?

    var body: some View {
        Section {
            if let night = model.night {
                LampBand(model: model, period: $period)
                let shines = night.shines.filter { $0.source != .off }
                ForEach(Array(shines.enumerated()), id: \.offset) { _, span in
                    HStack {
                        ColorDot(color: span.color)
                        Text(LampWords.span(span, model.dashboard?.state))
                        Spacer()
                        Text(LampWords.source(span.source)).foregroundStyle(.secondary)
                    }
                    .accessibilityElement(children: .combine)
                }
                if shines.isEmpty { Text("Dark all night").foregroundStyle(.secondary) }
                ForEach(Array(night.periods.enumerated()), id: \.offset) { _, one in
                    Button("Change \(LampWords.period(one.period))") {
                        period = PeriodDraft(one.period, at: .night(one))
                    }
                }
                Button("Light period", systemImage: "plus") { period = model.newPeriod }
                    .disabled(model.newPeriod == nil)
                    .accessibilityLabel("New light period")
            } else {
                Text("The lamp’s week is not known.").foregroundStyle(.secondary)
            }
            if let day = model.values?.day {
                Text(
                    day.daysLeft == 1
                        ? "Tonight’s own schedule" : "Its own schedule for \(day.daysLeft) days")
                Button("Back to the week") { Task { await model.goBackToWeek() } }
            }
        } header: {
            Text("Tonight")
        }
        .onChange(of: period) { _, period in if period == nil { model.putBack() } }
    }
}
