// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

// Typed from the specification, not from the sources that these tables judge.

@Suite("codes of ATT and GATT")
struct ATTCodesTests {
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.8, table 3.43.
    static let opcodes: [(ATT.Opcode, UInt8)] = [
        (.errorResponse, 0x01),
        (.exchangeMTURequest, 0x02),
        (.exchangeMTUResponse, 0x03),
        (.findInformationRequest, 0x04),
        (.findInformationResponse, 0x05),
        (.findByTypeValueRequest, 0x06),
        (.findByTypeValueResponse, 0x07),
        (.readByTypeRequest, 0x08),
        (.readByTypeResponse, 0x09),
        (.readRequest, 0x0A),
        (.readResponse, 0x0B),
        (.readBlobRequest, 0x0C),
        (.readBlobResponse, 0x0D),
        (.readMultipleRequest, 0x0E),
        (.readMultipleResponse, 0x0F),
        (.readByGroupTypeRequest, 0x10),
        (.readByGroupTypeResponse, 0x11),
        (.writeRequest, 0x12),
        (.writeResponse, 0x13),
        (.writeCommand, 0x52),
        (.prepareWriteRequest, 0x16),
        (.prepareWriteResponse, 0x17),
        (.executeWriteRequest, 0x18),
        (.executeWriteResponse, 0x19),
        (.handleValueNotification, 0x1B),
        (.handleValueIndication, 0x1D),
        (.handleValueConfirmation, 0x1E),
        (.readMultipleVariableRequest, 0x20),
        (.readMultipleVariableResponse, 0x21),
        (.multipleHandleValueNotification, 0x23),
        (.signedWriteCommand, 0xD2),
    ]

    @Test("gives every opcode its octet", arguments: opcodes)
    func opcode(constant: ATT.Opcode, octet: UInt8) {
        #expect(constant.rawValue == octet)
    }

    /// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, table 3.4; CSS v11, Part B, 1.2.
    static let errors: [(ATT.ErrorCode, UInt8)] = [
        (.invalidHandle, 0x01),
        (.readNotPermitted, 0x02),
        (.writeNotPermitted, 0x03),
        (.invalidPDU, 0x04),
        (.insufficientAuthentication, 0x05),
        (.requestNotSupported, 0x06),
        (.invalidOffset, 0x07),
        (.insufficientAuthorization, 0x08),
        (.prepareQueueFull, 0x09),
        (.attributeNotFound, 0x0A),
        (.attributeNotLong, 0x0B),
        (.encryptionKeySizeTooShort, 0x0C),
        (.invalidAttributeValueLength, 0x0D),
        (.unlikelyError, 0x0E),
        (.insufficientEncryption, 0x0F),
        (.unsupportedGroupType, 0x10),
        (.insufficientResources, 0x11),
        (.databaseOutOfSync, 0x12),
        (.valueNotAllowed, 0x13),
        (.writeRequestRejected, 0xFC),
        (.cccdImproperlyConfigured, 0xFD),
        (.procedureAlreadyInProgress, 0xFE),
        (.outOfRange, 0xFF),
    ]

    @Test("gives every error its octet", arguments: errors)
    func error(constant: ATT.ErrorCode, octet: UInt8) {
        #expect(constant.rawValue == octet)
        #expect(!constant.isApplicationError)
    }

    @Test("leaves 80 to 9F to profiles", arguments: [0x7F, 0x80, 0x9F, 0xA0] as [UInt8])
    func applicationErrors(octet: UInt8) {
        #expect(ATT.ErrorCode(rawValue: octet).isApplicationError == (octet == 0x80 || octet == 0x9F))
    }

    /// Spec: Core v5.4, Vol 3, Part G, 3.4, table 3.12; Assigned Numbers 3.5 and 3.7.
    static let types: [(BluetoothUUID, UInt16)] = [
        (GATT.AttributeType.primaryService, 0x2800),
        (GATT.AttributeType.secondaryService, 0x2801),
        (GATT.AttributeType.include, 0x2802),
        (GATT.AttributeType.characteristic, 0x2803),
        (GATT.AttributeType.extendedProperties, 0x2900),
        (GATT.AttributeType.userDescription, 0x2901),
        (GATT.AttributeType.clientConfiguration, 0x2902),
        (GATT.AttributeType.serverConfiguration, 0x2903),
        (GATT.AttributeType.presentationFormat, 0x2904),
        (GATT.AttributeType.aggregateFormat, 0x2905),
    ]

