// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Which data a controller may send only as far as the host has room.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.38.
    public enum HostFlowControl: UInt8, Hashable, Sendable {
        /// None.
        case off = 0
        /// ACL data.
        case acl = 1
        /// Synchronous data.
        case synchronous = 2
        /// Both.
        case both = 3
    }

    /// Lets the controller send data only as far as the host has room; only while there is no link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.38.
    public struct SetControllerToHostFlowControl: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .setControllerToHostFlowControl }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Of which data.
        public var flowControl: HostFlowControl

        /// Makes the command.
        public init(_ flowControl: HostFlowControl) { self.flowControl = flowControl }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            flowControl = try HCI.readCase(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) { writer.write(flowControl.rawValue) }
    }

    /// Says how much data the host has room for.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.39.
    public struct HostBufferSize: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .hostBufferSize }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Octets of payload of an ACL packet; at least 27.
        public var aclDataPacketLength: UInt16
        /// Octets of payload of a synchronous packet.
        public var synchronousDataPacketLength: UInt8
        /// How many ACL packets there is room for; at least 1.
        public var totalACLDataPackets: UInt16
        /// How many synchronous packets there is room for.
        public var totalSynchronousDataPackets: UInt16

        /// Makes the command.
        public init(
            aclDataPacketLength: UInt16, synchronousDataPacketLength: UInt8 = 0, totalACLDataPackets: UInt16,
            totalSynchronousDataPackets: UInt16 = 0
        ) {
            self.aclDataPacketLength = aclDataPacketLength
            self.synchronousDataPacketLength = synchronousDataPacketLength
            self.totalACLDataPackets = totalACLDataPackets
            self.totalSynchronousDataPackets = totalSynchronousDataPackets
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            aclDataPacketLength = try reader.readUInt16()
            synchronousDataPacketLength = try reader.readUInt8()
            totalACLDataPackets = try reader.readUInt16()
            totalSynchronousDataPackets = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(aclDataPacketLength)
            writer.write(synchronousDataPacketLength)
            writer.write(totalACLDataPackets)
            writer.write(totalSynchronousDataPackets)
        }
    }

    /// Says that the host has room again for as many packets; unlike other commands it may be sent at any time,
    /// and nothing answers it unless it is wrong.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.40.
    public struct HostNumberOfCompletedPackets: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .hostNumberOfCompletedPackets }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The links; at most 63.
        public var entries: [NumberOfCompletedPackets.Entry]

        /// Makes the command.
        public init(entries: [NumberOfCompletedPackets.Entry]) { self.entries = entries }

        /// Reads the parameters, which are those of the event that says the same the other way round.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            entries = try NumberOfCompletedPackets(decoding: &reader).entries
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            NumberOfCompletedPackets(entries: entries).encode(into: &writer)
        }
    }
}
