// SPDX-License-Identifier: Apache-2.0

public import Companion

extension WiFiSetup {
    /// Learns from what a device reports.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - now: When it came.
    public mutating func receive(_ report: WiFiReport, at now: Timestamp) {
        if let words = WiFiText.said(report) {
            answers.append(WiFiSaid(now, words))
            if answers.count > Self.answerLimit { answers.removeFirst() }
        }
        switch report {
        case .ready(let device):
            protocolName = device.kind.name
            mtu = device.mtu
            canIdentify = device.canIdentify
            if let state = device.state { status = WiFiSaidStatus(state) }
        case .listRequested: isListing = true
        case .list: (isListing, lists, listFailure) = (false, lists + 1, nil)
        case .listFailed(let failure):
            (isListing, listFailure) = (false, WiFiText.listReason(failure))
        case .state(let state): received(state, at: now)
        case .identified: identified = now
        case .joined(let state, _):
            status = WiFiSaidStatus(state)
            change { attempt in
                if attempt.accepted == nil { attempt.accepted = now }
                if attempt.joining == nil { attempt.joining = now }
                attempt.step = .joined
                attempt.ended = now
            }
        case .sent:
            change { attempt in
                if attempt.sent == nil { attempt.sent = now }
                attempt.step = .sent
            }
        case .answered(.stored, _):
            change { attempt in
                attempt.accepted = now
                attempt.step = .accepted
            }
        case .authorizationNeeded: change { $0.step = .button }
        case .notJoined(let failure):
            fail(
                WiFiText.reason(failure, of: attempt, at: now), at: now,
                isUncertain: failure == .linkLost || failure == .noResult)
            noteFallback()
        case .network, .stateFailed, .answered, .trouble, .identifyFailed, .description,
            .descriptionFailed:
            break
        }
    }

    /// Ends a try that is under way, because the link has.
    ///
    /// - Parameters:
    ///   - reason: Why, in a sentence.
    ///   - now: When.
    public mutating func end(_ reason: String, at now: Timestamp) {
        let isSent = attempt?.sent != nil
        fail(isSent ? "\(reason) \(WiFiText.mayHaveJoined)" : reason, at: now, isUncertain: true)
    }

    private mutating func fail(_ reason: String, at now: Timestamp, isUncertain: Bool) {
        isListing = false
        change { attempt in
            attempt.step = .failed
            attempt.ended = now
            attempt.failure = reason
            attempt.isUncertain = isUncertain && attempt.sent != nil
        }
    }

    private mutating func received(_ state: WiFiDeviceState, at now: Timestamp) {
        status = WiFiSaidStatus(state)
        if state.word == .connecting {
            change { attempt in
                if attempt.accepted == nil { attempt.accepted = now }
                if attempt.joining == nil { attempt.joining = now }
                attempt.step = .joining
            }
        }
        noteFallback()
    }

    /// Changes the try that is under way.
    private mutating func change(_ body: (inout WiFiAttempt) -> Void) {
        guard var now = attempt, !now.step.isOver else { return }
        body(&now)
        attempt = now
    }

    private mutating func noteFallback() {
        guard let state = status?.state, let failed = attempt, failed.step == .failed else { return }
        attempt?.fallback = WiFiText.fallback(state, after: failed) ?? failed.fallback
    }
}
