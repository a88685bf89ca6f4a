// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// An attempt to connect, from the command to its end.
struct Initiating {
    let address: BluetoothAddress
    let command: HCI.LECreateConnection
    let windows: ScanWindows

    func isListening(at now: HostInstant) -> Bool { windows.isOpen(at: now) }
}

extension VirtualAir {
    /// Connects an initiator to an advertiser that it heard, if both want to.
    ///
    /// - Returns: Whether the advertiser is connected and so advertises no more.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.4.4.
    func connect(_ initiator: Controller, to advertiser: Controller, _ advertising: Advertising) -> Bool {
        guard let initiating = initiator.state.initiating else { return false }
        let parameters = advertiser.state.advertisingParameters
        guard parameters.type.isConnectable, !initiator.isLinked(to: advertising.address) else {
            return false
        }
        guard !initiator.isFull, !advertiser.isFull else { return false }
        if parameters.type.isDirected, parameters.peerAddress != initiating.address { return false }
        switch initiating.command.filterPolicy {
        case .peerAddress: guard advertising.address == initiating.command.peerAddress else { return false }
        case .acceptList:
            guard initiator.state.filterAcceptList.contains(advertising.address) else { return false }
        }
        // The initiator takes the link as made when it has asked, whether or not it was heard.
        initiator.state.initiating = nil
        let link = Link(
            parameters: LinkParameters(initiating.command), firstAnchor: now.advanced(byMicroseconds: 2500))
        open(link, .central, at: initiator, peer: advertising.address)
        let onlyListed = parameters.filterPolicy == .filterConnect || parameters.filterPolicy == .filterBoth
        let isWelcome = !onlyListed || advertiser.state.filterAcceptList.contains(initiating.address)
        let isConnected = isWelcome && delivers(from: initiator, to: advertiser)
        if isConnected {
            advertiser.state.advertising = nil
            open(link, .peripheral, at: advertiser, peer: initiating.address)
        }
        wake(link)
        return isConnected
    }

    private func open(_ link: Link, _ role: HCI.Role, at controller: Controller, peer: BluetoothAddress) {
        let side = LinkSide(
            link: link, role: role, controller: controller, handle: controller.freeHandle, peerAddress: peer,
            now: now)
        controller.sides.append(side)
        link[role] = side
        send(
            .connectionComplete(
                HCI.LEConnectionComplete(
                    status: .success, handle: side.handle, role: role, peerAddress: peer,
                    interval: link.parameters.interval, latency: link.parameters.latency,
                    supervisionTimeout: link.parameters.supervisionTimeout, centralClockAccuracy: 0)),
            to: controller)
        // A host that suggested more than the minimum need not ask again for each link.
        if side.wanted.octets > DataLength.initial.octets { side.control.append(.lengthRequest) }
    }
}

extension HCI.LEConnectionComplete {
    /// The end of an attempt that made no link.
    static func failed(_ status: HCI.Status, role: HCI.Role) -> HCI.LEConnectionComplete {
        HCI.LEConnectionComplete(
            status: status, handle: .init(rawValue: 0), role: role, peerAddress: .init(0, .public),
            interval: .init(rawValue: 0), latency: 0, supervisionTimeout: .init(rawValue: 0),
            centralClockAccuracy: 0)
    }
}
