// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension L2CAP {
    /// What an LE signalling packet is: its first octet.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4, table 4.2.
    @frozen
    public struct SignallingCode: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// L2CAP_COMMAND_REJECT_RSP.
        public static let commandReject = SignallingCode(rawValue: 0x01)
        /// L2CAP_DISCONNECTION_REQ.
        public static let disconnectionRequest = SignallingCode(rawValue: 0x06)
        /// L2CAP_DISCONNECTION_RSP.
        public static let disconnectionResponse = SignallingCode(rawValue: 0x07)
        /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ.
        public static let parameterUpdateRequest = SignallingCode(rawValue: 0x12)
        /// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP.
        public static let parameterUpdateResponse = SignallingCode(rawValue: 0x13)
        /// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ.
        public static let creditBasedConnectionRequest = SignallingCode(rawValue: 0x14)
        /// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP.
        public static let creditBasedConnectionResponse = SignallingCode(rawValue: 0x15)
        /// L2CAP_FLOW_CONTROL_CREDIT_IND.
        public static let flowControlCredit = SignallingCode(rawValue: 0x16)
        /// L2CAP_CREDIT_BASED_CONNECTION_REQ.
        public static let enhancedConnectionRequest = SignallingCode(rawValue: 0x17)
        /// L2CAP_CREDIT_BASED_RECONFIGURE_REQ.
        public static let reconfigureRequest = SignallingCode(rawValue: 0x19)
        /// L2CAP_CREDIT_BASED_CONNECTION_RSP.
        public static let enhancedConnectionResponse = SignallingCode(rawValue: 0x18)
        /// L2CAP_CREDIT_BASED_RECONFIGURE_RSP.
        public static let reconfigureResponse = SignallingCode(rawValue: 0x1A)

        /// Whether the sender waits for an answer; unknown codes count as requests.
        var isRequest: Bool {
            switch self {
            case .commandReject, .disconnectionResponse, .parameterUpdateResponse,
                .creditBasedConnectionResponse, .flowControlCredit, .enhancedConnectionResponse,
                .reconfigureResponse:
                false
            default: true
            }
        }
    }

    /// A packet on the LE signalling channel.
    ///
    /// | offset | size | field      | notes                          |
    /// |--------|------|------------|--------------------------------|
    /// | 0      | 1    | code       |                                |
    /// | 1      | 1    | identifier | not 0; pairs answer and request |
    /// | 2      | 2    | length     | octets of data                 |
    /// | 4      | n    | data       |                                |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.
    public struct SignallingPacket: Hashable, Sendable {
        /// What it is.
        public var code: SignallingCode
        /// What pairs an answer with its request.
        public var identifier: UInt8
        /// What follows the header.
        public var data: [UInt8]

        /// Makes a packet.
        public init(code: SignallingCode, identifier: UInt8, data: [UInt8]) {
            self.code = code
            self.identifier = identifier
            self.data = data
        }

        /// Reads a packet that fills all that is left; LE allows one packet a frame.
        ///
        /// - Parameter reader: Where to read.
        /// - Throws: ``DecodeError`` when the length is not that of what follows.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            code = SignallingCode(rawValue: try reader.readUInt8())
            identifier = try reader.readUInt8()
            let length = Int(try reader.readUInt16())
            guard length == reader.remaining else { throw DecodeError(.badLength(length), at: 2) }
            data = reader.readRemaining()
        }

        /// The packet's octets.
        public var octets: [UInt8] {
            var writer = ByteWriter(capacity: data.count + 4)
            writer.write(code.rawValue)
            writer.write(identifier)
            writer.write(UInt16(truncatingIfNeeded: data.count))
            writer.write(data)
            return writer.octets
        }

        /// The answer of a side that offers no signalling procedure at all.
        ///
        /// Spec: Core v5.4, Vol 3, Part A, 4.1.
        ///
        /// - Returns: Command Reject (command not understood) to a request or an unknown code, else nothing.
        public func rejection() -> SignallingPacket? {
            guard code.isRequest, identifier != 0 else { return nil }
            return SignallingPacket(code: .commandReject, identifier: identifier, data: [0, 0])
        }
    }

    /// What a peripheral asks of a link's timing.
    ///
    /// | offset | size | field            | notes            |
    /// |--------|------|------------------|------------------|
    /// | 0      | 2    | interval min     | units of 1.25 ms |
    /// | 2      | 2    | interval max     | units of 1.25 ms |
    /// | 4      | 2    | latency          | events           |
    /// | 6      | 2    | timeout          | units of 10 ms   |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.20.
    public struct ParameterUpdateRequest: Hashable, Sendable {
        /// The shortest interval.
        public var intervalMin: ConnectionInterval
        /// The longest interval.
        public var intervalMax: ConnectionInterval
        /// Events that the peripheral may pass over.
        public var latency: UInt16
        /// How long the link may be silent.
        public var timeout: SupervisionTimeout

        /// Reads the data of a request.
        ///
        /// - Parameter reader: Where to read; all that is left.
        /// - Throws: ``DecodeError`` when it is not eight octets.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            intervalMin = ConnectionInterval(rawValue: try reader.readUInt16())
            intervalMax = ConnectionInterval(rawValue: try reader.readUInt16())
            latency = try reader.readUInt16()
            timeout = SupervisionTimeout(rawValue: try reader.readUInt16())
            try reader.finish()
        }

        /// Whether a controller could keep to it.
        ///
        /// Spec: Core v5.4, Vol 4, Part E, 7.8.18.
        public var isValid: Bool {
            (6...3200).contains(intervalMax.rawValue)
                && (6...intervalMax.rawValue).contains(intervalMin.rawValue)
                && latency <= 499 && (10...3200).contains(timeout.rawValue)
                && timeout.microseconds > (UInt64(latency) + 1) * intervalMax.microseconds * 2
        }
    }
}
