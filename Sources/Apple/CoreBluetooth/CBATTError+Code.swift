// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension CBATTError {
    /// What a device has answered.
    ///
    /// As on Apple's systems every number makes a code, one that only an application knows, too.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Code: RawRepresentable, Hashable, Sendable {
        /// It was done.
        case success
        /// There is no such attribute.
        case invalidHandle
        /// The value cannot be read.
        case readNotPermitted
        /// The value cannot be written.
        case writeNotPermitted
        /// What was sent makes no sense.
        case invalidPdu
        /// The two have to pair first.
        case insufficientAuthentication
        /// The device does not know the request.
        case requestNotSupported
        /// The offset lies behind the end of the value.
        case invalidOffset
        /// The device does not allow it to this peer.
        case insufficientAuthorization
        /// Too many parts of values wait to be written.
        case prepareQueueFull
        /// There is no such attribute in the range.
        case attributeNotFound
        /// The value is too short to be read in parts.
        case attributeNotLong
        /// The key of the encryption is too short.
        case insufficientEncryptionKeySize
        /// The value has the wrong length.
        case invalidAttributeValueLength
        /// Something went wrong that the device has no code for.
        case unlikelyError
        /// The connection has to be encrypted first.
        case insufficientEncryption
        /// Such attributes make no groups.
        case unsupportedGroupType
        /// The device has no room left.
        case insufficientResources
        /// A number without a name.
        case _other(Int)

        private static let named: [Code] = [
            .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu,
            .insufficientAuthentication, .requestNotSupported, .invalidOffset, .insufficientAuthorization,
            .prepareQueueFull, .attributeNotFound, .attributeNotLong, .insufficientEncryptionKeySize,
            .invalidAttributeValueLength, .unlikelyError, .insufficientEncryption, .unsupportedGroupType,
            .insufficientResources,
        ]

        /// Takes the code of a number.
        init(_ number: Int) {
            self = Self.named.indices.contains(number) ? Self.named[number] : ._other(number)
        }

        /// Takes the code of a number; never `nil`.
        ///
        /// - Parameter rawValue: The number.
        public init?(rawValue: Int) { self.init(rawValue) }

        /// The number of the code.
        public var rawValue: Int {
            switch self {
            case .success: 0x00
            case .invalidHandle: 0x01
            case .readNotPermitted: 0x02
            case .writeNotPermitted: 0x03
            case .invalidPdu: 0x04
            case .insufficientAuthentication: 0x05
            case .requestNotSupported: 0x06
            case .invalidOffset: 0x07
            case .insufficientAuthorization: 0x08
            case .prepareQueueFull: 0x09
            case .attributeNotFound: 0x0A
            case .attributeNotLong: 0x0B
            case .insufficientEncryptionKeySize: 0x0C
            case .invalidAttributeValueLength: 0x0D
            case .unlikelyError: 0x0E
            case .insufficientEncryption: 0x0F
            case .unsupportedGroupType: 0x10
            case .insufficientResources: 0x11
            case ._other(let number): number
            }
        }

        /// What people read of an answer.
        var text: String {
            switch self {
            case .success: "It was done."
            case .invalidHandle: "There is no such attribute."
            case .readNotPermitted: "The value cannot be read."
            case .writeNotPermitted: "The value cannot be written."
            case .invalidPdu: "What was sent makes no sense."
            case .insufficientAuthentication: "The two have to pair first."
            case .requestNotSupported: "The device does not know the request."
            case .invalidOffset: "The offset lies behind the end of the value."
            case .insufficientAuthorization: "The device does not allow it to this peer."
            case .prepareQueueFull: "Too many parts of values wait to be written."
            case .attributeNotFound: "There is no such attribute in the range."
            case .attributeNotLong: "The value is too short to be read in parts."
            case .insufficientEncryptionKeySize: "The key of the encryption is too short."
            case .invalidAttributeValueLength: "The value has the wrong length."
            case .unlikelyError: "Something went wrong that the device has no code for."
            case .insufficientEncryption: "The connection has to be encrypted first."
            case .unsupportedGroupType: "Such attributes make no groups."
            case .insufficientResources: "The device has no room left."
            case ._other(let number): "The device has answered with error 0x\(String(number, radix: 16))."
            }
        }

        /// Says whether an error is one of ``CBATTError`` with this code, for `catch CBATTError.invalidHandle`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == CBATTErrorDomain && error.code == code.rawValue
        }
    }
}
