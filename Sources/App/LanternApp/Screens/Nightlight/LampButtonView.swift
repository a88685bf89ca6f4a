// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// The child's button: whether it does anything, how long it shines, how often, when not, shaking, its colour.
struct LampButtonView: View {
    let model: LampModel

    private var values: NightlightValues? { model.values }

    var body: some View {
        Form {
            LinkSection(held: model.lamp)
            Group {
                Section {
                    toggle("Button", values?.isButtonEnabled) { $0.isEnabled = $1 }
                } footer: {
                    Text("When off, pressing it does nothing")
                }
                Section { light }
                Section {
                    presses
                } footer: {
                    Text("When off, only some presses count each day")
                }
                Section {
                    quiet
                } footer: {
                    Text("A time each day when pressing it does nothing")
                }
                Section {
                    toggle("Shaking changes the colour", values?.isShakeOn) { $0.alters = $1 }
                } footer: {
                    Text("While the button’s light shines")
                }
            }
            .disabled(!model.lamp.isOpen)
        }
        .navigationTitle("Child button")
        .troubleAlert(of: model.lamp)
        .holding(model.lamp)
    }

    @ViewBuilder private var light: some View {
        if let seconds = values?.buttonOnSeconds {
            Stepper(
                value: Binding(
                    get: { (Int(seconds) + 30) / 60 },
                    set: { minutes in change { $0.onSeconds = UInt16(clamping: minutes * 60) } }),
                in: 0...1092
            ) {
                Text("Shines for \((Int(seconds) + 30) / 60) minutes after a press")
            }
        }
        if let color = values?.buttonColor {
            NavigationLink {
                LampColorView(model: model, color: color) { color in change { $0.color = color } }
            } label: {
                ColorRow(color: color)
            }
        }
    }

    @ViewBuilder private var presses: some View {
        if let presses = values?.buttonDailyPresses {
            let isUnlimited = presses == ButtonSettings.unlimitedPresses
            toggle("As often as the child likes", isUnlimited) {
                $0.dailyPresses = $1 ? ButtonSettings.unlimitedPresses : 5
            }
            if !isUnlimited {
                Stepper(
                    value: Binding(
                        get: { Int(presses) },
                        set: { count in change { $0.dailyPresses = UInt8(clamping: count) } }),
                    in: 0...254
                ) {
                    Text("\(Int(presses)) presses a day")
                }
            }
        }
    }

    @ViewBuilder private var quiet: some View {
        if let window = values?.buttonDeactivation {
            toggle("Quiet hours", !window.isNone) {
                $0.window = $1 ? Self.usual : ButtonSettings.Deactivation.none
            }
            if !window.isNone {
                MinutePicker(
                    "Quiet from",
                    Binding(
                        get: { window.from },
                        set: { from in change { $0.window = .init(from: from, to: window.to) } }))
                MinutePicker(
                    "Quiet to",
                    Binding(
                        get: { window.to },
                        set: { to in change { $0.window = .init(from: window.from, to: to) } }))
            }
        }
    }

    /// From half past seven in the morning to six in the evening.
    private static let usual = ButtonSettings.Deactivation(
        from: MinuteOfDay(rawValue: 450) ?? .midnight, to: MinuteOfDay(rawValue: 1080) ?? .midnight)

    @ViewBuilder private func toggle(
        _ title: LocalizedStringKey, _ isOn: Bool?, _ set: @escaping (inout LampChange.Button, Bool) -> Void
    ) -> some View {
        if let isOn {
            Toggle(title, isOn: Binding(get: { isOn }, set: { isOn in change { set(&$0, isOn) } }))
        }
    }

    private func change(_ body: @escaping (inout LampChange.Button) -> Void) {
        Task { await model.changeButton(body) }
    }
}
