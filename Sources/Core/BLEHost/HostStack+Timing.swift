// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEL2CAP
import BLEWire

// The timing of links: what this side wants, and what peers ask for.
extension HostStack {
    /// The identifiers of our requests for other timing, which those of channels are not.
    ///
    /// They take turns, so that a late answer does not end the next request.
    private static let requestIdentifiers: ClosedRange<UInt8> = 0xF0...0xFF

    /// Begins a change of timing, unless the peer is at one.
    mutating func beginUpdate(_ range: ConnectionParameterRange, on link: Link, at now: HostInstant) {
        guard !link.peerUpdate.isCommand else {
            link.procedureState = .waiting(deadline: now.advanced(bySeconds: LinkProcedure.responseTimeout))
            return
        }
        let canCommand =
            link.role == .central
            || controller.features.contains(.connectionParametersRequest) && supports(.leConnectionUpdate)
        if canCommand {
            guard let id = link.procedures.first?.id else { return }
            link.procedureState = .commanded
            update(link, to: range, for: .procedure(link.id, id), at: now)
        } else {
            ask(range, on: link, at: now)
        }
    }

    private mutating func update(
        _ link: Link, to range: ConnectionParameterRange, for purpose: Purpose, at now: HostInstant
    ) {
        enqueue(
            HCI.LEConnectionUpdate(
                handle: link.handle, intervalMin: range.intervalMin, intervalMax: range.intervalMax,
                maxLatency: range.latency, supervisionTimeout: range.supervisionTimeout, minCELength: 0,
                maxCELength: 0), for: purpose, at: now)
    }

    /// Asks the central's host, because the link layers cannot agree by themselves.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.20.
    ///
    /// - Returns: Whether that makes sense after such a refusal.
    mutating func askInstead(
        _ range: ConnectionParameterRange, on link: Link, after status: HCI.Status, at now: HostInstant
    ) -> Bool {
        switch status {
        case _ where link.role == .central: return false
        case .unsupportedRemoteFeature, .unknownCommand, .unknownLMPPDU, .unsupportedFeatureOrParameterValue:
            ask(range, on: link, at: now)
            return true
        default: return false
        }
    }

    private mutating func ask(_ range: ConnectionParameterRange, on link: Link, at now: HostInstant) {
        var writer = ByteWriter(capacity: 8)
        writer.write(range.intervalMin.rawValue)
        writer.write(range.intervalMax.rawValue)
        writer.write(range.latency)
        writer.write(range.supervisionTimeout.rawValue)
        let identifiers = Self.requestIdentifiers
        link.timingIdentifier =
            identifiers.contains(link.timingIdentifier) && link.timingIdentifier < identifiers.upperBound
            ? link.timingIdentifier + 1 : identifiers.lowerBound
        let request = L2CAP.SignallingPacket(
            code: .parameterUpdateRequest, identifier: link.timingIdentifier, data: writer.octets)
        link.enqueue(request.octets, on: .signalling)
        // The longest that a response may take (Core v5.4, Vol 3, Part A, 6.2.1).
        link.procedureState = .asked(
            identifier: link.timingIdentifier, deadline: now.advanced(bySeconds: 60))
    }

    /// Takes a signalling packet if it answers our request for other timing.
    ///
    /// - Returns: Whether it did.
    mutating func tookTimingAnswer(
        _ packet: L2CAP.SignallingPacket, _ link: Link, at now: HostInstant
    ) -> Bool {
        guard case .asked(packet.identifier, _) = link.procedureState else {
            return false
        }
        switch packet.code {
        case .parameterUpdateResponse where packet.data == [0, 0]:
            link.procedureState = .running(deadline: now.advanced(bySeconds: LinkProcedure.responseTimeout))
        case .parameterUpdateResponse, .commandReject: end(link, .failure(.refusedByPeer), at: now)
        default: return false
        }
        return true
    }

    /// Takes a peripheral's request; what is possible and allowed is done, all else refused.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.20 and 4.21.
    mutating func answerTimingRequest(
        _ packet: L2CAP.SignallingPacket, _ link: Link, at now: HostInstant
    ) {
        let isBusy = link.peerUpdate.isCommand || link.isChangingTiming
        let range = isBusy ? nil : allowed(Self.range(packet.data))
        let response = L2CAP.SignallingPacket(
            code: .parameterUpdateResponse, identifier: packet.identifier, data: [range == nil ? 1 : 0, 0])
        link.enqueue(response.octets, on: .signalling)
        guard let range else { return }
        link.peerUpdate = .commanded(range)
        update(link, to: range, for: .timing(link.id), at: now)
    }

