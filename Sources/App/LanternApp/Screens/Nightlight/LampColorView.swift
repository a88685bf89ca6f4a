// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// A colour for a lamp, tried out on the lamp itself before it is used.
struct LampColorView: View {
    let model: LampModel
    let use: (RGBColor) -> Void
    @State private var choice: ColorChoice
    @State private var led: Int?
    @Environment(\.dismiss) private var dismiss

    init(model: LampModel, color: RGBColor, use: @escaping (RGBColor) -> Void) {
        self.model = model
        self.use = use
        _choice = State(initialValue: ColorChoice(color))
    }

    var body: some View {
        Form {
            Section {
                ColorWheel(choice: $choice)
                ColorSliders(choice: $choice)
            }
            Section {
                if model.hasSingleLEDs {
                    Picker("On the lamp", selection: $led) {
                        Text("All LEDs").tag(Int?.none)
                        ForEach(1...4, id: \.self) { Text("LED \($0)").tag(Int?.some($0)) }
                    }
                }
                if model.isTrying, let end = model.dashboard?.proofEnd {
                    Label(
                        "On the lamp now, ends by itself in \(end.date, style: .timer)", systemImage: "eye")
                    Button("End it now") { Task { await model.endTrial() } }
                } else {
                    Button("Try on the lamp", systemImage: "eye") {
                        Task { await model.tryOut(choice.color, on: led) }
                    }
                    .disabled(!model.lamp.isOpen)
                }
            } footer: {
                if !model.isTrying {
                    Text(
                        model.lamp.isOpen
                            ? "Ends by itself after a minute" : "Can be tried on the lamp when it is near")
                }
            }
            Section {
                Button("Use this colour") {
                    use(choice.color)
                    dismiss()
                }
                .buttonStyle(.borderedProminent)
            }
        }
        .navigationTitle("Colour")
        .onChange(of: choice.color) { _, color in
            if model.followsChoice { Task { await model.tryOut(color, on: led) } }
        }
        .onChange(of: led) { _, led in
            if model.followsChoice { Task { await model.tryOut(choice.color, on: led) } }
        }
        .onDisappear {
            if model.followsChoice { Task { await model.endTrial() } }
        }
        .troubleAlert(of: model.lamp)
        .holding(model.lamp)
    }
}
