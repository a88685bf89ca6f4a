// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A network's name and password on their way to a device.
public struct WiFiSecret: Hashable, Sendable {
    /// The network's name.
    public var ssid: WireText
    /// The password; nothing for an open network.
    public var password: [UInt8]

    /// Makes credentials of a name and a password.
    public init(ssid: WireText, password: [UInt8]) {
        self.ssid = ssid
        self.password = password
    }

    /// What is known of the password where it is not told.
    public var passwordKind: WiFiPasswordKind {
        password.isEmpty ? .empty : hasReplacedCharacter ? .typographic : .plain
    }

    /// Whether the password has, in UTF-8, what phones and word processors put in place of plain characters.
    private var hasReplacedCharacter: Bool {
        func octet(_ index: Int) -> UInt8 { index < password.count ? password[index] : 0 }
        return password.indices.contains { index in
            switch (octet(index), octet(index + 1), octet(index + 2)) {
            // No-break space.
            case (0xC2, 0xA0, _): true
            // Figure space, narrow no-break space.
            case (0xE2, 0x80, 0x87), (0xE2, 0x80, 0xAF): true
            // Hyphens and dashes; apostrophes and quotation marks.
            case (0xE2, 0x80, 0x90...0x94), (0xE2, 0x80, 0x98...0x9F): true
            default: false
            }
        }
    }

    /// Overwrites the password with zeros and forgets it.
    public mutating func wipe() { Self.wipe(&password) }

    /// Overwrites octets with zeros and forgets them.
    ///
    /// Octets that somebody else holds, too, are left to the last who wipes them.
    ///
    /// - Parameter octets: A password.
    @inline(never)  // So that the stores stay.
    public static func wipe(_ octets: inout [UInt8]) {
        for index in octets.indices { octets[index] = 0 }
        octets = []
    }

    /// Checks that the name and password can open a network that is secured like this.
    ///
    /// - Parameters:
    ///   - security: How the network is secured.
    ///   - carriesKeys: Whether a WPA key can stand in place of the password.
    /// - Throws: ``WiFiSecretError`` that says why they cannot.
    public func check(for security: NetworkSecurity, carriesKeys: Bool) throws(WiFiSecretError) {
        guard (1...32).contains(ssid.octets.count) else { throw .ssidLength(ssid.octets.count) }
        let isKey = password.count == 64 && password.allSatisfy(Self.isHexDigit)
        if isKey && !carriesKeys { throw .keyInsteadOfPassword }
        guard password.count <= 63 || isKey else { throw .passwordTooLong(password.count) }
        switch security {
        case .open:
            guard password.isEmpty else { throw .passwordForOpenNetwork }
        case .wep:
            guard password.count == 5 || password.count == 13 else { throw .badWEPKey(password.count) }
        case .wpa2Enterprise: throw .enterprise
        case .wpa2, .wpa3: try checkWPA()
        // It may be WEP with its 5 characters.
        case .unknown: if !password.isEmpty && password.count != 5 { try checkWPA() }
        }
    }

    private func checkWPA() throws(WiFiSecretError) {
        guard !password.isEmpty else { throw .passwordMissing }
        guard password.count >= 8 else { throw .passwordTooShort(password.count) }
    }

    private static func isHexDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}

/// What is known of a password that was sent, without the password.
public enum WiFiPasswordKind: Hashable, Sendable {
    /// There was none.
    case empty
    /// It is as people type it.
    case plain
    /// It has an apostrophe, a quotation mark, a dash or a no-break space that phones and word processors put in place of
    /// a plain one.
    case typographic
}

/// Why a name and password cannot be used.
public enum WiFiSecretError: Error, Hashable, Sendable {
    /// A name has 1 to 32 octets.
    case ssidLength(Int)
    /// A password has at most 63 octets.
    case passwordTooLong(Int)
    /// 64 hexadecimal digits are a WPA key, which this protocol cannot carry.
    case keyInsteadOfPassword
    /// The network is secured and needs a password.
    case passwordMissing
    /// A WPA password has at least 8 octets.
    case passwordTooShort(Int)
    /// A WEP key has 5 or 13 octets.
    case badWEPKey(Int)
    /// The network is open: a password makes no sense.
    case passwordForOpenNetwork
    /// The network wants a user name, too, which cannot be carried.
    case enterprise
}
