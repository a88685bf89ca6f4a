// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// One controller: what its host has told it and what it is doing.
final class Controller {
    let id: VirtualAir.ControllerID
    var configuration: VirtualAir.ControllerConfiguration
    var framer = HCI.H4Framer()
    var state = State()
    /// Its sides of links, oldest first.
    var sides: [LinkSide] = []
    var statistics = VirtualAir.Statistics()
    /// Packets to the host that wait.
    var pendingOutputs = 0
    /// Packets to the host that are still on their way over the air.
    var underway = FIFO<(due: HostInstant, octets: [UInt8])>()
    /// When the last of them arrives; those that follow come no earlier.
    var lastArrival = HostInstant.zero
    /// Whether packets to the host wait outside, and enough of them.
    var isHeldBack = false
    /// Events that belong behind the answer to the command that is being carried out.
    var followUps: [HCI.Event] = []

    /// Everything that a reset puts back.
    struct State {
        var eventMask = HCI.EventMask.initial
        var leEventMask = HCI.LEEventMask.initial
        var randomAddress: BluetoothAddress?
        /// Which commands for advertising, scanning and connecting the host uses: the first decides.
        var advertisingCommands: AdvertisingCommands?
        /// What the legacy commands advertise.
        var legacySet = AdvertisingSet(
            handle: nil,
            parameters: .init(
                properties: [.legacy, .connectable, .scannable], interval: 1_280_000,
                ownAddressType: .public, peerAddress: .init(0, kind: .public), filterPolicy: .all))
        /// What the extended commands advertise, oldest first.
        var advertisingSets: [AdvertisingSet] = []
        var scanParameters = HCI.LESetScanParameters(
            type: .passive, interval: .init(rawValue: 0x0010), window: .init(rawValue: 0x0010),
            ownAddressType: .public, filterPolicy: .all)
        var extendedScanParameters = HCI.LESetExtendedScanParameters(
            ownAddressType: .public, filterPolicy: .all,
            le1M: .init(type: .passive, interval: .init(rawValue: 0x0010), window: .init(rawValue: 0x0010)))
        var scanning: Scanning?
        var initiating: Initiating?
        var filterAcceptList: [BluetoothAddress] = []
        /// Devices whose private addresses are known again, oldest first.
        var resolvingList: [ResolvingEntry] = []
        /// Whether the resolving list is used.
        var resolvesAddresses = false
        /// How long one private address is used.
        var privateAddressSeconds: UInt64 = 900
        var suggestedDefault = DataLength.initial
        /// The PHYs that new links may use; `nil` is any.
        var defaultPHYs: (tx: HCI.PHYs?, rx: HCI.PHYs?) = (nil, nil)
        /// What the host has said of its room for ACL data.
        var hostBuffers: HostBuffers?
        /// Whether data goes to the host only as long as it has room.
        var controlsFlow = false
        /// The data channels that the host has not called bad.
        var channels = HCI.ChannelMap.all
    }

    /// The two families of commands, which must not be mixed between two resets.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 3.1.1.
    enum AdvertisingCommands {
        case legacy
        case extended
    }

    init(id: VirtualAir.ControllerID, configuration: VirtualAir.ControllerConfiguration) {
        self.id = id
        self.configuration = configuration
    }

    func side(_ handle: ConnectionHandle) -> LinkSide? { sides.first { $0.handle == handle } }

    /// The lowest handle that no link has: the next link after a lost one gets its handle, as in real life.
    var freeHandle: ConnectionHandle {
        var handle: UInt16 = 0
        while side(ConnectionHandle(rawValue: handle)) != nil { handle += 1 }
        return ConnectionHandle(rawValue: handle)
    }

    /// Whether it has all the links that it can have.
    var isFull: Bool { sides.count >= configuration.maximumLinks }

    /// ACL packets from the host that it holds.
    var heldPackets: Int { sides.reduce(0) { $0 + $1.data.count } }

    /// Whether the host does not take what it gets.
    var isHostBusy: Bool { isHeldBack || pendingOutputs >= configuration.maximumPendingOutputs }

    var isExtended: Bool { configuration.generation == .extended }

    /// What it can do on LE.
    var features: HCI.LEFeatures {
        let legacy: HCI.LEFeatures = [
            .encryption, .connectionParametersRequest, .extendedRejectIndication,
            .peripheralInitiatedFeaturesExchange,
            .dataPacketLengthExtension,
        ]
        guard isExtended else { return legacy }
        return legacy.union([
            .privacy, .phy2M, .phyCoded, .extendedAdvertising, .channelSelectionAlgorithm2,
        ])
    }

    /// Its version: Bluetooth 4.2 or 5.4.
    var version: UInt8 { isExtended ? 0x0D : 0x08 }

    /// The longest packets that it sends and receives: a link on LE Coded takes more time.
    var maximumDataLength: DataLength { DataLength(octets: 251, time: isExtended ? 17_040 : 2120) }

    /// The address that the host chose, if there is one: its public one or this random one; where it chose a private address, the
    /// one that is used when the resolving list has no key for it.
    func address(_ type: HCI.OwnAddressType, random: BluetoothAddress?) throws(HCI.Status) -> BluetoothAddress
    {
        switch type {
        // An old controller has no resolving list, and its features say so.
        case .resolvableOrPublic where !isExtended, .resolvableOrRandom where !isExtended:
            throw .unsupportedFeatureOrParameterValue
        case .public, .resolvableOrPublic: return configuration.address
        case .random, .resolvableOrRandom:
            guard let random else { throw .invalidHCICommandParameters }
            return random
        }
    }

    func address(_ type: HCI.OwnAddressType) throws(HCI.Status) -> BluetoothAddress {
        try address(type, random: state.randomAddress)
    }

    func advertisingSet(_ handle: HCI.AdvertisingHandle) throws(HCI.Status) -> AdvertisingSet {
        guard let set = state.advertisingSets.first(where: { $0.handle == handle }) else {
            throw .unknownAdvertisingIdentifier
        }
        return set
    }

    func isLinked(to address: BluetoothAddress) -> Bool { sides.contains { $0.peerAddress == address } }

    /// Whether the filter accept list decides something now and so must not change.
    var isFilterAcceptListInUse: Bool {
        (state.advertisingSets + [state.legacySet]).contains {
            $0.run != nil && $0.parameters.filterPolicy != .all
        } || state.scanning?.filterPolicy.usesAcceptList == true
            || state.initiating?.filterPolicy == .acceptList
    }

    /// Whether the host's masks let an event through.
    func wants(_ event: HCI.Event) -> Bool {
        let bits: HCI.EventMask
        switch event {
        case .disconnectionComplete: bits = .disconnectionComplete
        case .encryptionChange: bits = .encryptionChange
        case .encryptionKeyRefreshComplete: bits = .encryptionKeyRefreshComplete
        case .readRemoteVersionInformationComplete: bits = .readRemoteVersionInformationComplete
        case .hardwareError: bits = .hardwareError
        case .dataBufferOverflow: bits = .dataBufferOverflow
        // These three cannot be masked.
        case .commandComplete, .commandStatus, .numberOfCompletedPackets: bits = []
        default: bits = .leMeta
        }
        guard state.eventMask.isSuperset(of: bits) else { return false }
        guard let subevent = event.subevent else { return true }
        // The bit of an LE event is its code less one.
        let bit = HCI.LEEventMask(rawValue: 1 << UInt64(subevent.rawValue &- 1))
        return state.leEventMask.isSuperset(of: bit)
    }
}

extension HCI.ScanFilterPolicy {
    var usesAcceptList: Bool { self == .acceptList || self == .acceptListAndUnresolved }
}
