// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEL2CAP
public import BLEWire

// Credit-based channels. `Event.channel` reports what happens on them.
extension HostStack {
    /// Whom a link goes to.
    ///
    /// - Parameter id: Which link.
    /// - Returns: The peer's address; `nil` when the link is gone.
    public func peer(of id: LinkID) -> BluetoothAddress? { links.with(id)?.peer }

    /// Lets peers open channels, on all links, with no asking.
    ///
    /// - Parameters:
    ///   - psm: What the channels are for; whoever listened there before does so no more.
    ///   - parameters: What this side takes on them.
    ///   - isEncrypted: Whether a link has to be encrypted before.
    public mutating func listen(
        at psm: L2CAP.PSM, _ parameters: L2CAP.ChannelParameters = L2CAP.ChannelParameters(),
        isEncrypted: Bool = false
    ) {
        stopListening(at: psm)
        listeners.append(L2CAP.Listener(psm: psm, parameters: parameters, isEncrypted: isEncrypted))
        for link in links { link.admitFrames(of: parameters.mps) }
    }

    /// The listeners as they are for one link: one that is not encrypted is refused where that is asked for.
    func listeners(for link: Link) -> [L2CAP.Listener] {
        let security = link.server.security
        guard security.level < .encrypted else { return listeners }
        var listeners = listeners
        for index in listeners.indices where listeners[index].isEncrypted {
            listeners[index].refusal =
                security == .plain(hasKey: true) ? .insufficientEncryption : .insufficientAuthentication
        }
        return listeners
    }

    /// Lets peers open no more channels; those that are open stay so.
    ///
    /// - Parameter psm: What the channels are for.
    public mutating func stopListening(at psm: L2CAP.PSM) { listeners.removeAll { $0.psm == psm } }

    /// Asks a peer for a channel; ends with `closed`, if all goes well after `opened`.
    ///
    /// - Parameters:
    ///   - psm: What the channel is for.
    ///   - parameters: What this side takes.
    ///   - id: On which link.
    ///   - now: The moment.
    /// - Returns: The channel's name on this link; `nil` when the link is gone.
    public mutating func openChannel(
        _ psm: L2CAP.PSM, _ parameters: L2CAP.ChannelParameters = L2CAP.ChannelParameters(),
        on id: LinkID, at now: HostInstant
    ) -> L2CAP.ChannelToken? {
        guard let link = links.with(id), link.life.isOpen else { return nil }
        link.admitFrames(of: parameters.mps)
        let token = link.channels.open(psm, parameters, at: now)
        drainChannels(link)
        giveBack(link)
        pump(at: now)
        return token
    }

    /// Sends an SDU through a channel as soon as the peer lets it.
    ///
    /// - Parameters:
    ///   - sdu: The SDU; it may be empty.
    ///   - token: Through which channel.
    ///   - id: On which link.
    ///   - now: The moment.
    /// - Returns: What becomes of it.
    public mutating func send(
        _ sdu: [UInt8], through token: L2CAP.ChannelToken, on id: LinkID, at now: HostInstant
    ) -> L2CAP.SendOutcome {
        guard let link = links.with(id), link.life.isOpen else { return .notOpen }
        let outcome = link.channels.send(sdu, through: token)
        pumpACL(at: now)
        return outcome
    }

    /// Handles that the application is done with SDUs of a channel, which lets the peer send more.
    ///
    /// - Parameters:
    ///   - count: How many SDUs, oldest first.
    ///   - token: Of which channel.
    ///   - id: On which link.
    ///   - now: The moment.
    public mutating func consumed(
        _ count: Int, through token: L2CAP.ChannelToken, on id: LinkID, at now: HostInstant
    ) {
        guard let link = links.with(id), link.life.isOpen else { return }
        link.channels.consumed(count, through: token)
        drainChannels(link)
        pumpACL(at: now)
    }

    /// Closes a channel; ends with `closed`.
    ///
    /// What was to be sent before still goes out, as far as the peer lets it within 5 s.
    ///
    /// - Parameters:
    ///   - token: Which channel.
    ///   - id: On which link.
    ///   - now: The moment.
    public mutating func closeChannel(_ token: L2CAP.ChannelToken, on id: LinkID, at now: HostInstant) {
        guard let link = links.with(id), link.life.isOpen else { return }
        link.channels.close(token, at: now)
        drainChannels(link)
        pump(at: now)
    }

    /// Takes a frame on a channel of the dynamic range.
    mutating func receiveChannel(
        _ payload: RawSpan, _ channel: L2CAP.ChannelID, _ link: Link, at now: HostInstant
    ) {
        if !link.channels.receive(payload, on: channel, at: now) { respond(to: .brokenFrame, at: now) }
    }

    /// Handles that octets were dropped.
    mutating func reassemblyFailed(
        _ fault: L2CAP.Reassembler.Fault, _ link: Link, at now: HostInstant
    ) {
        respond(to: .brokenFrame, at: now)
        guard case .tooLong(_, let channel) = fault else { return }
        link.channels.receivedTooLong(on: channel, at: now)
    }

    /// Carries out what the channels of a link want.
    mutating func drainChannels(_ link: Link) {
        while let output = link.channels.nextOutput() {
            switch output {
            case .signal(let packet): link.enqueue(packet.octets, on: .signalling)
            case .event(let token, let event): report(.channel(link.id, token, event))
            }
        }
    }

    /// Puts frames of channels in line, so few that other traffic does not wait long.
    mutating func refill(_ link: Link, at now: HostInstant) {
        guard link.life.isSending else { return }
        while link.channelFrames < Link.channelFrameLimit, let frame = link.channels.nextFrame(at: now) {
            link.enqueue(frame: frame)
            link.channelFrames += 1
            drainChannels(link)
        }
    }
}

extension Link {
    /// Sees to it that frames of such a size are put together.
    func admitFrames(of mps: Int) { reassembler.maximumPayload = max(reassembler.maximumPayload, mps) }

    /// Notes that the first frame that waits has been sent.
    func frameSent(_ packet: [UInt8]) {
        _ = outgoing.popFirst()
        sent = 0
        if Self.channel(of: packet).isDynamic { channelFrames -= 1 }
    }
}
