// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension LinkParameters {
    /// Chooses the longest interval that the host allows.
    ///
    /// - Throws: The status for a combination that the specification forbids.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.12.
    init(
        choosingFrom minimum: ConnectionInterval, to maximum: ConnectionInterval, latency: UInt16,
        supervisionTimeout: SupervisionTimeout
    ) throws(HCI.Status) {
        let silence = (UInt64(latency) + 1) * maximum.microseconds * 2
        guard (6...3200).contains(minimum.rawValue), (6...3200).contains(maximum.rawValue),
            minimum.rawValue <= maximum.rawValue, latency <= 499,
            (10...3200).contains(supervisionTimeout.rawValue), supervisionTimeout.microseconds > silence
        else { throw .invalidHCICommandParameters }
        self.init(interval: maximum, latency: latency, supervisionTimeout: supervisionTimeout)
    }
}

extension LinkSide {
    /// Queues a control packet that the host asked for.
    func request(_ control: LinkControl, in air: VirtualAir) throws(HCI.Status) {
        guard !isTerminating, self.control.count < 8 else { throw .commandDisallowed }
        self.control.append(control)
        air.wake(link)
    }
}

extension HCI.Disconnect: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        guard reason.isDisconnectReason else { throw .invalidHCICommandParameters }
        try side.request(.terminate(reason), in: air)
        side.isTerminating = true
        return HCI.StatusOnly()
    }
}

extension HCI.ReadRemoteVersionInformation: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try side.request(.versionRequest, in: air)
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadRemoteFeatures: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        try side.request(.featureRequest, in: air)
        return HCI.StatusOnly()
    }
}

extension HCI.ReadRSSI: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let rssi = side.peer.map { air.rssi(of: $0.controller, at: side.controller) }
        return ReturnParameters(handle: handle, rssi: rssi)
    }
}

extension HCI.LEConnectionUpdate: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        let parameters = try LinkParameters(
            choosingFrom: intervalMin, to: intervalMax, latency: maxLatency,
            supervisionTimeout: supervisionTimeout)
        guard side.link.update == nil, !side.awaitsParameters else { throw .commandDisallowed }
        switch side.role {
        case .central: try side.request(.connectionUpdate(parameters), in: air)
        case .peripheral:
            try side.request(.parameterRequest(self), in: air)
            side.awaitsParameters = true
        }
        return HCI.StatusOnly()
    }
}

extension HCI.LERemoteConnectionParameterRequestReply: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let parameters = try LinkParameters(
            choosingFrom: intervalMin, to: intervalMax, latency: maxLatency,
            supervisionTimeout: supervisionTimeout)
        guard side.owesParameters else { throw .commandDisallowed }
        try side.request(.connectionUpdate(parameters), in: air)
        side.owesParameters = false
        return ReturnParameters(handle: handle)
    }
}

extension HCI.LERemoteConnectionParameterRequestNegativeReply: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        guard side.owesParameters else { throw .commandDisallowed }
        try side.request(.parameterReject(reason), in: air)
        side.owesParameters = false
        return ReturnParameters(handle: handle)
    }
}

extension DataLength {
    /// - Throws: The status for a length that the specification forbids.
    init(checking octets: UInt16, _ time: UInt16) throws(HCI.Status) {
        guard (27...251).contains(octets), (328...17040).contains(time) else {
            throw .invalidHCICommandParameters
        }
        self.init(octets: octets, time: time)
    }
}

extension HCI.LESetDataLength: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let wanted = try DataLength(checking: txOctets, txTime)
        try side.request(.lengthRequest, in: air)
        side.wanted = wanted
        return ReturnParameters(handle: handle)
    }
}

extension HCI.LEReadSuggestedDefaultDataLength: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let length = controller.state.suggestedDefault
        return ReturnParameters(maxTxOctets: length.octets, maxTxTime: length.time)
    }
}

extension HCI.LEWriteSuggestedDefaultDataLength: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> HCI.StatusOnly {
        controller.state.suggestedDefault = try DataLength(checking: maxTxOctets, maxTxTime)
        return HCI.StatusOnly()
    }
}

extension HCI.LEReadMaximumDataLength: SimulatedCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        let length = controller.maximumDataLength
        return ReturnParameters(
            maxTxOctets: length.octets, maxTxTime: length.time, maxRxOctets: length.octets,
            maxRxTime: length.time)
    }
}

extension HCI.ReadTransmitPowerLevel: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(handle: handle, txPower: side.controller.configuration.txPower)
    }
}

extension HCI.LEReadChannelMap: SimulatedLinkCommand {
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        ReturnParameters(handle: handle, channels: side.link.channels)
    }
}
