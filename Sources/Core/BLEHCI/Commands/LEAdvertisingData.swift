// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Sets what is advertised.
    ///
    /// On the wire: a length and 31 octets, of which those past the length are zero.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.7.
    public struct LESetAdvertisingData: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetAdvertisingData }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// AD structures; at most 31 octets.
        public let data: [UInt8]

        /// Makes the command.
        ///
        /// - Parameter data: AD structures; `nil` comes back for more than 31 octets.
        public init?(data: [UInt8]) {
            guard data.count <= HCI.legacyAdvertisingDataLimit else { return nil }
            self.data = data
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            data = try HCI.readLegacyAdvertisingData(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeLegacyAdvertisingData(data, into: &writer)
        }
    }

    /// Sets what active scanners get when they ask for more.
    ///
    /// On the wire: a length and 31 octets, of which those past the length are zero.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.8.
    public struct LESetScanResponseData: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetScanResponseData }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// AD structures; at most 31 octets.
        public let data: [UInt8]

        /// Makes the command.
        ///
        /// - Parameter data: AD structures; `nil` comes back for more than 31 octets.
        public init?(data: [UInt8]) {
            guard data.count <= HCI.legacyAdvertisingDataLimit else { return nil }
            self.data = data
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            data = try HCI.readLegacyAdvertisingData(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writeLegacyAdvertisingData(data, into: &writer)
        }
    }

    /// Octets that a legacy advertisement or scan response can carry.
    public static let legacyAdvertisingDataLimit = 31

    private static func readLegacyAdvertisingData(_ reader: inout ByteReader) throws(DecodeError) -> [UInt8] {
        let offset = reader.offset
        let count = Int(try reader.readUInt8())
        guard count <= legacyAdvertisingDataLimit else { throw DecodeError(.badLength(count), at: offset) }
        let data = try reader.readOctets(count)
        try reader.skip(legacyAdvertisingDataLimit - count)
        return data
    }

    private static func writeLegacyAdvertisingData(_ data: [UInt8], into writer: inout ByteWriter) {
        writer.write(UInt8(truncatingIfNeeded: data.count))
        writer.write(data)
        writer.write([UInt8](repeating: 0, count: legacyAdvertisingDataLimit - data.count))
    }
}
