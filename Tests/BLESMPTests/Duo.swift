// SPDX-License-Identifier: Apache-2.0

import BLESMP
import BLEWire
import FuzzTargets

/// What one side has put out.
struct Said {
    var failures: [SMP.Failure] = []
    var secured: [SMP.Security] = []
    var paired: [SMP.Security] = []
    var bonds: [SMP.Bond] = []
    var shown: SMP.Passkey?
    var questions: [SMP.Question] = []
    var securityRequests: [SMP.AuthenticationRequirements] = []
    var closes = 0
    var refusedKeys = 0
    /// What it sent, code included.
    var sent: [[UInt8]] = []
    /// The key that it gave to the controller, or wanted the link to be encrypted with.
    var key: SMP.LongTermKey?

    var codes: [UInt8] { sent.compactMap(\.first) }
    /// The reason of the last Pairing Failed.
    var reason: SMP.FailureReason? {
        sent.last { $0.first == 5 }.map { SMP.FailureReason(rawValue: $0[1]) }
    }
}

/// Two machines back to back, with their controllers and with persons who do what they are asked.
struct Duo: ~Copyable {
    static let initiatorAddress = BluetoothAddress(0xC0FF_EE00_0001, kind: .random)
    static let responderAddress = BluetoothAddress(0x0011_2233_4455, kind: .public)

    var initiator: SMP.Pairing
    var responder: SMP.Pairing
    var now = HostInstant(microseconds: 1_000_000_000)
    var saidByInitiator = Said()
    var saidByResponder = Said()
    /// What is done to each PDU on its way.
    var onAir: (SMP.Role, [UInt8]) -> [[UInt8]] = { [$1] }
    /// What a person enters where no device shows anything.
    var commonPasskey = SMP.Passkey(123_456)
    /// Whether persons answer at all.
    var personsAnswer = true
    /// Whether the controllers say that the link is encrypted.
    var controllersEncrypt = true
    private var toInitiator = FIFO<[UInt8]>()
    private var toResponder = FIFO<[UInt8]>()
    private var asked: (initiator: SMP.Question?, responder: SMP.Question?) = (nil, nil)

    init(
        _ initiator: SMP.Configuration, _ responder: SMP.Configuration,
        bonds: (SMP.Bond?, SMP.Bond?) = (nil, nil),
        otherIdentities: [BluetoothAddress] = [], seed: UInt64 = 1,
        cryptography: (any PairingCryptography, any PairingCryptography)? = nil
    ) {
        let cryptography =
            cryptography ?? (ToyCryptography(side: 0, seed: seed), ToyCryptography(side: 1, seed: seed))
        self.initiator = SMP.Pairing(
            SMP.Parties(
                role: .initiator, own: Self.initiatorAddress, peer: Self.responderAddress, bond: bonds.0,
                otherIdentities: otherIdentities),
            configuration: initiator, cryptography: cryptography.0)
        self.responder = SMP.Pairing(
            SMP.Parties(
                role: .responder, own: Self.responderAddress, peer: Self.initiatorAddress, bond: bonds.1,
                otherIdentities: otherIdentities),
            configuration: responder, cryptography: cryptography.1)
    }

    /// Pairs, and goes on until nothing happens any more.
    mutating func pair() {
        initiator.start(at: now)
        settle()
    }

    /// Gives octets to one side as if the other had sent them.
    mutating func inject(_ octets: [UInt8], to role: SMP.Role) {
        switch role {
        case .initiator: initiator.receive(octets.span.bytes, at: now)
        case .responder: responder.receive(octets.span.bytes, at: now)
        }
        settle()
    }

    mutating func wait(seconds: UInt64) {
        now = now.advanced(bySeconds: seconds)
        initiator.deadlineReached(at: now)
        responder.deadlineReached(at: now)
        settle()
    }

    /// Goes on until nothing happens any more; a run that never ends is cut off, and so fails its test.
    mutating func settle() {
        for _ in 0..<2000 where !step() { return }
    }

