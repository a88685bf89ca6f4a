// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLEWire

/// Links that are being opened: one at a time, the others wait.
struct Initiator {
    struct Attempt {
        /// To whom; the first who is heard, if there are several.
        let addresses: [BluetoothAddress]
        let parameters: ConnectParameters

        /// The address that tells what becomes of it.
        var name: BluetoothAddress { addresses.first ?? BluetoothAddress(0, .anonymous) }
    }

    enum State {
        case idle
        case initiating(Attempt, deadline: HostInstant)
        /// The controller was told to give up; it reports that, or the link after all, before the deadline.
        case cancelling(Attempt, because: LinkFailure, deadline: HostInstant)
    }

    var state = State.idle
    var waiting: [Attempt] = []

    var isBusy: Bool {
        if case .idle = state { return false }
        return true
    }

    var deadline: HostInstant? {
        switch state {
        case .idle: nil
        case .initiating(_, let deadline), .cancelling(_, _, let deadline): deadline
        }
    }

    /// What the controller was told to do.
    var current: Attempt? {
        switch state {
        case .idle: nil
        case .initiating(let attempt, _), .cancelling(let attempt, _, _): attempt
        }
    }

    /// Whether the controller was told to connect to this one.
    func isOpening(_ address: BluetoothAddress) -> Bool { current?.addresses.contains(address) ?? false }

