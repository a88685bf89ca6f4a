// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets
import Testing

/// A conversation of two devices, which can be cut off behind each of its PDUs.
struct Conversation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let initiator: SMP.IOCapability
    let responder: SMP.IOCapability
    let use: SMP.SecureConnectionsUse
    var isOutOfBand = false

    static let all: [Conversation] = [
        Conversation(
            testDescription: "legacy, Just Works", initiator: .noInputNoOutput, responder: .noInputNoOutput,
            use: .off),
        Conversation(
            testDescription: "legacy, the responder shows", initiator: .keyboardOnly, responder: .displayOnly,
            use: .off),
        Conversation(
            testDescription: "legacy, both enter", initiator: .keyboardOnly, responder: .keyboardOnly,
            use: .off),
        Conversation(
            testDescription: "Just Works", initiator: .noInputNoOutput, responder: .displayOnly,
            use: .preferred),
        Conversation(
            testDescription: "Numeric Comparison", initiator: .displayYesNo, responder: .keyboardDisplay,
            use: .preferred),
        Conversation(
            testDescription: "the initiator shows", initiator: .displayOnly, responder: .keyboardOnly,
            use: .preferred),
        Conversation(
            testDescription: "the responder shows", initiator: .keyboardOnly, responder: .displayYesNo,
            use: .preferred),
        Conversation(
            testDescription: "out of band", initiator: .displayOnly, responder: .displayOnly, use: .preferred,
            isOutOfBand: true),
    ]

    /// The two devices before they begin.
    func fresh() -> Duo {
        var first = SMP.Configuration.device(initiator, mitm: true, use, identity: 1)
        var second = SMP.Configuration.device(responder, mitm: true, use, identity: 2)
        let toys = (ToyCryptography(side: 0), ToyCryptography(side: 1))
        if isOutOfBand {
            second.outOfBand.own = SMP.OutOfBand.Own(from: toys.1)
            first.outOfBand.received = second.outOfBand.own.map {
                .init(random: $0.random, confirm: $0.confirm)
            }
        }
        return Duo(first, second, cryptography: toys)
    }

    /// The two devices, as far as `count` PDUs.
    func begun(upTo count: Int, personsAnswer: Bool = true) -> Duo {
        var duo = fresh()
        var delivered = 0
        duo.onAir = { _, octets in
            delivered += 1
            return delivered <= count ? [octets] : []
        }
        duo.personsAnswer = personsAnswer
        duo.pair()
        return duo
    }

    /// Who gets a PDU of which code, in the order of all.
    var trace: [(role: SMP.Role, code: UInt8)] {
        var trace: [(role: SMP.Role, code: UInt8)] = []
        var duo = fresh()
        duo.onAir = { sender, octets in
            trace.append((sender == .initiator ? .responder : .initiator, octets[0]))
            return [octets]
        }
        duo.pair()
        return trace
    }

    /// How many PDUs it has.
    var length: Int { trace.count }
}

extension Duo {
    func said(by role: SMP.Role) -> Said { role == .initiator ? saidByInitiator : saidByResponder }
    func isPairing(_ role: SMP.Role) -> Bool {
        role == .initiator ? initiator.isPairing : responder.isPairing
    }
    func ignored(by role: SMP.Role) -> Int { role == .initiator ? initiator.ignored : responder.ignored }
    func deadline(of role: SMP.Role) -> HostInstant? {
        role == .initiator ? initiator.nextDeadline : responder.nextDeadline
    }
}

/// Every state that two devices come through, and every input there.
@Suite struct TransitionTests {
    private static let pdus: [[UInt8]] =
        PDUCase.all.map(\.golden) + [[0x00], [0x0F, 1], [0xFF, 1, 2, 3], [], [0x03, 1], [0x0C], [0x05]]

    /// After how many PDUs a conversation is cut off; of twenty rounds some are enough.
    private func cuts(of conversation: Conversation) -> [Int] {
        let length = conversation.length
        return (0...length).filter { $0 < 12 || $0 > length - 12 || $0.isMultiple(of: 13) }
    }

