// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// Encryption Information: the long-term key that the sender has made; legacy pairing only.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x06 |
    /// | 1 | 16 | long-term key | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.2.
    public struct EncryptionInformation: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.encryptionInformation
        /// The long-term key.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }

    /// Central Identification: what names the long-term key when a link is encrypted with it.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x07 |
    /// | 1 | 2 | EDIV | |
    /// | 3 | 8 | Rand | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.3.
    public struct CentralIdentification: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.centralIdentification
        /// The encrypted diversifier.
        public var ediv: UInt16
        /// The random number.
        public var rand: UInt64

        /// Makes the PDU.
        public init(ediv: UInt16, rand: UInt64) {
            self.ediv = ediv
            self.rand = rand
        }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            ediv = try reader.readUInt16()
            rand = try reader.readUInt64()
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(ediv)
            writer.write(rand)
        }
    }

    /// Identity Information: what makes the addresses of the sender resolvable.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x08 |
    /// | 1 | 16 | identity resolving key | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.4.
    public struct IdentityInformation: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.identityInformation
        /// The identity resolving key.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }

    /// Identity Address Information: the address behind the changing ones.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x09 |
    /// | 1 | 1 | address type | 0 public, 1 static random |
    /// | 2 | 6 | address | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.5.
    public struct IdentityAddressInformation: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.identityAddressInformation
        /// The address, public or random.
        public var address: BluetoothAddress

        /// Makes the PDU.
        public init(address: BluetoothAddress) { self.address = address }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let type = try reader.readUInt8()
            guard let kind = BluetoothAddress.Kind(rawValue: type), kind != .anonymous else {
                throw DecodeError(.outOfRange(UInt64(type)), at: 1)
            }
            address = try BluetoothAddress(decoding: &reader, kind: kind)
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(address.kind.rawValue)
            address.encode(into: &writer)
        }
    }

    /// Signing Information: a key for signed writes, which nobody here uses.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x0A |
    /// | 1 | 16 | signature key | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.6.6.
    public struct SigningInformation: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.signingInformation
        /// The signature key.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }
}