    /// Answers the peer's link layer.
    mutating func answer(_ event: HCI.LERemoteConnectionParameterRequest, at now: HostInstant) {
        let requested = ConnectionParameterRange(
            intervalMin: event.intervalMin, intervalMax: event.intervalMax, latency: event.maxLatency,
            supervisionTimeout: event.supervisionTimeout)
        guard let link = links.with(event.handle), let range = allowed(requested) else {
            enqueue(
                HCI.LERemoteConnectionParameterRequestNegativeReply(
                    handle: event.handle, reason: .unacceptableConnectionParameters), for: .timingAnswer,
                at: now)
            return
        }
        if !link.peerUpdate.isCommand { link.peerUpdate = .accepted(range) }
        enqueue(
            HCI.LERemoteConnectionParameterRequestReply(
                handle: event.handle, intervalMin: range.intervalMin, intervalMax: range.intervalMax,
                maxLatency: range.latency, supervisionTimeout: range.supervisionTimeout, minCELength: 0,
                maxCELength: 0), for: .timingAnswer, at: now)
    }

    /// What a peer may have of what it asks for.
    private func allowed(_ range: ConnectionParameterRange?) -> ConnectionParameterRange? {
        guard let range, range.isValid else { return nil }
        guard let limits = configuration.acceptedParameters else { return range }
        return range.within(limits)
    }

    mutating func parametersUpdated(_ event: HCI.LEConnectionUpdateComplete, at now: HostInstant) {
        guard let link = links.with(event.handle) else { return }
        if event.status == .success {
            link.parameters = ConnectionParameters(
                interval: event.interval, latency: event.latency,
                supervisionTimeout: event.supervisionTimeout)
            report(.parametersChanged(link.id, link.parameters))
        }
        guard let range = link.awaitedTiming(hasChanged: event.status == .success) else {
            if link.peerUpdate.range != nil { peerUpdateEnded(link, at: now) }
            return
        }
        if event.status == .success {
            end(link, .success(.parameters(link.parameters)), at: now)
        } else if !askInstead(range, on: link, after: event.status, at: now) {
            end(link, .failure(.refused(event.status)), at: now)
        }
    }

    /// Takes the controller's answer to the command that carries out what the peer's host has asked for.
    mutating func peerUpdateAnswered(_ status: HCI.Status, _ link: Link, at now: HostInstant) {
        guard case .commanded(let range) = link.peerUpdate else { return }
        guard status == .success else { return peerUpdateEnded(link, at: now) }
        link.peerUpdate = .running(range)
    }

    /// A change of timing that the peer wanted is over, well or not.
    private mutating func peerUpdateEnded(_ link: Link, at now: HostInstant) {
        link.peerUpdate = .none
        guard case .waiting = link.procedureState,
            case .updateParameters(let range)? = link.procedures.first?.procedure
        else { return }
        beginUpdate(range, on: link, at: now)
    }

    private static func range(_ data: [UInt8]) -> ConnectionParameterRange? {
        var reader = ByteReader(data.octetSpan.bytes)
        do throws(DecodeError) {
            let request = try L2CAP.ParameterUpdateRequest(decoding: &reader)
            return ConnectionParameterRange(
                intervalMin: request.intervalMin, intervalMax: request.intervalMax, latency: request.latency,
                supervisionTimeout: request.timeout)
        } catch {
            return nil
        }
    }
}

extension Link {
    /// Whether this side has begun a change of timing.
    fileprivate var isChangingTiming: Bool {
        switch procedureState {
        case .idle, .waiting: return false
        case .commanded, .asked, .running: break
        }
        guard case .updateParameters? = procedures.first?.procedure else { return false }
        return true
    }

    /// What this side has asked for, if the event that has just come is about that.
    ///
    /// Both sides may be at a change of timing; then what the link has now says whose it was.
    ///
    /// - Parameter hasChanged: Whether the link has other timing now.
    /// - Returns: The range; `nil` when the event is about something else.
    fileprivate func awaitedTiming(hasChanged: Bool) -> ConnectionParameterRange? {
        guard case .updateParameters(let range)? = procedures.first?.procedure else { return nil }
        switch procedureState {
        case .idle, .waiting, .commanded: return nil
        // Some centrals change it before they answer, or never answer.
        case .asked: return hasChanged && range.allows(parameters) ? range : nil
        case .running:
            let isPeers =
                hasChanged && !range.allows(parameters) && peerUpdate.range?.allows(parameters) == true
            return isPeers ? nil : range
        }
    }
}

extension ConnectionParameterRange {
    /// Whether timing is what was asked for.
    fileprivate func allows(_ timing: ConnectionParameters) -> Bool {
        timing.interval.rawValue >= intervalMin.rawValue && timing.interval.rawValue <= intervalMax.rawValue
            && timing.latency == latency && timing.supervisionTimeout == supervisionTimeout
    }
}