    @Test("gives every attribute type its UUID", arguments: types)
    func type(constant: BluetoothUUID, short: UInt16) {
        #expect(constant.short == short)
    }

    /// Spec: Core v5.4, Vol 3, Part G, 3.3.1.1, table 3.5.
    static let properties: [(GATT.Properties, UInt8)] = [
        (.broadcast, 0x01),
        (.read, 0x02),
        (.writeWithoutResponse, 0x04),
        (.write, 0x08),
        (.notify, 0x10),
        (.indicate, 0x20),
        (.authenticatedSignedWrites, 0x40),
        (.extendedProperties, 0x80),
    ]

    @Test("gives every property its bit", arguments: properties)
    func property(constant: GATT.Properties, bit: UInt8) {
        #expect(constant.rawValue == bit)
    }

    /// Spec: Core v5.4, Vol 3, Part G, 3.3.3.3, table 3.11.
    @Test("gives notifications bit 0 and indications bit 1 of the client configuration")
    func subscription() {
        #expect(GATT.Subscription.notify.rawValue == 0x0001)
        #expect(GATT.Subscription.indicate.rawValue == 0x0002)
    }

    /// Spec: Core v5.4, Vol 3, Part G, 5.2.1; Vol 3, Part F, 3.2.9.
    @Test("starts with an MTU of 23 and holds values of 512 octets")
    func limits() {
        #expect(ATT.defaultMTU == 23)
        #expect(ATT.maximumValueLength == 512)
    }
}

@Suite("the Generic Attribute service")
struct GenericAttributeTests {
    /// Spec: Core v5.4, Vol 3, Part G, 7; Assigned Numbers, 3.8.
    static let characteristics: [(BluetoothUUID, UInt16)] = [
        (GATT.CharacteristicType.serviceChanged, 0x2A05),
        (GATT.CharacteristicType.clientSupportedFeatures, 0x2B29),
        (GATT.CharacteristicType.databaseHash, 0x2B2A),
        (GATT.CharacteristicType.serverSupportedFeatures, 0x2B3A),
    ]

    @Test("gives every characteristic its UUID", arguments: characteristics)
    func characteristic(constant: BluetoothUUID, short: UInt16) {
        #expect(constant.short == short)
    }

    /// Spec: Core v5.4, Vol 3, Part G, 7.2, table 7.6; 3.3.3.1, table 3.7.
    @Test("gives every bit its place")
    func bits() {
        #expect(GATT.ClientFeatures.robustCaching.rawValue == 1 << 0)
        #expect(GATT.ClientFeatures.enhancedBearer.rawValue == 1 << 1)
        #expect(GATT.ClientFeatures.multipleNotifications.rawValue == 1 << 2)
        #expect(GATT.ExtendedProperties.reliableWrite.rawValue == 1 << 0)
        #expect(GATT.ExtendedProperties.writableAuxiliaries.rawValue == 1 << 1)
    }

    /// Handle, type and value of each attribute of the service, at 1.
    @Test("stands in the order and with the properties of the specification")
    func service() {
        let attributes = GATT.Database([.genericAttribute]).attributes
        #expect(
            attributes.map { $0.type.short } == [
                0x2800, 0x2803, 0x2A05, 0x2902, 0x2803, 0x2B29, 0x2803, 0x2B2A,
            ])
        #expect(attributes[0].content == .constant([0x01, 0x18]))
        #expect(attributes[1].content == .constant([0x20, 0x03, 0x00, 0x05, 0x2A]))
        #expect(attributes[4].content == .constant([0x0A, 0x06, 0x00, 0x29, 0x2B]))
        #expect(attributes[6].content == .constant([0x02, 0x08, 0x00, 0x2A, 0x2B]))
    }
}
