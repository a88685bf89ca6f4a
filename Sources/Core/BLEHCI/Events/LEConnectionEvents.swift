// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// A link was made, or an attempt at one has ended.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.1.
    public struct LEConnectionComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// The part that this side plays.
        public var role: Role
        /// The peer.
        public var peerAddress: BluetoothAddress
        /// Time between connection events.
        public var interval: ConnectionInterval
        /// Connection events that the peripheral may leave out.
        public var latency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout
        /// Accuracy of the central's clock, 0 to 7; only at the peripheral.
        public var centralClockAccuracy: UInt8

        /// Makes the event.
        public init(
            status: Status, handle: ConnectionHandle, role: Role, peerAddress: BluetoothAddress,
            interval: ConnectionInterval, latency: UInt16, supervisionTimeout: SupervisionTimeout,
            centralClockAccuracy: UInt8
        ) {
            self.status = status
            self.handle = handle
            self.role = role
            self.peerAddress = peerAddress
            self.interval = interval
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
            self.centralClockAccuracy = centralClockAccuracy
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            role = try HCI.readRole(&reader, after: status)
            peerAddress = try HCI.readAddress(&reader)
            interval = ConnectionInterval(rawValue: try reader.readUInt16())
            latency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            centralClockAccuracy = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(role.rawValue)
            HCI.writeAddress(peerAddress, into: &writer)
            writer.write(interval.rawValue)
            writer.write(latency)
            writer.write(supervisionTimeout.rawValue)
            writer.write(centralClockAccuracy)
        }
    }

    /// A link was made, or an attempt at one has ended; with the private addresses.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.10.
    public struct LEEnhancedConnectionComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// The part that this side plays.
        public var role: Role
        /// The peer; its identity when the controller knows it.
        public var peerAddress: BluetoothAddress
        /// Whether the controller resolved a private address to `peerAddress`.
        public var isPeerIdentity: Bool
        /// The private address of this side; zero when there is none.
        public var localResolvablePrivateAddress: BluetoothAddress
        /// The private address of the peer; zero when there is none.
        public var peerResolvablePrivateAddress: BluetoothAddress
        /// Time between connection events.
        public var interval: ConnectionInterval
        /// Connection events that the peripheral may leave out.
        public var latency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout
        /// Accuracy of the central's clock, 0 to 7; only at the peripheral.
        public var centralClockAccuracy: UInt8

        /// Makes the event.
        public init(
            status: Status, handle: ConnectionHandle, role: Role, peerAddress: BluetoothAddress,
            isPeerIdentity: Bool, localResolvablePrivateAddress: BluetoothAddress,
            peerResolvablePrivateAddress: BluetoothAddress, interval: ConnectionInterval, latency: UInt16,
            supervisionTimeout: SupervisionTimeout, centralClockAccuracy: UInt8
        ) {
            self.status = status
            self.handle = handle
            self.role = role
            self.peerAddress = peerAddress
            self.isPeerIdentity = isPeerIdentity
            self.localResolvablePrivateAddress = localResolvablePrivateAddress
            self.peerResolvablePrivateAddress = peerResolvablePrivateAddress
            self.interval = interval
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
            self.centralClockAccuracy = centralClockAccuracy
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            role = try HCI.readRole(&reader, after: status)
            (peerAddress, isPeerIdentity) = try HCI.readPeer(&reader)
            localResolvablePrivateAddress = try BluetoothAddress(decoding: &reader, kind: .random)
            peerResolvablePrivateAddress = try BluetoothAddress(decoding: &reader, kind: .random)
            interval = ConnectionInterval(rawValue: try reader.readUInt16())
            latency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            centralClockAccuracy = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(role.rawValue)
            HCI.writeAddress(peerAddress, isIdentity: isPeerIdentity, into: &writer)
            localResolvablePrivateAddress.encode(into: &writer)
            peerResolvablePrivateAddress.encode(into: &writer)
            writer.write(interval.rawValue)
            writer.write(latency)
            writer.write(supervisionTimeout.rawValue)
            writer.write(centralClockAccuracy)
        }
    }

    /// The parameters of a link have changed, or the attempt failed.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.3.
    public struct LEConnectionUpdateComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// Time between connection events.
        public var interval: ConnectionInterval
        /// Connection events that the peripheral may leave out.
        public var latency: UInt16
        /// Silence after which the link is lost.
        public var supervisionTimeout: SupervisionTimeout

        /// Makes the event.
        public init(
            status: Status, handle: ConnectionHandle, interval: ConnectionInterval, latency: UInt16,
            supervisionTimeout: SupervisionTimeout
        ) {
            self.status = status
            self.handle = handle
            self.interval = interval
            self.latency = latency
            self.supervisionTimeout = supervisionTimeout
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            interval = ConnectionInterval(rawValue: try reader.readUInt16())
            latency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(interval.rawValue)
            writer.write(latency)
            writer.write(supervisionTimeout.rawValue)
        }
    }

    /// The LE features of the peer.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.4.
    public struct LEReadRemoteFeaturesComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// Features that both sides may use.
        public var features: LEFeatures

        /// Makes the event.
        public init(status: Status, handle: ConnectionHandle, features: LEFeatures) {
            self.status = status
            self.handle = handle
            self.features = features
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            features = LEFeatures(rawValue: try reader.readUInt64())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(features.rawValue)
        }
    }

    /// The peer asks for other connection parameters.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.6.
    public struct LERemoteConnectionParameterRequest: Parameters, Hashable {
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

        /// Makes the event.
        public init(
            handle: ConnectionHandle, intervalMin: ConnectionInterval, intervalMax: ConnectionInterval,
            maxLatency: UInt16, supervisionTimeout: SupervisionTimeout
        ) {
            self.handle = handle
            self.intervalMin = intervalMin
            self.intervalMax = intervalMax
            self.maxLatency = maxLatency
            self.supervisionTimeout = supervisionTimeout
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            intervalMin = ConnectionInterval(rawValue: try reader.readUInt16())
            intervalMax = ConnectionInterval(rawValue: try reader.readUInt16())
            maxLatency = try reader.readUInt16()
            supervisionTimeout = SupervisionTimeout(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(intervalMin.rawValue)
            writer.write(intervalMax.rawValue)
            writer.write(maxLatency)
            writer.write(supervisionTimeout.rawValue)
        }
    }

    /// The packet length of a link has changed.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.7.
    public struct LEDataLengthChange: Parameters, Hashable {
        /// Which link.
        public var handle: ConnectionHandle
        /// Octets of payload in one link-layer packet; 27 to 251.
        public var maxTxOctets: UInt16
        /// Time that such a packet may take, in microseconds; 328 to 17040.
        public var maxTxTime: UInt16
        /// The same for what is received.
        public var maxRxOctets: UInt16
        /// The same for what is received.
        public var maxRxTime: UInt16

        /// Makes the event.
        public init(
            handle: ConnectionHandle, maxTxOctets: UInt16, maxTxTime: UInt16, maxRxOctets: UInt16,
            maxRxTime: UInt16
        ) {
            self.handle = handle
            self.maxTxOctets = maxTxOctets
            self.maxTxTime = maxTxTime
            self.maxRxOctets = maxRxOctets
            self.maxRxTime = maxRxTime
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            maxTxOctets = try reader.readUInt16()
            maxTxTime = try reader.readUInt16()
            maxRxOctets = try reader.readUInt16()
            maxRxTime = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(maxTxOctets)
            writer.write(maxTxTime)
            writer.write(maxRxOctets)
            writer.write(maxRxTime)
        }
    }

    /// The modulation of a link has changed, or the attempt failed.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.12.
    public struct LEPHYUpdateComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// How this side sends.
        public var txPHY: PHY
        /// How the peer sends.
        public var rxPHY: PHY

        /// Makes the event.
        public init(status: Status, handle: ConnectionHandle, txPHY: PHY, rxPHY: PHY) {
            self.status = status
            self.handle = handle
            self.txPHY = txPHY
            self.rxPHY = rxPHY
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            txPHY = PHY(rawValue: try reader.readUInt8())
            rxPHY = PHY(rawValue: try reader.readUInt8())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(txPHY.rawValue)
            writer.write(rxPHY.rawValue)
        }
    }
}
