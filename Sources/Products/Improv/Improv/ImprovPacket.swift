// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Which command a packet is, or answers.
///
/// Spec: Improv via BLE 2.2, RPC Command.
public struct ImprovCommandID: RawRepresentable, Hashable, Sendable {
    /// The octet on the wire.
    public var rawValue: UInt8

    /// Wraps an octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Join this network.
    public static let wifiSettings = ImprovCommandID(rawValue: 0x01)
    /// Show which device it is; has no result.
    public static let identify = ImprovCommandID(rawValue: 0x02)
    /// Say what it is.
    public static let deviceInfo = ImprovCommandID(rawValue: 0x03)
    /// Look for networks.
    public static let scan = ImprovCommandID(rawValue: 0x04)

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .wifiSettings: "wifi_settings"
        case .identify: "identify"
        case .deviceInfo: "device_info"
        case .scan: "scan"
        default: "unknown"
        }
    }
}

/// A packet that goes either way.
///
/// | octets | field |
/// |---|---|
/// | 1 | command |
/// | 1 | length N |
/// | N | data |
/// | 1 | checksum: the low octet of the sum of all before |
///
/// Spec: Improv via BLE 2.2, RPC Command and RPC Result.
enum ImprovPacket {
    /// The octets around the data.
    static let overhead = 3

    static func encode(_ command: ImprovCommandID, _ data: [UInt8]) -> [UInt8] {
        var octets = [command.rawValue, UInt8(truncatingIfNeeded: data.count)] + data
        octets.append(sum(octets[...]))
        return octets
    }

    static func decode(
        _ octets: [UInt8]
    ) throws(ImprovPacketError) -> (command: ImprovCommandID, data: ArraySlice<UInt8>) {
        guard octets.count >= overhead else { throw .tooShort(octets.count) }
        let following = octets.count - overhead
        guard Int(octets[1]) == following else {
            throw .lengthMismatch(announced: Int(octets[1]), following: following)
        }
        let expected = sum(octets.dropLast())
        guard expected == octets[octets.count - 1] else {
            throw .checksum(expected: expected, received: octets[octets.count - 1])
        }
        return (ImprovCommandID(rawValue: octets[0]), octets[2..<(octets.count - 1)])
    }

    /// Strings, each with its length before it.
    static func data(_ strings: [WireText]) -> [UInt8] {
        var data: [UInt8] = []
        for string in strings {
            let octets = string.octets.prefix(ImprovLimit.data - 1)
            guard data.count + 1 + octets.count <= ImprovLimit.data else { break }
            data.append(UInt8(octets.count))
            data += octets
        }
        return data
    }

    static func strings(_ data: ArraySlice<UInt8>) throws(ImprovPacketError) -> [WireText] {
        var strings: [WireText] = []
        var rest = data
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else {
                throw .badString(announced: Int(length), following: rest.count)
            }
            strings.append(WireText(Array(rest.prefix(Int(length)))))
            rest = rest.dropFirst(Int(length))
        }
        return strings
    }

    private static func sum(_ octets: ArraySlice<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for octet in octets { sum &+= octet }
        return sum
    }
}

/// A command for an Improv device.
///
/// Spec: Improv via BLE 2.2, RPC Command.
public enum ImprovCommand: Hashable, Sendable {
    /// Join this network.
    case wifiSettings(ImprovSettings)
    /// Show which device it is.
    case identify
    /// Say what it is.
    case deviceInfo
    /// Look for networks.
    case scan

    /// Which command it is.
    public var id: ImprovCommandID {
        switch self {
        case .wifiSettings: .wifiSettings
        case .identify: .identify
        case .deviceInfo: .deviceInfo
        case .scan: .scan
        }
    }

    /// Decodes a whole command.
    ///
    /// - Parameter octets: From its number to its checksum.
    /// - Throws: ``ImprovPacketError`` that says what does not add up.
    public init(decoding octets: [UInt8]) throws(ImprovPacketError) {
        let (id, data) = try ImprovPacket.decode(octets)
        switch id {
        case .identify: self = .identify
        case .deviceInfo: self = .deviceInfo
        case .scan: self = .scan
        case .wifiSettings:
            let strings = try ImprovPacket.strings(data)
            guard strings.count == 2 else { throw .badList(strings.count) }
            do throws(ImprovSettings.Failure) {
                self = .wifiSettings(try ImprovSettings(ssid: strings[0], password: strings[1].octets))
            } catch {
                throw .badSettings(error)
            }
            return
        default: throw .unknownCommand(id.rawValue)
        }
        guard data.isEmpty else { throw .lengthMismatch(announced: 0, following: data.count) }
    }

