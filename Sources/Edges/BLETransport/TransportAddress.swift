// SPDX-License-Identifier: Apache-2.0

/// Where a controller is reached.
public enum TransportAddress: Hashable, Sendable {
    /// H4 over TCP, as a client.
    case tcp(host: String, port: Int)
    /// H4 over TCP, as a server that takes the first client.
    case tcpListen(host: String, port: Int)
    /// H4 over a serial port, eight data bits, no parity, hardware flow control where the port has it.
    case serial(path: String, baud: Int)
    /// The user channel of a Bluetooth adapter of this machine, Linux only; `nil` is the first that can be used.
    case adapter(Int?)

    /// Reads `tcp:HOST:PORT`, `tcp-listen:HOST:PORT`, `serial:PATH[,BAUD]`, `hci` or `hci:N`.
    ///
    /// - Parameter name: The text.
    /// - Throws: ``TransportError/badName(_:)`` with what is expected.
    public init(_ name: String) throws(TransportError) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : ""
        switch parts[0] {
        case "tcp":
            let (host, port) = try Self.endpoint(rest, "tcp:HOST:PORT")
            self = .tcp(host: host, port: port)
        case "tcp-listen":
            let (host, port) = try Self.endpoint(rest, "tcp-listen:HOST:PORT")
            self = .tcpListen(host: host, port: port)
        case "serial":
            let fields = rest.split(separator: ",", omittingEmptySubsequences: false)
            guard let path = fields.first, !path.isEmpty, fields.count <= 2 else {
                throw .badName("Name the port as serial:PATH or serial:PATH,BAUD.")
            }
            guard let baud = fields.count == 2 ? Int(fields[1]) : 1_000_000, SerialPort.speed(baud) != nil
            else {
                throw .badName("\(fields[1]) is not a speed of serial ports; 115200 and 1000000 are common.")
            }
            self = .serial(path: String(path), baud: baud)
        case "hci" where parts.count == 1: self = .adapter(nil)
        case "hci":
            guard let number = Int(rest), (0..<0xFFFF).contains(number) else {
                throw .badName("Write the adapter as hci:N, such as hci:0, or hci for the first one.")
            }
            self = .adapter(number)
        default:
            throw .badName(
                "\(name) names no radio here; use hci, hci:N, tcp:HOST:PORT, tcp-listen:HOST:PORT or serial:PATH."
            )
        }
    }

    private static func endpoint(_ text: String, _ form: String) throws(TransportError) -> (String, Int) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port), colon != text.startIndex
        else { throw .badName("Write the radio as \(form), with a port from 1 to 65535.") }
        // An IPv6 address may stand in brackets.
        let host = text[..<colon].drop { $0 == "[" }
        return (String(host.last == "]" ? host.dropLast() : host), port)
    }

    /// Opens the transport; a server waits for its client and turns away others as long as that one is there.
    ///
    /// - Parameter loop: The loop that the transport is for.
    /// - Returns: The open transport.
    /// - Throws: ``TransportError/cannotOpen(_:)``, also when the task is cancelled; ``TransportError/adapter(_:)``.
    public func open(on loop: TransportLoop) async throws(TransportError) -> any Transport {
        switch self {
        case .tcp(let host, let port): try await TCPConnection.connect(host, port, on: loop)
        case .tcpListen(let host, let port): try await TCPConnection.accept(host, port, on: loop)
        case .serial(let path, let baud): DescriptorTransport(try SerialPort.open(path, baud: baud), on: loop)
        case .adapter(let number): try await DescriptorTransport.open(number, on: loop)
        }
    }
}
