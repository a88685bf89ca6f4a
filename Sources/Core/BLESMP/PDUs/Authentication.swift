// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// Pairing Confirm: a side commits itself to its random number.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x03 |
    /// | 1 | 16 | confirm value | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.3.
    public struct PairingConfirm: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.pairingConfirm
        /// The confirm value.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }

    /// Pairing Random: a side reveals its random number.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x04 |
    /// | 1 | 16 | random value | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.4.
    public struct PairingRandom: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.pairingRandom
        /// The random value.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }

    /// Pairing DHKey Check: a side shows that it has the Diffie-Hellman key.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x0D |
    /// | 1 | 16 | check | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.7.
    public struct PairingDHKeyCheck: SMPValuePDU {
        /// The PDU's first octet.
        public static let code = Code.pairingDHKeyCheck
        /// The check.
        public var value: UInt128

        /// Makes the PDU.
        public init(value: UInt128) { self.value = value }
    }

    /// Pairing Failed: a side gives up.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x05 |
    /// | 1 | 1 | reason | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.5.
    public struct PairingFailed: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.pairingFailed
        /// Why.
        public var reason: FailureReason

        /// Makes the PDU.
        public init(reason: FailureReason) { self.reason = reason }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            reason = FailureReason(rawValue: try reader.readUInt8())
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) { writer.write(reason.rawValue) }
    }

    /// Pairing Public Key: a point of the curve P-256.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x0C |
    /// | 1 | 32 | x | |
    /// | 33 | 32 | y | |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.6.
    public struct PairingPublicKey: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.pairingPublicKey
        /// The key; it need not be a point of the curve.
        public var key: PublicKey

        /// Makes the PDU.
        public init(key: PublicKey) { self.key = key }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let x = try UInt256(decoding: &reader)
            key = PublicKey(x: x, y: try UInt256(decoding: &reader))
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) {
            key.x.encode(into: &writer)
            key.y.encode(into: &writer)
        }
    }

    /// Keypress Notification: how far the entry of a passkey is.
    ///
    /// | offset | size | field | notes |
    /// |--------|------|-------|-------|
    /// | 0 | 1 | code | 0x0E |
    /// | 1 | 1 | notification type | 0 to 4 |
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.5.8.
    public struct KeypressNotification: SMPPDU {
        /// The PDU's first octet.
        public static let code = Code.pairingKeypressNotification
        /// What happened.
        public var keypress: Keypress

        /// Makes the PDU.
        public init(keypress: Keypress) { self.keypress = keypress }

        /// Reads what follows the code.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            keypress = Keypress(rawValue: try reader.readUInt8())
        }

        /// Appends what follows the code.
        public func encodeParameters(into writer: inout ByteWriter) { writer.write(keypress.rawValue) }
    }
}
