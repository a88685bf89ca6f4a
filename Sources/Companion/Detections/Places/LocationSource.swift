// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Where fixes come from, as `--location` says it.
///
/// | text | source |
/// |---|---|
/// | `48.8584,2.2945` | a place that does not change |
/// | `gpsd`, `gpsd:host`, `gpsd:host:2947`, `gpsd:[::1]:2947` | the receiver behind gpsd |
/// | `gpx:FILE` | a recorded track, played as if it were driven now |
public enum LocationSource: Hashable, Sendable {
    /// A place that does not change.
    case fixed(Position)
    /// The receiver behind gpsd.
    case gpsd(host: String, port: Int)
    /// The track in this file.
    case track(path: String)

    /// Where gpsd listens, unless told otherwise.
    public static let gpsd = LocationSource.gpsd(host: "127.0.0.1", port: 2947)

    /// Reads a source.
    ///
    /// - Parameter text: What somebody has written.
    /// - Throws: ``BadInput`` that says what may be written.
    public init(_ text: String) throws(BadInput) {
        if text == "gpsd" {
            self = .gpsd
        } else if text.hasPrefix("gpsd:") {
            self = try Self.gpsd(at: text.dropFirst(5), of: text)
        } else if text.hasPrefix("gpx:") {
            guard text.utf8.count > 4 else { throw BadInput("\"gpx:\" needs a file, such as gpx:drive.gpx.") }
            self = .track(path: String(text.dropFirst(4)))
        } else {
            guard text.utf8.contains(UInt8(ascii: ",")) else { throw Self.unknown(text) }
            let position = try Position(parsing: text)
            guard !Position.isNowhere(position.latitude, position.longitude) else {
                throw BadInput(
                    "0,0 is not a place: programs write it when they know none. Write where you are, for example 52.52,13.405; "
                        + "without --location detections are kept without a place.")
            }
            self = .fixed(position)
        }
    }

    private static func gpsd(at address: Substring, of text: String) throws(BadInput) -> LocationSource {
        var host = address
        var port: Substring = "2947"
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            host = address[address.index(after: address.startIndex)..<end]
            let rest = address[address.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw unknown(text) }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if let colon = address.firstIndex(of: ":"), address.lastIndex(of: ":") == colon {
            host = address[..<colon]
            port = address[address.index(after: colon)...]
        }
        guard let number = UInt16(port), number > 0 else {
            throw BadInput(
                "\"\(String(port).shortened)\" is not a port. gpsd listens on 2947 unless told otherwise.")
        }
        guard !host.isEmpty else { throw unknown(text) }
        return .gpsd(host: String(host), port: Int(number))
    }

    private static func unknown(_ text: String) -> BadInput {
        BadInput(
            "\"\(text.shortened)\" does not say where we are; write LAT,LON, for example 52.52,13.405, or gpsd, "
                + "gpsd:HOST:PORT or gpx:FILE.")
    }
}

extension LocationSource: CustomStringConvertible {
    /// As `--location` takes it.
    public var description: String {
        switch self {
        case .fixed(let position): "\(position.latitude),\(position.longitude)"
        case .gpsd where self == .gpsd: "gpsd"
        case .gpsd(let host, let port): host.contains(":") ? "gpsd:[\(host)]:\(port)" : "gpsd:\(host):\(port)"
        case .track(let path): "gpx:\(path)"
        }
    }
}
