// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLEWire

extension HostStack {
    /// Opens a link; ends with `connected` or `connectFailed`.
    ///
    /// - Parameters:
    ///   - address: To whom.
    ///   - parameters: How, and the link's timing.
    ///   - now: The moment.
    public mutating func connect(
        to address: BluetoothAddress, _ parameters: ConnectParameters = ConnectParameters(),
        at now: HostInstant
    ) { connect(toFirstOf: [address], parameters, at: now) }

    /// Opens a link to whichever of several peers is heard first.
    ///
    /// Ends with `connected`, or with `connectFailed` and the first of the addresses.
    ///
    /// - Parameters:
    ///   - addresses: To whom; at least one, and at most as many as the filter accept list holds.
    ///   - parameters: How, and the link's timing.
    ///   - now: The moment.
    public mutating func connect(
        toFirstOf addresses: [BluetoothAddress], _ parameters: ConnectParameters = ConnectParameters(),
        at now: HostInstant
    ) {
        let name = addresses.first ?? BluetoothAddress(0, kind: .anonymous)
        guard isReady else {
            report(.connectFailed(name, .radioLost))
            return
        }
        guard !addresses.isEmpty, addresses.count <= max(1, controller.filterAcceptListSize),
            initiator.waitingCount < configuration.limits.connectAttempts
        else {
            report(.connectFailed(name, .controller(status: HCI.Status.memoryCapacityExceeded.rawValue)))
            return
        }
        initiator.connect(addressesOnAir(of: addresses), parameters, at: now)
        drainInitiator(at: now)
        pump(at: now)
    }

    /// Gives up opening a link; ends with `connectFailed`, or with `connected` when it was too late.
    ///
    /// - Parameters:
    ///   - address: To whom; of several, the first.
    ///   - now: The moment.
    public mutating func cancelConnect(to address: BluetoothAddress, at now: HostInstant) {
        initiator.cancel(address, at: now)
        drainInitiator(at: now)
        pump(at: now)
    }

    mutating func linkOpened(
        _ status: HCI.Status, _ handle: ConnectionHandle, _ role: HCI.Role, _ peer: BluetoothAddress,
        _ parameters: ConnectionParameters, onAir: BluetoothAddress? = nil, at now: HostInstant
    ) {
        if case .starting = phase { return }
        guard status == .success else {
            initiator.connectionFailed(status, at: now)
            drainInitiator(at: now)
            return
        }
        // No link has such a handle (Core v5.4, Vol 4, Part E, 5.3.1).
        guard handle.rawValue <= 0x0EFF else {
            respond(to: .malformedEvent, at: now)
            return
        }
        // A handle that is still known belonged to a link whose end was never reported.
        if let link = links.with(handle) { linkClosed(link, .connectionTimeout, at: now) }
        lastLink &+= 1
        let link = Link(
            id: LinkID(rawValue: lastLink), handle: handle, role: role, peer: onAir ?? peer,
            parameters: parameters,
            maximumMTU: configuration.maximumMTU, limits: configuration.limits)
        for listener in listeners { link.admitFrames(of: listener.parameters.mps) }
        links.append(link)
        let identity = identity(resolving: peer) ?? peer
        beginSecurity(link, identity)
        report(.connected(link.id, role, identity))
        // The buffers are everyone's now.
        for link in links { giveBack(link) }
        switch role {
        case .central:
            if isReady, initiator.current?.parameters.exchangesMTU == false {
                report(.mtuChanged(link.id, link.client.mtu))
            } else if isReady {
                link.mtuExchange = link.client.perform(.exchangeMTU(configuration.maximumMTU), at: now)
                drain(link, at: now)
            }
            initiator.connectionOpened(peer, identity: identity, at: now)
            drainInitiator(at: now)
        case .peripheral:
            advertiser.centralConnected(at: now)
            drainAdvertiser(at: now)
            initiator.peerConnected(peer, identity: identity, at: now)
            drainInitiator(at: now)
        }
        // It may have come about while the host or the server was stopping.
        if !isReady || role == .peripheral && !isServing { close(link, because: .closedByUs, at: now) }
    }

    /// Closes a link; ends with `disconnected`.
    ///
    /// What was to be sent before still goes out, for a few connection events at most.
    ///
    /// - Parameters:
    ///   - id: Which link.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func disconnect(_ id: LinkID, at now: HostInstant) {
        guard let link = links.with(id) else { return }
        perform(link.life.disconnect(isFlushed: link.isFlushed, link.parameters, at: now), link, at: now)
        pump(at: now)
    }

    /// Goes on with the end of a link: all has been sent, or time has passed.
    mutating func proceed(_ link: Link, at now: HostInstant) {
        perform(link.life.proceed(isFlushed: link.isFlushed, link.parameters, at: now), link, at: now)
    }

    /// Ends a link at once.
    mutating func close(_ link: Link, because: LinkError, at now: HostInstant) {
        perform(link.life.close(because: because, link.parameters, at: now), link, at: now)
    }

    private mutating func perform(_ action: LinkLife.Action, _ link: Link, at now: HostInstant) {
        switch action {
        case .none: break
        case .disconnect:
            enqueue(
                HCI.Disconnect(handle: link.handle, reason: .remoteUserTerminatedConnection),
                for: .disconnect(link.id), at: now)
        case .end: linkClosed(link, .connectionTimeout, at: now)
        }
    }

    /// Handles that a link is gone, or that the controller does not know it any more.
    mutating func linkClosed(_ link: Link, _ reason: HCI.Status, at now: HostInstant) {
        guard let index = links.firstIndex(where: { $0 === link }) else { return }
        links.remove(at: index)
        acl.free += link.inController
        forget(link)
        lose(link, link.life.end(reason), at: now)
        for link in links { giveBack(link) }
        guard link.role == .peripheral else { return }
        advertiser.centralDisconnected(at: now)
        drainAdvertiser(at: now)
    }

    /// Completes everything that waits on a link, then reports that it is gone.
    mutating func lose(_ link: Link, _ failure: LinkError, at now: HostInstant) {
        endSecurity(link, at: now)
        procedures(of: link, failed: .disconnected)
        link.client.closed()
        link.server.closed()
        link.channels.linkClosed()
        drain(link, at: now)
        report(.disconnected(link.id, failure))
    }
}
