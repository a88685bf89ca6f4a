// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// Asks how a link is modulated.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.47.
    public struct LEReadPHY: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leReadPHY }

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

        /// What follows a status of success.
        public struct ReturnParameters: Parameters, Hashable {
            /// Which link.
            public var handle: ConnectionHandle
            /// How this side sends.
            public var txPHY: PHY
            /// How the peer sends.
            public var rxPHY: PHY

            /// Makes the return parameters.
            public init(handle: ConnectionHandle, txPHY: PHY, rxPHY: PHY) {
                self.handle = handle
                self.txPHY = txPHY
                self.rxPHY = rxPHY
            }

            /// Reads the parameters.
            public init(decoding reader: inout ByteReader) throws(DecodeError) {
                handle = ConnectionHandle(rawValue: try reader.readUInt16())
                txPHY = PHY(rawValue: try reader.readUInt8())
                rxPHY = PHY(rawValue: try reader.readUInt8())
            }

            /// Appends the parameters.
            public func encode(into writer: inout ByteWriter) {
                writer.write(handle.rawValue)
                writer.write(txPHY.rawValue)
                writer.write(rxPHY.rawValue)
            }
        }
    }

    /// Says how new links may be modulated.
    ///
    /// On the wire: an octet in which bit 0 means no preference for what is sent and bit 1 none for what is
    /// received, then the two sets.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.48.
    public struct LESetDefaultPHY: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetDefaultPHY }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// How this side may send; `nil` leaves it to the controller.
        public var tx: PHYs?
        /// How the peer may send; `nil` leaves it to the controller.
        public var rx: PHYs?

        /// Makes the command.
        public init(tx: PHYs?, rx: PHYs?) {
            self.tx = tx
            self.rx = rx
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            (tx, rx) = try HCI.readPreferredPHYs(&reader)
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            HCI.writePreferredPHYs(tx, rx, into: &writer)
        }
    }

    /// Asks for another modulation of a link.
    ///
    /// On the wire: the link, the preferences as in ``LESetDefaultPHY``, two octets about LE Coded.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.49.
    public struct LESetPHY: Command, Hashable {
        /// The command's code.
        public static var opcode: Opcode { .leSetPHY }
        /// Answered with Command Status; an event follows when the work is done.
        public static var completesWithStatus: Bool { true }
        /// Nothing follows the status.
        public typealias ReturnParameters = StatusOnly

        /// Which link.
        public var handle: ConnectionHandle
        /// How this side may send; `nil` leaves it to the controller.
        public var tx: PHYs?
        /// How the peer may send; `nil` leaves it to the controller.
        public var rx: PHYs?
        /// Which coding is wanted on LE Coded.
        public var coding: CodedPHYPreference

        /// Makes the command.
        public init(handle: ConnectionHandle, tx: PHYs?, rx: PHYs?, coding: CodedPHYPreference = .none) {
            self.handle = handle
            self.tx = tx
            self.rx = rx
            self.coding = coding
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            (tx, rx) = try HCI.readPreferredPHYs(&reader)
            coding = CodedPHYPreference(rawValue: try reader.readUInt16())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(handle.rawValue)
            HCI.writePreferredPHYs(tx, rx, into: &writer)
            writer.write(coding.rawValue)
        }
    }

    /// Which coding of LE Coded is wanted.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.49.
    public struct CodedPHYPreference: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt16

        /// Wraps a code.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Either.
        public static let none = CodedPHYPreference(rawValue: 0)
        /// Two symbols a bit: faster.
        public static let s2 = CodedPHYPreference(rawValue: 1)
        /// Eight symbols a bit: farther.
        public static let s8 = CodedPHYPreference(rawValue: 2)
    }

    private static func readPreferredPHYs(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> (tx: PHYs?, rx: PHYs?) {
        let indifferent = try reader.readUInt8()
        let tx = PHYs(rawValue: try reader.readUInt8())
        let rx = PHYs(rawValue: try reader.readUInt8())
        return (indifferent & 1 == 0 ? tx : nil, indifferent & 2 == 0 ? rx : nil)
    }

    private static func writePreferredPHYs(_ tx: PHYs?, _ rx: PHYs?, into writer: inout ByteWriter) {
        writer.write((tx == nil ? 1 : 0) | (rx == nil ? 2 : 0) as UInt8)
        writer.write(tx?.rawValue ?? 0)
        writer.write(rx?.rawValue ?? 0)
    }
}
