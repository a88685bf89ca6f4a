// SPDX-License-Identifier: Apache-2.0

/// Something that one radio can do and another cannot.
public enum RadioCapability: Hashable, Sendable, CaseIterable {
    /// Opening a link to whichever of several devices is heard first.
    case connectingToFirst
    /// Telling how strong the other side of a link is received.
    case readRSSI
    /// Telling and changing how a link is modulated.
    case phy
    /// Telling and changing a link's timing.
    case connectionParameters
    /// Telling which controller the other side of a link has.
    case peerVersion
    /// Writing several values together.
    case reliableWrites
    /// Reading several values with one request.
    case readMultiple
    /// Reading all values of one kind, and finding the services of one kind alone.
    case readByType
    /// L2CAP channels.
    case channels
    /// Keeping the SDUs of a channel apart; without it, a channel is a stream of octets each way.
    case wholeSDUs
    /// Being a peripheral: advertising and serving.
    case peripheral
    /// Offering other services while a server runs.
    case dynamicServices
    /// Telling when a central connects and when its link ends; without it, a central is there from its first request on.
    case clientPresence
    /// Telling when a central has confirmed an indication.
    case confirmations
    /// Closing the link of a central that has connected.
    case disconnectingClients
    /// Being a GATT client towards a central that has connected.
    case clientOfCentrals
    /// Pairing, and encrypting links with what is kept of it.
    case pairing
    /// Choosing the six digits that a device shows, so that they stay the same.
    case chosenPasskey
    /// Hiding behind an address that changes, and that only bonded devices know again.
    case privacy
    /// LE Coded, for devices that are far away.
    case codedPHY
    /// LE 2M, twice as fast on a link.
    case twoMegabitPHY
    /// Advertisements of more than 31 octets.
    case extendedAdvertising
    /// Telling what is heard octet by octet, apart from the scan response, and whether it takes links.
    case advertisedOctets
    /// Advertising any octets; without it, a name and services alone.
    case chosenAdvertisement
}

/// What a radio can do; see ``Radio/capabilities``.
public typealias RadioCapabilities = Set<RadioCapability>

extension RadioCapability: CustomStringConvertible {
    /// What it is, in a few words.
    public var description: String {
        switch self {
        case .connectingToFirst: "connecting to the first of several devices"
        case .readRSSI: "reading a link's strength"
        case .phy: "reading or changing a link's modulation"
        case .connectionParameters: "reading or changing a link's timing"
        case .peerVersion: "reading the version of a device's controller"
        case .reliableWrites: "writing several values together"
        case .readMultiple: "reading several values with one request"
        case .readByType: "reading all values of one kind"
        case .channels: "L2CAP channels"
        case .wholeSDUs: "keeping the SDUs of a channel apart"
        case .peripheral: "being a peripheral"
        case .dynamicServices: "changing services while serving"
        case .clientPresence: "telling when a central connects and leaves"
        case .confirmations: "telling when a central has confirmed a value"
        case .disconnectingClients: "closing the link of a central"
        case .clientOfCentrals: "using the services of a central that has connected"
        case .pairing: "pairing"
        case .chosenPasskey: "choosing the six digits that it shows"
        case .privacy: "changing its address"
        case .codedPHY: "LE Coded"
        case .twoMegabitPHY: "LE 2M"
        case .extendedAdvertising: "advertisements of more than 31 octets"
        case .advertisedOctets: "hearing advertisements octet by octet"
        case .chosenAdvertisement: "advertising anything but a name and services"
        }
    }
}
