// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

extension HostStack {
    /// Takes one packet from the controller where it lies.
    mutating func receivePacket(_ octets: RawSpan, at now: HostInstant) {
        // Answers to commands may stand behind all that a peer, or the air, pours out.
        commands.controllerHeard(at: now)
        var reader = ByteReader(octets)
        do throws(DecodeError) {
            switch HCI.PacketIndicator(rawValue: try reader.readUInt8()) {
            case .acl:
                let header = try HCI.ACLData(decodingHeader: &reader)
                receiveACL(header, try reader.readSpan(reader.remaining), at: now)
            case .event:
                let code = HCI.EventCode(rawValue: try reader.readUInt8())
                // The length, which the framer has looked at.
                try reader.skip(1)
                let parameters = try reader.readSpan(reader.remaining)
                if let report = HCI.LEAdvertisingReport.onlyReport(code, parameters) {
                    receive(report)
                } else {
                    receive(try HCI.Event(code: code, parameters: parameters), at: now)
                }
            default: respond(to: .malformedEvent, at: now)
            }
        } catch {
            respond(to: .malformedEvent, at: now)
        }
    }

    /// Takes one packet from the controller.
    mutating func receive(_ packet: HCI.Packet, at now: HostInstant) {
        commands.controllerHeard(at: now)
        switch packet {
        case .acl(let data): receiveACL(data, data.payload.octetSpan.bytes, at: now)
        case .event(let code, let parameters):
            do throws(DecodeError) {
                receive(try HCI.Event(code: code, parameters: parameters), at: now)
            } catch {
                respond(to: .malformedEvent, at: now)
            }
        case .command, .synchronous, .isochronous: respond(to: .malformedEvent, at: now)
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
        case .hardwareError(let event): respond(to: .hardwareError(event.code), at: now)
        case .advertisingReport(let event):
            for report in event.reports { receive(report) }
        case .extendedAdvertisingReport(let event): receive(event, at: now)
        case .advertisingSetTerminated(let event): setTerminated(event, at: now)
        case .connectionComplete(let event):
            linkOpened(
                event.status, event.handle, event.role, event.peerAddress,
                ConnectionParameters(
                    interval: event.interval, latency: event.latency,
                    supervisionTimeout: event.supervisionTimeout), at: now)
        case .enhancedConnectionComplete(let event):
            let onAir = event.isPeerIdentity && event.peerResolvablePrivateAddress.value != 0
            if onAir { pause.hasResolved = true }
            linkOpened(
                event.status, event.handle, event.role, event.peerAddress,
                ConnectionParameters(
                    interval: event.interval, latency: event.latency,
                    supervisionTimeout: event.supervisionTimeout),
                onAir: onAir ? event.peerResolvablePrivateAddress : nil, at: now)
        case .disconnectionComplete(let event):
            guard event.status == .success, let link = links.with(event.handle) else { return }
            linkClosed(link, event.reason, at: now)
        case .remoteConnectionParameterRequest(let event): answer(event, at: now)
        case .connectionUpdateComplete(let event): parametersUpdated(event, at: now)
        case .phyUpdateComplete(let event): phyUpdated(event, at: now)
        case .readRemoteVersionInformationComplete(let event): remoteVersionRead(event, at: now)
        case .readRemoteFeaturesComplete(let event): remoteFeaturesRead(event, at: now)
        case .dataLengthChange(let event):
            guard let link = links.with(event.handle) else { return }
            report(.dataLengthChanged(link.id, tx: Int(event.maxTxOctets), rx: Int(event.maxRxOctets)))
        case .encryptionChange(let event):
            encryptionChanged(event.handle, event.status, isOn: event.encryption != 0, at: now)
        case .encryptionKeyRefreshComplete(let event):
            encryptionChanged(event.handle, event.status, isOn: true, at: now)
        case .longTermKeyRequest(let event): keyRequested(event, at: now)
        case .dataBufferOverflow, .scanTimeout, .scanRequestReceived, .channelSelectionAlgorithm: break
        case .unknownLE, .unknown: counters.unknownEvents += 1
        }
    }

    private mutating func receive(_ report: consuming HCI.AdvertisingReport) {
        guard isReady, scanner.isWanted else { return }
        if resolvesPeers {
            heard(ReceivedAdvertisement(report))
        } else {
            self.report(.advertisement(ReceivedAdvertisement(report)))
        }
    }

    /// Takes the answer to one of our commands to whom it is for.
    private mutating func completed(
        _ completion: HCI.CommandQueue<Purpose>.Completion, at now: HostInstant
    ) {
        let answer = completion.answer
        let status: HCI.Status =
            switch answer {
            case .status(let status): status
            case .complete(let parameters): parameters.first.map(HCI.Status.init(rawValue:)) ?? .success
            }
        switch completion.purpose {
        case .startup(let step): startupCompleted(step, answer, at: now)
        case .scan(let step, let run):
            scanner.completed(step, run: run, status)
            drainScanner(at: now)
        case .advertise(let step, let run):
            advertiser.completed(step, run: run, status, at: now)
            drainAdvertiser(at: now)
        case .connect(let step, let attempt):
            initiator.completed(step, attempt: attempt, status, at: now)
            drainInitiator(at: now)
        case .procedure(let id, let procedure):
            if let link = links.with(id) { procedureAnswered(procedure, link, answer, at: now) }
        case .timing(let id): if let link = links.with(id) { peerUpdateAnswered(status, link, at: now) }
        case .disconnect(let id):
            // The controller does not know the link (any more): nothing else will report its end.
            if status != .success, let link = links.with(id) { linkClosed(link, status, at: now) }
        case .channels: report(.channelsChosen(status))
        case .pause(let step): pauseAnswered(step, status, at: now)
        case .encryption(let id): if let link = links.with(id) { encryptionAnswered(status, link, at: now) }
        case .timingAnswer, .key: break
        }
    }
}

/// What the controller answered to a command.
typealias CommandAnswer = HCI.CommandQueue<Purpose>.Answer
