// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEL2CAP
import BLEWire

// The timing of links: what this side wants, and what peers ask for.
extension HostStack {
    /// The identifier of our requests for other timing; one at a time on each link.
    private static let requestIdentifier: UInt8 = 0xFE

    /// Begins a change of timing, unless the peer is at one.
    mutating func beginUpdate(_ range: ConnectionParameterRange, on link: Link, at now: HostInstant) {
        guard !link.isUpdatingTiming else {
            link.procedureState = .waiting(deadline: now.advanced(bySeconds: LinkProcedure.responseTimeout))
            return
        }
        let canCommand =
            link.role == .central
            || controller.features.contains(.connectionParametersRequest) && supports(.leConnectionUpdate)
        if canCommand {
            link.procedureState = .commanded
            update(link, to: range, at: now)
        } else {
            ask(range, on: link, at: now)
        }
    }

    private mutating func update(_ link: Link, to range: ConnectionParameterRange, at now: HostInstant) {
        command(
            HCI.LEConnectionUpdate(
                handle: link.handle, intervalMin: range.intervalMin, intervalMax: range.intervalMax,
                maxLatency: range.latency, supervisionTimeout: range.supervisionTimeout, minCELength: 0,
                maxCELength: 0), at: now)
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
        let request = L2CAP.SignallingPacket(
            code: .parameterUpdateRequest, identifier: Self.requestIdentifier, data: writer.octets)
        link.enqueue(request.octets, on: .signalling)
        // The longest that a response may take (Core v5.4, Vol 3, Part A, 6.2.1).
        link.procedureState = .asked(deadline: now.advanced(bySeconds: 60))
    }

    /// Takes a signalling packet if it answers our request for other timing.
    ///
    /// - Returns: Whether it did.
    mutating func tookTimingAnswer(
        _ packet: L2CAP.SignallingPacket, _ link: Link, at now: HostInstant
    ) -> Bool {
        guard case .asked = link.procedureState, packet.identifier == Self.requestIdentifier else {
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
        let isBusy = link.isUpdatingTiming || running(link, { $0.opcode == .leConnectionUpdate }) != nil
        let range = isBusy ? nil : allowed(Self.range(packet.data))
        let response = L2CAP.SignallingPacket(
            code: .parameterUpdateResponse, identifier: packet.identifier, data: [range == nil ? 1 : 0, 0])
        link.enqueue(response.octets, on: .signalling)
        guard let range else { return }
        link.isUpdatingTiming = true
        update(link, to: range, at: now)
    }

    /// Answers the peer's link layer.
    mutating func answer(_ event: HCI.LERemoteConnectionParameterRequest, at now: HostInstant) {
        let wish = ConnectionParameterRange(
            intervalMin: event.intervalMin, intervalMax: event.intervalMax, latency: event.maxLatency,
            supervisionTimeout: event.supervisionTimeout)
        guard link(event.handle) != nil, let range = allowed(wish) else {
            command(
                HCI.LERemoteConnectionParameterRequestNegativeReply(
                    handle: event.handle, reason: .unacceptableConnectionParameters), at: now)
            return
        }
        command(
            HCI.LERemoteConnectionParameterRequestReply(
                handle: event.handle, intervalMin: range.intervalMin, intervalMax: range.intervalMax,
                maxLatency: range.latency, supervisionTimeout: range.supervisionTimeout, minCELength: 0,
                maxCELength: 0), at: now)
    }

    /// What a peer may have of what it asks for.
    private func allowed(_ range: ConnectionParameterRange?) -> ConnectionParameterRange? {
        guard let range, range.isValid else { return nil }
        guard let limits = configuration.acceptedParameters else { return range }
        return range.within(limits)
    }

    mutating func parametersUpdated(_ event: HCI.LEConnectionUpdateComplete, at now: HostInstant) {
        guard let link = link(event.handle) else { return }
        if event.status == .success {
            link.parameters = ConnectionParameters(
                interval: event.interval, latency: event.latency,
                supervisionTimeout: event.supervisionTimeout)
            tell(.parametersChanged(link.id, link.parameters))
        }
        guard let procedure = running(link, { $0.opcode == .leConnectionUpdate }),
            case .updateParameters(let range) = procedure
        else {
            timingUpdated(event.handle, at: now)
            return
        }
        if event.status == .success {
            end(link, .success(.parameters(link.parameters)), at: now)
        } else if !askInstead(range, on: link, after: event.status, at: now) {
            end(link, .failure(.refused(event.status)), at: now)
        }
    }

    /// A change of timing that the peer wanted is over, well or not.
    mutating func timingUpdated(_ handle: ConnectionHandle, at now: HostInstant) {
        guard let link = link(handle) else { return }
        link.isUpdatingTiming = false
        guard case .waiting = link.procedureState,
            case .updateParameters(let range)? = link.procedures.first?.procedure
        else { return }
        beginUpdate(range, on: link, at: now)
    }

    private static func range(_ data: [UInt8]) -> ConnectionParameterRange? {
        var reader = ByteReader(data.span.bytes)
        do throws(DecodeError) {
            let wish = try L2CAP.ParameterUpdateRequest(decoding: &reader)
            return ConnectionParameterRange(
                intervalMin: wish.intervalMin, intervalMax: wish.intervalMax, latency: wish.latency,
                supervisionTimeout: wish.timeout)
        } catch {
            return nil
        }
    }
}
