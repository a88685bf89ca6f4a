// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BLESMP

// Typed from the specification, not from the sources that these tables judge.

@Suite("codes of the Security Manager")
struct SMPCodesTests {
    /// Codes, and the octets of the whole command.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.3, table 3.3; 3.5.1 to 3.5.8 and 3.6.2 to 3.6.7.
    static let codes: [(SMP.Code, UInt8, Int)] = [
        (.pairingRequest, 0x01, 7),
        (.pairingResponse, 0x02, 7),
        (.pairingConfirm, 0x03, 17),
        (.pairingRandom, 0x04, 17),
        (.pairingFailed, 0x05, 2),
        (.encryptionInformation, 0x06, 17),
        (.centralIdentification, 0x07, 11),
        (.identityInformation, 0x08, 17),
        (.identityAddressInformation, 0x09, 8),
        (.signingInformation, 0x0A, 17),
        (.securityRequest, 0x0B, 2),
        (.pairingPublicKey, 0x0C, 65),
        (.pairingDHKeyCheck, 0x0D, 17),
        (.pairingKeypressNotification, 0x0E, 2),
    ]

    @Test("gives every command its code and its length", arguments: codes)
    func code(constant: SMP.Code, octet: UInt8, length: Int) {
        #expect(constant.rawValue == octet)
        #expect(octets(of: constant) == length)
    }

