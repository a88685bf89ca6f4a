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
/// Spec: wifiset-protocol.txt, Credential Write.
public struct WiFiCredentials: Hashable, Sendable {
    /// The network's name: 1 to 32 octets.
    public private(set) var ssid: WireText
    /// The password: 0 to 63 octets.
    public private(set) var password: [UInt8]

    /// Takes a name and a password.
    ///
    /// - Parameters:
    ///   - ssid: The network's name.
    ///   - password: The password; none for an open network.
    /// - Throws: ``Fault`` when one of them has a length that the protocol cannot carry.
    public init(ssid: WireText, password: [UInt8]) throws(Fault) {
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

    /// Checks that the password can open a network that is secured like this.
    ///
    /// - Parameter security: How the network is secured.
    /// - Throws: ``Fault`` that says why it cannot.
    public func check(for security: WiFiSecurity) throws(Fault) {
        switch security {
        case .open:
            guard password.isEmpty else { throw .passwordForOpenNetwork }
        case .wep:
            guard password.count == 5 || password.count == 13 else { throw .badWEPKey(password.count) }
        case .wpa2Enterprise: throw .enterprise
        case .wpa2, .wpa3: try checkWPA()
        default:
            if !password.isEmpty && password.count != 5 { try checkWPA() }
        }
    }

    private func checkWPA() throws(Fault) {
        guard !password.isEmpty else { throw .passwordMissing }
        guard password.count >= 8 else { throw .passwordTooShort(password.count) }
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
    /// Spec: design section 7.
    public enum Fault: Error, Hashable, Sendable {
        /// A network's name is needed.
        case emptySSID
        /// The name has more than 32 octets.
        case ssidTooLong(Int)
        /// The password has more than 63 octets.
        case passwordTooLong(Int)
        /// 64 hexadecimal digits are a WPA key, which the protocol cannot carry.
        case keyInsteadOfPassword
        /// The network is secured and needs a password.
        case passwordMissing
        /// A WPA password has at least 8 octets.
        case passwordTooShort(Int)
        /// A WEP key has 5 or 13 octets.
        case badWEPKey(Int)
        /// The network is open: a password makes no sense.
        case passwordForOpenNetwork
        /// The network wants a user name, too, for which the protocol has no field.
        case enterprise
    }

    func encode(into writer: inout ByteWriter) {
        WiFiNetwork.write(ssid, into: &writer)
        writer.write(UInt8(password.count))
        writer.write(password)
    }
}