    /// Forgets everything.
    ///
    /// - Returns: What was to be opened, by name.
    mutating func removeAll() -> [BluetoothAddress] {
        var attempts = waiting
        if let current { attempts.insert(current, at: 0) }
        self = Initiator()
        return attempts.map { $0.name }
    }
}

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
        let attempt = Initiator.Attempt(addresses: addresses, parameters: parameters)
        guard isReady else {
            tell(.connectFailed(attempt.name, .radioLost))
            return
        }
        guard !addresses.isEmpty, addresses.count <= max(1, controller.filterAcceptListSize) else {
            tell(
                .connectFailed(
                    attempt.name, .controller(status: HCI.Status.memoryCapacityExceeded.rawValue)))
            return
        }
        guard initiator.waiting.count < configuration.limits.connectAttempts else {
            tell(
                .connectFailed(
                    attempt.name, .controller(status: HCI.Status.memoryCapacityExceeded.rawValue)))
            return
        }
        initiator.waiting.append(attempt)
        startInitiating(at: now)
        pump(at: now)
    }

    /// Gives up opening a link; ends with `connectFailed`, or with `connected` when it was too late.
    ///
    /// - Parameters:
    ///   - address: To whom; of several, the first.
    ///   - now: The moment.
    public mutating func cancelConnect(to address: BluetoothAddress, at now: HostInstant) {
        if let index = initiator.waiting.firstIndex(where: { $0.name == address }) {
            initiator.waiting.remove(at: index)
            tell(.connectFailed(address, .closedByUs))
        } else if case .initiating(let attempt, _) = initiator.state, attempt.name == address {
            cancel(attempt, because: .closedByUs, at: now)
        }
        pump(at: now)
    }

    mutating func initiatorDeadline(at now: HostInstant) {
        switch initiator.state {
        case .initiating(let attempt, let deadline) where deadline <= now:
            cancel(attempt, because: .connectTimeout, at: now)
        case .cancelling(let attempt, let because, let deadline) where deadline <= now:
            // The attempt had ended already, or the controller has forgotten it.
            tell(.connectFailed(attempt.name, because))
            initiationEnded(at: now)
        default: break
        }
    }

    mutating func cancel(_ attempt: Initiator.Attempt, because: LinkFailure, at now: HostInstant) {
        initiator.state = .cancelling(attempt, because: because, deadline: now.advanced(bySeconds: 2))
        command(HCI.LECreateConnectionCancel(), at: now)
    }

    private mutating func startInitiating(at now: HostInstant) {
        guard !initiator.isBusy, !initiator.waiting.isEmpty else { return }
        let attempt = initiator.waiting.removeFirst()
        pauseScan(at: now)
        initiator.state = .initiating(
            attempt, deadline: now.advanced(byMilliseconds: attempt.parameters.timeoutMilliseconds))
        createConnection(attempt, at: now)
    }

    /// Gives up every link that is being opened.
    mutating func giveUpConnecting(at now: HostInstant) {
        for attempt in initiator.waiting { tell(.connectFailed(attempt.name, .closedByUs)) }
        initiator.waiting = []
        if case .initiating(let attempt, _) = initiator.state {
            cancel(attempt, because: .closedByUs, at: now)
        }
    }

    /// The attempt is over: the next one, or the scan, goes on.
    private mutating func initiationEnded(at now: HostInstant) {
        initiator.state = .idle
        startInitiating(at: now)
        resumeScan(at: now)
    }

    mutating func linkOpened(
        _ status: HCI.Status, _ handle: ConnectionHandle, _ role: HCI.Role, _ peer: BluetoothAddress,
        _ parameters: ConnectionParameters, at now: HostInstant
    ) {
        if case .starting = phase { return }
        guard status == .success else {
            attemptFailed(status, at: now)
            return
        }
        // A handle that is still known belonged to a link whose end was never reported.
        if links.contains(where: { $0.handle == handle }) { linkClosed(handle, .connectionTimeout, at: now) }
        lastLink &+= 1
        let link = Link(
            id: LinkID(rawValue: lastLink), handle: handle, role: role, peer: peer, parameters: parameters,
            maximumMTU: configuration.maximumMTU, limits: configuration.limits)
        for listener in listeners { link.admitFrames(of: listener.parameters.mps) }
        links.append(link)
        tell(.connected(link.id, role, peer))
        guard isReady else {
            // The host was stopping when the link came about.
            if role == .central, initiator.isOpening(peer) { initiationEnded(at: now) }
            close(link, because: .closedByUs, at: now)
            return
        }
        switch role {
        case .central:
            link.mtuExchange = link.client.perform(.exchangeMTU(configuration.maximumMTU), at: now)
            drain(link, at: now)
            if initiator.isOpening(peer) { initiationEnded(at: now) }
        case .peripheral:
            advertiser.isOn = false
            if isServing {
                resumeAdvertising(at: now)
            } else {
                // It came about while serving stopped.
                close(link, because: .closedByUs, at: now)
            }
        }
    }

    /// The attempt that runs is over: refused, cancelled or failed.
    mutating func attemptFailed(_ status: HCI.Status, at now: HostInstant) {
        switch initiator.state {
        case .idle: return
        case .cancelling(let attempt, let because, _): tell(.connectFailed(attempt.name, because))
        case .initiating(let attempt, _):
            tell(.connectFailed(attempt.name, .controller(status: status.rawValue)))
        }
        initiationEnded(at: now)
    }

    /// Closes a link; ends with `disconnected`.
    ///
    /// What was to be sent before still goes out, for a few connection events at most.
    ///
    /// - Parameters:
    ///   - id: Which link.
    ///   - now: The moment.
    public mutating func disconnect(_ id: LinkID, at now: HostInstant) {
        guard let link = link(id), link.closing == nil else { return }
        if link.isFlushed {
            close(link, because: .closedByUs, at: now)
        } else {
            link.closing = .closedByUs
            link.flushUntil = now.advanced(byMilliseconds: 300)
        }
        pump(at: now)
    }

    /// Closes a link that waits for it, once all has been sent or the time for that is over.
    mutating func flushed(_ link: Link, at now: HostInstant) {
        guard let limit = link.flushUntil, link.isFlushed || limit <= now else { return }
        link.flushUntil = nil
        sendDisconnect(link, at: now)
    }

    mutating func close(_ link: Link, because: LinkFailure, at now: HostInstant) {
        guard link.closing == nil else { return }
        link.closing = because
        sendDisconnect(link, at: now)
    }

    /// Asks the controller to end a link; it has until the peer would be given up, and a little more.
    private mutating func sendDisconnect(_ link: Link, at now: HostInstant) {
        let timeout = link.parameters.supervisionTimeout.microseconds
        link.closeBy = now.advanced(byMicroseconds: timeout + 2_000_000)
        command(HCI.Disconnect(handle: link.handle, reason: .remoteUserTerminatedConnection), at: now)
    }

    mutating func linkClosed(_ handle: ConnectionHandle, _ reason: HCI.Status, at now: HostInstant) {
        guard let index = links.firstIndex(where: { $0.handle == handle }) else { return }
        let link = links.remove(at: index)
        acl.free += link.inController
        let failure: LinkFailure =
            switch reason {
            case _ where link.closing != nil: link.closing ?? .closedByUs
            case .connectionTerminatedByLocalHost: .closedByUs
            case .connectionTimeout: .supervisionTimeout
            case .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
                .remoteDeviceTerminatedPowerOff:
                .closedByPeer
            case .authenticationFailure, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
                .unacceptableConnectionParameters:
                .closedByPeerBecause(status: reason.rawValue)
            case let status: .controller(status: status.rawValue)
            }
        lose(link, failure, at: now)
        if link.role == .peripheral { resumeAdvertising(at: now) }
    }

    /// Completes everything that waits on a link, then tells that it is gone.
    mutating func lose(_ link: Link, _ failure: LinkFailure, at now: HostInstant) {
        procedures(of: link, failed: .disconnected)
        link.client.closed()
        link.server.closed()
        link.channels.linkClosed()
        link.closing = failure
        drain(link, at: now)
        tell(.disconnected(link.id, failure))
    }
}