    @Test(arguments: Conversation.all) func `a PDU that is not awaited ends pairing with its code`(
        _ conversation: Conversation
    ) {
        let trace = conversation.trace
        for octets in Self.pdus {
            let code = octets.first ?? 0
            let isKnown = (try? SMP.PDU(decoding: octets.span.bytes)) != nil
            for count in cuts(of: conversation) {
                for role in [SMP.Role.initiator, .responder] {
                    for personsAnswer in [true, false] {
                        var duo = conversation.begun(upTo: count, personsAnswer: personsAnswer)
                        // What this side waits for, unless it waits for a person.
                        let next = trace.dropFirst(count).first { $0.role == role }?.code
                        let before = duo.said(by: role)
                        let ignored = duo.ignored(by: role)
                        let wasPairing = duo.isPairing(role)
                        duo.onAir = { _, _ in [] }
                        duo.inject(octets, to: role)
                        let after = duo.said(by: role)
                        let failures = after.failures.dropFirst(before.failures.count)
                        let sent = after.sent.dropFirst(before.sent.count)
                        let what = Comment(rawValue: "\(octets) to \(role) after \(count), \(personsAnswer)")
                        let isAwaited =
                            next == code && isKnown
                            || !personsAnswer && (code == 3 || code == 0x0D) && isKnown
                        guard wasPairing else {
                            #expect(failures.isEmpty || code == 1 && role == .responder, what)
                            continue
                        }
                        if isAwaited || code == 0x0E && isKnown { continue }
                        let expected: (ignored: Bool, SMP.Failure?) =
                            switch code {
                            case 5:
                                (
                                    false,
                                    .refusedByPeer(isKnown ? .init(rawValue: octets[1]) : .unspecifiedReason)
                                )
                            case 1...0x0E where !isKnown: (false, .refused(.invalidParameters))
                            case 0 where octets.isEmpty: (false, .refused(.invalidParameters))
                            case 0, 0x0F...: (true, nil)
                            case 0x0B where role == .initiator: (true, nil)
                            case 0x0A where !before.secured.isEmpty: (true, nil)
                            case 0x0B where role == .responder: (false, .refused(.commandNotSupported))
                            case 1 where role == .initiator: (false, .refused(.commandNotSupported))
                            default: (false, .refused(.unspecifiedReason))
                            }
                        let (isIgnored, isPairing) = (duo.ignored(by: role) > ignored, duo.isPairing(role))
                        #expect(isIgnored == expected.ignored, what)
                        #expect(Array(failures) == [expected.1].compactMap(\.self), what)
                        #expect(isPairing == expected.ignored, what)
                        let reason: [UInt8]? =
                            if case .refused(let reason)? = expected.1 { [5, reason.rawValue] } else { nil }
                        #expect(Array(sent) == [reason].compactMap(\.self), what)
                    }
                }
            }
        }
    }

    enum Other: CaseIterable {
        case start, encrypt, accept, reject, passkey, newKey, oldKey, on, off, failed, refused, deadline,
            disconnected

        func happen(to pairing: inout SMP.Pairing, at now: HostInstant) {
            switch self {
            case .start: pairing.start(at: now)
            case .encrypt: pairing.encrypt(at: now)
            case .accept: pairing.answer(.accept, at: now)
            case .reject: pairing.answer(.reject, at: now)
            case .passkey: if let passkey = SMP.Passkey(1) { pairing.answer(.passkey(passkey), at: now) }
            case .newKey: pairing.keyRequested(rand: 0, ediv: 0, at: now)
            case .oldKey: pairing.keyRequested(rand: 1, ediv: 2, at: now)
            case .on: pairing.encryptionChanged(.on, at: now)
            case .off: pairing.encryptionChanged(.off, at: now)
            case .failed: pairing.encryptionChanged(.failed(status: 0x3D), at: now)
            case .refused: pairing.encryptionChanged(.refused(status: 0x0C), at: now)
            case .deadline: pairing.deadlineReached(at: now.advanced(bySeconds: 30))
            case .disconnected: pairing.disconnected(at: now)
            }
        }
    }

    @Test(arguments: Conversation.all) func `whatever else happens, pairing ends once and says why`(
        _ conversation: Conversation
    ) {
        for count in cuts(of: conversation) {
            for (role, personsAnswer) in [
                (SMP.Role.initiator, true), (.initiator, false), (.responder, true), (.responder, false),
            ] {
                for other in Other.allCases {
                    var duo = conversation.begun(upTo: count, personsAnswer: personsAnswer)
                    duo.personsAnswer = false
                    duo.onAir = { _, _ in [] }
                    let what = Comment(rawValue: "\(other) at \(role) after \(count), \(personsAnswer)")
                    expect(other, in: &duo, role, what)
                }
            }
        }
    }

