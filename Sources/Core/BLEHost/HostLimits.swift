// SPDX-License-Identifier: Apache-2.0

public import BLEGATT

/// How much may wait in a host.
///
/// What an application or a peer asks for beyond a limit is refused or ends its link; nothing grows without a bound.
public struct HostLimits: Hashable, Sendable {
    /// Commands that may wait for the controller; one more counts as a controller that is silent.
    public var commands: Int
    /// Frames of a link that may wait to be sent before ``HostStack/hasRoom(_:)`` says no.
    public var frames: Int
    /// Frames of a link that may wait at all: a peer that asks on and on and takes no answers is cut off.
    public var framesAtMost: Int
    /// Procedures of a link that may wait.
    public var procedures: Int
    /// Attempts to open a link that may wait.
    public var connectAttempts: Int
    /// Events of a link that may be unconsumed before it is closed with ``LinkError/consumerTooSlow``.
    ///
    /// `nil` takes each event as consumed when ``HostStack/nextOutput()`` gives it out. With a number the driver
    /// reports what was consumed with ``HostStack/consumed(_:on:at:)``.
    public var unconsumedEvents: Int?
    /// Bonds that are kept; whoever pairs beyond that is paired for one link, and both sides know it.
    public var bonds: Int
    /// What the two ends of each link's ATT bearer keep.
    public var gatt: GATT.Limits

    /// Makes limits; as they are, those of a program that handles each event as it comes out.
    public init(
        commands: Int = 512, frames: Int = 32, framesAtMost: Int = 64, procedures: Int = 16,
        connectAttempts: Int = 64, unconsumedEvents: Int? = nil, bonds: Int = 128,
        gatt: GATT.Limits = GATT.Limits()
    ) {
        self.commands = commands
        self.frames = frames
        self.framesAtMost = framesAtMost
        self.procedures = procedures
        self.connectAttempts = connectAttempts
        self.unconsumedEvents = unconsumedEvents
        self.bonds = bonds
        self.gatt = gatt
    }

    /// For a hub: many links, and consumers that run beside the driver, which reports what they have consumed.
    public static let hub = HostLimits(unconsumedEvents: 16384)

    /// For a chip: few links, and a loop that handles each event as it comes out.
    public static let chip = HostLimits(
        commands: 64, frames: 8, framesAtMost: 16, procedures: 4, connectAttempts: 4, bonds: 8,
        gatt: GATT.Limits(
            operations: 32, requests: 2, indications: 8, preparedParts: 32, preparedOctets: 512))
}
