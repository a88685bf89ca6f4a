// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// A command is done.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.14.
    public struct CommandComplete: Parameters, Hashable {
        /// Commands that the host may send now.
        public var commandPackets: UInt8
        /// The command; ``Opcode/none`` when only the number above is meant.
        public var opcode: Opcode
        /// Status and what follows it; read with ``Command/decodeReturn(_:)``.
        public var returnParameters: [UInt8]

        /// Makes the event.
        public init(commandPackets: UInt8, opcode: Opcode, returnParameters: [UInt8]) {
            self.commandPackets = commandPackets
            self.opcode = opcode
            self.returnParameters = returnParameters
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            commandPackets = try reader.readUInt8()
            opcode = Opcode(rawValue: try reader.readUInt16())
            returnParameters = reader.readRemaining()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(commandPackets)
            writer.write(opcode.rawValue)
            writer.write(returnParameters)
        }
    }

    /// A command was taken up or refused.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.15.
    public struct CommandStatus: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Commands that the host may send now.
        public var commandPackets: UInt8
        /// The command; ``Opcode/none`` when only the number above is meant.
        public var opcode: Opcode

        /// Makes the event.
        public init(status: Status, commandPackets: UInt8, opcode: Opcode) {
            self.status = status
            self.commandPackets = commandPackets
            self.opcode = opcode
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            commandPackets = try reader.readUInt8()
            opcode = Opcode(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(commandPackets)
            writer.write(opcode.rawValue)
        }
    }
}
