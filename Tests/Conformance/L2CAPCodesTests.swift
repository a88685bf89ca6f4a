// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import Testing

// Typed from the specification, not from the sources that these tables judge.

@Suite("codes of L2CAP")
struct L2CAPCodesTests {
    /// Spec: Core v5.4, Vol 3, Part A, 4, table 4.2.
    static let codes: [(L2CAP.SignallingCode, UInt8)] = [
        (.commandReject, 0x01),
        (.disconnectionRequest, 0x06),
        (.disconnectionResponse, 0x07),
        (.parameterUpdateRequest, 0x12),
        (.parameterUpdateResponse, 0x13),
        (.creditBasedConnectionRequest, 0x14),
        (.creditBasedConnectionResponse, 0x15),
        (.flowControlCredit, 0x16),
        (.enhancedConnectionRequest, 0x17),
        (.enhancedConnectionResponse, 0x18),
        (.reconfigureRequest, 0x19),
        (.reconfigureResponse, 0x1A),
    ]

    @Test("gives every signalling packet its code", arguments: codes)
    func code(constant: L2CAP.SignallingCode, octet: UInt8) { #expect(constant.rawValue == octet) }

    @Test("gives every signalling command its code")
    func commands() {
        #expect(L2CAP.CommandReject.code.rawValue == 0x01)
        #expect(L2CAP.DisconnectionRequest.code.rawValue == 0x06)
        #expect(L2CAP.DisconnectionResponse.code.rawValue == 0x07)
        #expect(L2CAP.CreditBasedConnectionRequest.code.rawValue == 0x14)
        #expect(L2CAP.CreditBasedConnectionResponse.code.rawValue == 0x15)
        #expect(L2CAP.FlowControlCredit.code.rawValue == 0x16)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 4.23, the values of Result.
    static let results: [(L2CAP.ConnectionResult, UInt16)] = [
        (.success, 0),
        (.psmNotSupported, 2),
        (.noResources, 4),
        (.insufficientAuthentication, 5),
        (.insufficientAuthorization, 6),
        (.encryptionKeySizeTooShort, 7),
        (.insufficientEncryption, 8),
        (.invalidSourceCID, 9),
        (.sourceCIDAlreadyAllocated, 10),
        (.unacceptableParameters, 11),
    ]

    @Test("gives every result of a connection request its number", arguments: results)
    func result(constant: L2CAP.ConnectionResult, number: UInt16) { #expect(constant.rawValue == number) }

    /// Spec: Core v5.4, Vol 3, Part A, 4.1.
    @Test("gives every reason to reject its number")
    func reasons() {
        #expect(L2CAP.RejectReason.notUnderstood.rawValue == 0)
        #expect(L2CAP.RejectReason.signallingMTUExceeded.rawValue == 1)
        #expect(L2CAP.RejectReason.invalidChannel.rawValue == 2)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 2.1, table 2.3 (LE-U).
    @Test("knows the channel numbers of an LE link")
    func channels() {
        #expect(L2CAP.ChannelID.att.rawValue == 4)
        #expect(L2CAP.ChannelID.signalling.rawValue == 5)
        #expect(L2CAP.ChannelID.securityManager.rawValue == 6)
        let dynamic = (UInt16.min ... .max).filter { L2CAP.ChannelID(rawValue: $0).isDynamic }
        #expect(dynamic.first == 64 && dynamic.last == 127 && dynamic.count == 64)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 4.22.
    @Test("knows the limits of MTU and MPS")
    func limits() {
        #expect(L2CAP.minimumLimit == 23)
        #expect(L2CAP.maximumMPS == 65533)
    }
}
