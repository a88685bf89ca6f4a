// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import NightlightCompanion
import SwiftUI

/// A colour that is mixed by its hue, its white and its strength.
struct ColorSliders: View {
    @Binding var choice: ColorChoice

    var body: some View {
        ColorRow(color: choice.color)
        Slider(value: $choice.hue, in: 0...360) { Text("Hue") }
            .accessibilityValue(Text("\(choice.full.word), \(Int(choice.hue.rounded())) degrees"))
        Slider(value: $choice.white, in: 0...1) { Text("White") }
        Slider(value: $choice.strength, in: 0...1) { Text("Strength") }
    }
}

/// A colour as one sees it, says it and sends it.
struct ColorRow: View {
    let color: RGBColor

    var body: some View {
        HStack {
            ColorDot(color: color)
            Text(color.word)
            Spacer()
            Text("\(color)".uppercased()).font(.caption.monospaced()).foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
    }
}

/// A colour as one sees it.
struct ColorDot: View {
    let color: RGBColor

    var body: some View {
        Circle().fill(color.shown).frame(width: 24, height: 24).accessibilityHidden(true)
    }
}

extension RGBColor {
    /// The same for the screen.
    var shown: Color {
        Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
    }
}
