// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded)

import BLEWire

extension ATT.ErrorCode: CustomStringConvertible {
    /// What the code means, in a few words.
    public var description: String {
        switch self {
        case .invalidHandle: "there is nothing with this handle"
        case .readNotPermitted: "reading is not permitted"
        case .writeNotPermitted: "writing is not permitted"
        case .invalidPDU: "the request was malformed"
        case .insufficientAuthentication: "the link must be authenticated first"
        case .requestNotSupported: "the request is not supported"
        case .invalidOffset: "the offset is past the end of the value"
        case .insufficientAuthorization: "this is not authorized"
        case .prepareQueueFull: "too many prepared writes"
        case .attributeNotFound: "nothing was found"
        case .attributeNotLong: "the value cannot be read in parts"
        case .encryptionKeySizeTooShort: "the encryption key is too short"
        case .invalidAttributeValueLength: "the value has the wrong length"
        case .unlikelyError: "an unlikely error"
        case .insufficientEncryption: "the link must be encrypted first"
        case .unsupportedGroupType: "the group type is not supported"
        case .insufficientResources: "the device has no room"
        case .databaseOutOfSync: "the database has changed"
        case .valueNotAllowed: "the value is not allowed"
        case .writeRequestRejected: "the write was rejected"
        case .cccdImproperlyConfigured: "notifications are not configured properly"
        case .procedureAlreadyInProgress: "this is already in progress"
        case .outOfRange: "the value is out of range"
        default:
            isApplicationError
                ? "application error 0x\([rawValue].hexadecimal)" : "error 0x\([rawValue].hexadecimal)"
        }
    }
}

#endif
