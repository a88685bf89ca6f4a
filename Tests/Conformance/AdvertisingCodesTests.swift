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
        (.classOfDevice, 0x0D),
        (.simplePairingHash192, 0x0E),
        (.simplePairingRandomizer192, 0x0F),
        (.deviceIDOrTemporaryKey, 0x10),
        (.securityManagerFlags, 0x11),
        (.peripheralConnectionIntervalRange, 0x12),
        (.solicitation16, 0x14),
        (.solicitation128, 0x15),
        (.serviceData16, 0x16),
        (.publicTargetAddress, 0x17),
        (.randomTargetAddress, 0x18),
        (.appearance, 0x19),
        (.advertisingInterval, 0x1A),
        (.deviceAddress, 0x1B),
        (.role, 0x1C),
        (.simplePairingHash256, 0x1D),
        (.simplePairingRandomizer256, 0x1E),
        (.solicitation32, 0x1F),
        (.serviceData32, 0x20),
        (.serviceData128, 0x21),
        (.secureConnectionsConfirmation, 0x22),
        (.secureConnectionsRandom, 0x23),
        (.uri, 0x24),
        (.indoorPositioning, 0x25),
        (.transportDiscoveryData, 0x26),
        (.supportedFeatures, 0x27),
        (.channelMapUpdate, 0x28),
        (.meshProvisioning, 0x29),
        (.meshMessage, 0x2A),
        (.meshBeacon, 0x2B),
        (.bigInfo, 0x2C),
        (.broadcastCode, 0x2D),
        (.resolvableSetIdentifier, 0x2E),
        (.longAdvertisingInterval, 0x2F),
        (.broadcastName, 0x30),
        (.encryptedData, 0x31),
        (.periodicResponseTiming, 0x32),
        (.electronicShelfLabel, 0x34),
        (.threeDInformation, 0x3D),
        (.manufacturerSpecific, 0xFF),
    ]

    @Test("gives every type of advertising data its octet", arguments: types)
    func type(constant: AdvertisingDataType, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    /// Spec: Core v5.4, Vol 6, Part B, 2.3.1 and 2.3.4.
    @Test("holds 31 octets in a legacy advertisement, 254 in a packet of an extended one, 1650 in all")
    func limits() {
        #expect(AdvertisingDataBuilder.legacyLimit == 31)
        #expect(AdvertisingDataBuilder.extendedLimit == 254)
        #expect(AdvertisingDataBuilder.chainedLimit == 1650)
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
