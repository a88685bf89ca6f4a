// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import Fuzzing

/// Two devices that pair, and somebody between them who does as the input says: to PDUs, persons, controllers and time.
func fuzzPairing(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    var script = Script(input)
    var run = PairingFuzzCase(&script, trace)
    while !script.isAtEnd { try run.step(&script) }
    try run.end()
}

/// One side, and what is promised of it.
private struct PairingSide: ~Copyable {
    var pairing: SMP.Pairing
    let configuration: SMP.Configuration
    let role: SMP.Role
    /// What waits for the other side.
    var sent = FIFO<[UInt8]>()
    var isEncrypted = false
    var isEnded = false
    var isClosed = false
    private var wasPairing = false

    init(_ role: SMP.Role, _ script: inout Script) {
        let choice = script.byte()
        var configuration = SMP.Configuration()
        configuration.ioCapability = SMP.IOCapability(rawValue: choice % 5)
        configuration.wantsAuthentication = choice & 0x20 != 0
        configuration.secureConnections = choice & 0x40 == 0 ? .preferred : .off
        configuration.bonds = choice & 0x80 == 0
        let more = script.byte()
        configuration.minimumKeySize = more & 1 == 0 ? 16 : 7
        configuration.maximumKeySize = 16 - more >> 1 & 7
        configuration.asksConsent = more & 0x10 != 0
        configuration.answersSecurityRequests = more & 0x20 != 0
        configuration.minimumLevel = more & 0x40 == 0 ? .encrypted : .authenticated
        let own = BluetoothAddress(role == .initiator ? 1 : 2, kind: .public)
        let peer = BluetoothAddress(role == .initiator ? 2 : 1, kind: .public)
        if more & 0x80 == 0 {
            configuration.identity = SMP.Identity(resolvingKey: SMP.Secret(UInt128(choice) + 1), address: own)
        }
        let toy = ToyCryptography(side: role == .initiator ? 0 : 1, seed: UInt64(choice))
        self.configuration = configuration
        self.role = role
        pairing = SMP.Pairing(
            SMP.Parties(
                role: role, own: own, peer: peer, otherIdentities: [BluetoothAddress(7, kind: .public)]),
            configuration: configuration, cryptography: toy)
    }

    /// Does as the input says.
    mutating func act(
        _ choice: UInt8, _ script: inout Script, other: inout PairingSide, at now: inout HostInstant
    ) {
        switch choice & 15 {
        case 0...4:
            // What the other side has sent, several at once: a conversation needs no long input.
            for _ in 0...(choice >> 5) {
                guard let octets = other.sent.popFirst() else { break }
                pairing.receive(octets.octetSpan.bytes, at: now)
            }
        case 5:
            guard var octets = other.sent.popFirst(), !octets.isEmpty else { return }
            octets[Int(script.byte()) % octets.count] ^= script.byte()
            pairing.receive(octets.octetSpan.bytes, at: now)
        case 6: pairing.receive(script.counted().octetSpan.bytes, at: now)
        case 7: _ = other.sent.popFirst()
        case 8: pairing.start(at: now)
        case 9:
            let answers: [SMP.Answer] = [.accept, .reject]
            pairing.answer(answers[Int(choice >> 5) & 1], at: now)
        case 10:
            guard let passkey = SMP.Passkey(UInt32(script.byte())) else { return }
            pairing.answer(.passkey(passkey), at: now)
        case 11: pairing.keyRequested(rand: UInt64(choice >> 7), ediv: UInt16(choice >> 6 & 1), at: now)
        case 12:
            // The controllers of both sides.
            isEncrypted = true
            other.isEncrypted = true
            pairing.encryptionChanged(.on, at: now)
            other.pairing.encryptionChanged(.on, at: now)
        case 13 where choice & 0x40 != 0: pairing.encryptionChanged(.refused(status: script.byte()), at: now)
        case 13:
            isEncrypted = false
            pairing.encryptionChanged(
                choice & 0x20 == 0 ? .off : .failed(status: script.byte()), at: now)
        case 14:
            pairing.disconnected(at: now)
            isEncrypted = false
            isEnded = true
        default:
            now = now.advanced(byMilliseconds: UInt64(script.byte()) * 250)
            if choice & 0x80 != 0, let deadline = pairing.nextDeadline { now = max(now, deadline) }
            pairing.deadlineReached(at: now)
            other.pairing.deadlineReached(at: now)
        }
    }

