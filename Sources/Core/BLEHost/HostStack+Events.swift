// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

extension HostStack {
    /// Takes one packet from the controller.
    mutating func receive(_ packet: HCI.Packet, at now: HostInstant) {
        switch packet {
        case .acl(let data): receiveACL(data, at: now)
        case .event(let code, let parameters):
            do throws(DecodeError) {
                receive(try HCI.Event(code: code, parameters: parameters), at: now)
            } catch {
                counters.malformedEvents += 1
            }
        case .command, .synchronous, .isochronous: counters.malformedEvents += 1
        }
    }

    private mutating func receive(_ event: HCI.Event, at now: HostInstant) {
        switch event {
        case .commandComplete(let event):
            if let completion = commands.receive(event) { completed(completion, at: now) }
        case .commandStatus(let event):
            if let completion = commands.receive(event) { completed(completion, at: now) }
        case .numberOfCompletedPackets(let event):
            for entry in event.entries { packetsCompleted(entry.handle, Int(entry.packets), at: now) }
        case .hardwareError(let event): fail(.hardwareError(event.code), at: now)
        case .advertisingReport(let event):
            guard isReady, scanner.isWanted else { return }
            for report in event.reports { tell(.advertisement(ReceivedAdvertisement(report))) }
        case .extendedAdvertisingReport(let event): receive(event, at: now)
        case .advertisingSetTerminated(let event): setTerminated(event, at: now)
        case .connectionComplete(let event):
            linkOpened(
                event.status, event.handle, event.role, event.peerAddress,
                ConnectionParameters(
                    interval: event.interval, latency: event.latency,
                    supervisionTimeout: event.supervisionTimeout), at: now)
        case .enhancedConnectionComplete(let event):
            linkOpened(
                event.status, event.handle, event.role, event.peerAddress,
                ConnectionParameters(
                    interval: event.interval, latency: event.latency,
                    supervisionTimeout: event.supervisionTimeout), at: now)
        case .disconnectionComplete(let event):
            guard event.status == .success else { return }
            linkClosed(event.handle, event.reason, at: now)
        case .remoteConnectionParameterRequest(let event): answer(event, at: now)
        case .connectionUpdateComplete(let event): parametersUpdated(event, at: now)
        case .phyUpdateComplete(let event): phyUpdated(event, at: now)
        case .readRemoteVersionInformationComplete(let event): remoteVersionRead(event, at: now)
        case .readRemoteFeaturesComplete(let event): remoteFeaturesRead(event, at: now)
        case .dataLengthChange(let event):
            guard let link = link(event.handle) else { return }
            tell(.dataLengthChanged(link.id, tx: Int(event.maxTxOctets), rx: Int(event.maxRxOctets)))
        case .dataBufferOverflow, .encryptionChange, .scanTimeout, .scanRequestReceived,
            .channelSelectionAlgorithm:
            break
        case .unknownLE, .unknown: counters.unknownEvents += 1
        }
    }

    /// Takes the answer to one of our commands.
    private mutating func completed(_ completion: HCI.CommandQueue.Completion, at now: HostInstant) {
        if case .starting = phase {
            startupCompleted(completion, at: now)
            return
        }
        let status: HCI.Status =
            switch completion.answer {
            case .status(let status): status
            case .complete(let parameters): parameters.first.map(HCI.Status.init(rawValue:)) ?? .success
            }
        let request = completion.request
        switch request.opcode {
        case .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable:
            scanCommandCompleted(request, status, at: now)
        case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetAdvertisingSetRandomAddress,
            .leSetExtendedAdvertisingEnable:
            advertisingCommandCompleted(request, status, at: now)
        case .leCreateConnection where status != .success,
            .leExtendedCreateConnection where status != .success:
            attemptFailed(status, at: now)
        case .leClearFilterAcceptList where status != .success,
            .leAddDeviceToFilterAcceptList where status != .success:
            acceptListRefused(request, status, at: now)
        // The controller does not know the link (any more): nothing else will tell of its end.
        case .disconnect where status != .success:
            // By now the handle may be another link's.
            guard links.contains(where: { $0.handle == request.link && $0.closing != nil })
            else { break }
            linkClosed(request.link, status, at: now)
        case .leSetHostChannelClassification: tell(.channelsChosen(status))
        default: procedureAnswered(completion, request.link, status, at: now)
        }
    }

    /// The link with a handle.
    func link(_ handle: ConnectionHandle) -> Link? { links.first { $0.handle == handle } }
}

extension HCI.CommandQueue.Request {
    /// The link that a command is about, of those commands that begin with its handle.
    fileprivate var link: ConnectionHandle {
        parameters.count < 2
            ? ConnectionHandle(rawValue: .max)
            : ConnectionHandle(rawValue: UInt16(parameters[0]) | UInt16(parameters[1]) << 8)
    }
}
