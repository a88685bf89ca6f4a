// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``UNError``.
public let UNErrorDomain: String = "UNErrorDomain"

/// What went wrong with a notification.
///
/// On Apple's systems it is an `NSError` in a struct. Here it is the struct alone: `error as NSError` gives domain and code, but a
/// cast of that `NSError` to `UNError` fails, which Linux cannot do.
public struct UNError: CustomNSError, Hashable, Sendable {
    /// What an error was.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Code: Int, Sendable {
        /// The app may not show any.
        case notificationsNotAllowed = 1
        /// Its trigger never comes.
        case notificationInvalidNoDate = 1400
        /// There is nothing on it.
        case notificationInvalidNoContent = 1401
        /// The number for the icon is none.
        case badgeInputInvalid = 1600
    }

    /// What it was.
    public let code: Code

    /// Makes an error.
    ///
    /// - Parameter code: What it was.
    public init(_ code: Code) { self.code = code }

    /// ``UNErrorDomain``.
    public static var errorDomain: String { UNErrorDomain }
    /// The number of ``code-swift.property``.
    public var errorCode: Int { code.rawValue }

    /// The app may not show any.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// Its trigger never comes.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
}

extension UNError.Code {
    /// Whether an error is of this code.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - error: The error.
    /// - Returns: Whether it is, as a ``UNError`` or an `NSError`.
    public static func ~= (code: UNError.Code, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == UNErrorDomain && error.code == code.rawValue
    }
}
