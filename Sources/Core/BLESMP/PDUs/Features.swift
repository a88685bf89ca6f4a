// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// What both sides tell of themselves before they pair.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | IO capability | |
    /// | 1 | 1 | OOB data flag | 1: the sender has data of the other side |
    /// | 2 | 1 | AuthReq | |
    /// | 3 | 1 | maximum encryption key size | octets, 7 to 16 |
    /// | 4 | 1 | initiator key distribution | |
    /// | 5 | 1 | responder key distribution | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1 and 3.5.2.
    public struct PairingFeatures: Hashable, Sendable {
        /// What the device can show and take.
        public var ioCapability: IOCapability
        /// Whether the sender has out-of-band data of the other side: 0 or 1.
        public var outOfBandFlag: UInt8
        /// What the device wants of pairing.
        public var requirements: AuthenticationRequirements
        /// The longest key that it supports, in octets.
        public var maximumKeySize: UInt8
        /// What the initiator hands out.
        public var initiatorKeys: KeyDistribution
        /// What the responder hands out.
        public var responderKeys: KeyDistribution

        /// Makes features.
        public init(
            ioCapability: IOCapability, outOfBandFlag: UInt8 = 0, requirements: AuthenticationRequirements,
            maximumKeySize: UInt8 = 16, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
        ) {
            self.ioCapability = ioCapability
            self.outOfBandFlag = outOfBandFlag
            self.requirements = requirements
            self.maximumKeySize = maximumKeySize
            self.initiatorKeys = initiatorKeys
            self.responderKeys = responderKeys
        }

        /// Reads six octets, whatever they are.
        init(decoding reader: inout ByteReader) throws(DecodeError) {
            ioCapability = IOCapability(rawValue: try reader.readUInt8())
            outOfBandFlag = try reader.readUInt8()
            requirements = AuthenticationRequirements(rawValue: try reader.readUInt8())
            maximumKeySize = try reader.readUInt8()
            initiatorKeys = KeyDistribution(rawValue: try reader.readUInt8())
            responderKeys = KeyDistribution(rawValue: try reader.readUInt8())
        }

        /// Appends six octets.
        func encode(into writer: inout ByteWriter) {
            writer.write(ioCapability.rawValue)
            writer.write(outOfBandFlag)
            writer.write(requirements.rawValue)
            writer.write(maximumKeySize)
            writer.write(initiatorKeys.rawValue)
            writer.write(responderKeys.rawValue)
        }

        /// Whether each field is in its range.
        public var isValid: Bool {
            ioCapability.isDefined && outOfBandFlag <= 1 && SMP.keySizes.contains(maximumKeySize)
        }

        /// Whether the sender has out-of-band data of the other side.
        public var hasOutOfBand: Bool { outOfBandFlag == 1 }

        /// What the check of the Diffie-Hellman key covers: AuthReq, OOB data flag and IO capability; 24 bits.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.8.
        public var checkedBits: UInt32 {
            UInt32(requirements.rawValue) &<< 16 | UInt32(outOfBandFlag) &<< 8 | UInt32(ioCapability.rawValue)
        }
    }

    /// Pairing Request: the initiator begins.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x01 |
    /// | 1 | 6 | features | see ``PairingFeatures`` |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.1.
    public struct PairingRequest: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.pairingRequest
        /// What the initiator can do and wants.
        public var features: PairingFeatures

        /// Makes the PDU.
        public init(features: PairingFeatures) { self.features = features }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            features = try PairingFeatures(decoding: &reader)
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) { features.encode(into: &writer) }
    }

    /// Pairing Response: the responder takes part.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x02 |
    /// | 1 | 6 | features | see ``PairingFeatures`` |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.2.
    public struct PairingResponse: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.pairingResponse
        /// What the responder can do and wants.
        public var features: PairingFeatures

        /// Makes the PDU.
        public init(features: PairingFeatures) { self.features = features }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            features = try PairingFeatures(decoding: &reader)
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) { features.encode(into: &writer) }
    }

    /// Security Request: the peripheral asks the central to encrypt or to pair.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x0B |
    /// | 1 | 1 | AuthReq | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.7.
    public struct SecurityRequest: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.securityRequest
        /// What the peripheral wants.
        public var requirements: AuthenticationRequirements

        /// Makes the PDU.
        public init(requirements: AuthenticationRequirements) { self.requirements = requirements }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            requirements = AuthenticationRequirements(rawValue: try reader.readUInt8())
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) { writer.write(requirements.rawValue) }
    }
}
