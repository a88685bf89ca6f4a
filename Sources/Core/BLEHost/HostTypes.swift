// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEGATT
public import BLEHCI
public import BLEL2CAP
public import BLESMP
public import BLEWire

/// How a host behaves.
public struct HostConfiguration: Sendable {
    /// The device's name, for GAP.
    public var name: WireText
    /// The device's appearance, for GAP.
    public var appearance: UInt16
    /// The services that this side offers beside GAP and GATT.
    public var services: [GATT.ServiceDefinition]
    /// The largest ATT PDU that this side can receive, in octets; 23 to 517.
    public var maximumMTU: Int
    /// How many centrals may be connected at once before advertising stops.
    public var maximumCentrals: Int
    /// The random address to use; `nil`, or one that no device may have, makes up a static one.
    public var randomAddress: BluetoothAddress?
    /// The timing that peers may ask for; `nil` lets them have any that is possible.
    public var acceptedParameters: ConnectionParameterRange?
    /// How much may wait.
    public var limits: HostLimits
    /// What keys are made with; `nil` refuses all pairing, and links are not encrypted.
    public var cryptography: (any PairingCryptography)?
    /// What this side can do and wants when it pairs.
    public var pairing = SMP.Configuration()
    /// How this side hides behind addresses that change; `nil` shows the one that stays.
    ///
    /// It takes ``cryptography``.
    public var privacy: HostPrivacy?
    /// Whether the controller hears bonded devices that have given a key by their identity address, too.
    public var privacyMode = HCI.PrivacyMode.device

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - appearance: The device's appearance.
    ///   - services: The services that this side offers.
    ///   - maximumMTU: The largest ATT PDU that this side can receive, in octets.
    ///   - maximumCentrals: How many centrals may be connected at once.
    ///   - randomAddress: The random address to use.
    ///   - acceptedParameters: The timing that peers may ask for.
    ///   - limits: How much may wait.
    public init(
        name: WireText = "Lantern",
        appearance: UInt16 = 0,
        services: [GATT.ServiceDefinition] = [],
        maximumMTU: Int = 517,
        maximumCentrals: Int = 4,
        randomAddress: BluetoothAddress? = nil,
        acceptedParameters: ConnectionParameterRange? = nil,
        limits: HostLimits = HostLimits()
    ) {
        self.name = name
        self.appearance = appearance
        self.services = services
        self.maximumMTU = min(max(maximumMTU, ATT.defaultMTU), 517)
        self.maximumCentrals = maximumCentrals
        self.randomAddress = randomAddress
        self.acceptedParameters = acceptedParameters
        self.limits = limits
    }

    /// The random address to use, unless it cannot be one: 46 bits that are all 0 or all 1.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.
    var usableAddress: BluetoothAddress? {
        guard let part = randomAddress.map({ $0.value & 0x3FFF_FFFF_FFFF }), part != 0,
            part != 0x3FFF_FFFF_FFFF
        else { return nil }
        return randomAddress
    }

    /// GAP and GATT, which every server has, before the others.
    ///
    /// Spec: Core v5.4, Vol 3, Part C, 12.
    var allServices: [GATT.ServiceDefinition] {
        let gap = GATT.ServiceDefinition(
            BluetoothUUID(0x1800),
            characteristics: [
                .init(BluetoothUUID(0x2A00), .read, value: .stored(name.octets)),
                .init(
                    BluetoothUUID(0x2A01), .read,
                    value: .stored([UInt8(appearance & 0xFF), UInt8(appearance >> 8)])),
            ])
        return [gap, .genericAttribute] + services
    }
}

/// What start-up has found out of a controller.
public struct ControllerInformation: Hashable, Sendable {
    /// Its public address; `nil` when it has none.
    public var publicAddress: BluetoothAddress?
    /// The address of this host that stays, and that is on the air unless it hides.
    public var ownAddress: BluetoothAddress?
    /// What it can do on LE.
    public var features: HCI.LEFeatures = []
    /// Which commands it says that it knows; `nil` when it would not say.
    public var supportedCommands: HCI.SupportedCommands?
    /// Octets of payload of an ACL packet to it.
    public var aclDataLength = 27
    /// How many ACL packets it can hold.
    public var aclDataPackets = 1
    /// Whether these are shared with BR/EDR.
    public var sharesDataBuffers = false
    /// Which versions it has, and who made it; `nil` when it would not say.
    public var version: HCI.ReadLocalVersionInformation.ReturnParameters?
    /// Whether it has BR/EDR, too.
    public var isDualMode = false
    /// How many addresses its filter accept list can hold; 0 when it would not say.
    public var filterAcceptListSize = 0
    /// What start-up asked for and did not get, in this order.
    public var refusals: [RejectedCommand] = []
    /// Octets that one advertisement can have: 31, or up to 1650 with extended advertising.
    public var maximumAdvertisingDataLength = HCI.legacyAdvertisingDataLimit

    /// Starts with what may be assumed of any controller.
    public init() {}

    /// Whether advertising, scanning and connecting use the extended commands.
    ///
    /// All or none: a controller refuses legacy commands after an extended one, and the other way round
    /// (Core v5.4, Vol 4, Part E, 3.1.1).
    public var usesExtendedCommands: Bool {
        guard features.contains(.extendedAdvertising) else { return false }
        guard let supportedCommands else { return true }
        let needed: [HCI.Opcode] = [
            .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
            .leSetAdvertisingSetRandomAddress, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection,
        ]
        return needed.allSatisfy { supportedCommands.contains($0) }
    }
}