    private func happen(_ other: Other, in duo: inout Duo, _ role: SMP.Role) {
        if role == .initiator {
            other.happen(to: &duo.initiator, at: duo.now)
        } else {
            other.happen(to: &duo.responder, at: duo.now)
        }
        duo.settle()
    }

    private func expect(_ other: Other, in duo: inout Duo, _ role: SMP.Role, _ what: Comment) {
        let before = duo.said(by: role)
        let (wasPairing, ignored) = (duo.isPairing(role), duo.ignored(by: role))
        happen(other, in: &duo, role)
        let after = duo.said(by: role)
        let failures = Array(after.failures.dropFirst(before.failures.count))
        let isIgnored = duo.ignored(by: role) > ignored && failures.isEmpty
        let isPairing = duo.isPairing(role)
        let refusedKeys = after.refusedKeys - before.refusedKeys
        guard wasPairing else {
            expectOutside(other, failures, isIgnored, refusedKeys, wasSecured: !before.secured.isEmpty, what)
            if other == .off || other == .failed, !failures.isEmpty {
                #expect(after.closes == before.closes + 1, what)
            }
            return
        }
        switch other {
        case .start, .encrypt: #expect(failures == [.busy] && isPairing, what)
        case .accept, .passkey: #expect(failures.isEmpty && (isIgnored || !before.questions.isEmpty), what)
        case .reject: #expect(failures == [.cancelled] && after.sent.last?.first == 5, what)
        case .newKey where role == .responder && failures.isEmpty:
            #expect(after.key != nil && refusedKeys == 0, what)
        case .newKey, .oldKey: #expect(failures == [.encryptionLost] && refusedKeys == 1, what)
        case .on: #expect(failures == [.encryptionLost], what)
        case .off where !before.secured.isEmpty:
            #expect(failures == [.encryptionLost] && after.closes == 1, what)
        case .off: #expect(isIgnored && isPairing, what)
        case .failed where !before.secured.isEmpty:
            #expect(failures == [.encryption(status: 0x3D)] && after.closes == 1, what)
        case .failed: #expect(isIgnored || failures == [.encryption(status: 0x3D)], what)
        case .refused: #expect((isIgnored && isPairing) || failures == [.encryption(status: 0x0C)], what)
        case .deadline:
            let deadline = duo.deadline(of: role)
            #expect(failures == [.timeout] && deadline == nil, what)
            happen(.start, in: &duo, role)
            duo.inject([0x01, 3, 0, 9, 16, 0, 0], to: role)
            duo.inject([0x0B, 1], to: role)
            let last = duo.said(by: role)
            #expect(last.failures.last == .closed && last.sent.count == after.sent.count, what)
        case .disconnected:
            #expect(failures == [.disconnected], what)
            for more in Other.allCases { happen(more, in: &duo, role) }
            let last = duo.said(by: role)
            #expect(last.failures.count == after.failures.count && last.sent.count == after.sent.count, what)
        }
        if other != .accept, other != .passkey, !failures.isEmpty, failures != [.busy] {
            #expect(!isPairing, what)
        }
    }

    /// What happens where nothing is going on: before, or after the end.
    private func expectOutside(
        _ other: Other, _ failures: [SMP.Failure], _ isIgnored: Bool, _ refusedKeys: Int, wasSecured: Bool,
        _ what: Comment
    ) {
        switch other {
        case .start: #expect(failures.isEmpty, what)
        case .encrypt:
            #expect(failures.isEmpty || failures == [.notBonded] || failures == [.keyMissing], what)
        case .newKey, .oldKey: #expect(failures.isEmpty && refusedKeys <= 1, what)
        case .off where wasSecured: #expect(failures == [.encryptionLost], what)
        case .failed where wasSecured: #expect(failures == [.encryption(status: 0x3D)], what)
        case .accept, .reject, .passkey, .on, .off, .failed, .refused: #expect(isIgnored, what)
        case .deadline, .disconnected: #expect(failures.isEmpty, what)
        }
    }
}
