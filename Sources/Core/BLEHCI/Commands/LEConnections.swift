// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Connects to an advertiser, as the central.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.12.
    public struct LECreateConnection: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leCreateConnection }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// From the start of one scan window to the next; 0x0004 to 0x4000.
        public var scanInterval: AdvertisingInterval
        /// How long each window is; 0x0004 to the interval.
        public var scanWindow: AdvertisingInterval
        /// Whether to connect to `peerAddress` or to anyone on the filter accept list.
        public var filterPolicy: InitiatorFilterPolicy
        /// Whom to connect to; not looked at with the filter accept list.
        public var peerAddress: BluetoothAddress
        /// Which address to connect with.
        public var ownAddressType: OwnAddressType
        /// Shortest connection interval wanted.
        public var intervalMin: ConnectionInterval
        /// Longest connection interval wanted.
        public var intervalMax: ConnectionInterval
        /// Connection events that the peripheral may leave out; 0 to 499.
        public var maxLatency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout
        /// Shortest connection event, in units of 0.625 ms; informative.
        public var minCELength: UInt16
        /// Longest connection event, in units of 0.625 ms; informative.
        public var maxCELength: UInt16

        /// Makes the command.
        public init(
            scanInterval: AdvertisingInterval, scanWindow: AdvertisingInterval,
            filterPolicy: InitiatorFilterPolicy, peerAddress: BluetoothAddress,
            ownAddressType: OwnAddressType, intervalMin: ConnectionInterval, intervalMax: ConnectionInterval,
            maxLatency: UInt16, supervisionTimeout: SupervisionTimeout, minCELength: UInt16,
            maxCELength: UInt16
        ) {
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.filterPolicy = filterPolicy
            self.peerAddress = peerAddress
            self.ownAddressType = ownAddressType
            self.intervalMin = intervalMin
            self.intervalMax = intervalMax
            self.maxLatency = maxLatency
            self.supervisionTimeout = supervisionTimeout
            self.minCELength = minCELength
            self.maxCELength = maxCELength
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            scanInterval = AdvertisingInterval(rawValue: try reader.readUInt16())
            scanWindow = AdvertisingInterval(rawValue: try reader.readUInt16())
            filterPolicy = try HCI.readCase(&reader)
            peerAddress = try HCI.readAddress(&reader)
            ownAddressType = try HCI.readCase(&reader)
            intervalMin = ConnectionInterval(rawValue: try reader.readUInt16())
            intervalMax = ConnectionInterval(rawValue: try reader.readUInt16())
            maxLatency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            minCELength = try reader.readUInt16()
            maxCELength = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(scanInterval.rawValue)
            writer.write(scanWindow.rawValue)
            writer.write(filterPolicy.rawValue)
            HCI.writeAddress(peerAddress, into: &writer)
            writer.write(ownAddressType.rawValue)
            writer.write(intervalMin.rawValue)
            writer.write(intervalMax.rawValue)
            writer.write(maxLatency)
            writer.write(supervisionTimeout.rawValue)
            writer.write(minCELength)
            writer.write(maxCELength)
        }
    }

    /// Gives up connecting; LE Connection Complete with status 0x02 follows.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.13.
    public struct LECreateConnectionCancel: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leCreateConnectionCancel }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Makes the command.
        public init() {}
    }

    /// Changes the parameters of a link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.18.
    public struct LEConnectionUpdate: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leConnectionUpdate }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// Shortest connection interval wanted.
        public var intervalMin: ConnectionInterval
        /// Longest connection interval wanted.
        public var intervalMax: ConnectionInterval
        /// Connection events that the peripheral may leave out; 0 to 499.
        public var maxLatency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout
        /// Shortest connection event, in units of 0.625 ms; informative.
        public var minCELength: UInt16
        /// Longest connection event, in units of 0.625 ms; informative.
        public var maxCELength: UInt16

        /// Makes the command.
        public init(
            handle: ConnectionHandle, intervalMin: ConnectionInterval, intervalMax: ConnectionInterval,
            maxLatency: UInt16, supervisionTimeout: SupervisionTimeout, minCELength: UInt16,
            maxCELength: UInt16
        ) {
            self.handle = handle
            self.intervalMin = intervalMin
            self.intervalMax = intervalMax
            self.maxLatency = maxLatency
            self.supervisionTimeout = supervisionTimeout
            self.minCELength = minCELength
            self.maxCELength = maxCELength
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            intervalMin = ConnectionInterval(rawValue: try reader.readUInt16())
            intervalMax = ConnectionInterval(rawValue: try reader.readUInt16())
            maxLatency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            minCELength = try reader.readUInt16()
            maxCELength = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(intervalMin.rawValue)
            writer.write(intervalMax.rawValue)
            writer.write(maxLatency)
            writer.write(supervisionTimeout.rawValue)
            writer.write(minCELength)
            writer.write(maxCELength)
        }
    }

    /// Asks for the LE features of the peer.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.21.
    public struct LEReadRemoteFeatures: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadRemoteFeatures }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle

        /// Makes the command.
        public init(handle: ConnectionHandle) {
            self.handle = handle
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
        }
    }

    /// Agrees to the connection parameters that the peer asked for.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.31.
    public struct LERemoteConnectionParameterRequestReply: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRemoteConnectionParameterRequestReply }

        /// Which link.
        public var handle: ConnectionHandle
        /// Shortest connection interval wanted.
        public var intervalMin: ConnectionInterval
        /// Longest connection interval wanted.
        public var intervalMax: ConnectionInterval
        /// Connection events that the peripheral may leave out; 0 to 499.
        public var maxLatency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout
        /// Shortest connection event, in units of 0.625 ms; informative.
        public var minCELength: UInt16
        /// Longest connection event, in units of 0.625 ms; informative.
        public var maxCELength: UInt16

        /// Makes the command.
        public init(
            handle: ConnectionHandle, intervalMin: ConnectionInterval, intervalMax: ConnectionInterval,
            maxLatency: UInt16, supervisionTimeout: SupervisionTimeout, minCELength: UInt16,
            maxCELength: UInt16
        ) {
            self.handle = handle
            self.intervalMin = intervalMin
            self.intervalMax = intervalMax
            self.maxLatency = maxLatency
            self.supervisionTimeout = supervisionTimeout
            self.minCELength = minCELength
            self.maxCELength = maxCELength
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            intervalMin = ConnectionInterval(rawValue: try reader.readUInt16())
            intervalMax = ConnectionInterval(rawValue: try reader.readUInt16())
            maxLatency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            minCELength = try reader.readUInt16()
            maxCELength = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(intervalMin.rawValue)
            writer.write(intervalMax.rawValue)
            writer.write(maxLatency)
            writer.write(supervisionTimeout.rawValue)
            writer.write(minCELength)
            writer.write(maxCELength)
        }
        /// Which link.
        public typealias ReturnParameters = HandleOnly
    }

    /// Refuses the connection parameters that the peer asked for.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.32.
    public struct LERemoteConnectionParameterRequestNegativeReply: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leRemoteConnectionParameterRequestNegativeReply }

        /// Which link.
        public var handle: ConnectionHandle
        /// Why.
        public var reason: Status

        /// Makes the command.
        public init(handle: ConnectionHandle, reason: Status) {
            self.handle = handle
            self.reason = reason
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            reason = Status(rawValue: try reader.readUInt8())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(reason.rawValue)
        }
        /// Which link.
        public typealias ReturnParameters = HandleOnly
    }
}
