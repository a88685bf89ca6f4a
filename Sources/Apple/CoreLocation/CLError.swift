// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``CLError``.
public let kCLErrorDomain: String = "kCLErrorDomain"

/// What went wrong with a location.
///
/// On Apple's systems it is an `NSError` in a struct. Here it is the struct alone: `error as NSError` gives domain and code, but a
/// cast of that `NSError` to `CLError` fails, which Linux cannot do. `catch CLError.denied` finds both.
public struct CLError: CustomNSError, Hashable, @unchecked Sendable {
    /// What an error was.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Code: Int, Sendable {
        /// Not known at the moment.
        case locationUnknown = 0
        /// The app may not know.
        case denied = 1
        /// The network did not help.
        case network = 2
        /// The direction cannot be told.
        case headingFailure = 3
        /// The app may not watch regions.
        case regionMonitoringDenied = 4
        /// The region cannot be watched.
        case regionMonitoringFailure = 5
        /// The region could not be set up at once.
        case regionMonitoringSetupDelayed = 6
        /// Events of the region come late.
        case regionMonitoringResponseDelayed = 7
        /// The address was not found.
        case geocodeFoundNoResult = 8
        /// The address was found in part.
        case geocodeFoundPartialResult = 9
        /// Looking for the address was called off.
        case geocodeCanceled = 10
        /// Locations could not be kept for later.
        case deferredFailed = 11
        /// Locations were to be kept for later while none were wanted.
        case deferredNotUpdatingLocation = 12
        /// Locations to be kept for later are not exact enough.
        case deferredAccuracyTooLow = 13
        /// A distance filter does not go with locations that are kept for later.
        case deferredDistanceFiltered = 14
        /// Keeping locations for later was called off.
        case deferredCanceled = 15
        /// Ranging cannot be had.
        case rangingUnavailable = 16
        /// Ranging has failed.
        case rangingFailure = 17
        /// Somebody did not want to be asked, or the question could not be shown.
        case promptDeclined = 18
        /// A location of the past could not be read.
        case historicalLocationError = 19
    }

    /// What it was.
    public let code: Code
    /// What else is known of it; values in it may be of any type, as in an `NSError`, which crosses threads like this, too.
    public let errorUserInfo: [String: Any]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What it was.
    ///   - userInfo: What else is known.
    public init(_ code: Code, userInfo: [String: Any] = [:]) { (self.code, errorUserInfo) = (code, userInfo) }

    /// ``kCLErrorDomain``.
    public static var errorDomain: String { kCLErrorDomain }
    /// The number of ``code-swift.property``.
    public var errorCode: Int { code.rawValue }
    /// The same as ``errorUserInfo``.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Says whether code and user info are the same.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code
            && NSDictionary(dictionary: a.errorUserInfo) == NSDictionary(dictionary: b.errorUserInfo)
    }

    /// Feeds the code to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CLError {
    /// Not known at the moment.
    public static var locationUnknown: Code { .locationUnknown }
    /// The app may not know.
    public static var denied: Code { .denied }
    /// The network did not help.
    public static var network: Code { .network }
    /// The direction cannot be told.
    public static var headingFailure: Code { .headingFailure }
    /// Somebody did not want to be asked.
    public static var promptDeclined: Code { .promptDeclined }
}

extension CLError.Code {
    /// Whether an error is of this code.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - error: The error.
    /// - Returns: Whether it is, as a ``CLError`` or an `NSError`.
    public static func ~= (code: CLError.Code, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == kCLErrorDomain && error.code == code.rawValue
    }
}
