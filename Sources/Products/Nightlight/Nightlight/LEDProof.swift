// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// An app's hold on the LEDs, to try colours out.
///
/// ```
///          a colour or 1 is written          0 is written by anybody,
///   idle ────────────────────────► driven ── its link is gone, or 60 s ──► idle
///                                   │    ▲   without a write
///                                   └────┘ a write; the link that writes last holds
/// ```
///
/// Spec: Documentation/Protocols/nightlight.md, LEDs.
struct LEDProof: Sendable {
    private struct Hold {
        var link: LinkID
        var colors: [RGBColor]
        var until: HostInstant
    }

    private var hold: Hold?

    /// What an app has each LED show; `nil` when no app drives them.
    var colors: [RGBColor]? { hold?.colors }

    /// When to call ``deadlineReached(at:)`` at the latest.
    var nextDeadline: HostInstant? { hold?.until }

    /// Gives the LEDs to an app, or keeps them for it.
    ///
    /// - Parameters:
    ///   - link: Whose.
    ///   - shown: What each LED shows now.
    ///   - now: The moment.
    mutating func begin(_ link: LinkID, shown: [RGBColor], at now: HostInstant) {
        hold = Hold(
            link: link, colors: hold?.colors ?? shown,
            until: now.advanced(bySeconds: NightlightLimit.proofSeconds))
    }

    /// Sets the colour of one LED.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - index: Which LED, from 0.
    mutating func set(_ color: RGBColor, of index: Int) {
        guard hold?.colors.indices.contains(index) == true else { return }
        hold?.colors[index] = color
    }

    /// Handles another write of the app that drives the LEDs.
    ///
    /// - Parameters:
    ///   - link: Who writes.
    ///   - now: The moment.
    mutating func extend(_ link: LinkID, at now: HostInstant) {
        if hold?.link == link { hold?.until = now.advanced(bySeconds: NightlightLimit.proofSeconds) }
    }

    /// Gives the LEDs back.
    mutating func end() { hold = nil }

    /// Handles the end of a link.
    ///
    /// - Parameter link: The link.
    mutating func lost(_ link: LinkID) { if hold?.link == link { hold = nil } }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    mutating func deadlineReached(at now: HostInstant) {
        if let hold, hold.until <= now { self.hold = nil }
    }
}
