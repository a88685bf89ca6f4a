// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Suggests the packet length of one link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.33.
    public struct LESetDataLength: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetDataLength }
        /// Which link.
        public typealias ReturnParameters = HandleOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// Octets of payload in one link-layer packet; 27 to 251.
        public var txOctets: UInt16
        /// Time that such a packet may take, in microseconds; 328 to 17040.
        public var txTime: UInt16

        /// Makes the command.
        public init(handle: ConnectionHandle, txOctets: UInt16, txTime: UInt16) {
            self.handle = handle
            self.txOctets = txOctets
            self.txTime = txTime
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            txOctets = try reader.readUInt16()
            txTime = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(txOctets)
            writer.write(txTime)
        }
    }

    /// Asks for the packet length that new links start with.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.34.
    public struct LEReadSuggestedDefaultDataLength: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadSuggestedDefaultDataLength }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Octets of payload in one link-layer packet; 27 to 251.
            public var maxTxOctets: UInt16
            /// Time that such a packet may take, in microseconds; 328 to 17040.
            public var maxTxTime: UInt16

            /// Makes the return parameters.
            public init(maxTxOctets: UInt16, maxTxTime: UInt16) {
                self.maxTxOctets = maxTxOctets
                self.maxTxTime = maxTxTime
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                maxTxOctets = try reader.readUInt16()
                maxTxTime = try reader.readUInt16()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(maxTxOctets)
                writer.write(maxTxTime)
            }
        }
    }

    /// Suggests the packet length that new links start with.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.35.
    public struct LEWriteSuggestedDefaultDataLength: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leWriteSuggestedDefaultDataLength }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Octets of payload in one link-layer packet; 27 to 251.
        public var maxTxOctets: UInt16
        /// Time that such a packet may take, in microseconds; 328 to 17040.
        public var maxTxTime: UInt16

        /// Makes the command.
        public init(maxTxOctets: UInt16, maxTxTime: UInt16) {
            self.maxTxOctets = maxTxOctets
            self.maxTxTime = maxTxTime
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            maxTxOctets = try reader.readUInt16()
            maxTxTime = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(maxTxOctets)
            writer.write(maxTxTime)
        }
    }

    /// Asks for the longest packets that the controller can send and receive.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.46.
    public struct LEReadMaximumDataLength: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadMaximumDataLength }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Octets of payload in one link-layer packet; 27 to 251.
            public var maxTxOctets: UInt16
            /// Time that such a packet may take, in microseconds; 328 to 17040.
            public var maxTxTime: UInt16
            /// The same for what is received.
            public var maxRxOctets: UInt16
            /// The same for what is received.
            public var maxRxTime: UInt16

            /// Makes the return parameters.
            public init(maxTxOctets: UInt16, maxTxTime: UInt16, maxRxOctets: UInt16, maxRxTime: UInt16) {
                self.maxTxOctets = maxTxOctets
                self.maxTxTime = maxTxTime
                self.maxRxOctets = maxRxOctets
                self.maxRxTime = maxRxTime
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                maxTxOctets = try reader.readUInt16()
                maxTxTime = try reader.readUInt16()
                maxRxOctets = try reader.readUInt16()
                maxRxTime = try reader.readUInt16()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(maxTxOctets)
                writer.write(maxTxTime)
                writer.write(maxRxOctets)
                writer.write(maxRxTime)
            }
        }
    }
}
