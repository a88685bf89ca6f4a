// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// A bulb: its light, what it says of it, and how it is spoken to.
struct BulbView: View {
    private let app: AppModel
    private let id: HubDevice.ID
    @State private var model: BulbModel
    @State private var part = BulbPart.color

    init(_ app: AppModel, _ id: HubDevice.ID) {
        (self.app, self.id) = (app, id)
        _model = State(initialValue: BulbModel(app, bulb: id))
    }

    var body: some View {
        List {
            if let obstacle = app.obstacle { ObstacleSection(obstacle: obstacle) }
            LinkSection(held: model.bulb)
            if let state = model.state {
                Group {
                    light(state)
                    BulbSaidSection(model: model, state: state)
                }
                .disabled(!model.bulb.isOpen)
            }
            BulbDialectSection(model: model)
        }
        .navigationTitle(name)
        .troubleAlert(of: model.bulb)
        .holding(model.bulb)
    }

    private var name: String {
        app.devices.first { $0.id == id }.map { DeviceWords.name($0) } ?? ""
    }

    @ViewBuilder private func light(_ state: HubBulb) -> some View {
        Section {
            Toggle(
                "\(name) shines",
                isOn: Binding(
                    get: { model.light?.isOn ?? false }, set: { model.send(.power($0)) }))
            Picker("Light", selection: $part) {
                Text("Colour").tag(BulbPart.color)
                Text("White").tag(BulbPart.white)
                Text("Effects").tag(BulbPart.effects)
            }
            .pickerStyle(.segmented)
        }
        switch part {
        case .color: BulbColorSection(model: model)
        case .white: BulbWhiteSection(model: model, dialect: state.dialect)
        case .effects: BulbEffectsSection(model: model, state: state)
        }
    }
}

/// What of its light is set.
enum BulbPart: Hashable {
    case color
    case white
    case effects
}

/// The colour of a bulb, and colours at hand.
private struct BulbColorSection: View {
    @Bindable var model: BulbModel

    var body: some View {
        Section("Colour") {
            ColorSliders(choice: $model.choice)
            if model.favourites.contains(color) {
                Button("Remove this colour from the favourites", systemImage: "star.slash") {
                    Task { await model.setFavourite(color, false) }
                }
            } else {
                Button("Keep this colour as a favourite", systemImage: "star") {
                    Task { await model.setFavourite(color, true) }
                }
            }
        }
        Section("Favourites") {
            ForEach(model.favourites, id: \.self) { favourite in
                Button {
                    model.send(.color(favourite))
                } label: {
                    ColorRow(color: favourite)
                }
            }
        }
    }

    private var color: RGBColor { model.choice.color }
}

/// White light: how bright.
private struct BulbWhiteSection: View {
    let model: BulbModel
    let dialect: BulbDialect?

    var body: some View {
        Section {
            Slider(value: level, in: 0...100, step: 1) { Text("Brightness of the white light") }
            if !isWhite { Button("Shine white") { model.send(.white(percent: 100)) } }
        } header: {
            Text("White")
        } footer: {
            Text(
                dialect?.hasWhite == true
                    ? "Made by the white LEDs of the bulb."
                    : "Bulbs of this dialect have no white LEDs: white is mixed from the three colours.")
        }
    }

    private var isWhite: Bool {
        guard let light = model.light, light.isOn, case .white = light.light else { return false }
        return true
    }

    private var level: Binding<Double> {
        Binding(
            get: {
                guard let light = model.light, case .white(let level) = light.light else { return 100 }
                return Double(BulbLevel.percent(ofOctet: level))
            },
            set: { model.send(.white(percent: UInt8(min(100, max(0, $0.rounded()))))) })
    }
}

/// What a bulb plays by itself, and all hues, which the app plays.
private struct BulbEffectsSection: View {
    let model: BulbModel
    let state: HubBulb
    @State private var speed = 50.0

    var body: some View {
        Section {
            Toggle(
                "All hues",
                isOn: Binding(
                    get: { state.turn != nil }, set: { isOn in Task { await model.setCycles(isOn) } }))
            if let hue = state.hue, state.turn != nil { ColorRow(color: hue) }
            ForEach(effects, id: \.code) { effect in
                Button(effect.name) { play(effect.code) }
                    .accessibilityAddTraits(playing == effect.code ? .isSelected : [])
            }
            if state.dialect?.hasSpeed == true {
                Slider(value: $speed, in: 0...100, step: 1) {
                    Text("Speed")
                } onEditingChanged: { isBegun in
                    if !isBegun, let playing { play(playing) }
                }
            }
            if state.dialect?.hasBrightness == true { brightness }
        } header: {
            Text("Effects")
        } footer: {
            Text(
                effects.isEmpty
                    ? "Bulbs of this dialect have no effects of their own. Lantern plays All hues, while this page is open."
                    : "All hues is played by Lantern, while this page is open; the others by the bulb itself."
            )
        }
    }

    private var effects: [BulbWords.Effect] { BulbWords.effects(state.dialect) }

    private var playing: UInt8? {
        guard let light = model.light, light.isOn, state.turn == nil, case .effect(let effect) = light.light
        else { return nil }
        return effect.code
    }

    private var brightness: some View {
        HStack {
            Text("Brightness")
            Spacer()
            ForEach([25, 50, 75, 100], id: \.self) { percent in
                Button("\(percent)%") { model.send(.brightness(BulbLevel.octet(ofPercent: UInt8(percent)))) }
                    .buttonStyle(.borderless)
                    .accessibilityLabel("Brightness \(percent)%")
            }
        }
    }

    private func play(_ code: UInt8) {
        // 1 is the fastest.
        model.send(.effect(BulbEffect(code: code, speed: UInt8((31 - 0.3 * speed).rounded()))))
    }
}
