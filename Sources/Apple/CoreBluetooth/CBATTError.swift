// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``CBATTError``.
public let CBATTErrorDomain: String = "CBATTErrorDomain"

/// What the device on the other side has answered.
///
/// What ``CBError`` says of casts is true of it, too. A code that only an application knows, 0x80 and above, keeps its number.
public struct CBATTError: CustomNSError, Hashable, @unchecked Sendable {
    /// What was answered.
    public let code: Code
    /// What else is known of it; values in it may be of any type, as in an `NSError`, which crosses threads like this, too.
    public let errorUserInfo: [String: Any]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What was answered.
    ///   - userInfo: What else is known, as a text for people under `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        errorUserInfo = userInfo
    }

    /// Makes an error of the octet that came, with a sentence for people.
    package init(octet: UInt8) {
        let code = Code(Int(octet))
        self.init(code, userInfo: [NSLocalizedDescriptionKey: code.text])
    }

    /// ``CBATTErrorDomain``.
    public static var errorDomain: String { CBATTErrorDomain }

    /// The number of ``code-swift.property``.
    public var errorCode: Int { code.rawValue }

    /// The same as ``errorUserInfo``.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Says whether code and user info are the same.
    public static func == (a: CBATTError, b: CBATTError) -> Bool {
        a.code == b.code
            && NSDictionary(dictionary: a.errorUserInfo) == NSDictionary(dictionary: b.errorUserInfo)
    }

    /// Feeds the code to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CBATTError {
    /// It was done.
    public static var success: Code { .success }
    /// There is no such attribute.
    public static var invalidHandle: Code { .invalidHandle }
    /// The value cannot be read.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The value cannot be written.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// What was sent makes no sense.
    public static var invalidPdu: Code { .invalidPdu }
    /// The two have to pair first.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The device does not know the request.
    public static var requestNotSupported: Code { .requestNotSupported }
    /// The offset lies behind the end of the value.
    public static var invalidOffset: Code { .invalidOffset }
    /// The device does not allow it to this peer.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// Too many parts of values wait to be written.
    public static var prepareQueueFull: Code { .prepareQueueFull }
    /// There is no such attribute in the range.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The value is too short to be read in parts.
    public static var attributeNotLong: Code { .attributeNotLong }
    /// The key of the encryption is too short.
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    /// The value has the wrong length.
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    /// Something went wrong that the device has no code for.
    public static var unlikelyError: Code { .unlikelyError }
    /// The connection has to be encrypted first.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// Such attributes make no groups.
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    /// The device has no room left.
    public static var insufficientResources: Code { .insufficientResources }
}