    /// Encodes the command.
    ///
    /// - Returns: The command's octets.
    public func encoded() -> [UInt8] {
        guard case .wifiSettings(let settings) = self else { return ImprovPacket.encode(id, []) }
        var data = ImprovPacket.data([settings.ssid, WireText(settings.password)])
        let octets = ImprovPacket.encode(id, data)
        ImprovSettings.wipe(&data)
        return octets
    }
}

/// What an Improv device answers to a command.
///
/// Spec: Improv via BLE 2.2, RPC Result.
public struct ImprovResult: Hashable, Sendable {
    /// Which command.
    public var command: ImprovCommandID
    /// The answer.
    public var strings: [WireText]

    /// Makes a result.
    public init(_ command: ImprovCommandID, _ strings: [WireText]) {
        self.command = command
        self.strings = strings
    }

    /// Decodes a whole result.
    ///
    /// - Parameter octets: From its command to its checksum.
    /// - Throws: ``ImprovPacketError`` that says what does not add up.
    public init(decoding octets: [UInt8]) throws(ImprovPacketError) {
        let (id, data) = try ImprovPacket.decode(octets)
        command = id
        strings = try ImprovPacket.strings(data)
    }

    /// Encodes the result.
    ///
    /// - Returns: The result's octets.
    public func encoded() -> [UInt8] { ImprovPacket.encode(command, ImprovPacket.data(strings)) }
}

/// Why octets are no command or result.
public enum ImprovPacketError: Error, Hashable, Sendable {
    /// Fewer octets than any packet has.
    case tooShort(Int)
    /// The length announces another number of octets than there are.
    case lengthMismatch(announced: Int, following: Int)
    /// The octets do not add up.
    case checksum(expected: UInt8, received: UInt8)
    /// A string is announced longer than the data.
    case badString(announced: Int, following: Int)
    /// A list with another number of strings than it must have.
    case badList(Int)
    /// A name or password of a length that no network has.
    case badSettings(ImprovSettings.Failure)
    /// A command that is not in the standard.
    case unknownCommand(UInt8)
    /// The rest did not come in time; octets in all.
    case incomplete(held: Int, announced: Int)
    /// A state or error of another length than one octet.
    case badOctet(Int)

    /// What a device answers.
    public var code: ImprovErrorCode {
        if case .unknownCommand = self { .unknownCommand } else { .invalidPacket }
    }
}

/// Puts the pieces of packets together that came on one characteristic.
///
/// Pieces are joined with no regard to where they end: one may hold part of a packet or several.
///
/// Spec: Improv via BLE 2.2, RPC Command: more than 20 octets come in several packets.
public struct ImprovPacketStream: Sendable {
    private var held: [UInt8] = []
    private var until: HostInstant?

    /// Makes an empty stream.
    public init() {}

    /// When to call ``deadlineReached(at:)``.
    public var nextDeadline: HostInstant? { until }

    /// Adds the next piece.
    ///
    /// - Parameters:
    ///   - piece: A value as it was notified or written.
    ///   - now: When it came.
    public mutating func receive(_ piece: [UInt8], at now: HostInstant) {
        guard !piece.isEmpty else { return }
        held += piece
        until = now.advanced(bySeconds: ImprovLimit.assemblySeconds)
    }

    /// Removes and returns the next whole packet.
    ///
    /// - Returns: The octets of a packet; `nil` when more are needed.
    public mutating func next() -> [UInt8]? {
        guard let announced, held.count >= announced else { return nil }
        let packet = Array(held[..<announced])
        let rest = Array(held[announced...])
        ImprovSettings.wipe(&held)
        held = rest
        if rest.isEmpty { until = nil }
        return packet
    }

    /// Gives up a packet whose rest has not come.
    ///
    /// - Parameter now: The moment.
    /// - Throws: ``ImprovPacketError/incomplete(held:announced:)`` or ``ImprovPacketError/tooShort(_:)`` when it is time.
    public mutating func deadlineReached(at now: HostInstant) throws(ImprovPacketError) {
        guard let until, until <= now else { return }
        let count = held.count
        let announced = announced
        reset()
        guard let announced else { throw .tooShort(count) }
        throw .incomplete(held: count, announced: announced)
    }

    /// Forgets what it holds, overwriting it: it may be a password.
    public mutating func reset() {
        ImprovSettings.wipe(&held)
        until = nil
    }

    /// Octets of the whole packet, once its length is there.
    private var announced: Int? { held.count >= 2 ? Int(held[1]) + ImprovPacket.overhead : nil }
}
