// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A network's name and password, as an Improv device accepts them.
///
/// Call ``wipe()`` when they are not needed any more. No description shows the password.
///
/// Spec: Improv via BLE 2.2, Send Wi-Fi settings.
public struct ImprovSettings: Hashable, Sendable {
    /// The network's name: 1 to 32 octets.
    public private(set) var ssid: WireText
    /// The password: 0 to 64 octets; none for an open network, 64 hexadecimal digits are a WPA key.
    public private(set) var password: [UInt8]

    /// Makes credentials of a name and a password.
    ///
    /// - Parameters:
    ///   - ssid: The network's name.
    ///   - password: The password; none for an open network.
    /// - Throws: ``Failure`` when one of them has a length that no network has.
    public init(ssid: WireText, password: [UInt8]) throws(Failure) {
        guard (1...ImprovLimit.ssid).contains(ssid.octets.count) else {
            throw .ssidLength(ssid.octets.count)
        }
        guard password.count <= ImprovLimit.password else { throw .passwordLength(password.count) }
        self.ssid = ssid
        self.password = password
    }

    /// Overwrites the password with zeros and forgets it.
    public mutating func wipe() { Self.wipe(&password) }

    /// Overwrites octets with zeros and forgets them.
    ///
    /// Octets that somebody else holds, too, are left to the last who wipes them.
    ///
    /// - Parameter octets: A password, or a command that holds one.
    @inline(never)  // So that the stores stay.
    public static func wipe(_ octets: inout [UInt8]) {
        for index in octets.indices { octets[index] = 0 }
        octets = []
    }

    /// Why settings cannot be used.
    public enum Failure: Error, Hashable, Sendable {
        /// A name has 1 to 32 octets.
        case ssidLength(Int)
        /// A password has at most 64 octets.
        case passwordLength(Int)
    }
}

/// A Wi-Fi network that an Improv device hears.
///
/// Spec: Improv via BLE 2.2, Request scanned Wi-Fi networks.
public struct ImprovNetwork: Hashable, Sendable {
    /// The network's name, at most 32 octets of it are sent.
    public var ssid: WireText
    /// How strong it is, in dBm; `nil` when the device said something that is no number.
    public var rssi: Int8?
    /// How it is secured: WEP, WPA, WPA2 or NO; firmware has further words, such as WPA3 and WPA2 EAP.
    public var security: WireText

    /// Makes a network.
    public init(ssid: WireText, rssi: Int8?, security: WireText) {
        self.ssid = ssid
        self.rssi = rssi
        self.security = security
    }

    /// Reads the networks out of the strings of a result.
    ///
    /// - Parameter strings: Name, strength and security of each.
    /// - Returns: The networks.
    /// - Throws: ``ImprovPacketError/badList(_:)`` when their number is no multiple of three.
    static func list(_ strings: [WireText]) throws(ImprovPacketError) -> [ImprovNetwork] {
        guard strings.count % 3 == 0 else { throw .badList(strings.count) }
        var networks: [ImprovNetwork] = []
        for start in stride(from: 0, to: strings.count, by: 3) {
            networks.append(
                ImprovNetwork(
                    ssid: strings[start], rssi: number(strings[start + 1]), security: strings[start + 2]))
        }
        return networks
    }

    /// The three strings of a result.
    var strings: [WireText] {
        [
            WireText(Array(ssid.octets.prefix(ImprovLimit.ssid))), Self.text(rssi ?? 0),
            WireText(Array(security.octets.prefix(8))),
        ]
    }

    /// A number as it stands in a result; `nil` for what is none.
    private static func number(_ text: WireText) -> Int8? {
        var digits = text.octets[...]
        let isNegative = digits.first == 0x2D
        if isNegative { digits = digits.dropFirst() }
        guard (1...3).contains(digits.count) else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return Int8(clamping: isNegative ? -value : value)
    }

    private static func text(_ number: Int8) -> WireText {
        var digits: [UInt8] = []
        var rest = number.magnitude
        repeat {
            digits.append(0x30 + rest % 10)
            rest /= 10
        } while rest > 0
        if number < 0 { digits.append(0x2D) }
        return WireText(digits.reversed())
    }
}

/// What an Improv device is.
///
/// Spec: Improv via BLE 2.2, Device Info.
public struct ImprovDeviceInfo: Hashable, Sendable {
    /// The firmware's name.
    public var firmware: WireText
    /// The firmware's version.
    public var version: WireText
    /// The chip, or the variant of the device.
    public var hardware: WireText
    /// The device's name.
    public var name: WireText
    /// What newer firmware says beyond these, such as its operating system.
    public var more: [WireText]

    /// Makes a description.
    public init(
        firmware: WireText, version: WireText, hardware: WireText, name: WireText, more: [WireText] = []
    ) {
        self.firmware = firmware
        self.version = version
        self.hardware = hardware
        self.name = name
        self.more = more
    }

    init(_ strings: [WireText]) throws(ImprovPacketError) {
        guard strings.count >= 4 else { throw .badList(strings.count) }
        self.init(
            firmware: strings[0], version: strings[1], hardware: strings[2], name: strings[3],
            more: Array(strings[4...]))
    }

    var strings: [WireText] { [firmware, version, hardware, name] + more }
}
