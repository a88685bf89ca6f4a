// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Asks a dual-mode controller whether it knows that the host speaks LE.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.78.
    public struct ReadLEHostSupport: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .readLEHostSupport }

        /// Makes the command.
        public init() {}

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Whether the host speaks LE.
            public var isSupported: Bool
            /// Not used any more.
            public var simultaneous: UInt8

            /// Makes the return parameters.
            public init(isSupported: Bool, simultaneous: UInt8) {
                self.isSupported = isSupported
                self.simultaneous = simultaneous
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                isSupported = try HCI.readFlag(&reader)
                simultaneous = try reader.readUInt8()
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(isSupported ? 1 : 0 as UInt8)
                writer.write(simultaneous)
            }
        }
    }

    /// Tells a dual-mode controller whether the host speaks LE.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.79.
    public struct WriteLEHostSupport: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .writeLEHostSupport }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Whether the host speaks LE.
        public var isSupported: Bool
        /// Not used any more; 0.
        public var simultaneous: UInt8

        /// Makes the command.
        public init(isSupported: Bool, simultaneous: UInt8) {
            self.isSupported = isSupported
            self.simultaneous = simultaneous
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            isSupported = try HCI.readFlag(&reader)
            simultaneous = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(isSupported ? 1 : 0 as UInt8)
            writer.write(simultaneous)
        }
    }
}
