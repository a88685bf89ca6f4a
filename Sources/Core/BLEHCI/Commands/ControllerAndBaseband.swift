// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Chooses the events that the controller may send.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.1.
    public struct SetEventMask: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .setEventMask }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// The events wanted.
        public var mask: EventMask

        /// Makes the command.
        public init(mask: EventMask) {
            self.mask = mask
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            mask = EventMask(rawValue: try reader.readUInt64())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(mask.rawValue)
        }
    }

    /// Puts the controller back as it was when switched on; links end without an event.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.3.2.
    public struct Reset: Command, Empty, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .reset }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Makes the command.
        public init() {}
    }
}
