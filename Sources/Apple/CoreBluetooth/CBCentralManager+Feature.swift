// SPDX-License-Identifier: Apache-2.0

extension CBCentralManager {
    /// What the Bluetooth of a phone can do beyond what each can.
    public struct Feature: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Takes the bits as they are.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It hears extended advertisements, and connects to who sends them.
        public static let extendedScanAndConnect = Feature(rawValue: 1)
    }
}
