// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import NightlightCompanion
import SwiftUI

/// All hues around white: a finger chooses one, and VoiceOver goes around and makes it stronger.
struct ColorWheel: View {
    @Binding var choice: ColorChoice

    /// How wide it is, in points.
    private static let side = 220.0

    var body: some View {
        Canvas { context, size in draw(in: &context, size) }
            .frame(width: Self.side, height: Self.side)
            .accessibilityElement()
            .accessibilityLabel("Colour wheel")
            .accessibilityValue(
                Text("\(choice.full.word), strength \(Int((choice.strength * 100).rounded()))%")
            )
            .accessibilityAdjustableAction { direction in
                switch direction {
                case .increment: choice.turn(by: 10)
                case .decrement: choice.turn(by: -10)
                @unknown default: break
                }
            }
            .accessibilityAction(named: "Stronger") { choice.dim(by: 0.1) }
            .accessibilityAction(named: "Weaker") { choice.dim(by: -0.1) }
            .accessibilityAction(named: "White") { choice.white = 1 }
            .gesture(
                DragGesture(minimumDistance: 0).onChanged { value in
                    choice.choose(
                        east: value.location.x - Self.side / 2, south: value.location.y - Self.side / 2,
                        radius: Self.side / 2)
                }
            )
    }

    private func draw(in context: inout GraphicsContext, _ size: CGSize) {
        let middle = CGPoint(x: size.width / 2, y: size.height / 2)
        let circle = Path(ellipseIn: CGRect(origin: .zero, size: size))
        let hues = stride(from: 0.0, through: 360, by: 30).map { hue in
            var pure = choice
            (pure.hue, pure.white) = (hue, 0)
            return pure.full.shown
        }
        context.fill(circle, with: .conicGradient(Gradient(colors: hues), center: middle))
        context.fill(
            circle,
            with: .radialGradient(
                Gradient(colors: [.white, .white.opacity(0)]), center: middle, startRadius: 0,
                endRadius: size.width / 2))
        let place = choice.place(radius: size.width / 2)
        let dot = CGRect(x: middle.x + place.east - 11, y: middle.y + place.south - 11, width: 22, height: 22)
        context.fill(Path(ellipseIn: dot), with: .color(choice.full.shown))
        context.stroke(Path(ellipseIn: dot), with: .color(.white), lineWidth: 3)
    }
}