/// A command that a controller did not carry out.
public struct RejectedCommand: Hashable, Sendable {
    /// Which command.
    public var opcode: HCI.Opcode
    /// Why; `nil` when the answer made no sense.
    public var status: HCI.Status?

    /// Makes a refusal.
    public init(_ opcode: HCI.Opcode, _ status: HCI.Status?) { (self.opcode, self.status) = (opcode, status) }
}

/// Input that was ignored, counted by layer.
public struct HostCounters: Hashable, Sendable {
    /// Events that could not be decoded.
    public var malformedEvents = 0
    /// ACL packets of links that are not known.
    public var strayACL = 0
    /// Pieces of L2CAP frames that did not fit, and frames on channels that nobody serves.
    public var l2capFaults = 0
    /// Events that are not known here, the makers' own among them.
    public var unknownEvents = 0
    /// Advertisements whose parts were not put together, for lack of room or because the rest never came.
    public var brokenAdvertisements = 0

    /// Starts at zero.
    public init() {}
}

/// Why a host went off.
public enum HostError: Error, Hashable, Sendable {
    /// The transport is gone.
    case transportClosed
    /// The octets from the controller are not H4, or some of them are missing.
    case lostSync
    /// The controller has left a command unanswered for 2 s.
    case controllerSilent
    /// The controller has refused a command that start-up needs.
    case refused(HCI.Opcode, HCI.Status)
    /// The controller's answer to a start-up command makes no sense.
    case badAnswer(HCI.Opcode)
    /// The controller reports that it has failed.
    case hardwareError(UInt8)
    /// The controller has no LE.
    case noLE
}

extension HostStack {
    /// What the host wants sent or reported.
    public enum Output: Sendable {
        /// Octets for the controller: one whole H4 packet.
        case send([UInt8])
        /// Something for the application.
        case event(Event)
    }

    /// What the host reports.
    public enum Event: Sendable {
        /// Start-up is done.
        // Rare and large: kept elsewhere, it does not make each event as large.
        indirect case ready(ControllerInformation)
        /// The host went off; every link has been reported as gone before.
        case failed(HostError)
        /// The host has left the air and is off.
        case stopped
        /// An advertiser was heard.
        case advertisement(ReceivedAdvertisement)
        /// The controller refused to scan.
        case scanFailed(HCI.Status)
        /// Advertising is on the air, for the first time or again, or will be as soon as there is room for another
        /// central.
        case advertisingStarted
        /// Advertising is off the air: refused, or lost after it had started, in which case it is tried again.
        case advertisingFailed(HCI.Status)
        /// Nobody is served any more, as ``HostStack/stopServing(at:)`` wanted.
        case servingStopped
        /// This side is heard under another address from now on.
        case addressChanged(BluetoothAddress)
        /// The controller keeps the address that it has.
        case addressRefused(HCI.Status)
        /// A link is open.
        case connected(LinkID, HCI.Role, BluetoothAddress)
        /// A link that was asked for could not be opened.
        case connectFailed(BluetoothAddress, LinkError)
        /// A link is gone; every operation on it has been completed before.
        case disconnected(LinkID, LinkError)
        /// The MTU of a link is agreed, in octets; on each link in the central role once at least, unless it ends
        /// before.
        case mtuChanged(LinkID, Int)
        /// The timing of a link has changed.
        case parametersChanged(LinkID, ConnectionParameters)
        /// How a link is modulated has changed.
        case phyChanged(LinkID, tx: HCI.PHY, rx: HCI.PHY)
        /// The octets of payload in one link-layer packet have changed.
        case dataLengthChanged(LinkID, tx: Int, rx: Int)
        /// Something that was asked about a link is done.
        case procedureCompleted(LinkID, LinkProcedure.ID, Result<LinkProcedure.Answer, LinkProcedure.Failure>)
        /// The controller has taken up the channels of ``HostStack/useChannels(_:at:)``, or refused them.
        case channelsChosen(HCI.Status)
        /// An operation is done.
        case completed(LinkID, GATT.OperationID, Result<GATT.Answer, GATTRequestError>)
        /// The peer has sent a value by itself.
        case value(LinkID, AttributeHandle, [UInt8], GATT.ValueKind)
        /// The peer's server has sent a PDU that makes no sense or that nobody has asked for; its first octets.
        case malformed(LinkID, [UInt8])
        /// The peer has asked for pairing or encryption, and was refused, as there is no cryptography.
        case securityRequested(LinkID)
        /// Something about the encryption of a link, or pairing on it.
        case security(LinkID, SecurityEvent)
        /// The peer's services of these handles are not what they were: find them again.
        case servicesChanged(LinkID, ATT.HandleRange)
        /// The peer has switched the values of one of our characteristics.
        case subscribed(LinkID, AttributeHandle, GATT.Subscription)
        /// The peer reads a delegated value; answer it.
        case readRequested(LinkID, AttributeHandle)
        /// The peer writes a delegated value; answer it if `answered` is true.
        case writeRequested(LinkID, AttributeHandle, [UInt8], answered: Bool)
        /// The peer has written a stored value, which is kept.
        case stored(LinkID, AttributeHandle, [UInt8])
        /// The peer has confirmed an indication.
        case confirmed(LinkID, AttributeHandle)
        /// A link whose queue was full has room again.
        case writable(LinkID)
        /// Something has happened on a credit-based channel.
        case channel(LinkID, L2CAP.ChannelToken, L2CAP.ChannelEvent)
    }
}
