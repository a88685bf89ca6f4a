// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// Something that a server has said wrongly, or not at all, while its services were discovered.
    ///
    /// What was found besides is kept.
    public struct DiscoveryViolation: Hashable, Sendable {
        /// What was being looked for.
        public enum Part: Hashable, Sendable {
            /// Primary services.
            case services
            /// Secondary services.
            case secondaryServices
            /// Includes, and the declarations of included services.
            case includes
            /// Characteristics.
            case characteristics
            /// Descriptors of one characteristic.
            case descriptors
            /// Whether the server tells of changes of its services.
            case changes
        }

        /// What was wrong.
        public enum Reason: Hashable, Sendable {
            /// The list ends here, for another reason than that there is nothing more.
            case ended(GATTRequestError)
            /// The server has named an attribute outside the range that it was asked for, or one twice.
            case outOfRange
            /// The declaration has a length that none may have.
            case badDeclaration
            /// The service ends before it begins, or after the next one begins.
            case badEnd(AttributeHandle)
            /// The value of the characteristic is said to be here, which is not within the characteristic.
            case badValueHandle(AttributeHandle)
            /// The characteristic is in no service that was listed.
            case noService
        }

        /// What was being looked for.
        public var part: Part
        /// Where: the handle from which on the server was asked, or the attribute that is wrong.
        public var handle: AttributeHandle
        /// What was wrong.
        public var reason: Reason

        /// Makes a fault.
        public init(_ part: Part, at handle: AttributeHandle, _ reason: Reason) {
            self.part = part
            self.handle = handle
            self.reason = reason
        }
    }
}
