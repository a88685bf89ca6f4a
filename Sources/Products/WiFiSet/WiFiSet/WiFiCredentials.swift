// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A network's name and password.
///
/// | octets | field |
/// |---|---|
/// | 1 | SSID length N, 1 to 32 |
/// | N | SSID |
/// | 1 | password length M, 0 to 63; 0 for an open network |
/// | M | password |
///
/// Call ``wipe()`` when they are not needed any more. No description shows the password.
///
/// Spec: Documentation/Protocols/wifiset.md, Credential Write.
public struct WiFiCredentials: Hashable, Sendable {
    /// The network's name: 1 to 32 octets.
    public private(set) var ssid: WireText
    /// The password: 0 to 63 octets.
    public private(set) var password: [UInt8]

    /// Makes credentials of a name and a password.
    ///
    /// - Parameters:
    ///   - ssid: The network's name.
    ///   - password: The password; none for an open network.
    /// - Throws: ``Failure`` when one of them has a length that the protocol cannot carry.
    public init(ssid: WireText, password: [UInt8]) throws(Failure) {
        guard !ssid.isEmpty else { throw .emptySSID }
        guard ssid.octets.count <= WiFiSetLimit.ssid else { throw .ssidTooLong(ssid.octets.count) }
        if password.count == 64, password.allSatisfy(Self.isHexDigit) { throw .keyInsteadOfPassword }
        guard password.count <= WiFiSetLimit.password else { throw .passwordTooLong(password.count) }
        self.ssid = ssid
        self.password = password
    }

    /// Credentials that came over the wire, whose lengths the decoder has checked.
    init(checkedSSID ssid: WireText, password: [UInt8]) {
        self.ssid = ssid
        self.password = password
    }

    /// Overwrites the password with zeros and forgets it.
    public mutating func wipe() { Self.wipe(&password) }

    /// Overwrites octets with zeros and forgets them.
    ///
    /// Octets that somebody else holds, too, are left to the last who wipes them.
    ///
    /// - Parameter octets: A password, or a message that holds one.
    @inline(never)  // So that the stores stay.
    public static func wipe(_ octets: inout [UInt8]) {
        for index in octets.indices { octets[index] = 0 }
        octets = []
    }

    private static func isHexDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// Why credentials cannot be used.
    ///
    /// Spec: Documentation/Protocols/wifiset.md, Credential Write.
    public enum Failure: Error, Hashable, Sendable {
        /// A network's name is needed.
        case emptySSID
        /// The name has more than 32 octets.
        case ssidTooLong(Int)
        /// The password has more than 63 octets.
        case passwordTooLong(Int)
        /// 64 hexadecimal digits are a WPA key, which the protocol cannot carry.
        case keyInsteadOfPassword
    }

    func encode(into writer: inout ByteWriter) {
        WiFiNetwork.write(ssid, into: &writer)
        writer.write(UInt8(password.count))
        writer.write(password)
    }
}
