// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLESMP
import BLEWire
import FuzzTargets
import Testing

private let capabilities: [SMP.IOCapability] = [
    .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
]

/// The table of IO capabilities, typed from the specification.
///
/// A row for each responder, a column for each initiator, both in the order of the codes. J Just Works, I the initiator shows, R the responder shows,
/// B both enter, N Numeric Comparison.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.8.
private let legacyTable = [
    // initiator: DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput, KeyboardDisplay
    "JJRJR",  // DisplayOnly
    "JJRJR",  // DisplayYesNo
    "IIBJI",  // KeyboardOnly
    "JJJJJ",  // NoInputNoOutput
    "IIRJI",  // KeyboardDisplay
]
private let secureTable = [
    "JJRJR",
    "JNRJN",
    "IIBJI",
    "JJJJJ",
    "INRJN",
]

/// One way to pair two devices.
struct Combination: Sendable, CustomStringConvertible {
    var initiator: SMP.IOCapability
    var responder: SMP.IOCapability
    var secure: (Bool, Bool)
    var mitm: (Bool, Bool)
    var bonds: (Bool, Bool)
    var outOfBand: (Bool, Bool)
    var keySizes: (UInt8, UInt8)

    var description: String {
        "\(initiator.rawValue) \(responder.rawValue) sc \(secure) mitm \(mitm) bonds \(bonds) oob \(outOfBand) \(keySizes)"
    }

    /// Every combination of two capabilities.
    static func all(_ initiator: SMP.IOCapability, _ responder: SMP.IOCapability) -> [Combination] {
        var all: [Combination] = []
        for bits in 0..<256 {
            let bit = { (index: Int) in bits >> index & 1 == 1 }
            for keySizes: (UInt8, UInt8) in [(16, 16), (7, 16), (16, 10)] {
                all.append(
                    Combination(
                        initiator: initiator, responder: responder, secure: (bit(0), bit(1)),
                        mitm: (bit(2), bit(3)), bonds: (bit(4), bit(5)), outOfBand: (bit(6), bit(7)),
                        keySizes: keySizes))
            }
        }
        return all
    }

    var isSecure: Bool { secure.0 && secure.1 }

    /// What the specification says.
    var method: Character {
        if isSecure ? outOfBand.0 || outOfBand.1 : outOfBand.0 && outOfBand.1 { return "O" }
        if !mitm.0 && !mitm.1 { return "J" }
        let row = Array((isSecure ? secureTable : legacyTable)[Int(responder.rawValue)])
        return row[Int(initiator.rawValue)]
    }

    func duo(seed: UInt64) -> Duo {
        var first = SMP.Configuration.device(
            initiator, mitm: mitm.0, secure.0 ? .preferred : .off, identity: 1)
        var second = SMP.Configuration.device(
            responder, mitm: mitm.1, secure.1 ? .preferred : .off, identity: 2)
        (first.bonds, second.bonds) = bonds
        (first.maximumKeySize, second.maximumKeySize) = keySizes
        (first.minimumKeySize, second.minimumKeySize) = (7, 7)
        let toys = (ToyCryptography(side: 0, seed: seed), ToyCryptography(side: 1, seed: seed))
        // Who has data has those of both kinds of pairing.
        let key = SMP.Secret(UInt128(0x5EC2_E7))
        if outOfBand.0 {
            first.outOfBand.temporaryKey = key
            second.outOfBand.own = SMP.OutOfBand.Own(from: toys.1)
            first.outOfBand.received = second.outOfBand.own.map {
                .init(random: $0.random, confirm: $0.confirm)
            }
        }
        if outOfBand.1 {
            second.outOfBand.temporaryKey = key
            first.outOfBand.own = SMP.OutOfBand.Own(from: toys.0)
            second.outOfBand.received = first.outOfBand.own.map {
                .init(random: $0.random, confirm: $0.confirm)
            }
        }
        return Duo(first, second, seed: seed, cryptography: toys)
    }
}

private let pairs = capabilities.flatMap { initiator in capabilities.map { (initiator, $0) } }

