// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// The functions of the specification, over what a machine has.
    ///
    /// Numbers have their most significant octet first wherever octets matter, as in the specification.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.2.
    public struct Toolbox: Sendable {
        private let cryptography: any PairingCryptography

        /// Makes the functions.
        public init(_ cryptography: any PairingCryptography) { self.cryptography = cryptography }

        /// AES-CMAC of a message.
        ///
        /// Spec: RFC 4493; Core v5.4, Vol 3, Part H, 2.2.5.
        ///
        /// - Parameters:
        ///   - message: Any number of octets.
        ///   - key: The key.
        /// - Returns: The code.
        public func cmac(_ message: [UInt8], key: UInt128) -> UInt128 {
            var code = CMAC(key: key, cryptography)
            for octet in message { code.append(octet) }
            return code.finish()
        }

        /// ah: what makes an address resolvable.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.2.
        ///
        /// - Parameters:
        ///   - irk: The identity resolving key.
        ///   - prand: The random part of the address, 24 bits.
        /// - Returns: The other part of the address, 24 bits.
        public func ah(irk: UInt128, prand: UInt32) -> UInt32 {
            UInt32(truncatingIfNeeded: cryptography.encrypt(UInt128(prand & 0xFF_FFFF), key: irk)) & 0xFF_FFFF
        }

        /// c1: the confirm value of legacy pairing.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.3.
        ///
        /// - Parameters:
        ///   - key: The temporary key.
        ///   - random: The random number of the side that confirms.
        ///   - request: The Pairing Request, 56 bits: its first octet is the least significant.
        ///   - response: The Pairing Response, likewise.
        ///   - initiator: The address of the initiator.
        ///   - responder: The address of the responder.
        /// - Returns: The confirm value.
        public func c1(
            key: UInt128, random: UInt128, request: UInt64, response: UInt64, initiator: BluetoothAddress,
            responder: BluetoothAddress
        ) -> UInt128 {
            let types = UInt128(responder.kind.bit) &<< 8 | UInt128(initiator.kind.bit)
            let first = UInt128(response) &<< 72 | UInt128(request) &<< 16 | types
            let second = UInt128(initiator.value) &<< 48 | UInt128(responder.value)
            return cryptography.encrypt(
                cryptography.encrypt(random ^ first, key: key) ^ second, key: key)
        }

        /// s1: the short-term key of legacy pairing.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.4.
        ///
        /// - Parameters:
        ///   - key: The temporary key.
        ///   - responder: The random number of the responder.
        ///   - initiator: The random number of the initiator.
        /// - Returns: The key.
        public func s1(key: UInt128, responder: UInt128, initiator: UInt128) -> UInt128 {
            cryptography.encrypt(responder &<< 64 | (initiator & UInt128(UInt64.max)), key: key)
        }

        /// f4: the confirm value of Secure Connections.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.6.
        ///
        /// - Parameters:
        ///   - u: The first coordinate of the key of the side that confirms.
        ///   - v: The first coordinate of the other side's key.
        ///   - x: The random number of the side that confirms.
        ///   - z: 0, or 0x80 and one bit of the passkey.
        /// - Returns: The confirm value.
        public func f4(u: UInt256, v: UInt256, x: UInt128, z: UInt8) -> UInt128 {
            var code = CMAC(key: x, cryptography)
            code.append(u)
            code.append(v)
            code.append(z)
            return code.finish()
        }

        /// f5: the keys of Secure Connections.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.7.
        ///
        /// - Parameters:
        ///   - w: The Diffie-Hellman key.
        ///   - n1: The random number of the initiator.
        ///   - n2: The random number of the responder.
        ///   - a1: The address of the initiator.
        ///   - a2: The address of the responder.
        /// - Returns: The key of the checks, and the long-term key.
        public func f5(
            w: Secret, n1: UInt128, n2: UInt128, a1: BluetoothAddress, a2: BluetoothAddress
        ) -> (macKey: Secret, longTermKey: Secret) {
            var salted = CMAC(key: 0x6C88_8391_AAF5_A538_6037_0BDB_5A60_83BE, cryptography)
            salted.append(w.value256)
            let key = salted.finish()
            let make = { (counter: UInt8) in
                var code = CMAC(key: key, cryptography)
                code.append(counter)
                // "btle", and the 256 bits that come of it.
                code.append(0x6274_6C65, octets: 4)
                code.append(n1)
                code.append(n2)
                code.append(a1.bits56, octets: 7)
                code.append(a2.bits56, octets: 7)
                code.append(0x0100, octets: 2)
                return Secret(code.finish())
            }
            return (make(0), make(1))
        }

        /// f6: the check of the Diffie-Hellman key.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.8.
        ///
        /// - Parameters:
        ///   - w: The key of the checks.
        ///   - n1: The random number of the side that checks.
        ///   - n2: The random number of the other side.
        ///   - r: 0, the passkey, or the other side's random number of out-of-band data.
        ///   - ioCapabilities: ``PairingFeatures/checkedBits`` of the side that checks.
        ///   - a1: The address of the side that checks.
        ///   - a2: The address of the other side.
        /// - Returns: The check.
        public func f6(
            w: Secret, n1: UInt128, n2: UInt128, r: UInt128, ioCapabilities: UInt32, a1: BluetoothAddress,
            a2: BluetoothAddress
        ) -> UInt128 {
            var code = CMAC(key: w.value128, cryptography)
            code.append(n1)
            code.append(n2)
            code.append(r)
            code.append(UInt128(ioCapabilities), octets: 3)
            code.append(a1.bits56, octets: 7)
            code.append(a2.bits56, octets: 7)
            return code.finish()
        }

        /// g2: what two persons compare.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.9.
        ///
        /// - Parameters:
        ///   - u: The first coordinate of the initiator's key.
        ///   - v: The first coordinate of the responder's key.
        ///   - x: The random number of the initiator.
        ///   - y: The random number of the responder.
        /// - Returns: 32 bits, of which the last six decimal digits are shown.
        public func g2(u: UInt256, v: UInt256, x: UInt128, y: UInt128) -> UInt32 {
            var code = CMAC(key: x, cryptography)
            code.append(u)
            code.append(v)
            code.append(y)
            return UInt32(truncatingIfNeeded: code.finish())
        }

        /// h6: one key made from another.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.10.
        ///
        /// - Parameters:
        ///   - w: The key.
        ///   - id: What the other key is for, four octets.
        /// - Returns: The other key.
        public func h6(w: UInt128, id: UInt32) -> UInt128 {
            var code = CMAC(key: w, cryptography)
            code.append(UInt128(id), octets: 4)
            return code.finish()
        }

        /// h7: one key made from another.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.2.11.
        ///
        /// - Parameters:
        ///   - salt: What the other key is for.
        ///   - w: The key.
        /// - Returns: The other key.
        public func h7(salt: UInt128, w: UInt128) -> UInt128 {
            var code = CMAC(key: salt, cryptography)
            code.append(w)
            return code.finish()
        }
    }
}

extension BluetoothAddress {
    /// The kind and the address, the kind in the most significant octet.
    var bits56: UInt128 { UInt128(kind.bit) &<< 48 | UInt128(value) }
}

extension BluetoothAddress.Kind {
    /// 1 for a random address, else 0.
    var bit: UInt8 { self == .random ? 1 : 0 }
}
