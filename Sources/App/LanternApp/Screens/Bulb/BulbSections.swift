// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// What was asked beside what the bulb says.
struct BulbSaidSection: View {
    let model: BulbModel
    let state: HubBulb

    var body: some View {
        Section("What the bulb says") {
            LabeledContent("Asked") {
                Text(
                    state.turn != nil
                        ? String(localized: "All hues")
                        : state.asked.map { BulbWords.value($0, state.dialect) }
                            ?? String(localized: "Nothing yet"))
            }
            LabeledContent("Says") {
                Text(
                    state.said.map { BulbWords.value($0, state.dialect) } ?? String(localized: "Nothing"))
            }
            Label(
                BulbWords.verdict(state),
                systemImage: BulbWords.differs(state) ? "exclamationmark.triangle" : "checkmark.circle")
            if let octets = state.octets {
                Text("Written \(DeviceWords.octets(octets))").font(.caption.monospaced()).foregroundStyle(
                    .secondary)
            }
            if state.reportsState {
                Button("Ask the bulb again", systemImage: "arrow.clockwise") { model.send(.requestState) }
            }
        }
    }
}

/// How a bulb is spoken to, why, and another way.
struct BulbDialectSection: View {
    let model: BulbModel

    var body: some View {
        Section {
            Picker("Dialect", selection: choice) {
                Text(model.state?.isDialectChosen == false ? "Detected" : "Detect").tag(BulbDialect?.none)
                ForEach(BulbDialect.all, id: \.self) { dialect in
                    Text(dialect.name.string).tag(BulbDialect?.some(dialect))
                }
            }
            .pickerStyle(.menu)
            if let dialect = model.state?.dialect {
                LabeledContent("Spoken now") { Text(dialect.name.string) }
            }
        } header: {
            Text("Dialect")
        } footer: {
            if let reason = model.state?.dialectReason {
                Text(reason)
            } else {
                Text("It is not known yet which kind of bulb this is.")
            }
        }
    }

    private var choice: Binding<BulbDialect?> {
        Binding(
            get: { model.dialect }, set: { dialect in Task { await model.choose(dialect) } })
    }
}

/// What is said of bulbs.
enum BulbWords {
    /// An effect with its name.
    struct Effect: Hashable {
        let code: UInt8
        let name: String
    }

    static func effects(_ dialect: BulbDialect?) -> [Effect] {
        dialect?.namedEffects.map { Effect(code: $0.code, name: $0.name) } ?? []
    }

    /// A state as it was sent or said: a colour's octets, else words.
    static func value(_ state: BulbState, _ dialect: BulbDialect?) -> String {
        guard state.isOn else { return String(localized: "Off") }
        switch state.light {
        case .color(let color): return "\(color)".uppercased()
        case .white(let level):
            return String(localized: "White, \(Int(BulbLevel.percent(ofOctet: level)))%")
        case .effect(let effect):
            return dialect?.effectName(effect.code) ?? String(localized: "Effect \(Int(effect.code))")
        }
    }

    /// Whether the bulb says something else than was asked.
    static func differs(_ state: HubBulb) -> Bool {
        state.agrees == false && !state.isBusy && state.turn == nil
    }

    /// What is to be said of the two.
    static func verdict(_ state: HubBulb) -> LocalizedStringKey {
        if !state.reportsState {
            return
                "Bulbs of this dialect never answer. Lantern sends what you ask for and cannot know whether it worked."
        }
        if state.isBusy { return "On its way" }
        if state.turn != nil { return "The bulb is asked again when All hues ends" }
        if differs(state) { return "Not what you asked for" }
        if state.agrees == true { return "Just what you asked for" }
        return state.said == nil ? "Not answered yet" : "As it was when Lantern connected"
    }
}
