// SPDX-License-Identifier: Apache-2.0

/// What can be fuzzed.
enum FuzzTarget: String, CaseIterable, Sendable {
    case h4
    case hci
    case l2cap
    case attServer = "att_server"
    case gattClient = "gatt_client"
    case ad
    case detectionJSON = "detection_json"
    case wifiSet = "wifiset"
    case bulb
    case overflow
    case nightlight

    /// Tries one input: it must neither trap, nor hang, nor break a promise.
    func run(_ input: [UInt8]) throws(Broken) {
        switch self {
        case .h4: try fuzzH4(input)
        case .hci: try fuzzHost(input)
        case .l2cap: try fuzzL2CAP(input)
        case .attServer: try fuzzServer(input)
        case .gattClient: try fuzzClient(input)
        case .ad: try fuzzAdvertisingData(input)
        case .detectionJSON: try fuzzDetections(input)
        case .wifiSet: try fuzzWiFiSet(input)
        case .bulb: try fuzzBulb(input)
        case .overflow: try fuzzOverflow(input)
        case .nightlight: try fuzzNightlight(input)
        }
    }
}

/// A promise that did not hold.
struct Broken: Error {
    let promise: String
}

/// Throws when a promise does not hold.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(promise: promise()) }
}

/// An input, read from front to back; past its end all is zero.
struct Script {
    private let octets: [UInt8]
    private(set) var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { position >= octets.count }

    /// The next octet.
    mutating func byte() -> UInt8 {
        guard position < octets.count else { return 0 }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets.
    mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// As many octets as the next one says, or as are left.
    mutating func counted() -> [UInt8] { take(Int(byte())) }

    /// Octets, as far as there are any.
    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(position + count, octets.count)
        defer { position = end }
        return Array(octets[position..<end])
    }

    /// All octets that are left.
    mutating func rest() -> [UInt8] { take(octets.count - position) }

    /// Octets of a length that two octets say, repeating few: long values need no long inputs.
    mutating func long() -> [UInt8] {
        let count = Int(word()) % 600
        let pattern = counted()
        return (0..<count).map {
            pattern.isEmpty ? UInt8(truncatingIfNeeded: $0) : pattern[$0 % pattern.count]
        }
    }
}
