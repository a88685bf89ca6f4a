// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

extension VirtualAir {
    /// The company identifier that stands for no company.
    static let company: UInt16 = 0xFFFF

    /// Takes a control packet from the peer.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.1.
    func receive(_ control: LinkControl, from sender: LinkSide, to side: LinkSide, at counter: UInt64) {
        switch control {
        case .terminate(let reason):
            end(side, reason: reason)
            end(sender, reason: .connectionTerminatedByLocalHost)
        case .featureRequest: side.answer(.featureResponse(side.controller.features))
        case .featureResponse(let features):
            send(
                .readRemoteFeaturesComplete(
                    .init(status: .success, handle: side.handle, features: features)),
                to: side.controller)
        case .versionRequest: side.answer(.versionResponse(side.controller.version))
        case .versionResponse(let version):
            send(
                .readRemoteVersionInformationComplete(
                    .init(
                        status: .success, handle: side.handle, version: version,
                        companyIdentifier: Self.company, subversion: 0)), to: side.controller)
        case .lengthRequest:
            side.answer(.lengthResponse)
            receiveLength(of: sender, at: side)
        case .lengthResponse: receiveLength(of: sender, at: side)
        case .parameterRequest(let request): ask(side, for: request)
        case .parameterReject(let status):
            side.awaitsParameters = false
            sendParameters(of: side, status)
        case .connectionUpdate(let parameters):
            // Both have six events to get ready.
            side.link.update = (parameters, counter + 6)
        case .phyRequest, .phyResponse, .phyUpdate, .phyReject:
            receivePHYs(control, at: side, counter: counter)
        case .encryptionRequest, .encryptionResponse, .encryptionReject, .startEncryptionRequest,
            .startEncryptionResponse, .pauseEncryptionRequest, .pauseEncryptionResponse:
            receiveEncryption(control, from: sender, to: side)
        }
    }

    private func receiveLength(of peer: LinkSide, at side: LinkSide) {
        let (transmit, receive) = (side.transmit, side.receive)
        side.transmit = side.wanted.limited(to: DataLength(octets: 251, time: side.phys.tx.longestTime))
        side.receive = peer.wanted.limited(to: DataLength(octets: 251, time: side.phys.rx.longestTime))
        guard side.transmit != transmit || side.receive != receive else { return }
        send(
            .dataLengthChange(
                .init(
                    handle: side.handle, maxTxOctets: side.transmit.octets, maxTxTime: side.transmit.time,
                    maxRxOctets: side.receive.octets, maxRxTime: side.receive.time)), to: side.controller)
    }

    /// The peripheral wants other parameters: its central's host decides, if it wants to be asked.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.1.7.
    private func ask(_ central: LinkSide, for request: HCI.LEConnectionUpdate) {
        let event = HCI.Event.remoteConnectionParameterRequest(
            .init(
                handle: central.handle, intervalMin: request.intervalMin, intervalMax: request.intervalMax,
                maxLatency: request.maxLatency, supervisionTimeout: request.supervisionTimeout))
        guard central.controller.wants(event) else {
            central.answer(.parameterReject(.unsupportedRemoteFeature))
            return
        }
        central.owesParameters = true
        send(event, to: central.controller)
    }

    /// The event has come at which both sides take on new parameters.
    func apply(_ parameters: LinkParameters, on link: Link, at counter: UInt64) {
        let hasChanged = link.parameters != parameters
        link.apply(parameters, at: counter, start: now)
        if let central = link.central { sendParameters(of: central, .success) }
        if let peripheral = link.peripheral {
            if hasChanged || peripheral.awaitsParameters { sendParameters(of: peripheral, .success) }
            peripheral.awaitsParameters = false
        }
    }

    private func sendParameters(of side: LinkSide, _ status: HCI.Status) {
        let parameters = side.link.parameters
        send(
            .connectionUpdateComplete(
                .init(
                    status: status, handle: side.handle, interval: parameters.interval,
                    latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout)),
            to: side.controller)
    }
}
