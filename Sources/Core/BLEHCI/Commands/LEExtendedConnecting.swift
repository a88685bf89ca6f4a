// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Connects to an advertiser, as the central, with parameters for each PHY.
    ///
    /// | offset | size | field                                                       |
    /// |--------|------|-------------------------------------------------------------|
    /// | 0      | 1    | filter policy                                               |
    /// | 1      | 1    | own address type                                            |
    /// | 2      | 7    | kind of the peer's address, address                         |
    /// | 9      | 1    | PHYs: bit 0 LE 1M, bit 1 LE 2M, bit 2 LE Coded              |
    /// | 10     | 16 n | scan interval, window and the link's parameters for each PHY |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.66.
    public struct LEExtendedCreateConnection: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leExtendedCreateConnection }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// How to connect on one PHY.
        public struct PHYParameters: Parameters, Hashable {
            /// From the start of one scan window to the next; 0x0004 to 0xFFFF; not used for LE 2M.
            public var scanInterval: AdvertisingInterval
            /// How long each window is; 0x0004 to the interval; not used for LE 2M.
            public var scanWindow: AdvertisingInterval
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

            /// Makes the parameters.
            public init(
                scanInterval: AdvertisingInterval, scanWindow: AdvertisingInterval,
                intervalMin: ConnectionInterval, intervalMax: ConnectionInterval, maxLatency: UInt16,
                supervisionTimeout: SupervisionTimeout, minCELength: UInt16, maxCELength: UInt16
            ) {
                self.scanInterval = scanInterval
                self.scanWindow = scanWindow
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
                writer.write(intervalMin.rawValue)
                writer.write(intervalMax.rawValue)
                writer.write(maxLatency)
                writer.write(supervisionTimeout.rawValue)
                writer.write(minCELength)
                writer.write(maxCELength)
            }
        }

        /// Whether to connect to `peerAddress` or to anyone on the filter accept list.
        public var filterPolicy: InitiatorFilterPolicy
        /// Which address to connect with.
        public var ownAddressType: OwnAddressType
        /// Whom to connect to; not looked at with the filter accept list.
        public var peerAddress: BluetoothAddress
        /// How to connect on LE 1M; `nil` not at all.
        public var le1M: PHYParameters?
        /// How to connect on LE 2M; `nil` not at all.
        public var le2M: PHYParameters?
        /// How to connect on LE Coded; `nil` not at all.
        public var leCoded: PHYParameters?

        /// Makes the command.
        public init(
            filterPolicy: InitiatorFilterPolicy, ownAddressType: OwnAddressType,
            peerAddress: BluetoothAddress, le1M: PHYParameters?, le2M: PHYParameters? = nil,
            leCoded: PHYParameters? = nil
        ) {
            self.filterPolicy = filterPolicy
            self.ownAddressType = ownAddressType
            self.peerAddress = peerAddress
            self.le1M = le1M
            self.le2M = le2M
            self.leCoded = leCoded
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            filterPolicy = try HCI.readCase(&reader)
            ownAddressType = try HCI.readCase(&reader)
            peerAddress = try HCI.readAddress(&reader)
            let phys = try HCI.readPHYs(&reader, of: [.le1M, .le2M, .leCoded])
            le1M = phys.contains(.le1M) ? try PHYParameters(decoding: &reader) : nil
            le2M = phys.contains(.le2M) ? try PHYParameters(decoding: &reader) : nil
            leCoded = phys.contains(.leCoded) ? try PHYParameters(decoding: &reader) : nil
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(filterPolicy.rawValue)
            writer.write(ownAddressType.rawValue)
            HCI.writeAddress(peerAddress, into: &writer)
            var phys = PHYs()
            if le1M != nil { phys.insert(.le1M) }
            if le2M != nil { phys.insert(.le2M) }
            if leCoded != nil { phys.insert(.leCoded) }
            writer.write(phys.rawValue)
            le1M?.encode(into: &writer)
            le2M?.encode(into: &writer)
            leCoded?.encode(into: &writer)
        }
    }
}