@Suite struct MatrixTests {
    @Test(arguments: pairs) func `every two devices pair as the specification says`(
        _ initiator: SMP.IOCapability, _ responder: SMP.IOCapability
    ) throws {
        for (index, combination) in Combination.all(initiator, responder).enumerated() {
            var duo = combination.duo(seed: UInt64(index))
            duo.pair()
            try expectPaired(combination, duo.saidByInitiator, duo.saidByResponder)
            #expect(!duo.initiator.isPairing && !duo.responder.isPairing)
            #expect(duo.initiator.nextDeadline == nil && duo.responder.nextDeadline == nil)
            #expect(duo.initiator.ignored == 0 && duo.responder.ignored == 0)
            if combination.bonds == (true, true) {
                try expectReconnected(combination, duo.saidByInitiator.bonds[0], duo.saidByResponder.bonds[0])
            }
        }
    }

    private func expectPaired(_ combination: Combination, _ first: Said, _ second: Said) throws {
        let method = combination.method
        let keySize = min(combination.keySizes.0, combination.keySizes.1)
        let isBonded = combination.bonds == (true, true)
        let expected = SMP.Security(
            isAuthenticated: method != "J", keySize: keySize, isSecureConnections: combination.isSecure,
            isBonded: isBonded)
        try #require(
            first.paired == [expected] && second.paired == [expected],
            "\(combination): \(first.failures) \(second.failures)")
        #expect(first.failures.isEmpty && second.failures.isEmpty)
        #expect(first.secured.count == 1 && second.secured.count == 1)
        // What persons saw.
        #expect((first.shown != nil, second.shown != nil) == (method == "I", method == "R"), "\(combination)")
        let asks = { (said: Said, question: SMP.Question) in said.questions == [question] }
        switch method {
        case "I": #expect(first.questions.isEmpty && asks(second, .passkey))
        case "R": #expect(asks(first, .passkey) && second.questions.isEmpty)
        case "B": #expect(asks(first, .passkey) && asks(second, .passkey))
        case "N":
            guard case .comparison = first.questions.first else { Issue.record("no number"); return }
            #expect(first.questions == second.questions && first.questions.count == 1)
        default: #expect(first.questions.isEmpty && second.questions.isEmpty)
        }
        // The keys.
        let key = try #require(first.key?.key)
        #expect(try key.isSame(as: #require(second.key?.key)))
        #expect(keySize == 16 || key.value128 >> (8 * UInt128(keySize)) == 0)
        #expect((first.bonds.count, second.bonds.count) == (isBonded ? 1 : 0, isBonded ? 1 : 0))
        let rounds = first.codes.count { $0 == 3 }
        #expect(rounds == (combination.isSecure ? "IRB".contains(method) ? 20 : 0 : 1), "\(combination)")
    }

    /// What was kept encrypts the next link, also with the roles the other way round.
    private func expectReconnected(_ combination: Combination, _ first: SMP.Bond, _ second: SMP.Bond) throws {
        #expect(first.identity?.address.value == 0xAABB_CCDD_0002)
        #expect(second.identity?.address.value == 0xAABB_CCDD_0001)
        let resolvingKey: UInt128 = 0x0123_4567_89AB_CDEF_0011 * 2
        #expect(first.identity?.resolvingKey?.value128 == resolvingKey)
        for bonds in [(first, second), (second, first)] {
            var duo = Duo(.init(), .init(), bonds: bonds)
            duo.initiator.encrypt(at: duo.now)
            duo.settle()
            #expect(duo.saidByInitiator.secured == [first.security], "\(combination)")
            #expect(duo.saidByResponder.secured == [first.security], "\(combination)")
            #expect(duo.initiator.security == first.security && duo.saidByInitiator.failures.isEmpty)
        }
    }

    @Test(arguments: [SMP.SecureConnectionsUse.off, .preferred]) func `pairs with real cryptography`(
        _ use: SMP.SecureConnectionsUse
    ) {
        for (initiator, responder) in pairs {
            let cryptography = (HostCryptography(), HostCryptography())
            var duo = Duo(
                .device(initiator, mitm: true, use, identity: 1),
                .device(responder, mitm: true, use, identity: 2),
                cryptography: cryptography)
            duo.pair()
            #expect(duo.saidByInitiator.paired.count == 1 && duo.saidByResponder.paired.count == 1)
            #expect(duo.initiator.security == duo.responder.security && duo.initiator.security != nil)
        }
    }
}
