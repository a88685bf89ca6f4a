// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEL2CAP
import Testing

// Typed from the specification, not from the sources that these tables judge.

@Suite("codes of advertising data and L2CAP")
struct AdvertisingCodesTests {
    /// Spec: Assigned Numbers 2.3.
    static let types: [(AdvertisingDataType, UInt8)] = [
        (.flags, 0x01),
        (.incompleteServices16, 0x02),
        (.completeServices16, 0x03),
        (.incompleteServices32, 0x04),
        (.completeServices32, 0x05),
        (.incompleteServices128, 0x06),
        (.completeServices128, 0x07),
        (.shortenedLocalName, 0x08),
        (.completeLocalName, 0x09),
        (.txPowerLevel, 0x0A),
        (.peripheralConnectionIntervalRange, 0x12),
        (.solicitation16, 0x14),
        (.solicitation128, 0x15),
        (.serviceData16, 0x16),
        (.appearance, 0x19),
        (.advertisingInterval, 0x1A),
        (.solicitation32, 0x1F),
        (.serviceData32, 0x20),
        (.serviceData128, 0x21),
        (.uri, 0x24),
        (.manufacturerSpecific, 0xFF),
    ]

    @Test("gives every type of advertising data its octet", arguments: types)
    func type(constant: AdvertisingDataType, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    /// Spec: Core v5.4, Vol 4, Part E, 7.8.7 and 7.8.54.
    @Test("holds 31 octets in a legacy advertisement and 251 in a command of an extended one")
    func limits() {
        #expect(AdvertisingDataBuilder.legacyLimit == 31)
        #expect(AdvertisingDataBuilder.extendedLimit == 251)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 2.1, table 2.3, and 3.1.
    @Test("gives every fixed channel its number")
    func channels() {
        #expect(L2CAP.headerLength == 4)
        #expect(L2CAP.ChannelID.att.rawValue == 0x0004)
        #expect(L2CAP.ChannelID.signalling.rawValue == 0x0005)
        #expect(L2CAP.ChannelID.securityManager.rawValue == 0x0006)
    }

    /// Spec: Core v5.4, Vol 3, Part A, 4, table 4.2.
    static let signals: [(L2CAP.SignallingCode, UInt8)] = [
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

    @Test("gives every signalling command its code", arguments: signals)
    func signal(constant: L2CAP.SignallingCode, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }
}
