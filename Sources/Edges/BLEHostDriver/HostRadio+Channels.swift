// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEL2CAP
import BLEWire
public import BluetoothLE

/// Names a channel on any link.
struct ChannelKey: Hashable {
    let link: LinkID
    let token: L2CAP.ChannelToken
}

/// The channels of a radio, and who waits for what on them.
struct ChannelTable {
    var open: [ChannelKey: HostChannel] = [:]
    var openings: [ChannelKey: HostRadio.Waiter<Result<HostChannel, ChannelFailure>>] = [:]
    var listeners: [UInt16: HostChannelListener] = [:]
    /// Who waits until a channel takes another SDU.
    var roomWaiters: [ChannelKey: [HostRadio.Waiter<Void>]] = [:]

    /// Whether somebody waits for what only reading can bring.
    var isAwaited: Bool { !openings.isEmpty || !roomWaiters.isEmpty }
}

extension HostRadio {
    /// Lets peers open L2CAP channels.
    public func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListener {
        guard !isClosed else { throw .radioUnavailable("it is closed") }
        if let psm { try Self.check(psm) }
        guard let psm = psm ?? (0x80...0xFF).first(where: { channels.listeners[$0] == nil }) else {
            throw .channel(.noResources)
        }
        guard channels.listeners[psm] == nil else {
            throw .invalidArgument("Somebody listens at PSM \(psm) already; stop that first.")
        }
        let listener = HostChannelListener(self, psm)
        channels.listeners[psm] = listener
        stack.listen(at: L2CAP.PSM(rawValue: psm), L2CAP.ChannelParameters(options))
        return listener
    }

    func stopListening(_ listener: HostChannelListener) {
        guard channels.listeners[listener.psm] === listener else { return }
        channels.listeners[listener.psm] = nil
        stack.stopListening(at: L2CAP.PSM(rawValue: listener.psm))
        listener.end()
    }

    private static func check(_ psm: UInt16) throws(BluetoothError) {
        guard (1...0xFF).contains(psm) else {
            throw .invalidArgument("PSM \(psm) cannot be: on LE they go from 1 to 255.")
        }
    }

    /// Opens a channel on a link.
    func openChannel(
        _ psm: UInt16, _ options: ChannelOptions, on link: LinkID
    ) async throws(BluetoothError) -> HostChannel {
        try Self.check(psm)
        guard !Task.isCancelled else { throw .cancelled }
        guard
            let token = stack.openChannel(
                L2CAP.PSM(rawValue: psm), L2CAP.ChannelParameters(options), on: link, at: clock.now)
        else { throw .channel(.linkLost) }
        let key = ChannelKey(link: link, token: token)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                channels.openings[key] = waiter
                drain()
                openGate()
            }
        } onCancel: {
            Task { await self.closeChannel(key) }
        }
        if Task.isCancelled {
            if case .success(let channel) = result { await channel.close() }
            throw .cancelled
        }
        switch result {
        case .success(let channel): return channel
        case .failure(let failure): throw .channel(failure)
        }
    }

    /// Sends an SDU, when there is room for it.
    ///
    /// - Returns: Whether it was accepted; not when the channel is closed.
    func send(_ sdu: [UInt8], through key: ChannelKey) async throws(BluetoothError) -> Bool {
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let outcome = stack.send(sdu, through: key.token, on: key.link, at: clock.now)
            drain()
            switch outcome {
            case .accepted: return true
            case .notOpen, .tooLong:
                // Closed by us, it may take a while until it is closed; that is waited for.
                return false
            case .full:
                await withTaskCancellationHandler {
                    await withCheckedContinuation { waiter in
                        channels.roomWaiters[key, default: []].append(waiter)
                        openGate()
                    }
                } onCancel: {
                    Task { await self.wakeSenders(key) }
                }
            }
        }
    }

    /// Lets those who wait for room look again.
    private func wakeSenders(_ key: ChannelKey) {
        for waiter in channels.roomWaiters.removeValue(forKey: key) ?? [] { waiter.resume() }
    }

    func reportConsumed(_ taken: TakenCount, _ key: ChannelKey) {
        stack.consumed(taken.take(), through: key.token, on: key.link, at: clock.now)
        drain()
    }

    func closeChannel(_ key: ChannelKey) {
        stack.closeChannel(key.token, on: key.link, at: clock.now)
        drain()
    }

    /// Passes an event of a channel on to whoever waits for it.
    func take(_ event: L2CAP.ChannelEvent, of key: ChannelKey) {
        switch event {
        case .opened(let description): opened(description, key)
        case .received(let sdu): channels.open[key]?.deliver(sdu, &wakeUps)
        case .writable: wakeSenders(key)
        case .closed(let failure):
            let failure = ChannelFailure(failure)
            channels.open.removeValue(forKey: key)?.end(failure)
            channels.openings.removeValue(forKey: key)?.resume(returning: .failure(failure))
            wakeSenders(key)
        }
    }

    private func opened(_ description: L2CAP.ChannelDescription, _ key: ChannelKey) {
        let address = stack.peer(of: key.link) ?? BluetoothAddress(0, .public)
        let channel = HostChannel(
            self, key,
            ChannelDescription(
                psm: description.psm.rawValue, address: address, mtu: Int(description.peerMTU),
                mps: Int(description.peerMPS), localCID: description.localCID.rawValue,
                remoteCID: description.remoteCID.rawValue))
        channels.open[key] = channel
        if let waiter = channels.openings.removeValue(forKey: key) {
            waiter.resume(returning: .success(channel))
        } else if channels.listeners[description.psm.rawValue]?.deliver(channel) != true {
            // Nobody takes channels any more.
            stack.closeChannel(key.token, on: key.link, at: clock.now)
        }
    }
}

extension L2CAP.ChannelParameters {
    init(_ options: ChannelOptions) {
        self.init(mtu: options.mtu, mps: options.mps, credits: options.credits)
    }
}

extension ChannelFailure {
    init(_ failure: L2CAP.ChannelFailure) {
        self =
            switch failure {
            case .closedByUs: .closedByUs
            case .closedByPeer: .closedByPeer
            case .refused(.psmNotSupported): .notOffered
            case .refused(.noResources), .tooManyChannels: .noResources
            case .refused(.insufficientAuthentication), .refused(.insufficientAuthorization),
                .refused(.insufficientEncryption), .refused(.encryptionKeySizeTooShort):
                .insufficientSecurity
            case .refused(let result): .refused(result.rawValue)
            case .rejected: .unsupported
            case .timeout: .timeout
            case .badResponse: .protocolViolation("its answer to the request makes no sense")
            case .violation(.noCredit): .protocolViolation("it sent a frame without a credit")
            case .violation(.frameTooLong): .protocolViolation("it sent a frame longer than the MPS")
            case .violation(.sduTooLong): .protocolViolation("it sent an SDU longer than the MTU")
            case .violation(.badLength): .protocolViolation("the length of an SDU is not that of its frames")
            case .violation(.creditOverflow): .protocolViolation("it gave more than 65535 credits")
            case .linkLost: .linkLost
            }
    }
}
