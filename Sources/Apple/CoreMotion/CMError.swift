// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The domain of the errors of this module.
public let CMErrorDomain: String = "CMErrorDomain"

/// The number of an error of this module.
public struct CMError: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: UInt32

    /// Takes a number.
    ///
    /// - Parameter rawValue: The number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Takes a number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Something without a name here.
public let CMErrorUnknown = CMError(103)
/// The phone cannot feel how it is moved.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// The app may not know.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// The app's Info.plist does not say what for.
public let CMErrorMotionActivityNotEntitled = CMError(106)

extension CMError {
    /// The error that apps are told.
    var error: NSError { NSError(domain: CMErrorDomain, code: Int(rawValue)) }
}
