// SPDX-License-Identifier: Apache-2.0

extension ATT {
    /// Why a server refused a request.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1.
    @frozen
    public struct ErrorCode: RawRepresentable, Error, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The handle is not one of this server.
        public static let invalidHandle = ErrorCode(rawValue: 0x01)
        /// The value cannot be read.
        public static let readNotPermitted = ErrorCode(rawValue: 0x02)
        /// The value cannot be written.
        public static let writeNotPermitted = ErrorCode(rawValue: 0x03)
        /// The PDU was malformed.
        public static let invalidPDU = ErrorCode(rawValue: 0x04)
        /// The link must be authenticated first.
        public static let insufficientAuthentication = ErrorCode(rawValue: 0x05)
        /// The server does not support the request.
        public static let requestNotSupported = ErrorCode(rawValue: 0x06)
        /// The offset lies past the end of the value.
        public static let invalidOffset = ErrorCode(rawValue: 0x07)
        /// The client is not allowed to do this.
        public static let insufficientAuthorization = ErrorCode(rawValue: 0x08)
        /// Too many prepared writes wait.
        public static let prepareQueueFull = ErrorCode(rawValue: 0x09)
        /// Nothing was found in the range.
        public static let attributeNotFound = ErrorCode(rawValue: 0x0A)
        /// The value cannot be read or written in parts.
        public static let attributeNotLong = ErrorCode(rawValue: 0x0B)
        /// The encryption key is too short.
        public static let encryptionKeySizeTooShort = ErrorCode(rawValue: 0x0C)
        /// The length of the value does not fit the attribute.
        public static let invalidAttributeValueLength = ErrorCode(rawValue: 0x0D)
        /// Something went wrong that has no code of its own.
        public static let unlikelyError = ErrorCode(rawValue: 0x0E)
        /// The link must be encrypted first.
        public static let insufficientEncryption = ErrorCode(rawValue: 0x0F)
        /// The grouping attribute is not one that groups.
        public static let unsupportedGroupType = ErrorCode(rawValue: 0x10)
        /// The server has no room.
        public static let insufficientResources = ErrorCode(rawValue: 0x11)
        /// The client's picture of the database is out of date.
        public static let databaseOutOfSync = ErrorCode(rawValue: 0x12)
        /// The value is not allowed.
        public static let valueNotAllowed = ErrorCode(rawValue: 0x13)
        /// The write was refused.
        ///
        /// Spec: CSS v11, Part B, 1.2.
        public static let writeRequestRejected = ErrorCode(rawValue: 0xFC)
        /// The client characteristic configuration is wrong.
        ///
        /// Spec: CSS v11, Part B, 1.2.
        public static let cccdImproperlyConfigured = ErrorCode(rawValue: 0xFD)
        /// The same procedure is already running.
        ///
        /// Spec: CSS v11, Part B, 1.2.
        public static let procedureAlreadyInProgress = ErrorCode(rawValue: 0xFE)
        /// The value lies outside what its profile allows.
        ///
        /// Spec: CSS v11, Part B, 1.2.
        public static let outOfRange = ErrorCode(rawValue: 0xFF)

        /// Whether a profile gives the code its meaning: 0x80 to 0x9F.
        @inlinable
        public var isApplicationError: Bool { (0x80...0x9F).contains(rawValue) }
    }
}
