// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// A time of light: when it begins and ends, its colour, whether it ends early; then for tonight only or for always.
struct LampPeriodView: View {
    let model: LampModel
    @State var draft: PeriodDraft
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            Form {
                PeriodFields(model: model, draft: $draft)
                if case .group = draft.place { ofWeek } else { ofNight }
                if let trouble = model.lamp.trouble {
                    Section { Label(trouble, systemImage: "exclamationmark.triangle") }
                }
            }
            .navigationTitle(title)
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
            }
        }
    }

    private var title: LocalizedStringKey {
        switch draft.place {
        case .newOfNight: "New light period"
        case .night, .group: "Light period"
        }
    }

    private var ofWeek: some View {
        Section {
            Button("Done") {
                model.put(draft)
                dismiss()
            }
            .disabled(draft.period == nil)
            Button("Remove this period", role: .destructive) {
                model.put(draft, isRemoved: true)
                dismiss()
            }
        } footer: {
            if draft.period == nil { Text(LampModel.isEmpty) }
        }
    }

    private var ofNight: some View {
        Section {
            if model.canChangeTonight(draft) {
                choice(
                    days > 1 ? "For these \(days) days" : "Tonight only", model.conflictTonight(draft)
                ) { await model.changeTonight(draft, isRemoved: $0) }
            }
            if let every = model.everyDays(draft) {
                choice("Every \("\(every)")", model.conflictAlways(draft)) {
                    await model.changeAlways(draft, isRemoved: $0)
                }
            }
            if case .night = draft.place {
                Menu("Remove this period") {
                    if model.canChangeTonight(draft) {
                        Button(days > 1 ? "For these \(days) days" : "Tonight only", role: .destructive) {
                            send { await model.changeTonight(draft, isRemoved: true) }
                        }
                    }
                    if let every = model.everyDays(draft) {
                        Button("Every \("\(every)")", role: .destructive) {
                            send { await model.changeAlways(draft, isRemoved: true) }
                        }
                    }
                }
            }
        } header: {
            Text("Only tonight, or always?")
        } footer: {
            if !model.canChangeTonight(draft) {
                Text("What began on another day can only be changed for the whole week.")
            }
        }
        .disabled(!model.lamp.isOpen || model.lamp.underWay > 0)
    }

    private var days: Int { model.values?.day?.daysLeft ?? 1 }

    @ViewBuilder private func choice(
        _ title: LocalizedStringKey, _ conflict: String?, _ body: @escaping (Bool) async -> Bool
    ) -> some View {
        Button(title) { send { await body(false) } }.disabled(conflict != nil || !draft.isChanged)
        if let conflict {
            Label(conflict, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red)
        }
    }

    private func send(_ body: @escaping () async -> Bool) {
        Task { if await body() { dismiss() } }
    }
}

/// What of a time of light can be changed.
private struct PeriodFields: View {
    let model: LampModel
    @Binding var draft: PeriodDraft

    var body: some View {
        Section {
            MinutePicker("On", $draft.on)
            MinutePicker(draft.off <= draft.on ? "Off, next day" : "Off", $draft.off)
            NavigationLink {
                LampColorView(model: model, color: draft.color) { draft.color = $0 }
            } label: {
                ColorRow(color: draft.color)
            }
            Toggle(
                "End early",
                isOn: Binding(
                    get: { draft.timeout != nil }, set: { draft.timeout = $0 ? 60 : nil }))
            if let timeout = draft.timeout {
                Stepper(
                    value: Binding(
                        get: { Int(timeout) }, set: { draft.timeout = UInt8(clamping: max(1, $0)) }),
                    in: 1...255
                ) {
                    Text("After \(Int(timeout)) minutes")
                }
            }
        }
    }
}

/// A time of the day, by the clock of the lamp.
struct MinutePicker: View {
    let title: LocalizedStringKey
    @Binding var minute: MinuteOfDay

    init(_ title: LocalizedStringKey, _ minute: Binding<MinuteOfDay>) {
        self.title = title
        _minute = minute
    }

    var body: some View {
        DatePicker(title, selection: $minute.date, displayedComponents: .hourAndMinute)
    }
}

extension MinuteOfDay {
    /// The same as a date of which only hour and minute count.
    fileprivate var date: Date {
        get { Date(minuteOfDay: Int(rawValue)) }
        set { self = MinuteOfDay(rawValue: UInt16(newValue.minuteOfDay())) ?? self }
    }
}
