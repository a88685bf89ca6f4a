// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension WiFiSetDevice where Station: ~Copyable {
    // MARK: Messages

    mutating func received(_ octets: [UInt8], _ index: Int, at now: HostInstant) throws(WiFiMessageError) {
        let verdict = links[index].heard.judge(octets)
        if verdict != .next { report(.sequence(links[index].id, verdict)) }
        // A device never receives the other types, so what they hold is of no interest.
        guard let kind = octets.first,
            [.credentialWrite, .statusRequest].contains(WiFiMessage.Kind(rawValue: kind))
        else { throw .unknownKind(octets.first ?? 0) }
        let message = try WiFiMessage(decoding: octets)
        switch message.body {
        case .credentialWrite(let credentials) where verdict != .repeated: accept(credentials, index, at: now)
        case .statusRequest:
            if verdict != .repeated { report(.statusRequested(links[index].id)) }
            answer(index, .statusResponse(status))
        default:
            // A repeat is not acted on again, but who asks again has not heard the answer.
            if let answer = links[index].lastAnswer { self.answer(index, answer) }
        }
    }

    private mutating func accept(_ credentials: WiFiCredentials, _ index: Int, at now: HostInstant) {
        let link = links[index].id
        if case .joining(credentials, isCandidate: true, _) = join {
            report(.credentials(link, ssid: credentials.ssid, .stored))
            answer(index, .acknowledgment(.stored))
            return
        }
        guard station.keep(credentials) else {
            report(.credentials(link, ssid: credentials.ssid, .storageFailure))
            answer(index, .acknowledgment(.storageFailure))
            return
        }
        report(.credentials(link, ssid: credentials.ssid, .stored))
        answer(index, .acknowledgment(.stored))
        hasFailed = false
        join(credentials, isCandidate: true, at: now)
    }

    /// Answers what cannot be used.
    mutating func refuse(_ error: WiFiMessageError, _ index: Int) {
        report(.fault(links[index].id, error))
        switch error {
        case .badSSIDLength: answer(index, .acknowledgment(.invalidSSIDLength))
        case .badPasswordLength: answer(index, .acknowledgment(.invalidPasswordLength))
        case .unknownKind(let kind): answer(index, .error(.init(.unknownMessageType, .unknownKind(kind))))
        case .noHeader, .lengthMismatch, .tooLong, .incomplete, .badPayload:
            answer(index, .error(.init(.invalidMessage, .fault(error))))
        }
    }

    private mutating func answer(_ index: Int, _ body: WiFiMessage.Body) {
        links[index].lastAnswer = body
        sendStatus(body, index)
    }

    private mutating func sendStatus(_ body: WiFiMessage.Body, _ index: Int) {
        guard links[index].wantsStatus, let handle = handles?.status else { return }
        send(body, index, handle)
    }

    /// Sends a message in as many notifications as it takes.
    @discardableResult
    private mutating func send(_ body: WiFiMessage.Body, _ index: Int, _ handle: AttributeHandle) -> [UInt8] {
        let octets = WiFiMessage(sequence: links[index].counter, body).encoded()
        guard outputs.count < Self.maximumWaiting else { return octets }
        links[index].counter &+= 1
        let room = max(ATT.longestValue(atMTU: links[index].mtu), 1)
        var start = 0
        while start < octets.count {
            let end = min(start + room, octets.count)
            outputs.append(.send(links[index].id, handle, Array(octets[start..<end]), .notify))
            start = end
        }
        return octets
    }

    mutating func report(_ event: Event) {
        if outputs.count < Self.maximumWaiting { outputs.append(.event(event)) }
    }

    // MARK: Networks

    mutating func startList(_ index: Int, at now: HostInstant) {
        guard let handle = handles?.list else { return }
        report(.listRequested(links[index].id))
        links[index].awaitsList = true
        links[index].lastList = send(.listStart, index, handle)
        if !isScanning {
            isScanning = true
            station.startScan(at: now)
        }
    }

    private mutating func sendLists(_ networks: [WiFiNetwork]) {
        guard let handle = handles?.list else { return }
        // The count has one octet: the strongest have precedence.
        let sent =
            networks.count > 255 ? Array(networks.ordered { $0.rssi > $1.rssi }.prefix(255)) : networks
        for index in links.indices where links[index].awaitsList {
            links[index].awaitsList = false
            for network in sent { send(.networkEntry(network), index, handle) }
            links[index].lastList = send(.listEnd(count: UInt8(sent.count)), index, handle)
            report(.listSent(links[index].id, count: sent.count))
        }
    }

    private mutating func scanFailed() {
        report(.scanFailed)
        for index in links.indices where links[index].awaitsList {
            links[index].awaitsList = false
            sendStatus(.error(.init(.scanFailed, "the Wi-Fi radio could not look for networks")), index)
        }
    }

    // MARK: Joining

    mutating func joinStored(at now: HostInstant) {
        guard let stored = station.stored else {
            join = .idle
            return
        }
        join(stored, isCandidate: false, at: now)
    }

    private mutating func join(_ credentials: WiFiCredentials, isCandidate: Bool, at now: HostInstant) {
        let before = status
        let until = now.advanced(bySeconds: WiFiSetLimit.joinSeconds)
        join = .joining(credentials, isCandidate: isCandidate, until: until)
        station.join(credentials, at: now)
        // A new try is news even from one try to the next.
        if isCandidate || status != before { reportStatus() }
    }

    private mutating func joined(rssi: Int8, address: UInt32) {
        guard case .joining(let credentials, let isCandidate, _) = join else { return }
        if isCandidate, !station.storeCandidate() {
            for index in links.indices {
                sendStatus(
                    .error(.init(.storageError, "the credentials work but could not be stored")), index)
            }
        }
        hasFailed = false
        join = .joined(credentials, rssi: rssi, address: address)
        reportStatus()
    }

    mutating func joinFailed(_ failure: WiFiJoinError, at now: HostInstant) {
        guard case .joining(let credentials, let isCandidate, _) = join else { return }
        report(.joinFailed(ssid: credentials.ssid, failure))
        let before = status
        hasFailed = true
        join =
            isCandidate || station.stored == nil
            ? .idle : .waiting(until: now.advanced(bySeconds: Self.rejoinTime))
        if isCandidate { station.dropCandidate() }
        // Nobody else holds what has not worked any more.
        var secret = credentials
        secret.wipe()
        if failure == .noAnswer, isCandidate {
            for index in links.indices {
                sendStatus(.error(.init(.connectionTimeout, "the network did not answer in 30 s")), index)
            }
        }
        if status != before { reportStatus() }
        if isCandidate { joinStored(at: now) }
    }

    private mutating func reportStatus() {
        report(.status(status))
        for index in links.indices { sendStatus(.statusResponse(status), index) }
    }

    /// Handles an event of the Wi-Fi radio.
    mutating func drainStation(at now: HostInstant) {
        while let event = station.nextEvent() {
            switch event {
            case .scanned(let networks):
                isScanning = false
                sendLists(networks)
            case .scanFailed:
                isScanning = false
                scanFailed()
            case .joined(let rssi, let address): joined(rssi: rssi, address: address)
            case .joinFailed(let failure): joinFailed(failure, at: now)
            case .lost:
                guard case .joined = join else { break }
                joinStored(at: now)
            }
        }
    }
}

extension WireText {
    /// What an Error says of a type that the device does not take.
    fileprivate static func unknownKind(_ kind: UInt8) -> WireText {
        var text: WireText = "unknown message type "
        text.append(Int(kind))
        return text
    }

    /// What an Error says of a message that makes no sense.
    fileprivate static func fault(_ error: WiFiMessageError) -> WireText {
        var text: WireText
        switch error {
        case .lengthMismatch(let announced, let following):
            text = "announced octets: "
            text.append(announced)
            text.octets += (", following: " as WireText).octets
            text.append(following)
        case .tooLong(let announced):
            text = "too long: "
            text.append(announced)
        case .incomplete(let held, let announced):
            text = ""
            text.append(held)
            text.octets += (" of " as WireText).octets
            text.append(announced)
            text.octets += (" octets" as WireText).octets
        default: text = "the lengths do not add up"
        }
        return text
    }

    private mutating func append(_ number: Int) {
        var digits: [UInt8] = []
        var rest = max(number, 0)
        repeat {
            digits.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        octets += digits.reversed()
    }
}
