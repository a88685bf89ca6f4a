// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Says how to scan; only while not scanning.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.10.
    public struct LESetScanParameters: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetScanParameters }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether to ask for scan responses.
        public var type: ScanType
        /// From the start of one window to the next; 0x0004 to 0x4000.
        public var interval: AdvertisingInterval
        /// How long each window is; 0x0004 to the interval.
        public var window: AdvertisingInterval
        /// Which address to ask with.
        public var ownAddressType: OwnAddressType
        /// Which advertisers are reported.
        public var filterPolicy: ScanFilterPolicy

        /// Makes the command.
        public init(
            type: ScanType, interval: AdvertisingInterval, window: AdvertisingInterval,
            ownAddressType: OwnAddressType, filterPolicy: ScanFilterPolicy
        ) {
            self.type = type
            self.interval = interval
            self.window = window
            self.ownAddressType = ownAddressType
            self.filterPolicy = filterPolicy
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            type = try HCI.readCase(&reader)
            interval = AdvertisingInterval(rawValue: try reader.readUInt16())
            window = AdvertisingInterval(rawValue: try reader.readUInt16())
            ownAddressType = try HCI.readCase(&reader)
            filterPolicy = try HCI.readCase(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(type.rawValue)
            writer.write(interval.rawValue)
            writer.write(window.rawValue)
            writer.write(ownAddressType.rawValue)
            writer.write(filterPolicy.rawValue)
        }
    }

    /// Starts or stops scanning.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.11.
    public struct LESetScanEnable: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetScanEnable }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether to scan.
        public var enable: Bool
        /// Whether one advertiser is reported only once.
        public var filterDuplicates: Bool

        /// Makes the command.
        public init(enable: Bool, filterDuplicates: Bool) {
            self.enable = enable
            self.filterDuplicates = filterDuplicates
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            enable = try HCI.readFlag(&reader)
            filterDuplicates = try HCI.readFlag(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(enable ? 1 : 0 as UInt8)
            writer.write(filterDuplicates ? 1 : 0 as UInt8)
        }
    }
}
