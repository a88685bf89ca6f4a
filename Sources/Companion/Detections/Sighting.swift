// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import FlockFinder

/// A detection with what the receiver adds: when it came, from which device, and where that was.
public struct Sighting: Hashable, Sendable {
    /// What kind of device was noticed.
    public var type: DetectionType
    /// The label of the kind, as received.
    public var label: String
    /// The MAC address of what was noticed: six pairs of upper-case hex digits with colons.
    public var mac: String?
    /// The Wi-Fi SSID or Bluetooth name of what was noticed; it may be empty.
    public var ssid: String?
    /// How strong it was, in dBm: -127 to 20; -127 where nobody knows.
    public var rssi: Int
    /// The device's confidence, 0 to 1.
    public var confidence: Double
    /// What the device's own clock said.
    public var deviceTime: Detection.DeviceTime?
    /// When it was received.
    public var received: Timestamp
    /// Where it was received.
    public var position: Position?
    /// How the receiver was moving.
    public var motion: Motion
    /// How the place is known; nothing where there is none, or where nobody has said.
    public var fix: FixDetails?
    /// The keys that the protocol does not name: the text of one JSON object.
    public var extra: String
    /// The octets as received; none when it was imported.
    public var raw: [UInt8]
    /// The device that noticed it.
    public var device: BluetoothAddress?

    /// How a receiver was moving.
    public struct Motion: Hashable, Sendable {
        /// Metres a second, not negative.
        public var speed: Double?
        /// Degrees from north, clockwise, 0 to 360.
        public var heading: Double?
        /// For example `stationary`, `walking`, `running`, `cycling` or `driving`.
        public var activity: String?

        /// Makes a motion; without arguments nothing is known.
        public init(speed: Double? = nil, heading: Double? = nil, activity: String? = nil) {
            self.speed = speed
            self.heading = heading
            self.activity = activity
        }
    }

    /// Makes a sighting of what a device said.
    ///
    /// - Parameters:
    ///   - detection: What the device said.
    ///   - received: When it was received.
    ///   - device: The device.
    ///   - position: Where it was received.
    ///   - motion: How the receiver was moving.
    ///   - fix: How the place is known.
    public init(
        _ detection: Detection,
        received: Timestamp,
        device: BluetoothAddress? = nil,
        position: Position? = nil,
        motion: Motion = Motion(),
        fix: FixDetails? = nil
    ) {
        var extra = JSONWriter()
        extra.object { writer in
            for item in detection.extra {
                writer.key(item.key.string)
                writer.json(item.json)
            }
        }
        self.init(
            type: detection.type, label: detection.label.string, mac: detection.macString,
            ssid: detection.ssid?.string, rssi: detection.rssi, confidence: detection.confidence,
            deviceTime: detection.deviceTime(receivedAt: received.milliseconds), received: received,
            position: position, motion: motion, fix: fix,
            extra: extra.text, raw: detection.raw, device: device)
    }

    /// Makes a sighting of its parts.
    ///
    /// - Parameters:
    ///   - type: What kind of device was noticed.
    ///   - label: The label of the kind, as received.
    ///   - mac: The MAC address in upper case, with colons.
    ///   - ssid: The SSID or name.
    ///   - rssi: How strong it was, in dBm.
    ///   - confidence: How sure the device is, 0 to 1.
    ///   - deviceTime: What the device's own clock said.
    ///   - received: When it was received.
    ///   - position: Where it was received.
    ///   - motion: How the receiver was moving.
    ///   - fix: How the place is known.
    ///   - extra: The text of one JSON object.
    ///   - raw: The octets as received.
    ///   - device: The device that noticed it.
    public init(
        type: DetectionType,
        label: String,
        mac: String? = nil,
        ssid: String? = nil,
        rssi: Int,
        confidence: Double,
        deviceTime: Detection.DeviceTime? = nil,
        received: Timestamp,
        position: Position? = nil,
        motion: Motion = Motion(),
        fix: FixDetails? = nil,
        extra: String = "{}",
        raw: [UInt8] = [],
        device: BluetoothAddress? = nil
    ) {
        self.type = type
        self.label = label
        self.mac = mac
        self.ssid = ssid
        self.rssi = rssi
        self.confidence = confidence
        self.deviceTime = deviceTime
        self.received = received
        self.position = position
        self.motion = motion
        self.fix = fix
        self.extra = extra
        self.raw = raw
        self.device = device
    }

    /// How strong something was of which nobody knows that: weaker than anything that is heard.
    package static let unknownStrength = -127

    /// Whether somebody knows how strong it was.
    package var isStrengthKnown: Bool { rssi != Self.unknownStrength }

    /// How the place is known, where there is one.
    var knownFix: FixDetails? { position == nil ? nil : fix }

    /// Octets of all its texts together: twice what a device can send, since many of them are held in memory at once.
    package static let longestText = 16_384

    /// Octets of all its texts together.
    package var octetsOfTexts: Int {
        label.utf8.count + (ssid?.utf8.count ?? 0) + (motion.activity?.utf8.count ?? 0) + extra.utf8.count
            + raw.count
    }

    /// What makes it unfit to be stored, as a phrase; nothing when it is fit.
    public var fault: String? {
        if !Timestamp.storable.contains(received.milliseconds) {
            return "the time \(received.milliseconds) is not between 1970 and 9999"
        }
        if !(-127...20).contains(rssi) { return "the rssi \(rssi) is not between -127 and 20" }
        if !(0...1).contains(confidence) { return "the confidence \(confidence) is not between 0 and 1" }
        if let mac, !Self.isAddress(mac) {
            return "the MAC address \"\(mac.shortened)\" is not six pairs of hex digits with colons"
        }
        if let speed = motion.speed, !(0..<Double.infinity).contains(speed) {
            return "the speed \(speed) is not a number of 0 or more"
        }
        if let heading = motion.heading, !(0...360).contains(heading) {
            return "the heading \(heading) is not between 0 and 360"
        }
        if let accuracy = fix?.accuracy, !(0..<Double.infinity).contains(accuracy) {
            return "the accuracy \(accuracy) is not a number of 0 or more"
        }
        if let altitude = fix?.altitude, !altitude.isFinite {
            return "the altitude \(altitude) is not a number"
        }
        let octets = octetsOfTexts
        if octets > Self.longestText {
            return "its texts have \(octets) octets, and at most \(Self.longestText) are kept"
        }
        if extra.utf8.contains(0) { return "its extra values have the character U+0000" }
        if !JSONReader.mayBeKept(extra.utf8) {
            return "its extra values are nested more than \(JSONReader.keptDepth) deep"
        }
        // Larger ones are no times, and no two programs read the same number.
        if [deviceTime?.number, fix?.age].contains(where: { ($0 ?? 0).magnitude > 9_007_199_254_740_991 }) {
            return "a time of the device or of its place is out of range"
        }
        return nil
    }

    package static func isAddress(_ text: String) -> Bool {
        let octets = text.utf8
        return octets.count == 17
            && octets.enumerated().allSatisfy { index, octet in
                switch octet {
                case UInt8(ascii: ":"): index % 3 == 2
                case 0x30...0x39, 0x41...0x46: index % 3 != 2
                default: false
                }
            }
    }
}

extension Detection.DeviceTime {
    /// Seconds or milliseconds, as the device has sent them.
    fileprivate var number: Int64 {
        switch self {
        case .unix(let number), .uptime(let number): number
        }
    }
}
