// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension WiFiSetClient {
    // MARK: Messages

    mutating func received(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        do throws(WiFiMessageError) {
            var octets: [UInt8]?
            if handle == peer?.list.valueHandle {
                octets = try peer?.listPieces.receive(value, at: now) ?? nil
            } else if handle == peer?.status.valueHandle {
                octets = try peer?.statusPieces.receive(value, at: now) ?? nil
            } else if handle == peer?.credentials.valueHandle {
                octets = try peer?.credentialPieces.receive(value, at: now) ?? nil
            }
            guard let octets, let verdict = peer?.heard.judge(octets) else { return }
            count(verdict)
            let message = try WiFiMessage(decoding: octets)
            if verdict != .repeated { take(message.body, at: now) }
        } catch {
            outputs.append(.event(.fault(error)))
        }
    }

    mutating func checkPieces(at now: HostInstant) {
        do throws(WiFiMessageError) {
            try peer?.listPieces.deadlineReached(at: now)
        } catch {
            outputs.append(.event(.fault(error)))
        }
        do throws(WiFiMessageError) {
            try peer?.statusPieces.deadlineReached(at: now)
        } catch {
            outputs.append(.event(.fault(error)))
        }
        do throws(WiFiMessageError) {
            try peer?.credentialPieces.deadlineReached(at: now)
        } catch {
            outputs.append(.event(.fault(error)))
        }
    }

    private mutating func count(_ verdict: WiFiSequence.Verdict) {
        guard verdict != .next else { return }
        outputs.append(.event(.sequence(verdict)))
        guard case .running(var list, let attempt, let until) = listing else { return }
        if verdict == .repeated { list.duplicates += 1 } else { list.sequenceGaps += 1 }
        listing = .running(list, attempt: attempt, until: until)
    }

    private mutating func take(_ body: WiFiMessage.Body, at now: HostInstant) {
        switch body {
        case .listStart:
            // What came before belongs to an older list; its gaps are told all the same.
            guard case .running(var list, let attempt, let until) = listing else { break }
            list.networks = []
            listing = .running(list, attempt: attempt, until: until)
        case .networkEntry(let network):
            // Real firmware may send its first message before anyone can listen: the start is not required.
            guard case .running(var list, let attempt, let until) = listing else { break }
            list.networks.append(network)
            listing = .running(list, attempt: attempt, until: until)
            outputs.append(.event(.network(network)))
        case .listEnd(let count):
            guard case .running(var list, _, _) = listing else { break }
            list.count = Int(count)
            listing = .idle
            outputs.append(.event(.list(list)))
        case .acknowledgment(let status): acknowledged(status, at: now)
        case .statusResponse(let status): taken(status, at: now)
        case .error(let report): taken(report, at: now)
        case .credentialWrite, .statusRequest:
            outputs.append(.event(.fault(.unknownKind(body.kind.rawValue))))
        }
    }

    private mutating func send(_ body: WiFiMessage.Body, _ request: Request) {
        guard let peer else { return }
        var octets = WiFiMessage(sequence: peer.counter, body).encoded()
        self.peer?.counter &+= 1
        let handle = peer.credentials.valueHandle
        let answers = peer.credentials.properties.contains(.write)
        let room = max(mtu - 3, 1)
        var start = 0
        while start < octets.count {
            let piece = Array(octets[start..<min(start + room, octets.count)])
            self.request(
                request, answers ? .write(handle, piece) : .writeWithoutResponse(handle, piece))
            start += room
        }
        WiFiCredentials.wipe(&octets)
    }

    // MARK: Networks

    mutating func askForList(at now: HostInstant) {
        guard case .waiting(let attempt) = listing, let peer else { return }
        // Switching off and on again asks for it again.
        if peer.hasListSubscription { request(.subscribeList(isOn: false), .subscribe(peer.list, [])) }
        self.peer?.hasListSubscription = true
        request(.subscribeList(isOn: true), .subscribe(peer.list, subscription(peer.list)))
        let until = now.advanced(bySeconds: WiFiSetLimit.list)
        listing = .running(WiFiNetworkList(), attempt: attempt, until: until)
        outputs.append(.event(.listRequested(attempt: attempt)))
    }

    mutating func listFailed(_ failure: WiFiListFailure) {
        listing = .idle
        outputs.append(.event(.listFailed(failure)))
    }

    // MARK: State

    mutating func statusRead(_ result: Result<[UInt8], RequestFailure>, at now: HostInstant) {
        if case .success(let octets) = result, let message = try? WiFiMessage(decoding: octets),
            case .statusResponse(let status) = message.body
        {
            taken(status, at: now)
            return
        }
        if case .failure(.disconnected) = result { return }
        // Real firmware's first value is empty: the message may still be answered.
        peer?.statusUntil = now.advanced(bySeconds: WiFiSetLimit.acknowledgment)
        send(.statusRequest, .writeStatusRequest)
    }

    mutating func statusFailed(_ failure: RequestFailure, at now: HostInstant) {
        peer?.statusUntil = nil
        wantsStatus = false
        outputs.append(.event(.statusFailed(failure)))
        if case .waiting = provisioning { write(attempt: 1, at: now) }
    }

    private mutating func taken(_ status: WiFiStatus, at now: HostInstant) {
        let wasAsked = wantsStatus
        wantsStatus = false
        peer?.statusUntil = nil
        lastStatus = status
        outputs.append(.event(.status(status)))
        switch provisioning {
        case .joining(let credentials, _, let error):
            switch status.state {
            case .connected where status.ssid == credentials.ssid: endProvisioning(.connected(status))
            case .failed: endProvisioning(.failed(error))
            default: break
            }
        case .waiting(let credentials) where wasAsked && peer?.isReady == true:
            // The link was lost on the way; the device may have got on without it.
            switch status.state {
            case .connected where status.ssid == credentials.ssid: endProvisioning(.connected(status))
            case .connecting where status.ssid == credentials.ssid: join(credentials, at: now)
            default: write(attempt: 1, at: now)
            }
        case .idle, .waiting, .writing: break
        }
    }

    private mutating func taken(_ report: WiFiErrorReport, at now: HostInstant) {
        outputs.append(.event(.error(report)))
        if report.code == .scanFailed, case .running = listing { listFailed(.scanFailed) }
        switch provisioning {
        case .writing(let credentials, let attempt, let until, _):
            provisioning = .writing(credentials, attempt: attempt, until: until, report)
        case .joining(let credentials, let until, _):
            switch report.code {
            case .connectionTimeout, .credentialWriteFailed, .storageError:
                // The state follows at once, unless the firmware knows no other way to say it.
                let soon = now.advanced(bySeconds: Self.grace)
                provisioning = .joining(credentials, until: min(until, soon), report)
            default: break
            }
        case .idle, .waiting: break
        }
    }

    // MARK: Credentials

    mutating func write(attempt: Int, at now: HostInstant) {
        let credentials: WiFiCredentials
        var error: WiFiErrorReport?
        switch provisioning {
        case .waiting(let waiting): credentials = waiting
        case .writing(let writing, _, _, let report):
            credentials = writing
            error = report
        case .idle, .joining: return
        }
        let until = now.advanced(bySeconds: WiFiSetLimit.acknowledgment)
        provisioning = .writing(credentials, attempt: attempt, until: until, error)
        send(.credentialWrite(credentials), .writeCredentials)
        outputs.append(.event(.written(attempt: attempt)))
    }

    private mutating func acknowledged(_ status: WiFiAcknowledgment, at now: HostInstant) {
        guard case .writing(let credentials, let attempt, _, _) = provisioning else { return }
        outputs.append(.event(.acknowledged(status, attempt: attempt)))
        if status == .stored {
            join(credentials, at: now)
        } else {
            endProvisioning(.refused(status))
        }
    }

    private mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {
        // The device gives up after 30 s; its word has precedence.
        let until = now.advanced(bySeconds: WiFiSetLimit.join + Self.grace)
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
            } else {
                endProvisioning(.notAcknowledged(error))
            }
        case .joining(_, let until, let error) where until <= now:
            endProvisioning(error.map { .failed($0) } ?? .noResult)
        case .idle, .waiting, .writing, .joining: break
        }
    }

    /// Ends what credentials have begun and wipes them; nothing is told without an outcome.
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
        if let outcome { outputs.append(.event(.provisioned(outcome))) }
    }
}
