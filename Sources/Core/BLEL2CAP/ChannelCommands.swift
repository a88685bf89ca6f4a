// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension L2CAP {
    /// What a credit-based channel is for; 0x0001 to 0x007F are assigned, 0x0080 to 0x00FF are free to use.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22, table 4.19 (SPSM).
    @frozen
    public struct PSM: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: UInt16

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// How a request for a channel ended.
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.23, table 4.20.
    @frozen
    public struct ConnectionResult: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: UInt16

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The channel is open.
        public static let success = ConnectionResult(rawValue: 0x0000)
        /// Nobody listens at this PSM.
        public static let psmNotSupported = ConnectionResult(rawValue: 0x0002)
        /// There is no room for another channel.
        public static let noResources = ConnectionResult(rawValue: 0x0004)
        /// The link must be authenticated first.
        public static let insufficientAuthentication = ConnectionResult(rawValue: 0x0005)
        /// This is not authorized.
        public static let insufficientAuthorization = ConnectionResult(rawValue: 0x0006)
        /// The encryption key is too short.
        public static let encryptionKeySizeTooShort = ConnectionResult(rawValue: 0x0007)
        /// The link must be encrypted first.
        public static let insufficientEncryption = ConnectionResult(rawValue: 0x0008)
        /// The asker's channel number lies outside the range for such channels.
        public static let invalidSourceCID = ConnectionResult(rawValue: 0x0009)
        /// The asker uses its channel number already.
        public static let sourceCIDAlreadyAllocated = ConnectionResult(rawValue: 0x000A)
        /// MTU or MPS cannot be.
        public static let unacceptableParameters = ConnectionResult(rawValue: 0x000B)
    }

    /// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ: asks for a channel.
    ///
    /// | offset | size | field           | notes                                       |
    /// |--------|------|-----------------|---------------------------------------------|
    /// | 0      | 2    | PSM             |                                             |
    /// | 2      | 2    | source channel  | the asker's end, 0x0040 to 0x007F           |
    /// | 4      | 2    | MTU             | octets of an SDU that the asker takes       |
    /// | 6      | 2    | MPS             | octets of a frame's payload that it takes   |
    /// | 8      | 2    | initial credits | frames that it takes for now                |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.22.
    public struct CreditBasedConnectionRequest: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.creditBasedConnectionRequest
        /// What the channel is for.
        public var psm: PSM
        /// The asker's end.
        public var source: ChannelID
        /// Octets of an SDU that the asker takes.
        public var mtu: UInt16
        /// Octets of a frame's payload that the asker takes.
        public var mps: UInt16
        /// Frames that the asker takes for now.
        public var credits: UInt16

        /// Makes a request.
        public init(psm: PSM, source: ChannelID, mtu: UInt16, mps: UInt16, credits: UInt16) {
            self.psm = psm
            self.source = source
            self.mtu = mtu
            self.mps = mps
            self.credits = credits
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            psm = PSM(rawValue: try reader.readUInt16())
            source = ChannelID(rawValue: try reader.readUInt16())
            mtu = try reader.readUInt16()
            mps = try reader.readUInt16()
            credits = try reader.readUInt16()
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(psm.rawValue)
            writer.write(source.rawValue)
            writer.write(mtu)
            writer.write(mps)
            writer.write(credits)
        }
    }

    /// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP: opens a channel, or does not.
    ///
    /// | offset | size | field               | notes                                        |
    /// |--------|------|---------------------|----------------------------------------------|
    /// | 0      | 2    | destination channel | the answerer's end, 0x0040 to 0x007F         |
    /// | 2      | 2    | MTU                 | octets of an SDU that the answerer takes     |
    /// | 4      | 2    | MPS                 | octets of a frame's payload that it takes    |
    /// | 6      | 2    | initial credits     | frames that it takes for now                 |
    /// | 8      | 2    | result              | all else means nothing unless it is success  |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.23.
    public struct CreditBasedConnectionResponse: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.creditBasedConnectionResponse
        /// The answerer's end.
        public var destination: ChannelID
        /// Octets of an SDU that the answerer takes.
        public var mtu: UInt16
        /// Octets of a frame's payload that the answerer takes.
        public var mps: UInt16
        /// Frames that the answerer takes for now.
        public var credits: UInt16
        /// Whether the channel is open.
        public var result: ConnectionResult

        /// Makes a response that opens a channel.
        ///
        /// - Parameters:
        ///   - destination: The answerer's end.
        ///   - mtu: Octets of an SDU that the answerer takes.
        ///   - mps: Octets of a frame's payload that the answerer takes.
        ///   - credits: Frames that the answerer takes for now.
        public init(destination: ChannelID, mtu: UInt16, mps: UInt16, credits: UInt16) {
            self.destination = destination
            self.mtu = mtu
            self.mps = mps
            self.credits = credits
            result = .success
        }

        /// Makes a response that refuses.
        ///
        /// - Parameter refusal: Why.
        public init(refusal: ConnectionResult) {
            self.init(destination: ChannelID(rawValue: 0), mtu: 0, mps: 0, credits: 0)
            result = refusal
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            destination = ChannelID(rawValue: try reader.readUInt16())
            mtu = try reader.readUInt16()
            mps = try reader.readUInt16()
            credits = try reader.readUInt16()
            result = ConnectionResult(rawValue: try reader.readUInt16())
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(destination.rawValue)
            writer.write(mtu)
            writer.write(mps)
            writer.write(credits)
            writer.write(result.rawValue)
        }
    }

    /// L2CAP_FLOW_CONTROL_CREDIT_IND: lets the other side send more.
    ///
    /// | offset | size | field   | notes                                 |
    /// |--------|------|---------|---------------------------------------|
    /// | 0      | 2    | channel | the end of who sends this             |
    /// | 2      | 2    | credits | frames that it takes in addition      |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.24.
    public struct FlowControlCredit: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.flowControlCredit
        /// The sender's end.
        public var channel: ChannelID
        /// Frames that the sender takes in addition.
        public var credits: UInt16

        /// Makes an indication.
        public init(channel: ChannelID, credits: UInt16) {
            self.channel = channel
            self.credits = credits
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            channel = ChannelID(rawValue: try reader.readUInt16())
            credits = try reader.readUInt16()
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(channel.rawValue)
            writer.write(credits)
        }
    }

    /// L2CAP_DISCONNECTION_REQ: closes a channel.
    ///
    /// | offset | size | field               | notes                     |
    /// |--------|------|---------------------|---------------------------|
    /// | 0      | 2    | destination channel | the end of who gets this  |
    /// | 2      | 2    | source channel      | the end of who sends this |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.6.
    public struct DisconnectionRequest: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.disconnectionRequest
        /// The receiver's end.
        public var destination: ChannelID
        /// The sender's end.
        public var source: ChannelID

        /// Makes a request.
        public init(destination: ChannelID, source: ChannelID) {
            self.destination = destination
            self.source = source
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            destination = ChannelID(rawValue: try reader.readUInt16())
            source = ChannelID(rawValue: try reader.readUInt16())
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(destination.rawValue)
            writer.write(source.rawValue)
        }
    }

    /// L2CAP_DISCONNECTION_RSP: a channel is closed; the fields are those of the request.
    ///
    /// | offset | size | field               | notes                     |
    /// |--------|------|---------------------|---------------------------|
    /// | 0      | 2    | destination channel | the end of who sends this |
    /// | 2      | 2    | source channel      | the end of who gets this  |
    ///
    /// Spec: Core v5.4, Vol 3, Part A, 4.7.
    public struct DisconnectionResponse: SignallingCommand {
        /// What it is.
        public static let code = SignallingCode.disconnectionResponse
        /// The sender's end.
        public var destination: ChannelID
        /// The receiver's end.
        public var source: ChannelID

        /// Makes a response.
        public init(destination: ChannelID, source: ChannelID) {
            self.destination = destination
            self.source = source
        }

        /// Reads the data.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            destination = ChannelID(rawValue: try reader.readUInt16())
            source = ChannelID(rawValue: try reader.readUInt16())
        }

        /// Appends the data.
        public func encode(into writer: inout ByteWriter) {
            writer.write(destination.rawValue)
            writer.write(source.rawValue)
        }
    }
}
