// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension WiFiCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The network's name; never the password.
    public var description: String { "credentials for \(ssid.string)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension WiFiMessageError: CustomStringConvertible {
    /// What is wrong, with the numbers.
    public var description: String {
        switch self {
        case .noHeader(let count): "a message has a header of 4 octets, this has \(count) in all"
        case .lengthMismatch(let announced, let following):
            "the header announces \(announced) octets, but \(following) follow it"
        case .tooLong(let announced): "the header announces \(announced) octets, more than any message has"
        case .incomplete(let held, let announced):
            "\(held) of \(announced) octets came behind the header, then nothing for 5 s"
        case .unknownKind(let kind): "a message of the unknown type \(kind.hexText)"
        case .badSSIDLength(let length): "an SSID of \(length) octets"
        case .badPasswordLength(let length): "a password of \(length) octets"
        case .badPayload(let kind, let error): "a message of type \(kind.rawValue.hexText): \(error)"
        }
    }
}

extension UInt8 {
    fileprivate var hexText: String { "0x" + (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension WiFiCredentials.Failure: CustomStringConvertible {
    /// What is wrong and what to do, for a person.
    public var description: String {
        switch self {
        case .emptySSID: "Say which network: its name is empty."
        case .ssidTooLong(let count): "A network's name has at most 32 octets; this one has \(count)."
        case .passwordTooLong(let count):
            "A Wi-Fi password has at most 63 characters here, this one has \(count)."
        case .keyInsteadOfPassword:
            "64 hexadecimal digits are a WPA key, which WiFiSet cannot carry: give the password instead."
        }
    }
}

extension WiFiJoinError: CustomStringConvertible {
    /// What happened, for a person.
    public var description: String {
        switch self {
        case .wrongPassword: "the network refused the password"
        case .notFound: "no network of this name is in reach"
        case .noAnswer: "the network did not answer within 30 s"
        }
    }
}

#endif
