// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Asks how weakly and how strongly the controller can send.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.74.
    public struct LEReadTransmitPower: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadTransmitPower }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Least power in dBm; -127 to 20.
            public var minTxPower: Int8
            /// Most power in dBm; -127 to 20.
            public var maxTxPower: Int8

            /// Makes the return parameters.
            public init(minTxPower: Int8, maxTxPower: Int8) {
                self.minTxPower = minTxPower
                self.maxTxPower = maxTxPower
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                minTxPower = try reader.readInt8()
                maxTxPower = try reader.readInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(minTxPower)
                writer.write(maxTxPower)
            }
        }
    }

    /// Asks how strongly the controller sends on a link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.35.
    public struct ReadTransmitPowerLevel: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readTransmitPowerLevel }

        /// Which link.
        public var handle: ConnectionHandle
        /// The current power, or the most there is.
        public var type: TransmitPowerLevelType

        /// Makes the command.
        public init(handle: ConnectionHandle, type: TransmitPowerLevelType) {
            self.handle = handle
            self.type = type
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            type = try HCI.readCase(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(type.rawValue)
        }

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Which link.
            public var handle: ConnectionHandle
            /// Power in dBm; -30 to 20.
            public var txPower: Int8

            /// Makes the return parameters.
            public init(handle: ConnectionHandle, txPower: Int8) {
                self.handle = handle
                self.txPower = txPower
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                handle = ConnectionHandle(rawValue: try reader.readUInt16())
                txPower = try reader.readInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(handle.rawValue)
                writer.write(txPower)
            }
        }
    }

    /// Which power Read Transmit Power Level asks for.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.35.
    public enum TransmitPowerLevelType: UInt8, Hashable, Sendable {
        /// The power that is used now.
        case current = 0
        /// The most that can be used.
        case maximum = 1
    }
}
