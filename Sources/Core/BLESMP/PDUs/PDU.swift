// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// Any PDU of the Security Manager Protocol, decoded.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.3.
    public enum PDU: Hashable, Sendable {
        /// Pairing Request.
        case pairingRequest(PairingRequest)
        /// Pairing Response.
        case pairingResponse(PairingResponse)
        /// Pairing Confirm.
        case pairingConfirm(PairingConfirm)
        /// Pairing Random.
        case pairingRandom(PairingRandom)
        /// Pairing Failed.
        case pairingFailed(PairingFailed)
        /// Encryption Information.
        case encryptionInformation(EncryptionInformation)
        /// Central Identification.
        case centralIdentification(CentralIdentification)
        /// Identity Information.
        case identityInformation(IdentityInformation)
        /// Identity Address Information.
        case identityAddressInformation(IdentityAddressInformation)
        /// Signing Information.
        case signingInformation(SigningInformation)
        /// Security Request.
        case securityRequest(SecurityRequest)
        /// Pairing Public Key.
        case pairingPublicKey(PairingPublicKey)
        /// Pairing DHKey Check.
        case pairingDHKeyCheck(PairingDHKeyCheck)
        /// Keypress Notification.
        case keypressNotification(KeypressNotification)
        /// A PDU that this version does not know.
        case unknown(Code)

        /// Reads a whole PDU.
        ///
        /// - Parameter octets: The PDU, code included.
        /// - Throws: ``DecodeError`` when the code is known and the rest does not fit it, or nothing is there.
        public init(decoding octets: RawSpan) throws(DecodeError) {
            var reader = ByteReader(octets)
            let code = Code(rawValue: try reader.readUInt8())
            switch code {
            case .pairingRequest: self = .pairingRequest(try .init(decoding: &reader))
            case .pairingResponse: self = .pairingResponse(try .init(decoding: &reader))
            case .pairingConfirm: self = .pairingConfirm(try .init(decoding: &reader))
            case .pairingRandom: self = .pairingRandom(try .init(decoding: &reader))
            case .pairingFailed: self = .pairingFailed(try .init(decoding: &reader))
            case .encryptionInformation: self = .encryptionInformation(try .init(decoding: &reader))
            case .centralIdentification: self = .centralIdentification(try .init(decoding: &reader))
            case .identityInformation: self = .identityInformation(try .init(decoding: &reader))
            case .identityAddressInformation: self = .identityAddressInformation(try .init(decoding: &reader))
            case .signingInformation: self = .signingInformation(try .init(decoding: &reader))
            case .securityRequest: self = .securityRequest(try .init(decoding: &reader))
            case .pairingPublicKey: self = .pairingPublicKey(try .init(decoding: &reader))
            case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try .init(decoding: &reader))
            case .pairingKeypressNotification: self = .keypressNotification(try .init(decoding: &reader))
            default:
                self = .unknown(code)
                return
            }
            try reader.finish()
        }
    }
}