    @Test("knows no length of a reserved code", arguments: [0x00, 0x0F, 0x10, 0xFF] as [UInt8])
    func reserved(octet: UInt8) { #expect(octets(of: SMP.Code(rawValue: octet)) == nil) }

    /// Spec: Core v5.4, Vol 3, Part H, 3.5.5, table 3.7.
    static let reasons: [(SMP.FailureReason, UInt8)] = [
        (.passkeyEntryFailed, 0x01),
        (.oobNotAvailable, 0x02),
        (.authenticationRequirements, 0x03),
        (.confirmValueFailed, 0x04),
        (.pairingNotSupported, 0x05),
        (.encryptionKeySize, 0x06),
        (.commandNotSupported, 0x07),
        (.unspecifiedReason, 0x08),
        (.repeatedAttempts, 0x09),
        (.invalidParameters, 0x0A),
        (.dhKeyCheckFailed, 0x0B),
        (.numericComparisonFailed, 0x0C),
        (.brEDRPairingInProgress, 0x0D),
        (.crossTransportKeyDerivationNotAllowed, 0x0E),
        (.keyRejected, 0x0F),
    ]

    @Test("gives every reason to fail its octet", arguments: reasons)
    func reason(constant: SMP.FailureReason, octet: UInt8) { #expect(constant.rawValue == octet) }

    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1, table 3.4.
    static let capabilities: [(Capability, UInt8)] = [
        (.displayOnly, 0x00),
        (.displayYesNo, 0x01),
        (.keyboardOnly, 0x02),
        (.noInputNoOutput, 0x03),
        (.keyboardDisplay, 0x04),
    ]

    @Test("gives every IO capability its octet", arguments: capabilities)
    func capability(capability: Capability, value: UInt8) { #expect(octet(of: capability) == value) }

    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1, figure 3.3 and table 3.6.
    static let requirements: [(Requirement, UInt8)] = [
        (.bonding, 0b0000_0001),
        (.mitm, 0b0000_0100),
        (.secureConnections, 0b0000_1000),
        (.keypress, 0b0001_0000),
        (.ct2, 0b0010_0000),
    ]

    @Test("gives every authentication requirement its bit", arguments: requirements)
    func requirement(requirement: Requirement, value: UInt8) { #expect(octet(of: requirement) == value) }

    /// Spec: Core v5.4, Vol 3, Part H, 3.6.1, figure 3.11.
    static let keys: [(Key, UInt8)] = [
        (.encKey, 0b0001),
        (.idKey, 0b0010),
        (.signKey, 0b0100),
        (.linkKey, 0b1000),
    ]

    @Test("gives every key to distribute its bit", arguments: keys)
    func key(key: Key, value: UInt8) { #expect(octet(of: key) == value) }

    /// Spec: Core v5.4, Vol 3, Part H, 3.5.8, table 3.8.
    static let keypresses: [(Keypress, UInt8)] = [
        (.started, 0),
        (.digitEntered, 1),
        (.digitErased, 2),
        (.cleared, 3),
        (.completed, 4),
    ]

    @Test("gives every keypress its octet", arguments: keypresses)
    func keypress(keypress: Keypress, value: UInt8) { #expect(octet(of: keypress) == value) }

    /// The commands of the sample of c1, the first octet first.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.2.3 and 3.5.1, figure 3.2: code, IO capability, OOB data flag, AuthReq,
    /// maximum key size, keys of the initiator, keys of the responder.
    @Test("lays out the fields of a Pairing Request and a Pairing Response")
    func features() {
        let request = Features(
            capability: .displayYesNo, hasOOBData: false, requirements: 0, maximumKeySize: 16,
            initiatorKeys: 0x07, responderKeys: 0x07)
        #expect(octets(of: request, isRequest: true) == [0x01, 0x01, 0x00, 0x00, 0x10, 0x07, 0x07])
        let response = Features(
            capability: .noInputNoOutput, hasOOBData: false, requirements: 0, maximumKeySize: 8,
            initiatorKeys: 0x00, responderKeys: 0x05)
        #expect(octets(of: response, isRequest: false) == [0x02, 0x03, 0x00, 0x00, 0x08, 0x00, 0x05])
        let other = Features(
            capability: .keyboardDisplay, hasOOBData: true, requirements: 0x2D, maximumKeySize: 7,
            initiatorKeys: 0x03, responderKeys: 0x0A)
        #expect(octets(of: other, isRequest: true) == [0x01, 0x04, 0x01, 0x2D, 0x07, 0x03, 0x0A])
    }
}

@Suite("the association models of the Security Manager")
struct SMPAssociationTests {
    /// What a cell of tables 2.6 and 2.7 says.
    enum Rule { case oob, io, none }

    /// Rows: the responder with OOB data and MITM, OOB data alone, MITM alone, neither; columns: the initiator alike.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.6.
    static let legacyRules: [[Rule]] = [
        [.oob, .oob, .io, .io],
        [.oob, .oob, .io, .none],
        [.io, .io, .io, .io],
        [.io, .none, .io, .none],
    ]

    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.7.
    static let secureRules: [[Rule]] = [
        [.oob, .oob, .oob, .oob],
        [.oob, .oob, .oob, .oob],
        [.oob, .oob, .io, .io],
        [.oob, .oob, .io, .none],
    ]

    /// Rows: the responder as DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput and KeyboardDisplay;
    /// columns: the initiator in the same order.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.8, LE legacy pairing.
    static let legacyModels: [[Model]] = [
        [.justWorks, .justWorks, .responderDisplays, .justWorks, .responderDisplays],
        [.justWorks, .justWorks, .responderDisplays, .justWorks, .responderDisplays],
        [.initiatorDisplays, .initiatorDisplays, .bothInput, .justWorks, .initiatorDisplays],
        [.justWorks, .justWorks, .justWorks, .justWorks, .justWorks],
        [.initiatorDisplays, .initiatorDisplays, .responderDisplays, .justWorks, .initiatorDisplays],
    ]

    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, table 2.8, LE Secure Connections.
    static let secureModels: [[Model]] = [
        [.justWorks, .justWorks, .responderDisplays, .justWorks, .responderDisplays],
        [.justWorks, .numericComparison, .responderDisplays, .justWorks, .numericComparison],
        [.initiatorDisplays, .initiatorDisplays, .bothInput, .justWorks, .initiatorDisplays],
        [.justWorks, .justWorks, .justWorks, .justWorks, .justWorks],
        [.initiatorDisplays, .numericComparison, .responderDisplays, .justWorks, .numericComparison],
    ]

    /// Whether a passkey authenticates in LE legacy pairing.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.1 and table 2.8: yes. Core v6.2 says no there.
    static let legacyPasskeyAuthenticates = true

    /// OOB data is taken to have come on a way that nobody overhears (2.3.5.1).
    static func authenticates(_ model: Model, secureConnections: Bool) -> Bool {
        switch model {
        case .justWorks: false
        case .numericComparison, .outOfBand: true
        case .initiatorDisplays, .responderDisplays, .bothInput:
            secureConnections || legacyPasskeyAuthenticates
        }
    }

    /// The 16 pairs of flags with each of the 25 pairs of capabilities.
    @Test("chooses the model by flags and capabilities", arguments: [false, true])
    func models(secureConnections: Bool) {
        let rules = secureConnections ? Self.secureRules : Self.legacyRules
        let models = secureConnections ? Self.secureModels : Self.legacyModels
        for (responderFlags, row) in rules.enumerated() {
            for (initiatorFlags, rule) in row.enumerated() {
                for (responder, line) in models.enumerated() {
                    for (initiator, model) in line.enumerated() {
                        let expected: Model =
                            switch rule {
                            case .oob: .outOfBand
                            case .io: model
                            case .none: .justWorks
                            }
                        let question = Question(
                            secureConnections: secureConnections,
                            initiator: Side(flags: initiatorFlags, capability: initiator),
                            responder: Side(flags: responderFlags, capability: responder))
                        let answer = association(question)
                        #expect(answer.model == expected, "\(question)")
                        let isAuthenticated = Self.authenticates(
                            expected, secureConnections: secureConnections)
                        #expect(answer.isAuthenticated == isAuthenticated, "\(question)")
                    }
                }
            }
        }
    }
}

/// The IO capabilities, in the order of their octets.
enum Capability: Int, CaseIterable {
    case displayOnly, displayYesNo, keyboardOnly, noInputNoOutput, keyboardDisplay
}

/// The bits of AuthReq.
enum Requirement { case bonding, mitm, secureConnections, keypress, ct2 }

/// The bits of a key distribution.
enum Key { case encKey, idKey, signKey, linkKey }

/// The kinds of a keypress notification.
enum Keypress { case started, digitEntered, digitErased, cleared, completed }

/// How two devices come to a key, and who shows and who types the passkey.
enum Model {
    case justWorks, numericComparison, outOfBand
    /// The initiator displays and the responder inputs.
    case initiatorDisplays
    /// The responder displays and the initiator inputs.
    case responderDisplays
    /// Nobody displays, both input.
    case bothInput
}

/// The fields of a Pairing Request or Response.
struct Features {
    let capability: Capability
    let hasOOBData: Bool
    let requirements: UInt8
    let maximumKeySize: UInt8
    let initiatorKeys, responderKeys: UInt8
}

/// What one device says of itself.
struct Side {
    let hasOOBData: Bool
    let wantsMITM: Bool
    let capability: Capability

    /// Takes a row or column of tables 2.6 and 2.7, and one of table 2.8.
    init(flags: Int, capability: Int) {
        hasOOBData = flags < 2
        wantsMITM = flags % 2 == 0
        self.capability = Capability.allCases[capability]
    }
}

/// What two devices say before they choose a model.
struct Question {
    let secureConnections: Bool
    let initiator, responder: Side
}

// API: the functions below ask the module; none of them may compute what the tests ask for.

/// The octets of a whole command, its code with them; nil for a code that is reserved.
private func octets(of code: SMP.Code) -> Int? {
    (1...100).first { count in
        let octets = [code.rawValue] + [UInt8](repeating: 0, count: count - 1)
        guard let pdu = try? SMP.PDU(decoding: octets.span.bytes) else { return false }
        return if case .unknown = pdu { false } else { true }
    }
}  // API:

/// The octets of a Pairing Request or Response, as the module writes them.
private func octets(of features: Features, isRequest: Bool) -> [UInt8] {
    let features = SMP.PairingFeatures(
        ioCapability: SMP.IOCapability(rawValue: octet(of: features.capability)),
        outOfBandFlag: features.hasOOBData ? 1 : 0, requirements: .init(rawValue: features.requirements),
        maximumKeySize: features.maximumKeySize, initiatorKeys: .init(rawValue: features.initiatorKeys),
        responderKeys: .init(rawValue: features.responderKeys))
    return isRequest
        ? SMP.PairingRequest(features: features).octets : SMP.PairingResponse(features: features).octets
}  // API:

private func octet(of capability: Capability) -> UInt8 {  // API:
    switch capability {
    case .displayOnly: SMP.IOCapability.displayOnly.rawValue
    case .displayYesNo: SMP.IOCapability.displayYesNo.rawValue
    case .keyboardOnly: SMP.IOCapability.keyboardOnly.rawValue
    case .noInputNoOutput: SMP.IOCapability.noInputNoOutput.rawValue
    case .keyboardDisplay: SMP.IOCapability.keyboardDisplay.rawValue
    }
}

private func octet(of requirement: Requirement) -> UInt8 {  // API:
    switch requirement {
    case .bonding: SMP.AuthenticationRequirements.bonding.rawValue
    case .mitm: SMP.AuthenticationRequirements.mitm.rawValue
    case .secureConnections: SMP.AuthenticationRequirements.secureConnections.rawValue
    case .keypress: SMP.AuthenticationRequirements.keypress.rawValue
    case .ct2: SMP.AuthenticationRequirements.ct2.rawValue
    }
}

private func octet(of key: Key) -> UInt8 {  // API:
    switch key {
    case .encKey: SMP.KeyDistribution.encryption.rawValue
    case .idKey: SMP.KeyDistribution.identity.rawValue
    case .signKey: SMP.KeyDistribution.signing.rawValue
    case .linkKey: SMP.KeyDistribution.link.rawValue
    }
}

private func octet(of keypress: Keypress) -> UInt8 {  // API:
    switch keypress {
    case .started: SMP.Keypress.started.rawValue
    case .digitEntered: SMP.Keypress.digitEntered.rawValue
    case .digitErased: SMP.Keypress.digitErased.rawValue
    case .cleared: SMP.Keypress.cleared.rawValue
    case .completed: SMP.Keypress.completed.rawValue
    }
}

/// The model that the module chooses, and whether its key is authenticated.
///
/// Where a side of the module only knows its own part, ask both sides and see that they agree.
private func association(_ question: Question) -> (model: Model, isAuthenticated: Bool) {  // API:
    let features = { (side: Side) in
        var requirements: SMP.AuthenticationRequirements = side.wantsMITM ? .mitm : []
        if question.secureConnections { requirements.insert(.secureConnections) }
        return SMP.PairingFeatures(
            ioCapability: SMP.IOCapability(rawValue: octet(of: side.capability)),
            outOfBandFlag: side.hasOOBData ? 1 : 0, requirements: requirements, initiatorKeys: [],
            responderKeys: [])
    }
    let method = SMP.Method(
        initiator: features(question.initiator), responder: features(question.responder))
    let model: Model =
        switch method {
        case .justWorks: .justWorks
        case .numericComparison: .numericComparison
        case .passkeyShownByInitiator: .initiatorDisplays
        case .passkeyShownByResponder: .responderDisplays
        case .passkeyEnteredAtBoth: .bothInput
        case .outOfBand: .outOfBand
        }
    return (model, method.isAuthenticated)
}
