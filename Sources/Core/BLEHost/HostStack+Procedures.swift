// SPDX-License-Identifier: Apache-2.0

public import BLEHCI
public import BLEWire

extension HostStack {
    /// Asks something about a link, or changes something of it; one after the other on each link.
    ///
    /// - Parameters:
    ///   - procedure: What to do.
    ///   - id: On which link.
    ///   - now: The moment.
    /// - Returns: The name under which `procedureCompleted` will report, exactly once; `nil` when the link is
    ///   gone.
    public mutating func perform(
        _ procedure: LinkProcedure, on id: LinkID, at now: HostInstant
    ) -> LinkProcedure.ID? {
        guard let link = links.with(id), link.life.isOpen else { return nil }
        link.lastProcedure &+= 1
        let name = LinkProcedure.ID(rawValue: link.lastProcedure)
        if case .updateParameters(let range) = procedure, !range.isValid {
            report(.procedureCompleted(id, name, .failure(.invalid)))
        } else if link.procedures.count >= configuration.limits.procedures {
            report(.procedureCompleted(id, name, .failure(.queueFull)))
        } else {
            link.procedures.append(.init(id: name, procedure: procedure))
            if case .idle = link.procedureState { beginProcedure(link, at: now) }
            giveBack(link)
            pump(at: now)
        }
        return name
    }

    /// The timing of a link.
    ///
    /// - Parameter id: Which link.
    /// - Returns: The timing; `nil` when the link is gone.
    public func parameters(of id: LinkID) -> ConnectionParameters? { links.with(id)?.parameters }

    /// Tells the controller which channels may be used on all links; ends with `channelsChosen`.
    ///
    /// - Parameters:
    ///   - channels: The channels that are not known to be bad; at least one.
    ///   - now: The moment.
    public mutating func useChannels(_ channels: HCI.ChannelMap, at now: HostInstant) {
        guard isReady, !channels.isEmpty else {
            report(.channelsChosen(isReady ? .invalidHCICommandParameters : .commandDisallowed))
            return
        }
        enqueue(HCI.LESetHostChannelClassification(channels: channels), for: .channels, at: now)
        pump(at: now)
    }

    /// Begins the first procedure that waits; those that cannot be begun are over at once.
    private mutating func beginProcedure(_ link: Link, at now: HostInstant) {
        while let next = link.procedures.first {
            link.procedureState = .commanded
            guard !isUnsupported(next.procedure, on: link) else {
                complete(link, .failure(.unsupported))
                continue
            }
            send(next, on: link, at: now)
            return
        }
        link.procedureState = .idle
    }

    /// A peripheral can still ask for other timing when its controller cannot.
    private func isUnsupported(_ procedure: LinkProcedure, on link: Link) -> Bool {
        if case .updateParameters = procedure, link.role == .peripheral { return false }
        return !supports(procedure.opcode)
    }

    private mutating func send(_ next: LinkProcedure.Pending, on link: Link, at now: HostInstant) {
        let handle = link.handle
        let purpose = Purpose.procedure(link.id, next.id)
        switch next.procedure {
        case .readRSSI: enqueue(HCI.ReadRSSI(handle: handle), for: purpose, at: now)
        case .readPHY: enqueue(HCI.LEReadPHY(handle: handle), for: purpose, at: now)
        case .setPHY(let tx, let rx, let coding):
            enqueue(HCI.LESetPHY(handle: handle, tx: tx, rx: rx, coding: coding), for: purpose, at: now)
        case .updateParameters(let range): beginUpdate(range, on: link, at: now)
        case .readRemoteVersion:
            enqueue(HCI.ReadRemoteVersionInformation(handle: handle), for: purpose, at: now)
        case .readRemoteFeatures: enqueue(HCI.LEReadRemoteFeatures(handle: handle), for: purpose, at: now)
        case .readChannelMap: enqueue(HCI.LEReadChannelMap(handle: handle), for: purpose, at: now)
        case .readTransmitPower:
            enqueue(HCI.ReadTransmitPowerLevel(handle: handle, type: .current), for: purpose, at: now)
        }
    }

    /// Ends the procedure that runs and begins the next one.
    mutating func end(
        _ link: Link, _ result: Result<LinkProcedure.Answer, LinkProcedure.Failure>, at now: HostInstant
    ) {
        complete(link, result)
        beginProcedure(link, at: now)
    }

