// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Starts or stops advertising sets.
    ///
    /// | offset | size | field                                       |
    /// |--------|------|---------------------------------------------|
    /// | 0      | 1    | whether to advertise                        |
    /// | 1      | 1    | number of sets, 0 to 63; 0 stops all        |
    /// | 2      | 4 n  | handle, duration and greatest number of events of each |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.56.
    public struct LESetExtendedAdvertisingEnable: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetExtendedAdvertisingEnable }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// One set and for how long it advertises.
        public struct Entry: Parameters, Hashable {
            /// Which set.
            public var advertisingHandle: AdvertisingHandle
            /// For how long, in units of 10 ms; 0 until stopped.
            public var duration: UInt16
            /// For how many advertising events; 0 does not limit them.
            public var maxEvents: UInt8

            /// Makes an entry.
            public init(advertisingHandle: AdvertisingHandle, duration: UInt16 = 0, maxEvents: UInt8 = 0) {
                self.advertisingHandle = advertisingHandle
                self.duration = duration
                self.maxEvents = maxEvents
            }

            /// Reads an entry.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                advertisingHandle = AdvertisingHandle(rawValue: try reader.readUInt8())
                duration = try reader.readUInt16()
                maxEvents = try reader.readUInt8()
            }

            /// Appends the entry.
            public func encode(into writer: inout ByteWriter) {
                writer.write(advertisingHandle.rawValue)
                writer.write(duration)
                writer.write(maxEvents)
            }
        }

        /// Whether to advertise.
        public var enable: Bool
        /// The sets, at most 63; none stops all.
        public var sets: [Entry]

        /// Makes the command.
        public init(enable: Bool, sets: [Entry]) {
            self.enable = enable
            self.sets = sets
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            enable = try HCI.readFlag(&reader)
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count <= 0x3F, count * 4 == reader.remaining else {
                throw DecodeError(.badLength(count), at: offset)
            }
            sets = []
            for _ in 0..<count { sets.append(try Entry(decoding: &reader)) }
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(enable ? 1 : 0 as UInt8)
            writer.write(UInt8(truncatingIfNeeded: sets.count))
            for set in sets { set.encode(into: &writer) }
        }
    }
}
