// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// An attempt to connect, from the command to its end.
struct Initiating {
    let address: BluetoothAddress
    let ownAddressType: HCI.OwnAddressType
    let filterPolicy: HCI.InitiatorFilterPolicy
    let peerAddress: BluetoothAddress
    /// Whether the host used the extended command.
    let isExtended: Bool
    /// When it listens, on LE 1M and on LE Coded.
    let windows: (le1M: ScanWindows?, leCoded: ScanWindows?)
    /// The parameters of a link on each PHY; at least one.
    let parameters: [(phy: HCI.PHY, link: LinkParameters)]

    /// Whether advertising of a kind can be heard now.
    func hears(_ parameters: AdvertisingSet.Parameters, at now: HostInstant) -> Bool {
        guard parameters.isLegacy || isExtended else { return false }
        let windows = parameters.primaryPHY == .leCoded ? windows.leCoded : windows.le1M
        return windows?.isOpen(at: now) ?? false
    }

    /// The parameters for a link that begins on a PHY: its own, else those of another.
    func parameters(on phy: HCI.PHY) -> LinkParameters? {
        (parameters.first { $0.phy == phy } ?? parameters.first)?.link
    }
}

extension VirtualAir {
    /// Connects an initiator to an advertiser that it heard, if both want to.
    ///
    /// - Returns: Whether the advertiser is connected and so advertises no more.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.4.
    func connect(_ initiator: Controller, to advertiser: Controller, _ advertising: Advertising) -> Bool {
        guard let initiating = initiator.state.initiating else { return false }
        let parameters = advertising.set.parameters
        let phy = parameters.isLegacy ? HCI.PHY.le1M : parameters.secondaryPHY
        guard parameters.isConnectable, let heard = initiator.heard(advertising.address),
            !initiator.isLinked(to: heard.address), let wanted = initiating.parameters(on: phy)
        else { return false }
        guard !initiator.isFull, !advertiser.isFull else { return false }
        if parameters.isDirected, parameters.peerAddress != initiating.address { return false }
        switch initiating.filterPolicy {
        case .peerAddress: guard heard.isOne(of: [initiating.peerAddress]) else { return false }
        case .acceptList:
            guard heard.isOne(of: initiator.state.filterAcceptList) else { return false }
        }
        let own = ownAddress(
            of: initiator, initiating.ownAddressType, towards: heard.address, else: initiating.address)
        let asking = advertiser.heard(own)
        let onlyListed = parameters.filterPolicy == .filterConnect || parameters.filterPolicy == .filterBoth
        let isWelcome = asking.map { !onlyListed || $0.isOne(of: advertiser.state.filterAcceptList) } ?? false
        let isHeard = isWelcome && delivers(from: initiator, to: advertiser)
        // A legacy initiator takes the link as made when it has asked, whether or not it was heard; an
        // extended one waits for the answer.
        let isMade = parameters.isLegacy || isHeard && delivers(from: advertiser, to: initiator)
        guard isHeard || isMade else { return false }
        let link = Link(
            parameters: wanted, phy: phy, channels: initiator.state.channels,
            firstAnchor: now.advanced(byMicroseconds: 2500))
        if isMade {
            initiator.state.initiating = nil
            open(link, .central, at: initiator, own, peer: heard, of: advertiser)
        }
        if isHeard, let asking {
            advertising.set.run = nil
            let side = open(
                link, .peripheral, at: advertiser, advertising.address, peer: asking, of: initiator)
            if let set = advertising.set.handle {
                send(
                    .advertisingSetTerminated(
                        .init(
                            status: .success, advertisingHandle: set, handle: side.handle,
                            completedEvents: UInt8(min(255, advertising.events)))), to: advertiser)
            }
        }
        wake(link)
        return isHeard
    }

    @discardableResult
    private func open(
        _ link: Link, _ role: HCI.Role, at controller: Controller, _ own: BluetoothAddress,
        peer: HeardAddress, of other: Controller
    ) -> LinkSide {
        let side = LinkSide(
            link: link, role: role, controller: controller, handle: controller.freeHandle,
            peerAddress: peer.address, now: now)
        controller.sides.append(side)
        link[role] = side
        send(
            controller.connectionEvent(
                HCI.LEConnectionComplete(
                    status: .success, handle: side.handle, role: role, peerAddress: peer.address,
                    interval: link.parameters.interval, latency: link.parameters.latency,
                    supervisionTimeout: link.parameters.supervisionTimeout, centralClockAccuracy: 0),
                own: own, peer: peer),
            to: controller)
        if controller.isExtended {
            // 1 is algorithm #2, which needs both.
            let event = HCI.LEChannelSelectionAlgorithm(
                handle: side.handle, algorithm: other.isExtended ? 1 : 0)
            send(.channelSelectionAlgorithm(event), to: controller)
        }
        // A host that suggested more than the minimum need not ask again for each link.
        if side.wanted.octets > DataLength.initial.octets { side.control.append(.lengthRequest) }
        return side
    }
}

extension Controller {
    /// The event for a link or the end of an attempt, in the form that the host wants.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.10.
    func connectionEvent(
        _ event: HCI.LEConnectionComplete, own: BluetoothAddress? = nil, peer: HeardAddress? = nil
    ) -> HCI.Event {
        let none = BluetoothAddress(0, kind: .random)
        let isOurs = state.resolvingList.contains { $0.local?.address == own }
        let enhanced = HCI.Event.enhancedConnectionComplete(
            .init(
                status: event.status, handle: event.handle, role: event.role, peerAddress: event.peerAddress,
                isPeerIdentity: peer?.isIdentity ?? false,
                localResolvablePrivateAddress: isOurs ? own ?? none : none,
                peerResolvablePrivateAddress: peer?.isIdentity == true ? peer?.onAir ?? none : none,
                interval: event.interval, latency: event.latency,
                supervisionTimeout: event.supervisionTimeout,
                centralClockAccuracy: event.centralClockAccuracy))
        return isExtended && wants(enhanced) ? enhanced : .connectionComplete(event)
    }
}

extension HCI.LEConnectionComplete {
    /// The end of an attempt that made no link.
    static func failed(_ status: HCI.Status, role: HCI.Role) -> HCI.LEConnectionComplete {
        HCI.LEConnectionComplete(
            status: status, handle: .init(rawValue: 0), role: role, peerAddress: .init(0, kind: .public),
            interval: .init(rawValue: 0), latency: 0, supervisionTimeout: .init(rawValue: 0),
            centralClockAccuracy: 0)
    }
}
