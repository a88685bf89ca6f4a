// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// The week of a lamp: days that are the same, their times of light, and what contradicts itself before it is sent.
struct LampWeekView: View {
    let model: LampModel
    @State private var period: PeriodDraft?

    var body: some View {
        Form {
            LinkSection(held: model.lamp)
            if let week = model.week {
                Section {
                    TextField("Name of the week", text: name)
                } footer: {
                    Text("A period belongs to the day on which it starts.")
                }
                ForEach(Array(week.groups.enumerated()), id: \.offset) { index, group in
                    GroupSection(model: model, index: index, group: group, period: $period)
                }
                Section {
                    Button("Day group", systemImage: "plus") { model.split() }
                        .disabled(!model.canSplit)
                        .accessibilityLabel("New day group")
                }
                sending
                SavedWeeksSection(model: model)
            } else {
                Text("Nothing is known of this lamp’s week yet.").foregroundStyle(.secondary)
            }
        }
        .navigationTitle("Week")
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Button("Undo", systemImage: "arrow.uturn.backward") { model.undo() }
                    .disabled(model.earlier.isEmpty)
            }
        }
        .sheet(item: $period) { LampPeriodView(model: model, draft: $0) }
        .troubleAlert(of: model.lamp, isCovered: period != nil)
        .holding(model.lamp)
        .task { await model.readSavedWeeks() }
    }

    private var name: Binding<String> {
        Binding(
            get: { model.week?.name.string ?? "" },
            set: { name in model.edit { $0.name = WireText(name) } })
    }

    private var sending: some View {
        Section {
            Text(changes)
            if let obstacle = model.obstacle {
                Label(obstacle, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red)
            }
            if let done = model.done { Label(done, systemImage: "checkmark.circle") }
            Button("Send to \(LampWords.whose(model.dashboard?.state?.childName))") {
                Task { await model.sendWeek() }
            }
            .buttonStyle(.borderedProminent)
            .disabled(
                model.draft == nil || model.obstacle != nil || !model.lamp.isOpen
                    || model.lamp.underWay > 0
            )
            .accessibilityHint(model.obstacle ?? "")
        }
    }

    private var changes: LocalizedStringKey {
        switch model.differences {
        case 0: model.draft == nil ? "Same as on the lamp" : "These groups are not on the lamp yet"
        case 1: "1 day is not on the lamp yet"
        default: "\(model.differences) days are not on the lamp yet"
        }
    }
}

/// Weeks in the phone, for any lamp.
private struct SavedWeeksSection: View {
    let model: LampModel

    var body: some View {
        Section("Saved weeks") {
            ForEach(model.savedWeeks) { saved in
                Button("Use \(name(saved))") { model.use(saved) }
                    .swipeActions {
                        Button("Delete", role: .destructive) { Task { await model.delete(saved) } }
                    }
            }
            Button("Save this lamp’s week", systemImage: "plus") { Task { await model.saveWeek() } }
        }
    }

    private func name(_ saved: SavedWeek) -> String {
        saved.week.name.isEmpty
            ? String(localized: "the week without a name")
            : "“\(PrintableText.quoted(saved.week.name.string))”"
    }
}

/// Days that are the same.
private struct GroupSection: View {
    let model: LampModel
    let index: Int
    let group: DayGroup
    @Binding var period: PeriodDraft?

    var body: some View {
        Section("\(group.days)") {
            Menu("Days: \("\(group.days)")") {
                ForEach(DayOfWeek.allCases, id: \.self) { day in
                    Toggle(
                        "\(day)",
                        isOn: Binding(
                            get: { group.days.contains(day) },
                            set: { _ in model.toggle(day, in: index) }))
                }
            }
            ForEach(Array(group.periods.enumerated()), id: \.offset) { place, one in
                Button {
                    period = model.draft(of: place, in: index)
                } label: {
                    HStack {
                        ColorDot(color: one.color)
                        Text(LampWords.period(one))
                    }
                }
                .accessibilityLabel("\("\(group.days)"), \(LampWords.period(one))")
                .swipeActions {
                    Button("Remove", role: .destructive) {
                        if let draft = model.draft(of: place, in: index) {
                            model.put(draft, isRemoved: true)
                        }
                    }
                }
            }
            if group.periods.isEmpty { Text("Dark").foregroundStyle(.secondary) }
            ForEach(model.conflicts(in: group), id: \.self) { conflict in
                Label(conflict.text, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red)
                if let end = model.repair(of: conflict) {
                    Button("End at \("\(end)")") { model.repair(conflict, in: index) }
                }
            }
            Button("New period on \("\(group.days)")", systemImage: "plus") { model.addPeriod(to: index) }
                .disabled(group.periods.count >= 6)
        }
    }
}
