// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension WiFiSetClient {
    // MARK: Messages

    mutating func received(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        guard let index = device?.characteristics.firstIndex(where: { $0.valueHandle == handle }) else {
            return
        }
        // What a bonded device sends by itself was subscribed to on an earlier link.
        if index == 0 { device?.hasListSubscription = true }
        device?.pieces[index].receive(value, at: now)
        do throws(WiFiMessageError) {
            while let octets = try device?.pieces[index].next() ?? nil { try process(octets, at: now) }
        } catch {
            device?.pieces[index].reset()
            core.report(.fault(error))
        }
    }

    mutating func checkPieces(at now: HostInstant) {
        for index in device?.pieces.indices ?? 0..<0 {
            do throws(WiFiMessageError) {
                try device?.pieces[index].deadlineReached(at: now)
            } catch {
                core.report(.fault(error))
            }
        }
    }

    private mutating func process(_ octets: [UInt8], at now: HostInstant) throws(WiFiMessageError) {
        guard let verdict = device?.heard.judge(octets) else { return }
        count(verdict)
        let message = try WiFiMessage(decoding: octets)
        if verdict != .repeated { handle(message.body, at: now) }
    }

    private mutating func count(_ verdict: WiFiSequence.Verdict) {
        guard verdict != .next else { return }
        core.report(.sequence(verdict))
        guard case .running(var list) = listing else { return }
        if verdict == .repeated { list.networks.duplicates += 1 } else { list.networks.sequenceGaps += 1 }
        listing = .running(list)
    }

    private mutating func handle(_ body: WiFiMessage.Body, at now: HostInstant) {
        switch body {
        case .listStart:
            // What came before belongs to an older list; its gaps are reported all the same.
            guard case .running(var list) = listing else { break }
            list.networks.networks = []
            list.trouble = nil
            listing = .running(list)
        case .networkEntry(let network):
            // Real firmware may send its first message before anyone can listen: the start is not required.
            guard case .running(var list) = listing else { break }
            // More than a list can count.
            guard list.networks.networks.count < WiFiSetLimit.networks else { break }
            list.networks.networks.append(network)
            list.trouble = nil
            listing = .running(list)
            core.report(.network(network))
        case .listEnd(let count):
            guard case .running(var list) = listing else { break }
            list.networks.count = Int(count)
            listing = .idle
            core.report(.list(list.networks))
        case .acknowledgment(let status): acknowledged(status, at: now)
        case .statusResponse(let status): handle(status, at: now)
        case .error(let report): handle(report, at: now)
        case .credentialWrite, .statusRequest:
            core.report(.fault(.unknownKind(body.kind.rawValue)))
        }
    }

    private mutating func send(_ body: WiFiMessage.Body, _ request: Request) {
        guard let device else { return }
        var octets = WiFiMessage(sequence: device.counter, body).encoded()
        self.device?.counter &+= 1
        let handle = device.credentials.valueHandle
        let answers = device.credentials.properties.contains(.write)
        let room = max(ATT.longestValue(atMTU: core.mtu), 1)
        var start = 0
        while start < octets.count {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            core.request(
                request, answers ? .write(handle, piece) : .writeWithoutResponse(handle, piece))
            start += room
        }
        WiFiCredentials.wipe(&octets)
    }

    // MARK: Networks

    mutating func askForList(at now: HostInstant) {
        guard case .waiting(let attempt, let losses) = listing, let device = listening else { return }
        // Switching off and on again asks for it again.
        if device.hasListSubscription {
            core.request(.subscribeList(isOn: false), .subscribe(device.list, []))
        }
        self.device?.hasListSubscription = true
        core.request(.subscribeList(isOn: true), .subscribe(device.list, subscription(device.list)))
        let until = now.advanced(bySeconds: WiFiSetLimit.listSeconds)
        listing = .running(List(attempt: attempt, networks: losses, until: until))
        core.report(.listRequested(attempt: attempt))
    }

    mutating func listDeadlineReached(at now: HostInstant) {
        guard case .running(let list) = listing else { return }
        if let trouble = list.trouble, trouble.until <= now {
            listFailed(.error(trouble.report))
        } else if list.until <= now {
            if list.attempt < WiFiSetLimit.listTries {
                listing = .waiting(attempt: list.attempt + 1, list.losses)
                askForList(at: now)
            } else {
                listFailed(.timeout(received: list.networks.networks.count))
            }
        }
    }

    mutating func listFailed(_ failure: WiFiListError) {
        listing = .idle
        core.report(.listFailed(failure))
    }

    // MARK: State

    mutating func readStatus() {
        if let device = listening { core.request(.readStatus, .read(device.status.valueHandle)) }
    }

    mutating func statusRead(_ result: Result<[UInt8], GATTRequestError>, at now: HostInstant) {
        if case .success(let octets) = result, let message = try? WiFiMessage(decoding: octets),
            case .statusResponse(let status) = message.body
        {
            handle(status, at: now)
            return
        }
        // The link was lost on the way: it is asked for again.
        guard device != nil else { return }
        // Real firmware's first value is empty: the message may still be answered.
        device?.statusUntil = now.advanced(bySeconds: WiFiSetLimit.acknowledgmentSeconds)
        send(.statusRequest, .writeStatusRequest)
    }

    mutating func statusFailed(_ failure: GATTRequestError, at now: HostInstant) {
        device?.statusUntil = nil
        wantsStatus = false
        core.report(.statusFailed(failure))
        writeWaiting(at: now)
    }

    private mutating func handle(_ status: WiFiStatus, at now: HostInstant) {
        let wasAsked = wantsStatus
        wantsStatus = false
        device?.statusUntil = nil
        lastStatus = status
        core.report(.status(status))
        switch provisioning {
        case .joining(let credentials, _, let error):
            switch status.state {
            case .connected where status.ssid == credentials.ssid: endProvisioning(.connected(status))
            case .failed: endProvisioning(.failed(error))
            default: break
            }
        case .waiting(let credentials) where wasAsked && listening != nil:
            // The link was lost on the way; the device may have got on without it.
            switch status.state {
            case .connected where status.ssid == credentials.ssid: endProvisioning(.connected(status))
            case .connecting where status.ssid == credentials.ssid: join(credentials, at: now)
            default: write(attempt: 1, at: now)
            }
        case .idle, .waiting, .writing: break
        }
    }

    private mutating func handle(_ report: WiFiErrorReport, at now: HostInstant) {
        core.report(.error(report))
        if case .running(var list) = listing {
            if report.code == .scanFailed {
                listFailed(.error(report))
            } else {
                // It may be about something else: the list may still come.
                list.trouble = (report, now.advanced(bySeconds: Self.nextEntrySeconds))
                listing = .running(list)
            }
        }
        switch provisioning {
        case .writing(let credentials, let attempt, let until, _):
            switch report.code {
            case .invalidMessage, .credentialWriteFailed, .storageError, .unknownMessageType:
                // This is an answer: the same again would be answered the same.
                endProvisioning(.failed(report))
            default: provisioning = .writing(credentials, attempt: attempt, until: until, report)
            }
        case .joining(let credentials, let until, _):
            switch report.code {
            case .connectionTimeout, .credentialWriteFailed, .storageError:
                // The state follows at once, unless the firmware knows no other way to say it.
                let soon = now.advanced(bySeconds: Self.lastWordSeconds)
                provisioning = .joining(credentials, until: min(until, soon), report)
            default: break
            }
        case .idle, .waiting: break
        }
    }

    // MARK: Credentials

    /// Writes credentials that wait for the device.
    mutating func writeWaiting(at now: HostInstant) {
        if case .waiting = provisioning { write(attempt: 1, at: now) }
    }

    private mutating func write(attempt: Int, at now: HostInstant) {
        guard listening != nil else { return }
        let credentials: WiFiCredentials
        var error: WiFiErrorReport?
        switch provisioning {
        case .waiting(let waiting): credentials = waiting
        case .writing(let writing, _, _, let report):
            credentials = writing
            error = report
        case .idle, .joining: return
        }
        // What was said before these credentials says nothing of them.
        if attempt == 1 { lastStatus = nil }
        let until = now.advanced(bySeconds: WiFiSetLimit.acknowledgmentSeconds)
        provisioning = .writing(credentials, attempt: attempt, until: until, error)
        send(.credentialWrite(credentials), .writeCredentials)
        core.report(.written(attempt: attempt))
    }

    private mutating func acknowledged(_ status: WiFiAcknowledgment, at now: HostInstant) {
        guard case .writing(let credentials, let attempt, _, _) = provisioning else { return }
        core.report(.acknowledged(status, attempt: attempt))
        if status == .stored {
            join(credentials, at: now)
        } else {
            endProvisioning(.refused(status))
        }
    }

    private mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {
        // The device gives up after 30 s; its word has precedence.
        let until = now.advanced(bySeconds: WiFiSetLimit.joinSeconds + Self.lastWordSeconds)
        provisioning = .joining(credentials, until: until, nil)
    }

    mutating func provisioningDeadlineReached(at now: HostInstant) {
        switch provisioning {
        case .writing(let credentials, let attempt, let until, let error) where until <= now:
            if attempt < WiFiSetLimit.acknowledgmentTries {
                write(attempt: attempt + 1, at: now)
            } else if let lastStatus, lastStatus.state == .connected, lastStatus.ssid == credentials.ssid {
                // Real firmware has no way to acknowledge, but tells its state.
                endProvisioning(.connected(lastStatus))
            } else if lastStatus?.state == .failed {
                endProvisioning(.failed(error))
            } else {
                endProvisioning(.notAcknowledged(error))
            }
        case .joining(_, let until, let error) where until <= now:
            endProvisioning(error.map { .failed($0) } ?? .noResult)
        case .idle, .waiting, .writing, .joining: break
        }
    }

    /// Ends what credentials have begun and wipes them; without an outcome nothing is reported.
    mutating func endProvisioning(_ outcome: WiFiOutcome?) {
        let ended = provisioning
        provisioning = .idle
        var secret: WiFiCredentials
        switch consume ended {
        case .idle: return
        case .waiting(let credentials), .writing(let credentials, _, _, _), .joining(let credentials, _, _):
            secret = credentials
        }
        secret.wipe()
        if let outcome { core.report(.provisioned(outcome)) }
    }
}

extension WiFiSetClient.List {
    /// What a list that is asked for again begins with: how often something was lost.
    var losses: WiFiNetworkList {
        WiFiNetworkList(sequenceGaps: networks.sequenceGaps, duplicates: networks.duplicates)
    }
}
