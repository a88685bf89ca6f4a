// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension CBError {
    /// What an error was.
    ///
    /// As on Apple's systems every number makes a code, one without a name, too.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Code: RawRepresentable, Hashable, Sendable {
        /// Something without a name here.
        case unknown
        /// What was passed makes no sense.
        case invalidParameters
        /// There is no such attribute.
        case invalidHandle
        /// There is no connection.
        case notConnected
        /// There is no room left.
        case outOfSpace
        /// It was called off.
        case operationCancelled
        /// Nothing was heard for too long.
        case connectionTimeout
        /// The device has closed the connection.
        case peripheralDisconnected
        /// A UUID that apps may not use.
        case uuidNotAllowed
        /// It is advertising already.
        case alreadyAdvertising
        /// The connection could not be made.
        case connectionFailed
        /// There are as many connections as there can be.
        case connectionLimitReached
        /// The device is not known; the case has kept the name that it had first.
        case unkownDevice
        /// It cannot be done here.
        case operationNotSupported
        /// The device has forgotten the pairing.
        case peerRemovedPairingInformation
        /// The connection was not encrypted in time.
        case encryptionTimedOut
        /// As many devices are paired as can be.
        case tooManyLEPairedDevices
        /// More was notified in the background than an app may get there.
        case leGattExceededBackgroundNotificationLimit
        /// Nearly as much was notified in the background as an app may get there.
        case leGattNearBackgroundNotificationLimit
        /// A number without a name.
        case _other(Int)

        /// The device is not known.
        public static var unknownDevice: Code { .unkownDevice }

        private static let named: [Code] = [
            .unknown, .invalidParameters, .invalidHandle, .notConnected, .outOfSpace, .operationCancelled,
            .connectionTimeout, .peripheralDisconnected, .uuidNotAllowed, .alreadyAdvertising,
            .connectionFailed, .connectionLimitReached, .unkownDevice, .operationNotSupported,
            .peerRemovedPairingInformation, .encryptionTimedOut, .tooManyLEPairedDevices,
            .leGattExceededBackgroundNotificationLimit, .leGattNearBackgroundNotificationLimit,
        ]

        /// Takes the code of a number; never `nil`.
        ///
        /// - Parameter rawValue: The number.
        public init?(rawValue: Int) {
            self = Self.named.indices.contains(rawValue) ? Self.named[rawValue] : ._other(rawValue)
        }

        /// The number of the code.
        public var rawValue: Int {
            switch self {
            case .unknown: 0
            case .invalidParameters: 1
            case .invalidHandle: 2
            case .notConnected: 3
            case .outOfSpace: 4
            case .operationCancelled: 5
            case .connectionTimeout: 6
            case .peripheralDisconnected: 7
            case .uuidNotAllowed: 8
            case .alreadyAdvertising: 9
            case .connectionFailed: 10
            case .connectionLimitReached: 11
            case .unkownDevice: 12
            case .operationNotSupported: 13
            case .peerRemovedPairingInformation: 14
            case .encryptionTimedOut: 15
            case .tooManyLEPairedDevices: 16
            case .leGattExceededBackgroundNotificationLimit: 17
            case .leGattNearBackgroundNotificationLimit: 18
            case ._other(let number): number
            }
        }

        /// Says whether an error is one of ``CBError`` with this code, for `catch CBError.notConnected`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == CBErrorDomain && error.code == code.rawValue
        }
    }
}
