// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
public import BLEHCI
public import BLEL2CAP
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
    /// The random address to use; `nil` takes the public one, else makes a static one up.
    public var randomAddress: BluetoothAddress?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - appearance: The device's appearance.
    ///   - services: The services that this side offers.
    ///   - maximumMTU: The largest ATT PDU that this side can receive, in octets.
    ///   - maximumCentrals: How many centrals may be connected at once.
    ///   - randomAddress: The random address to use.
    public init(
        name: WireText = "Lantern",
        appearance: UInt16 = 0,
        services: [GATT.ServiceDefinition] = [],
        maximumMTU: Int = 517,
        maximumCentrals: Int = 4,
        randomAddress: BluetoothAddress? = nil
    ) {
        self.name = name
        self.appearance = appearance
        self.services = services
        self.maximumMTU = min(max(maximumMTU, ATT.defaultMTU), 517)
        self.maximumCentrals = maximumCentrals
        self.randomAddress = randomAddress
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
        return [gap, GATT.ServiceDefinition(BluetoothUUID(0x1801), characteristics: [])] + services
    }
}

/// What start-up has found out of a controller.
public struct ControllerInformation: Hashable, Sendable {
    /// Its public address; `nil` when it has none.
    public var publicAddress: BluetoothAddress?
    /// The address that this host uses.
    public var ownAddress: BluetoothAddress?
    /// What it can do on LE.
    public var features: HCI.LEFeatures = []
    /// Which commands it knows; `nil` when it would not say.
    public var supportedCommands: HCI.SupportedCommands?
    /// Octets of payload of an ACL packet to it.
    public var aclDataLength = 27
    /// How many ACL packets it can hold.
    public var aclDataPackets = 1

    /// Starts with what may be assumed of any controller.
    public init() {}
}

/// Input that was ignored, counted by layer.
public struct HostCounters: Hashable, Sendable {
    /// Events that could not be decoded.
    public var malformedEvents = 0
    /// ACL packets of links that are not known.
    public var strayACL = 0
    /// Pieces of L2CAP frames that did not fit, and frames on channels that nobody serves.
    public var l2capFaults = 0

    /// Starts at zero.
    public init() {}
}

/// Why a host went off.
public enum HostFailure: Error, Hashable, Sendable {
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

/// How to scan.
public struct ScanParameters: Hashable, Sendable {
    /// Whether scan responses are asked for.
    public var isActive: Bool
    /// Time from one window to the next.
    public var interval: AdvertisingInterval
    /// How long each window is.
    public var window: AdvertisingInterval
    /// Whether the controller reports each device only once.
    public var filterDuplicates: Bool

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - isActive: Whether scan responses are asked for.
    ///   - interval: Time from one window to the next.
    ///   - window: How long each window is.
    ///   - filterDuplicates: Whether the controller reports each device only once.
    public init(
        isActive: Bool = true,
        interval: AdvertisingInterval = AdvertisingInterval(milliseconds: 60),
        window: AdvertisingInterval = AdvertisingInterval(milliseconds: 60),
        filterDuplicates: Bool = false
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.filterDuplicates = filterDuplicates
    }
}

/// How and what to advertise.
public struct AdvertisingParameters: Hashable, Sendable {
    /// The advertisement itself, at most 31 octets.
    public var data: [UInt8]
    /// The answer to a scan request, at most 31 octets.
    public var scanResponse: [UInt8]
    /// Whether links are accepted.
    public var isConnectable: Bool
    /// Time between advertisements.
    public var interval: AdvertisingInterval

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - data: The advertisement itself.
    ///   - scanResponse: The answer to a scan request.
    ///   - isConnectable: Whether links are accepted.
    ///   - interval: Time between advertisements.
    public init(
        data: [UInt8],
        scanResponse: [UInt8] = [],
        isConnectable: Bool = true,
        interval: AdvertisingInterval = AdvertisingInterval(milliseconds: 100)
    ) {
        self.data = data
        self.scanResponse = scanResponse
        self.isConnectable = isConnectable
        self.interval = interval
    }
}

/// How to connect, and the link's timing.
public struct ConnectParameters: Hashable, Sendable {
    /// The shortest connection interval.
    public var intervalMin: ConnectionInterval
    /// The longest connection interval.
    public var intervalMax: ConnectionInterval
    /// Connection events that the peripheral may pass over.
    public var latency: UInt16
    /// How long the link may be silent.
    public var supervisionTimeout: SupervisionTimeout
    /// How long to try, in milliseconds.
    public var timeoutMilliseconds: UInt64

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - intervalMin: The shortest connection interval.
    ///   - intervalMax: The longest connection interval.
    ///   - latency: Connection events that the peripheral may pass over.
    ///   - supervisionTimeout: How long the link may be silent.
    ///   - timeoutMilliseconds: How long to try, in milliseconds.
    public init(
        intervalMin: ConnectionInterval = ConnectionInterval(milliseconds: 15),
        intervalMax: ConnectionInterval = ConnectionInterval(milliseconds: 30),
        latency: UInt16 = 0,
        supervisionTimeout: SupervisionTimeout = SupervisionTimeout(milliseconds: 5000),
        timeoutMilliseconds: UInt64 = 10_000
    ) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

extension HostStack {
    /// What the host wants sent or told.
    public enum Output: Sendable {
        /// Octets for the controller: one whole H4 packet.
        case send([UInt8])
        /// Something for the application.
        case event(Event)
    }

    /// What the host tells.
    public enum Event: Sendable {
        /// Start-up is done.
        case ready(ControllerInformation)
        /// The host went off; every link has been reported as gone before.
        case failed(HostFailure)
        /// The host has left the air and is off.
        case stopped
        /// An advertiser was heard.
        case advertisement(HCI.AdvertisingReport)
        /// The controller refused to scan.
        case scanFailed(HCI.Status)
        /// Advertising is on the air, or will be as soon as there is room for another central.
        case advertisingStarted
        /// The controller refused to advertise.
        case advertisingFailed(HCI.Status)
        /// A link is open.
        case connected(LinkID, HCI.Role, BluetoothAddress)
        /// A link that was asked for could not be opened.
        case connectFailed(BluetoothAddress, LinkFailure)
        /// A link is gone; every operation on it has been completed before.
        case disconnected(LinkID, LinkFailure)
        /// The MTU of a link is agreed, in octets.
        case mtuChanged(LinkID, Int)
        /// An operation is done.
        case completed(LinkID, GATT.OperationID, Result<GATT.Answer, RequestFailure>)
        /// The peer has sent a value by itself.
        case value(LinkID, AttributeHandle, [UInt8], GATT.ValueKind)
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
