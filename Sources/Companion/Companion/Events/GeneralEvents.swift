// SPDX-License-Identifier: Apache-2.0

/// Events that belong to no single product.
public enum GeneralEvents {
    /// All of them.
    public static let all: [EventDescription] = [
        EventDescription(LinesLeftOut.self),
        EventDescription(DeviceAdvertising.self),
        EventDescription(DeviceAdvertisingStopped.self),
        EventDescription(DeviceAdvertisingResumed.self),
        EventDescription(ClientSubscribed.self),
        EventDescription(ClientUnsubscribed.self),
        EventDescription(AttributeWritten.self),
        EventDescription(LinkConnected.self),
        EventDescription(LinkDisconnected.self),
        EventDescription(LinkMTUChanged.self),
        EventDescription(LinkStateChanged.self),
        EventDescription(DeviceReady.self),
        EventDescription(SecurityRefused.self),
        EventDescription(LinkSecured.self),
        EventDescription(PairingFailed.self),
        EventDescription(PairingAsked.self),
        EventDescription(OutOfBandShown.self),
        EventDescription(BondKept.self),
        EventDescription(BondRemoved.self),
        EventDescription(MalformedPDUReceived.self),
        EventDescription(MTUUnanswered.self),
        EventDescription(ServicesChanged.self),
        EventDescription(AdvertisementHeard.self),
        EventDescription(GATTTree.self),
        EventDescription(GATTChange.self),
        EventDescription(ValueRead.self),
        EventDescription(ValueWritten.self),
        EventDescription(ValueReceived.self),
        EventDescription(ConfigurationMissing.self),
        EventDescription(RecordingPlayed.self),
        EventDescription(ShellAnswered.self),
        EventDescription(ChannelListening.self),
        EventDescription(ChannelOpened.self),
        EventDescription(ChannelReceived.self),
        EventDescription(ChannelClosed.self),
        EventDescription(ControllerListening.self),
        EventDescription(SimulatedDeviceAdded.self),
        EventDescription(RadioReady.self),
        EventDescription(HostAttached.self),
        EventDescription(HostDetached.self),
        EventDescription(RadioOffered.self),
        EventDescription(RadioChecked.self),
    ]
}

/// Lines were left out because nobody read them.
public struct LinesLeftOut: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "left_out"
    /// When it happens.
    public static let summary: StaticString = "Lines were left out because nobody read them."

    /// How many.
    public let lines: Int

    /// Makes the event.
    public init(lines: Int) { self.lines = lines }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("lines", "How many.") { $0.lines }
    }
}
