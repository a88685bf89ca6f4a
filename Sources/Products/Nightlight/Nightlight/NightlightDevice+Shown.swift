// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What shines of all that could, and what is seen of it.
extension NightlightDevice {
    /// What comes first.
    func shown(at now: HostInstant) -> Shown {
        if let colors = proof.colors {
            return Shown(source: .proof, colors: colors, until: proof.nextDeadline)
        }
        func all(_ color: RGBColor) -> [RGBColor] {
            [RGBColor](repeating: color, count: NightlightLimit.leds)
        }
        if let color = button.color {
            return Shown(source: .button, colors: all(color), until: button.until)
        }
        guard let planned else { return Shown(source: .off, colors: all(.black)) }
        return Shown(
            source: planned.source, colors: all(planned.color),
            until: planned.until.map { clock.instant(of: $0) })
    }

    /// What is seen of colours: those of linked LEDs are LED 1's, and without power there are none.
    func visible(_ colors: [RGBColor]) -> [RGBColor] {
        guard isPowered, let first = colors.first else {
            return [RGBColor](repeating: .black, count: NightlightLimit.leds)
        }
        return isLinked ? [RGBColor](repeating: first, count: NightlightLimit.leds) : colors
    }

    /// The value of the active source.
    func activeSource(at now: HostInstant) -> ActiveSource {
        let shown = shown(at: now)
        let minutes = shown.until.map { until in
            // Begun minutes count whole, so that 0 never stands for what is still to come.
            Int(
                clamping: (until.microseconds(since: now).addingReportingOverflow(59_999_999).partialValue)
                    / 60_000_000)
        }
        return ActiveSource(
            shown.source, visible(shown.colors).first ?? .black, minutesToNextChange: minutes)
    }
}
