// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEL2CAP
import BLEWire
import BluetoothLE

/// Names a channel on any link.
struct ChannelKey: Hashable {
    let link: LinkID
    let token: L2CAP.ChannelToken
}

/// The channels of a radio.
struct ChannelTable {
    var open: [ChannelKey: HostChannel] = [:]
    var listeners: [UInt16: HostChannelListener] = [:]
    /// Those that this side has asked for and that are not open yet.
    var openings: Set<ChannelKey> = []
}

extension HostRadio {
    package nonisolated func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListenerBackend { try await addListener(psm, options) }

    private func addListener(
        _ psm: UInt16?, _ options: ChannelOptions
    ) throws(BluetoothError) -> HostChannelListener {
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
        stack.listen(
            at: L2CAP.PSM(rawValue: psm), L2CAP.ChannelParameters(options), isEncrypted: options.isEncrypted)
        return listener
    }

    func stop(_ listener: HostChannelListener) {
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
        _ psm: UInt16, _ options: ChannelOptions, on connection: HostConnection
    ) async throws(BluetoothError) -> HostChannel {
        try Self.check(psm)
        let parameters = L2CAP.ChannelParameters(options)
        let arrived = try await wait { radio in
            let token = radio.stack.openChannel(
                L2CAP.PSM(rawValue: psm), parameters, on: connection.link, at: radio.loop.now)
            guard let token else { return .over(.failure(connection.lost)) }
            let key = ChannelKey(link: connection.link, token: token)
            radio.channels.openings.insert(key)
            return .waiting(.channel(key))
        }
        guard case .channel(let channel) = arrived else { throw .badResponse }
        if Task.isCancelled {
            await channel.close()
            throw .cancelled
        }
        return channel
    }

    func reportConsumed(_ consumed: ConsumedCount, _ key: ChannelKey) {
        stack.consumed(consumed.reset(), through: key.token, on: key.link, at: loop.now)
        drain()
    }

    func closeChannel(_ key: ChannelKey) {
        stack.closeChannel(key.token, on: key.link, at: loop.now)
        drain()
    }

    /// Passes an event of a channel on to whoever waits for it.
    func handle(_ event: L2CAP.ChannelEvent, of key: ChannelKey) {
        switch event {
        case .opened(let description): opened(description, key)
        case .received(let sdu):
            if channels.open[key]?.deliver(sdu, &wakeUps) != true {
                // Nobody takes SDUs any more: they are gone, and the peer is not held up.
                stack.consumed(1, through: key.token, on: key.link, at: loop.now)
            }
        case .writable: advance(.channel(key))
        case .closed(let failure):
            let failure = ChannelError(failure)
            channels.openings.remove(key)
            channels.open.removeValue(forKey: key)?.end(failure)
            waiters.resume(.channel(key), .failure(.channel(failure)))
            // Whoever waits for room learns that there is no channel any more.
            advance(.channel(key))
        }
    }

    private func opened(_ description: L2CAP.ChannelDescription, _ key: ChannelKey) {
        guard let peer = links[key.link]?.connection.peer else { return }
        let channel = HostChannel(
            self, key,
            ChannelDescription(
                psm: description.psm.rawValue, peer: peer, mtu: Int(description.peerMTU),
                mps: Int(description.peerMPS), localCID: description.localCID.rawValue,
                remoteCID: description.remoteCID.rawValue))
        channels.open[key] = channel
        let isOurs = channels.openings.remove(key) != nil
        if isOurs, waiters.isAwaited(.channel(key)) {
            waiters.resume(.channel(key), .success(.channel(channel)))
        } else if isOurs || channels.listeners[description.psm.rawValue]?.deliver(channel, &wakeUps) != true {
            // Nobody takes channels any more, or has given up opening this one.
            stack.closeChannel(key.token, on: key.link, at: loop.now)
        }
    }
}

extension L2CAP.ChannelParameters {
    init(_ options: ChannelOptions) {
        self.init(mtu: options.mtu, mps: options.mps, credits: options.credits)
    }
}

extension ChannelError {
    init(_ failure: L2CAP.ChannelError) {
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
