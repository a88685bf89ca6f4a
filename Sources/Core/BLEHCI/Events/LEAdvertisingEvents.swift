// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// The time that scanning was given is over.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.17.
    public struct LEScanTimeout: Empty, Hashable {
        /// Makes the event.
        public init() {}
    }

    /// An advertising set has ended, with a link or because its time is over.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.18.
    public struct LEAdvertisingSetTerminated: Parameters, Hashable {
        /// Success when it ended with a link, else why it ended.
        public var status: Status
        /// Which set.
        public var advertisingHandle: AdvertisingHandle
        /// The link, if there is one.
        public var handle: ConnectionHandle
        /// Advertising events that were sent; 0 when they were not limited.
        public var completedEvents: UInt8

        /// Makes the event.
        public init(
            status: Status, advertisingHandle: AdvertisingHandle, handle: ConnectionHandle,
            completedEvents: UInt8
        ) {
            self.status = status
            self.advertisingHandle = advertisingHandle
            self.handle = handle
            self.completedEvents = completedEvents
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            completedEvents = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(advertisingHandle.rawValue)
            writer.write(handle.rawValue)
            writer.write(completedEvents)
        }
    }

    /// Somebody has asked an advertising set for its scan response.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.19.
    public struct LEScanRequestReceived: Parameters, Hashable {
        /// Which set.
        public var advertisingHandle: AdvertisingHandle
        /// Who asked.
        public var scannerAddress: BluetoothAddress

        /// Makes the event.
        public init(advertisingHandle: AdvertisingHandle, scannerAddress: BluetoothAddress) {
            self.advertisingHandle = advertisingHandle
            self.scannerAddress = scannerAddress
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
            scannerAddress = try HCI.readAddress(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(advertisingHandle.rawValue)
            HCI.writeAddress(scannerAddress, into: &writer)
        }
    }

    /// How the channels of a new link are chosen.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.20.
    public struct LEChannelSelectionAlgorithm: Parameters, Hashable {
        /// Which link.
        public var handle: ConnectionHandle
        /// 0 for algorithm #1, 1 for algorithm #2.
        public var algorithm: UInt8

        /// Makes the event.
        public init(handle: ConnectionHandle, algorithm: UInt8) {
            self.handle = handle
            self.algorithm = algorithm
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            algorithm = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            writer.write(algorithm)
        }
    }
}
