// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension SMP {
    /// A number of 256 bits: a coordinate of the curve, a private key, what two sides have in common.
    @frozen
    public struct UInt256: Hashable, Sendable {
        /// The upper half.
        public var high: UInt128
        /// The lower half.
        public var low: UInt128

        /// Makes a number.
        @inlinable
        public init(_ high: UInt128, _ low: UInt128) {
            self.high = high
            self.low = low
        }

        /// Reads 32 octets, least significant first.
        ///
        /// - Parameter reader: Where to read.
        /// - Throws: ``DecodeError`` when fewer octets are left.
        init(decoding reader: inout ByteReader) throws(DecodeError) {
            low = try UInt128(decoding: &reader)
            high = try UInt128(decoding: &reader)
        }

        /// Appends 32 octets, least significant first.
        func encode(into writer: inout ByteWriter) {
            writer.write(low)
            writer.write(high)
        }
    }

    /// A point of the curve P-256, or what somebody says is one.
    ///
    /// Spec: FIPS 186-5; Core v5.4, Vol 3, Part H, 2.3.5.6.1.
    @frozen
    public struct PublicKey: Hashable, Sendable {
        /// The first coordinate.
        public var x: UInt256
        /// The second coordinate.
        public var y: UInt256

        /// Makes a key of any two numbers.
        @inlinable
        public init(x: UInt256, y: UInt256) {
            self.x = x
            self.y = y
        }
    }
}