    private mutating func step() -> Bool {
        if let output = initiator.nextOutput() {
            handle(output, of: .initiator)
        } else if let output = responder.nextOutput() {
            handle(output, of: .responder)
        } else if let octets = toInitiator.popFirst() {
            initiator.receive(octets.span.bytes, at: now)
        } else if let octets = toResponder.popFirst() {
            responder.receive(octets.span.bytes, at: now)
        } else {
            return personsAnswer && answer()
        }
        return true
    }

    private mutating func handle(_ output: SMP.Pairing.Output, of role: SMP.Role) {
        let isInitiator = role == .initiator
        var said = isInitiator ? saidByInitiator : saidByResponder
        defer { if isInitiator { saidByInitiator = said } else { saidByResponder = said } }
        switch output {
        case .send(let octets):
            said.sent.append(octets)
            for octets in onAir(role, octets) {
                if isInitiator { toResponder.append(octets) } else { toInitiator.append(octets) }
            }
        case .show(let passkey): said.shown = passkey
        case .ask(let question):
            said.questions.append(question)
            if isInitiator { asked.initiator = question } else { asked.responder = question }
        case .startEncryption(let key):
            said.key = key
            if controllersEncrypt { encrypt(with: key) }
        case .giveKey(let key): said.key = SMP.LongTermKey(key: key)
        case .refuseKey: said.refusedKeys += 1
        case .securityRequested(let requirements): said.securityRequests.append(requirements)
        case .secured(let security): said.secured.append(security)
        case .bond(let bond): said.bonds.append(bond)
        case .paired(let security): said.paired.append(security)
        case .failed(let failure): said.failures.append(failure)
        case .closeLink: said.closes += 1
        }
    }

    /// What two controllers do: they encrypt when both have the same key.
    private mutating func encrypt(with key: SMP.LongTermKey) {
        responder.keyRequested(rand: key.rand, ediv: key.ediv, at: now)
        var given: SMP.Secret?
        while let output = responder.nextOutput() {
            if case .giveKey(let key) = output { given = key }
            handle(output, of: .responder)
        }
        if let given, given.isSame(as: key.key) {
            responder.encryptionChanged(.on, at: now)
            initiator.encryptionChanged(.on, at: now)
        } else {
            initiator.encryptionChanged(.failed(status: given == nil ? 0x06 : 0x3D), at: now)
        }
    }

    private mutating func answer() -> Bool {
        let (first, second) = asked
        asked = (nil, nil)
        guard first != nil || second != nil else { return false }
        let replies = (
            reply(to: first, other: second, shown: saidByResponder.shown),
            reply(to: second, other: first, shown: saidByInitiator.shown)
        )
        if let reply = replies.0 { initiator.answer(reply, at: now) }
        if let reply = replies.1 { responder.answer(reply, at: now) }
        return true
    }

    private func reply(to question: SMP.Question?, other: SMP.Question?, shown: SMP.Passkey?) -> SMP.Answer? {
        switch question {
        case nil: nil
        case .consent: .accept
        // Nobody compares with a device that shows nothing.
        case .comparison: other == nil ? nil : question == other ? .accept : .reject
        case .passkey: (shown ?? commonPasskey).map { .passkey($0) }
        }
    }
}

extension SMP.Configuration {
    /// A device with an identity, and the keyboard and display of its kind.
    static func device(
        _ ioCapability: SMP.IOCapability, mitm: Bool = false,
        _ secureConnections: SMP.SecureConnectionsUse = .preferred,
        identity: UInt64 = 0x11
    ) -> SMP.Configuration {
        var configuration = SMP.Configuration()
        configuration.ioCapability = ioCapability
        configuration.wantsAuthentication = mitm
        configuration.secureConnections = secureConnections
        configuration.identity = SMP.Identity(
            resolvingKey: SMP.Secret(UInt128(identity) &* 0x0123_4567_89AB_CDEF_0011),
            address: BluetoothAddress(0xAABB_CCDD_0000 + identity, kind: .public))
        return configuration
    }
}
