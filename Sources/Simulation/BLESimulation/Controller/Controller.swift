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
        var advertisingParameters = HCI.LESetAdvertisingParameters(
            intervalMin: .init(rawValue: 0x0800), intervalMax: .init(rawValue: 0x0800),
            type: .connectableUndirected, ownAddressType: .public, peerAddress: .init(0, .public),
            channelMap: .all, filterPolicy: .all)
        var advertisingData: [UInt8] = []
        var scanResponseData: [UInt8] = []
        var advertising: Advertising?
        var scanParameters = HCI.LESetScanParameters(
            type: .passive, interval: .init(rawValue: 0x0010), window: .init(rawValue: 0x0010),
            ownAddressType: .public, filterPolicy: .all)
        var scanning: Scanning?
        var initiating: Initiating?
        var filterAcceptList: [BluetoothAddress] = []
        var suggestedDefault = DataLength.initial
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

    /// The address that the host chose, if there is one.
    func address(_ type: HCI.OwnAddressType) throws(HCI.Status) -> BluetoothAddress {
        switch type {
        case .public: return configuration.address
        case .random:
            guard let address = state.randomAddress else { throw .invalidHCICommandParameters }
            return address
        // There is no resolving list, and the features say so.
        case .resolvableOrPublic, .resolvableOrRandom: throw .unsupportedFeatureOrParameterValue
        }
    }

    func isLinked(to address: BluetoothAddress) -> Bool { sides.contains { $0.peerAddress == address } }

    /// Whether the filter accept list decides something now and so must not change.
    var isFilterAcceptListInUse: Bool {
        state.advertising != nil && state.advertisingParameters.filterPolicy != .all
            || state.scanning != nil && state.scanParameters.filterPolicy.usesAcceptList
            || state.initiating?.command.filterPolicy == .acceptList
    }

    /// Whether the host's masks let an event through.
    func wants(_ event: HCI.Event) -> Bool {
        let bits: HCI.EventMask
        switch event {
        case .disconnectionComplete: bits = .disconnectionComplete
        case .encryptionChange: bits = .encryptionChange
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