    private mutating func complete(
        _ link: Link, _ result: Result<LinkProcedure.Answer, LinkProcedure.Failure>
    ) {
        guard let done = link.procedures.popFirst() else { return }
        report(.procedureCompleted(link.id, done.id, result))
    }

    /// Ends all procedures of a link.
    mutating func procedures(of link: Link, failed failure: LinkProcedure.Failure) {
        link.procedureState = .idle
        while !link.procedures.isEmpty { complete(link, .failure(failure)) }
    }

    /// The procedure of a link that an event is to end.
    func running(_ link: Link) -> LinkProcedure? {
        guard case .running = link.procedureState else { return nil }
        return link.procedures.first?.procedure
    }

    /// Takes the answer to the command of a procedure.
    mutating func procedureAnswered(
        _ id: LinkProcedure.ID, _ link: Link, _ answer: CommandAnswer, at now: HostInstant
    ) {
        guard case .commanded = link.procedureState, let current = link.procedures.first, current.id == id
        else { return }
        let procedure = current.procedure
        switch answer {
        case .status(.success):
            link.procedureState = .running(deadline: now.advanced(bySeconds: LinkProcedure.responseTimeout))
        case .status(let status): refused(procedure, link, status, at: now)
        case .complete(let octets):
            do throws(HCI.ReplyError) {
                end(link, .success(try Self.answer(to: procedure, octets)), at: now)
            } catch {
                switch error {
                case .refused(let status): refused(procedure, link, status, at: now)
                case .malformed: respond(to: .badAnswer, on: link, at: now)
                }
            }
        }
    }

    private mutating func refused(
        _ procedure: LinkProcedure, _ link: Link, _ status: HCI.Status, at now: HostInstant
    ) {
        if case .updateParameters(let range) = procedure, askInstead(range, on: link, after: status, at: now)
        {
            return
        }
        end(link, .failure(.refused(status)), at: now)
    }

    private static func answer(
        to procedure: LinkProcedure, _ octets: [UInt8]
    ) throws(HCI.ReplyError) -> LinkProcedure.Answer {
        switch procedure {
        case .readRSSI: return .rssi(try HCI.ReadRSSI.decodeReturn(octets).rssi)
        case .readPHY:
            let answer = try HCI.LEReadPHY.decodeReturn(octets)
            return .phy(tx: answer.txPHY, rx: answer.rxPHY)
        case .readChannelMap: return .channelMap(try HCI.LEReadChannelMap.decodeReturn(octets).channels)
        case .readTransmitPower:
            return .transmitPower(try HCI.ReadTransmitPowerLevel.decodeReturn(octets).txPower)
        case .setPHY, .updateParameters, .readRemoteVersion, .readRemoteFeatures:
            // Command Status should have come. A refusal says why; all else makes no sense.
            _ = try HCI.Reset.decodeReturn(Array(octets.prefix(1)))
            throw .malformed(DecodeError(.trailing(count: octets.count), at: 0))
        }
    }

    mutating func phyUpdated(_ event: HCI.LEPHYUpdateComplete, at now: HostInstant) {
        guard let link = links.with(event.handle) else { return }
        if event.status == .success { report(.phyChanged(link.id, tx: event.txPHY, rx: event.rxPHY)) }
        guard case .setPHY? = running(link) else { return }
        end(
            link,
            event.status == .success
                ? .success(.phy(tx: event.txPHY, rx: event.rxPHY)) : .failure(.refused(event.status)), at: now
        )
    }

    mutating func remoteVersionRead(_ event: HCI.ReadRemoteVersionInformationComplete, at now: HostInstant) {
        guard let link = links.with(event.handle), running(link) == .readRemoteVersion else { return }
        end(
            link,
            event.status == .success
                ? .success(
                    .remoteVersion(
                        version: event.version, company: event.companyIdentifier, subversion: event.subversion
                    ))
                : .failure(.refused(event.status)), at: now)
    }

    mutating func remoteFeaturesRead(_ event: HCI.LEReadRemoteFeaturesComplete, at now: HostInstant) {
        guard let link = links.with(event.handle), running(link) == .readRemoteFeatures else { return }
        end(
            link,
            event.status == .success
                ? .success(.remoteFeatures(event.features)) : .failure(.refused(event.status)), at: now)
    }
}
