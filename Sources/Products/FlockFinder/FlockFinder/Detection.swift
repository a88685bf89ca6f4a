// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// One camera or sensor that a FlockFinder device has noticed.
///
/// Spec: Documentation/Protocols/flockfinder.md, Detection.
public struct Detection: Hashable, Sendable {
    /// What kind of device was noticed.
    public var type: DetectionType
    /// The label of the kind, as received.
    public var label: WireText
    /// The MAC address of what was noticed: 48 bits, the octet written first is the most significant.
    public var mac: UInt64?
    /// The Wi-Fi SSID or Bluetooth name of what was noticed; it may be empty.
    public var ssid: WireText?
    /// How strong it was, in dBm: -127 to 20.
    public var rssi: Int
    /// The device's confidence, 0 to 1.
    public var confidence: Double
    /// What the device's own clock said, as received: ``deviceTime(receivedAt:)`` says what it means.
    public var ts: Int64?
    /// The keys that the protocol does not name, in the order of the object.
    public var extra: [ExtraKey]
    /// The object as received, from `{` to `}`.
    public var raw: [UInt8]

    /// Makes a detection.
    public init(
        type: DetectionType,
        label: WireText,
        mac: UInt64? = nil,
        ssid: WireText? = nil,
        rssi: Int,
        confidence: Double,
        ts: Int64? = nil,
        extra: [ExtraKey] = [],
        raw: [UInt8] = []
    ) {
        self.type = type
        self.label = label
        self.mac = mac
        self.ssid = ssid
        self.rssi = rssi
        self.confidence = confidence
        self.ts = ts
        self.extra = extra
        self.raw = raw
    }

    /// The estimated distance of what was noticed.
    public var proximity: Proximity { Proximity(rssi: rssi) }

    /// What the device's own clock said.
    ///
    /// - Parameter unixMilliseconds: When the detection was received, in milliseconds since 1970.
    /// - Returns: The time; `nil` when the device said none.
    public func deviceTime(receivedAt unixMilliseconds: Int64) -> DeviceTime? {
        ts.map { DeviceTime(ts: $0, receivedAt: unixMilliseconds) }
    }

    /// What a device's own clock said.
    public enum DeviceTime: Hashable, Sendable {
        /// Seconds since 1970-01-01 UTC.
        case unix(seconds: Int64)
        /// Milliseconds since the device was switched on.
        case uptime(milliseconds: Int64)

        /// Distinguishes seconds since 1970 from milliseconds since boot, which real firmware sends.
        ///
        /// It is Unix time when it lies between 2020-01-01 and one day after it was received.
        ///
        /// - Parameters:
        ///   - ts: The number as received, not negative.
        ///   - unixMilliseconds: When it was received, in milliseconds since 1970.
        public init(ts: Int64, receivedAt unixMilliseconds: Int64) {
            let latest = unixMilliseconds / 1000 + 86_400
            self =
                ts >= 1_577_836_800 && ts <= latest ? .unix(seconds: ts) : .uptime(milliseconds: ts)
        }
    }

    /// A key that the protocol does not name, with its value.
    public struct ExtraKey: Hashable, Sendable {
        /// The key.
        public var key: WireText
        /// The value as received: one complete JSON value.
        public var json: [UInt8]

        /// Makes an extra key.
        public init(key: WireText, json: [UInt8]) {
            self.key = key
            self.json = json
        }
    }

    /// A rough distance, judged by signal strength alone.
    ///
    /// Spec: Documentation/Protocols/flockfinder.md, Distance.
    public enum Proximity: UInt8, Hashable, Sendable, CaseIterable {
        /// Nearer than about 2 m: -50 dBm or more.
        case veryClose
        /// About 2 to 10 m: -70 dBm or more.
        case close
        /// About 10 to 30 m: -85 dBm or more.
        case medium
        /// Farther than about 30 m.
        case far

        /// Estimates the distance of a signal strength.
        ///
        /// - Parameter rssi: The strength in dBm.
        public init(rssi: Int) {
            switch rssi {
            case (-50)...: self = .veryClose
            case (-70)...: self = .close
            case (-85)...: self = .medium
            default: self = .far
            }
        }

        /// The word for files and scripts.
        public var keyword: StaticString {
            switch self {
            case .veryClose: "very_close"
            case .close: "close"
            case .medium: "medium"
            case .far: "far"
            }
        }
    }
}
