// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What the LEDs of a lamp show and why.
public struct LampDisplay: Hashable, Sendable {
    /// Why they shine.
    public var source: LightSource
    /// What each of the four shows; black without power.
    public var colors: [RGBColor]

    /// Makes a display.
    public init(source: LightSource, colors: [RGBColor]) {
        self.source = source
        self.colors = colors
    }
}

extension NightlightErrorCode: Error {}

/// What a lamp reports to whoever runs it.
public enum NightlightDeviceEvent: Hashable, Sendable {
    /// A client has opened a link.
    case connected(LinkID, Peer)
    /// A link is gone.
    case disconnected(LinkID)
    /// The LEDs show something else, or for another reason.
    case shows(LampDisplay)
    /// The child has pressed the button.
    case pressed(ButtonVerdict)
    /// The child has shaken the lamp; whether the colours turn.
    case shaken(turnsColors: Bool)
    /// The battery is like this now.
    case battery(LampBattery)
    /// The clock was set, or has changed to DST or back; what it shows now.
    case clock(LocalTime)
    /// A client has written a value, and it was accepted.
    case written(LinkID, NightlightItem, [UInt8])
    /// A client has written a value, and it was refused.
    case refused(LinkID, NightlightItem, NightlightErrorCode)
    /// What outlives a restart is this now.
    case settings(NightlightSettings)
}
