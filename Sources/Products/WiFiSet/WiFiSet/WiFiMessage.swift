// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A message of the WiFiSet protocol.
///
/// | octets | field |
/// |---|---|
/// | 1 | type |
/// | 1 | sequence number |
/// | 2 | payload length, least significant octet first |
/// | n | payload |
///
/// Spec: Documentation/Protocols/wifiset.md, Message format.
public struct WiFiMessage: Hashable, Sendable {
    /// The types of messages.
    ///
    /// Spec: Documentation/Protocols/wifiset.md, Message types.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public var rawValue: UInt8

        /// Wraps an octet.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A list begins; from the device.
        public static let listStart = Kind(rawValue: 0x01)
        /// One network; from the device.
        public static let networkEntry = Kind(rawValue: 0x02)
        /// A list ends; from the device.
        public static let listEnd = Kind(rawValue: 0x03)
        /// Credentials; from the client.
        public static let credentialWrite = Kind(rawValue: 0x10)
        /// What became of credentials; from the device.
        public static let acknowledgment = Kind(rawValue: 0x11)
        /// Asks for the state; from the client.
        public static let statusRequest = Kind(rawValue: 0x20)
        /// The state; from the device.
        public static let statusResponse = Kind(rawValue: 0x21)
        /// An error; from the device.
        public static let error = Kind(rawValue: 0xFF)
    }

    /// What a message says.
    public enum Body: Hashable, Sendable {
        /// A list of networks begins.
        case listStart
        /// A network that the device hears.
        case networkEntry(WiFiNetwork)
        /// A list of networks ends; how many there were.
        case listEnd(count: UInt8)
        /// Credentials for the device.
        case credentialWrite(WiFiCredentials)
        /// What became of the credentials.
        case acknowledgment(WiFiAcknowledgment)
        /// Asks for the state.
        case statusRequest
        /// The state.
        case statusResponse(WiFiStatus)
        /// An error.
        case error(WiFiErrorReport)
    }

    /// The sender's counter; wraps from 255 to 0.
    public var sequence: UInt8
    /// What the message says.
    public var body: Body

    /// Makes a message.
    public init(sequence: UInt8, _ body: Body) {
        self.sequence = sequence
        self.body = body
    }

    /// Decodes a whole message.
    ///
    /// - Parameter octets: The message, from its type to the end of its payload.
    /// - Throws: ``WiFiMessageError`` that names the lengths when they do not add up.
    public init(decoding octets: [UInt8]) throws(WiFiMessageError) {
        guard octets.count >= WiFiSetLimit.header else { throw .noHeader(octets.count) }
        let announced = Int(octets[2]) | Int(octets[3]) &<< 8
        let following = octets.count - WiFiSetLimit.header
        guard announced == following else {
            throw .lengthMismatch(announced: announced, following: following)
        }
        sequence = octets[1]
        body = try Body(
            Kind(rawValue: octets[0]), payload: octets.octetSpan.bytes.extracting(droppingFirst: 4))
    }

    /// Encodes the message.
    ///
    /// - Returns: The message's octets.
    public func encoded() -> [UInt8] {
        var payload = ByteWriter()
        body.encode(into: &payload)
        var writer = ByteWriter(capacity: WiFiSetLimit.header + payload.octets.count)
        writer.write(body.kind.rawValue)
        writer.write(sequence)
        writer.write(UInt16(payload.octets.count))
        writer.write(payload.octets)
        return writer.octets
    }
}

extension WiFiMessage.Body {
    /// The message's type.
    public var kind: WiFiMessage.Kind {
        switch self {
        case .listStart: .listStart
        case .networkEntry: .networkEntry
        case .listEnd: .listEnd
        case .credentialWrite: .credentialWrite
        case .acknowledgment: .acknowledgment
        case .statusRequest: .statusRequest
        case .statusResponse: .statusResponse
        case .error: .error
        }
    }

    init(_ kind: WiFiMessage.Kind, payload: RawSpan) throws(WiFiMessageError) {
        var reader = ByteReader(payload)
        do throws(DecodeError) {
            switch kind {
            case .listStart: self = .listStart
            case .networkEntry: self = .networkEntry(try WiFiNetwork(decoding: &reader))
            case .listEnd: self = .listEnd(count: try reader.readUInt8())
            case .credentialWrite:
                self = .credentialWrite(try Self.credentials(&reader))
            case .acknowledgment:
                self = .acknowledgment(WiFiAcknowledgment(rawValue: try reader.readUInt8()))
            case .statusRequest: self = .statusRequest
            case .statusResponse: self = .statusResponse(try WiFiStatus(decoding: &reader))
            case .error: self = .error(try WiFiErrorReport(decoding: &reader))
            default: throw DecodeError(.unknownCode(UInt64(kind.rawValue)), at: 0)
            }
            try reader.finish()
        } catch {
            throw WiFiMessageError(error, in: kind, payload: payload.byteCount)
        }
    }

    /// The password's length is judged before what follows, as a device must answer it.
    private static func credentials(_ reader: inout ByteReader) throws(DecodeError) -> WiFiCredentials {
        let ssidLength = Int(try reader.readUInt8())
        guard (1...WiFiSetLimit.ssid).contains(ssidLength) else {
            throw DecodeError(.badLength(ssidLength), at: 0)
        }
        let ssid = WireText(try reader.readOctets(ssidLength))
        let offset = reader.offset
        let passwordLength = Int(try reader.readUInt8())
        guard passwordLength <= WiFiSetLimit.password else {
            throw DecodeError(.badLength(passwordLength), at: offset)
        }
        return WiFiCredentials(checkedSSID: ssid, password: try reader.readOctets(passwordLength))
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .listStart, .statusRequest: break
        case .networkEntry(let network): network.encode(into: &writer)
        case .listEnd(let count): writer.write(count)
        case .credentialWrite(let credentials): credentials.encode(into: &writer)
        case .acknowledgment(let status): writer.write(status.rawValue)
        case .statusResponse(let status): status.encode(into: &writer)
        case .error(let report): report.encode(into: &writer)
        }
    }
}

/// Why octets are not a message.
public enum WiFiMessageError: Error, Hashable, Sendable {
    /// Fewer octets than a header has.
    case noHeader(Int)
    /// The header announces another number of octets than follow it.
    case lengthMismatch(announced: Int, following: Int)
    /// The header announces more than any message has.
    case tooLong(announced: Int)
    /// The rest of a message did not come in time; octets of its payload.
    case incomplete(held: Int, announced: Int)
    /// A type that is not in the protocol.
    case unknownKind(UInt8)
    /// The SSID's length is out of its range.
    case badSSIDLength(Int)
    /// The password's length is out of its range.
    case badPasswordLength(Int)
    /// The lengths inside a payload contradict that of the payload, or something is out of its range.
    case badPayload(WiFiMessage.Kind, DecodeError)

    init(_ error: DecodeError, in kind: WiFiMessage.Kind, payload: Int) {
        switch (error.reason, kind) {
        case (.unknownCode, _): self = .unknownKind(kind.rawValue)
        case (.badLength(let length), .credentialWrite) where error.offset > 0:
            self = .badPasswordLength(length)
        case (.badLength(let length), _): self = .badSSIDLength(length)
        default: self = .badPayload(kind, error)
        }
    }
}
