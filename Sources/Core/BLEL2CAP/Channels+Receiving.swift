// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension L2CAP.Channels {
    /// Takes the payload of a frame on a channel of the dynamic range.
    ///
    /// - Parameters:
    ///   - payload: What follows the frame's header.
    ///   - cid: This side's end.
    ///   - now: The moment.
    /// - Returns: Whether there is such a channel; else the frame is ignored.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(_ payload: RawSpan, on cid: L2CAP.ChannelID, at now: HostInstant) -> Bool {
        guard let channel = channel(local: cid), channel.isConnected else { return false }
        // What was on its way when we asked to close is of no use any more.
        guard channel.isSending else { return true }
        do throws(L2CAP.ChannelViolation) {
            if let sdu = try channel.receive(payload) { report(channel.token, .received(sdu)) }
            grant(channel)
        } catch {
            requestDisconnection(channel, .violation(error), at: now)
        }
        return true
    }

    /// Takes in that a frame came that was too long to be put together.
    ///
    /// - Parameters:
    ///   - cid: This side's end.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receivedTooLong(on cid: L2CAP.ChannelID, at now: HostInstant) {
        guard let channel = channel(local: cid), channel.isSending else { return }
        requestDisconnection(channel, .violation(.frameTooLong), at: now)
    }

    /// Takes a packet of the signalling channel.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - listeners: Where the peer may open channels.
    ///   - now: The moment.
    /// - Returns: Whether it was about channels; if not, somebody else has to answer.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(
        _ packet: L2CAP.SignallingPacket, listeners: [L2CAP.Listener], at now: HostInstant
    ) -> Bool {
        // Such an identifier is not allowed, so that there can be no answer.
        guard packet.identifier != 0 else { return true }
        do throws(DecodeError) {
            switch packet.code {
            case .creditBasedConnectionRequest:
                accept(try .init(data: packet.data), packet.identifier, listeners)
            case .creditBasedConnectionResponse: connected(packet, at: now)
            case .flowControlCredit: credited(try .init(data: packet.data), at: now)
            case .disconnectionRequest: disconnect(try .init(data: packet.data), packet.identifier)
            case .disconnectionResponse: disconnected(try .init(data: packet.data), packet.identifier)
            case .commandReject: return rejected(packet)
            default: return false
            }
        } catch {
            if let rejection = packet.rejection() { outputs.append(.signal(rejection)) }
        }
        return true
    }

    /// Answers a request for a channel.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22 and 4.23.
    private mutating func accept(
        _ request: L2CAP.CreditBasedConnectionRequest, _ identifier: UInt8, _ listeners: [L2CAP.Listener]
    ) {
        let refusal: L2CAP.ConnectionResult
        let listener = listeners.first { $0.psm == request.psm }
        if listener == nil {
            refusal = .psmNotSupported
        } else if let reason = listener?.refusal {
            refusal = reason
        } else if !request.source.isDynamic {
            refusal = .invalidSourceCID
        } else if channel(remote: request.source) != nil {
            refusal = .sourceCIDAlreadyAllocated
        } else if !Self.isAcceptable(mtu: request.mtu, mps: request.mps) {
            refusal = .unacceptableParameters
        } else {
            refusal = .noResources
        }
        guard refusal == .noResources, let listener, let cid = nextCID() else {
            signal(L2CAP.CreditBasedConnectionResponse(refusal: refusal), identifier)
            return
        }
        let parameters = listener.parameters
        let channel = Channel(
            token: nextToken(), psm: request.psm, localCID: cid, parameters: parameters, state: .open)
        channel.connect(request.source, mtu: request.mtu, mps: request.mps, credits: request.credits)
        channels.append(channel)
        signal(
            L2CAP.CreditBasedConnectionResponse(
                destination: cid, mtu: UInt16(parameters.mtu), mps: UInt16(parameters.mps),
                credits: UInt16(parameters.credits)), identifier)
        report(channel.token, .opened(channel.description(isIncoming: true)))
    }

    private static func isAcceptable(mtu: UInt16, mps: UInt16) -> Bool {
        mtu >= L2CAP.minimumLimit && (L2CAP.minimumLimit...L2CAP.maximumMPS).contains(Int(mps))
    }

    /// Takes the answer to our request for a channel.
    private mutating func connected(_ packet: L2CAP.SignallingPacket, at now: HostInstant) {
        guard let channel = channels.first(where: { $0.identifier == packet.identifier && !$0.isConnected })
        else { return }
        let response: L2CAP.CreditBasedConnectionResponse
        do throws(DecodeError) {
            response = try .init(data: packet.data)
        } catch {
            remove(channel, .badResponse)
            return
        }
        guard response.result == .success else {
            remove(channel, .refused(response.result))
            return
        }
        guard response.destination.isDynamic, self.channel(remote: response.destination) == nil else {
            // There is no number by which the peer could be asked to close it.
            remove(channel, .badResponse)
            return
        }
        channel.connect(
            response.destination, mtu: response.mtu, mps: response.mps, credits: response.credits)
        guard Self.isAcceptable(mtu: response.mtu, mps: response.mps) else {
            requestDisconnection(channel, .badResponse, at: now)
            return
        }
        if case .abandoned = channel.state {
            requestDisconnection(channel, .closedByUs, at: now)
            return
        }
        channel.state = .open
        report(channel.token, .opened(channel.description(isIncoming: false)))
    }

    /// Takes credits of the peer.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.24 and 10.1.
    private mutating func credited(_ indication: L2CAP.FlowControlCredit, at now: HostInstant) {
        guard let channel = channel(remote: indication.channel), channel.isSending else { return }
        guard channel.credits + Int(indication.credits) <= Int(UInt16.max) else {
            requestDisconnection(channel, .violation(.creditOverflow), at: now)
            return
        }
        channel.credits += Int(indication.credits)
    }

    /// Closes a channel that the peer wants closed.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.6.
    private mutating func disconnect(_ request: L2CAP.DisconnectionRequest, _ identifier: UInt8) {
        guard let channel = channel(local: request.destination), channel.isConnected else {
            var ends = ByteWriter(capacity: 4)
            ends.write(request.destination.rawValue)
            ends.write(request.source.rawValue)
            signal(L2CAP.CommandReject(reason: .invalidChannel, details: ends.octets), identifier)
            return
        }
        guard channel.remoteCID == request.source else { return }
        signal(
            L2CAP.DisconnectionResponse(destination: request.destination, source: request.source), identifier)
        if case .closing = channel.state {
            remove(channel, .closedByUs)
        } else {
            remove(channel, .closedByPeer)
        }
    }

    /// Takes the answer to our request to close a channel.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.7.
    private mutating func disconnected(_ response: L2CAP.DisconnectionResponse, _ identifier: UInt8) {
        guard let channel = channel(local: response.source), case .closing(identifier, _) = channel.state,
            channel.remoteCID == response.destination
        else { return }
        remove(channel, .closedByUs)
    }

    /// Takes a rejection, if it is of one of our requests.
    private mutating func rejected(_ packet: L2CAP.SignallingPacket) -> Bool {
        guard let channel = channels.first(where: { $0.identifier == packet.identifier }) else {
            return false
        }
        if channel.isConnected {
            // The peer does not know the channel, so it is closed.
            remove(channel, .closedByUs)
            return true
        }
        do throws(DecodeError) {
            remove(channel, .rejected(try L2CAP.CommandReject(data: packet.data).reason))
        } catch {
            remove(channel, .badResponse)
        }
        return true
    }
}
