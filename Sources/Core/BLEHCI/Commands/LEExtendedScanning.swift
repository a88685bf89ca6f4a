// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Says how to scan on each PHY; only while not scanning.
    ///
    /// | offset | size | field                                          |
    /// |--------|------|------------------------------------------------|
    /// | 0      | 1    | own address type                               |
    /// | 1      | 1    | filter policy                                  |
    /// | 2      | 1    | PHYs to scan on: bit 0 LE 1M, bit 2 LE Coded   |
    /// | 3      | 5 n  | scan type, interval and window for each of them |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.64.
    public struct LESetExtendedScanParameters: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedScanParameters }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// How to scan on one PHY.
        public struct PHYParameters: Parameters, Hashable {
            /// Whether to ask for scan responses.
            public var type: ScanType
            /// From the start of one window to the next; 0x0004 to 0xFFFF.
            public var interval: AdvertisingInterval
            /// How long each window is; 0x0004 to the interval.
            public var window: AdvertisingInterval

            /// Makes the parameters.
            public init(type: ScanType, interval: AdvertisingInterval, window: AdvertisingInterval) {
                self.type = type
                self.interval = interval
                self.window = window
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                type = try HCI.readCase(&reader)
                interval = AdvertisingInterval(rawValue: try reader.readUInt16())
                window = AdvertisingInterval(rawValue: try reader.readUInt16())
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(type.rawValue)
                writer.write(interval.rawValue)
                writer.write(window.rawValue)
            }
        }

        /// Which address to ask with.
        public var ownAddressType: OwnAddressType
        /// Which advertisers are reported.
        public var filterPolicy: ScanFilterPolicy
        /// How to scan on LE 1M; `nil` not at all.
        public var le1M: PHYParameters?
        /// How to scan on LE Coded; `nil` not at all.
        public var leCoded: PHYParameters?

        /// Makes the command.
        public init(
            ownAddressType: OwnAddressType, filterPolicy: ScanFilterPolicy, le1M: PHYParameters?,
            leCoded: PHYParameters? = nil
        ) {
            self.ownAddressType = ownAddressType
            self.filterPolicy = filterPolicy
            self.le1M = le1M
            self.leCoded = leCoded
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            ownAddressType = try HCI.readCase(&reader)
            filterPolicy = try HCI.readCase(&reader)
            let phys = try HCI.readPHYs(&reader, of: [.le1M, .leCoded])
            le1M = phys.contains(.le1M) ? try PHYParameters(decoding: &reader) : nil
            leCoded = phys.contains(.leCoded) ? try PHYParameters(decoding: &reader) : nil
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(ownAddressType.rawValue)
            writer.write(filterPolicy.rawValue)
            writer.write(
                (le1M == nil ? 0 : PHYs.le1M.rawValue) | (leCoded == nil ? 0 : PHYs.leCoded.rawValue))
            le1M?.encode(into: &writer)
            leCoded?.encode(into: &writer)
        }
    }

    /// Starts or stops extended scanning.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.65.
    public struct LESetExtendedScanEnable: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedScanEnable }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether to scan.
        public var enable: Bool
        /// How often one advertiser is reported.
        public var duplicates: DuplicateFilter
        /// How long to scan, in units of 10 ms; 0 until stopped.
        public var duration: UInt16
        /// From one start to the next, in units of 1.28 s; 0 scans once.
        public var period: UInt16

        /// Makes the command.
        public init(enable: Bool, duplicates: DuplicateFilter, duration: UInt16, period: UInt16) {
            self.enable = enable
            self.duplicates = duplicates
            self.duration = duration
            self.period = period
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            enable = try HCI.readFlag(&reader)
            duplicates = try HCI.readCase(&reader)
            duration = try reader.readUInt16()
            period = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(enable ? 1 : 0 as UInt8)
            writer.write(duplicates.rawValue)
            writer.write(duration)
            writer.write(period)
        }
    }
}
