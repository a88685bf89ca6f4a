// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Sets what an advertising set advertises, or a part of it.
    ///
    /// | offset | size | field                                              |
    /// |--------|------|----------------------------------------------------|
    /// | 0      | 1    | advertising handle                                 |
    /// | 1      | 1    | operation                                          |
    /// | 2      | 1    | whether the controller should keep it in one piece |
    /// | 3      | 1    | length of the data, 0 to 251                       |
    /// | 4      | n    | data                                               |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
    public struct LESetExtendedAdvertisingData: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedAdvertisingData }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which set.
        public let advertisingHandle: AdvertisingHandle
        /// Which part of the whole `data` is.
        public let operation: AdvertisingDataOperation
        /// Whether the controller should not spread the data over several packets.
        public let keepsTogether: Bool
        /// AD structures or a part of them; at most 251 octets.
        public let data: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - advertisingHandle: Which set.
        ///   - operation: Which part of the whole `data` is.
        ///   - keepsTogether: Whether the controller should not spread the data over several packets.
        ///   - data: AD structures or a part of them; `nil` comes back for more than 251 octets.
        public init?(
            advertisingHandle: AdvertisingHandle, operation: AdvertisingDataOperation,
            keepsTogether: Bool = false, data: [UInt8]
        ) {
            guard data.count <= HCI.extendedAdvertisingFragmentLimit else { return nil }
            self.advertisingHandle = advertisingHandle
            self.operation = operation
            self.keepsTogether = keepsTogether
            self.data = data
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            operation = try HCI.readCase(&reader)
            keepsTogether = try HCI.readFlag(&reader)
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count <= HCI.extendedAdvertisingFragmentLimit else {
                throw DecodeError(.badLength(count), at: offset)
            }
            data = try reader.readOctets(count)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
            writer.write(operation.rawValue)
            writer.write(keepsTogether ? 1 : 0 as UInt8)
            writer.write(UInt8(truncatingIfNeeded: data.count))
            writer.write(data)
        }
    }

    /// Sets what a set's active scanners get when they ask for more, or a part of it.
    ///
    /// | offset | size | field                                              |
    /// |--------|------|----------------------------------------------------|
    /// | 0      | 1    | advertising handle                                 |
    /// | 1      | 1    | operation                                          |
    /// | 2      | 1    | whether the controller should keep it in one piece |
    /// | 3      | 1    | length of the data, 0 to 251                       |
    /// | 4      | n    | data                                               |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.55.
    public struct LESetExtendedScanResponseData: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedScanResponseData }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which set.
        public let advertisingHandle: AdvertisingHandle
        /// Which part of the whole `data` is.
        public let operation: AdvertisingDataOperation
        /// Whether the controller should not spread the data over several packets.
        public let keepsTogether: Bool
        /// AD structures or a part of them; at most 251 octets.
        public let data: [UInt8]

        /// Makes the command.
        ///
        /// - Parameters:
        ///   - advertisingHandle: Which set.
        ///   - operation: Which part of the whole `data` is.
        ///   - keepsTogether: Whether the controller should not spread the data over several packets.
        ///   - data: AD structures or a part of them; `nil` comes back for more than 251 octets.
        public init?(
            advertisingHandle: AdvertisingHandle, operation: AdvertisingDataOperation,
            keepsTogether: Bool = false, data: [UInt8]
        ) {
            guard data.count <= HCI.extendedAdvertisingFragmentLimit else { return nil }
            self.advertisingHandle = advertisingHandle
            self.operation = operation
            self.keepsTogether = keepsTogether
            self.data = data
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            operation = try HCI.readCase(&reader)
            keepsTogether = try HCI.readFlag(&reader)
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count <= HCI.extendedAdvertisingFragmentLimit else {
                throw DecodeError(.badLength(count), at: offset)
            }
            data = try reader.readOctets(count)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
            writer.write(operation.rawValue)
            writer.write(keepsTogether ? 1 : 0 as UInt8)
            writer.write(UInt8(truncatingIfNeeded: data.count))
            writer.write(data)
        }
    }

    /// Octets of data that one command about an advertising set can carry.
    public static let extendedAdvertisingFragmentLimit = 251
    /// Octets of data that any advertising set can have at most.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.57.
    public static let extendedAdvertisingDataLimit = 1650

    /// Which part of a set's data a command carries.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
    public enum AdvertisingDataOperation: UInt8, Hashable, Sendable {
        /// Neither the first part nor the last.
        case intermediate = 0
        /// The first of several parts.
        case first = 1
        /// The last of several parts.
        case last = 2
        /// All of it.
        case complete = 3
        /// Nothing; the data stays, and its identifier on the air changes.
        case unchanged = 4
    }
}
