// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import NightlightCompanion
import SwiftUI

/// The night from noon to noon as a band, with a marker where each time of light begins and ends.
///
/// A marker is dragged, or moved by VoiceOver in steps of five minutes; nothing is sent before the person has said for which nights.
struct LampBand: View {
    let model: LampModel
    @Binding var period: PeriodDraft?
    /// Where the marker that is dragged stood before.
    @State private var start: Double?

    private static let height = 44.0
    /// How wide a marker is for a finger, in points.
    private static let grip = 32.0

    var body: some View {
        GeometryReader { geometry in
            ZStack(alignment: .leading) {
                Canvas { context, size in draw(in: &context, size) }.accessibilityHidden(true)
                ForEach(model.bandMarkers) { marker in
                    MarkerShape(part: marker.part)
                        .frame(width: width(of: marker, in: geometry.size.width), height: Self.height)
                        .offset(x: start(of: marker, in: geometry.size.width))
                        .accessibilityElement()
                        .accessibilityLabel(LampWords.marker(marker))
                        .accessibilityValue(LampWords.times(marker))
                        .accessibilityAdjustableAction { direction in
                            switch direction {
                            case .increment: model.move(marker.id, bySteps: 1)
                            case .decrement: model.move(marker.id, bySteps: -1)
                            @unknown default: break
                            }
                        }
                        .gesture(drag(marker, over: geometry.size.width))
                }
            }
        }
        .frame(height: Self.height)
        // Time goes to the right, as on the axis below.
        .environment(\.layoutDirection, .leftToRight)
        HStack {
            ForEach(Array(["12", "18", "0", "6", "12"].enumerated()), id: \.offset) { index, hour in
                if index > 0 { Spacer() }
                Text(verbatim: hour).font(.caption2).foregroundStyle(.secondary)
            }
        }
        .environment(\.layoutDirection, .leftToRight)
        .accessibilityHidden(true)
        if let draft = model.movedDraft {
            Text("\("\(draft.on)") to \("\(draft.off)")")
            Button("Keep this change") { period = draft }
            Button("Put it back") { model.putBack() }
        }
    }

    private func width(of marker: LampModel.BandMarker, in whole: Double) -> Double {
        marker.part == .whole
            ? (marker.places.upperBound - marker.places.lowerBound) * whole : Self.grip
    }

    private func start(of marker: LampModel.BandMarker, in whole: Double) -> Double {
        marker.places.lowerBound * whole - (marker.part == .whole ? 0 : Self.grip / 2)
    }

    private func drag(_ marker: LampModel.BandMarker, over width: Double) -> some Gesture {
        DragGesture(minimumDistance: 2, coordinateSpace: .global)
            .onChanged { value in
                let start = start ?? marker.places.lowerBound
                self.start = start
                model.move(marker.id, to: start + value.translation.width / max(1, width))
            }
            .onEnded { _ in
                start = nil
                period = model.movedDraft
            }
    }

    private func draw(in context: inout GraphicsContext, _ size: CGSize) {
        func rectangle(_ places: ClosedRange<Double>, _ inset: Double) -> CGRect {
            CGRect(
                x: places.lowerBound * size.width, y: inset,
                width: (places.upperBound - places.lowerBound) * size.width,
                height: size.height - 2 * inset)
        }
        context.fill(Path(rectangle(0...1, 8)), with: .color(Color.gray.opacity(0.2)))
        for part in model.bandParts {
            context.fill(Path(rectangle(part.places, 8)), with: .color(part.color.shown))
        }
        if let part = model.movedPart {
            context.fill(Path(rectangle(part.places, 4)), with: .color(part.color.shown.opacity(0.5)))
            context.stroke(Path(rectangle(part.places, 4)), with: .color(Color.accentColor), lineWidth: 2)
        }
    }
}

/// A marker as one sees it; a whole time of light is drawn below.
private struct MarkerShape: View {
    let part: LampModel.BandMarker.Part

    var body: some View {
        RoundedRectangle(cornerRadius: 3)
            .fill(color)
            .frame(width: part == .whole ? nil : 6)
            .contentShape(Rectangle())
    }

    private var color: Color {
        switch part {
        // A finger finds what is nearly clear, too.
        case .whole: .white.opacity(0.01)
        case .begin: .accentColor
        case .end: .secondary
        }
    }
}