    /// Takes all that it puts out, and holds it to what is promised.
    mutating func drain(at now: HostInstant, _ trace: FuzzTrace) throws(Broken) {
        var count = 0
        while let output = pairing.nextOutput() {
            count += 1
            try check(count < 100, "the outputs come to an end")
            try check(!isEnded || isLast(output), "nothing happens after the end of the link")
            switch output {
            case .send(let octets):
                try check(!isClosed, "nothing is sent after a timeout")
                try check((try? SMP.PDU(decoding: octets.octetSpan.bytes)) != nil, "what is sent can be read")
                trace.add(octets)
                sent.append(octets)
            case .startEncryption, .giveKey: try check(!isEnded && !isClosed, "no keys after the end")
            case .secured(let security):
                trace.add(security.keySize)
                try secured(security)
            case .bond(let bond):
                try check(isEncrypted, "nothing is kept of a link that is not encrypted")
                try check(configuration.bonds, "nothing is kept unasked")
                try check(bond.identity?.address.value != 7, "nobody takes the identity of another bond")
            case .paired(let security):
                try secured(security)
                try check(isEncrypted, "nothing is paired that is not encrypted")
            case .failed(let failure): isClosed = isClosed || failure == .timeout && wasPairing
            case .ask, .show, .refuseKey, .securityRequested, .closeLink: break
            }
        }
        wasPairing = pairing.isPairing
        try check(pairing.nextDeadline.map { $0 > now } ?? true, "no deadline lies in the past")
        try check(pairing.isPairing || pairing.security == nil || isEncrypted, "only encryption protects")
    }

    private func isLast(_ output: SMP.Pairing.Output) -> Bool {
        if case .failed(.disconnected) = output { return true }
        return false
    }

    private func secured(_ security: SMP.Security) throws(Broken) {
        try check(security.level >= configuration.minimumLevel, "no link is less secure than was asked for")
        let smallest = min(configuration.minimumKeySize, configuration.maximumKeySize)
        try check(security.keySize >= smallest, "no key is shorter than was asked for")
    }
}

private struct PairingFuzzCase: ~Copyable {
    private var initiator: PairingSide
    private var responder: PairingSide
    private var now = HostInstant(microseconds: 1)
    private let trace: FuzzTrace

    init(_ script: inout Script, _ trace: FuzzTrace) {
        self.trace = trace
        initiator = PairingSide(.initiator, &script)
        responder = PairingSide(.responder, &script)
    }

    mutating func step(_ script: inout Script) throws(Broken) {
        let choice = script.byte()
        if choice & 0x10 == 0 {
            initiator.act(choice, &script, other: &responder, at: &now)
        } else {
            responder.act(choice, &script, other: &initiator, at: &now)
        }
        try initiator.drain(at: now, trace)
        try responder.drain(at: now, trace)
    }

    mutating func end() throws(Broken) {
        initiator.pairing.disconnected(at: now)
        responder.pairing.disconnected(at: now)
        initiator.isEncrypted = false
        responder.isEncrypted = false
        try initiator.drain(at: now, trace)
        try responder.drain(at: now, trace)
        try check(!initiator.pairing.isPairing && !responder.pairing.isPairing, "the end ends pairing")
        try check(
            initiator.pairing.nextDeadline == nil && responder.pairing.nextDeadline == nil,
            "nothing is waited for after the end")
    }
}
