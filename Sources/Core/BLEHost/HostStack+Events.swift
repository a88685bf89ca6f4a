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
            for report in event.reports { tell(.advertisement(report)) }
        case .extendedAdvertisingReport(let event):
            // Some controllers with extended advertising report so even when scanning is legacy.
            guard isReady, scanner.isWanted else { return }
            for report in event.reports { tell(.advertisement(report.legacy)) }
        case .connectionComplete(let event):
            linkOpened(event.status, event.handle, event.role, event.peerAddress, at: now)
        case .enhancedConnectionComplete(let event):
            linkOpened(event.status, event.handle, event.role, event.peerAddress, at: now)
        case .disconnectionComplete(let event):
            guard event.status == .success else { return }
            linkClosed(event.handle, event.reason, at: now)
        case .remoteConnectionParameterRequest(let event):
            command(
                HCI.LERemoteConnectionParameterRequestReply(
                    handle: event.handle, intervalMin: event.intervalMin, intervalMax: event.intervalMax,
                    maxLatency: event.maxLatency, supervisionTimeout: event.supervisionTimeout,
                    minCELength: 0,
                    maxCELength: 0), at: now)
        case .connectionUpdateComplete(let event): timingUpdated(event.handle)
        case .dataBufferOverflow, .encryptionChange, .readRemoteVersionInformationComplete,
            .readRemoteFeaturesComplete, .dataLengthChange, .phyUpdateComplete, .scanTimeout,
            .advertisingSetTerminated,
            .scanRequestReceived, .channelSelectionAlgorithm, .unknownLE, .unknown:
            break
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
        switch completion.request.opcode {
        case .leSetScanParameters, .leSetScanEnable: scanCommandCompleted(completion.request, status, at: now)
        case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable:
            advertisingCommandCompleted(completion.request, status, at: now)
        case .leCreateConnection where status != .success: attemptFailed(status, at: now)
        // The controller does not know the link (any more): nothing else will tell of its end.
        case .disconnect where status != .success:
            // By now the handle may be another link's.
            guard links.contains(where: { $0.handle == completion.request.link && $0.closing != nil })
            else { break }
            linkClosed(completion.request.link, status, at: now)
        case .leConnectionUpdate where status != .success: timingUpdated(completion.request.link)
        default: break
        }
    }
}

extension HCI.CommandQueue.Request {
    /// The link that a command is about, of those commands that begin with its handle.
    fileprivate var link: ConnectionHandle {
        parameters.count < 2
            ? ConnectionHandle(rawValue: .max)
            : ConnectionHandle(rawValue: UInt16(parameters[0]) | UInt16(parameters[1]) << 8)
    }
}
