// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``CBError``.
public let CBErrorDomain: String = "CBErrorDomain"

/// What went wrong on this side of the air, or on the way.
///
/// On Apple's systems it is an `NSError` in a struct. Here it is the struct alone: `error as NSError` gives domain, code and user
/// info, but a cast of that `NSError` to `CBError` fails, which Linux cannot do. `catch CBError.connectionTimeout` finds both.
public struct CBError: CustomNSError, Hashable, @unchecked Sendable {
    /// What it was.
    public let code: Code
    /// What else is known of it; values in it may be of any type, as in an `NSError`, which crosses threads like this, too.
    public let errorUserInfo: [String: Any]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What it was.
    ///   - userInfo: What else is known, as a text for people under `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        errorUserInfo = userInfo
    }

    /// ``CBErrorDomain``.
    public static var errorDomain: String { CBErrorDomain }

    /// The number of ``code-swift.property``.
    public var errorCode: Int { code.rawValue }

    /// The same as ``errorUserInfo``.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Says whether code and user info are the same.
    public static func == (a: CBError, b: CBError) -> Bool {
        a.code == b.code
            && NSDictionary(dictionary: a.errorUserInfo) == NSDictionary(dictionary: b.errorUserInfo)
    }

    /// Feeds the code to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CBError {
    /// Something without a name here.
    public static var unknown: Code { .unknown }
    /// What was passed makes no sense.
    public static var invalidParameters: Code { .invalidParameters }
    /// There is no such attribute.
    public static var invalidHandle: Code { .invalidHandle }
    /// There is no connection.
    public static var notConnected: Code { .notConnected }
    /// There is no room left.
    public static var outOfSpace: Code { .outOfSpace }
    /// It was called off.
    public static var operationCancelled: Code { .operationCancelled }
    /// Nothing was heard for too long.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The device has closed the connection.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// A UUID that apps may not use.
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    /// It is advertising already.
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    /// The connection could not be made.
    public static var connectionFailed: Code { .connectionFailed }
    /// There are as many connections as there can be.
    public static var connectionLimitReached: Code { .connectionLimitReached }
    /// The old spelling of ``unknownDevice``.
    @available(*, deprecated, renamed: "unknownDevice")
    public static var unkownDevice: Code { .unknownDevice }
    /// The device is not known.
    public static var unknownDevice: Code { .unknownDevice }
    /// It cannot be done here.
    public static var operationNotSupported: Code { .operationNotSupported }
    /// The device has forgotten the pairing.
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    /// The connection was not encrypted in time.
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    /// As many devices are paired as can be.
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    /// More was notified in the background than an app may get there.
    public static var leGattExceededBackgroundNotificationLimit: Code {
        .leGattExceededBackgroundNotificationLimit
    }
    /// Nearly as much was notified in the background as an app may get there.
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}
