// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension ImprovSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// The network's name; never the password.
    public var description: String { "settings for \(ssid.string)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension ImprovPacketError: CustomStringConvertible {
    /// What is wrong, with the numbers.
    public var description: String {
        switch self {
        case .tooShort(let count): "a packet has at least 3 octets, this has \(count)"
        case .lengthMismatch(let announced, let following):
            "\(announced) octets of data are announced, but \(following) are there"
        case .checksum(let expected, let received): "the checksum is \(received) instead of \(expected)"
        case .badString(let announced, let following):
            "a string of \(announced) octets is announced, but \(following) are there"
        case .badList(let count): "\(count) strings do not make sense here"
        case .badSettings(.ssidLength(let count)): "an SSID of \(count) octets"
        case .badSettings(.passwordLength(let count)): "a password of \(count) octets"
        case .unknownCommand(let command): "the command \(command) is unknown"
        case .incomplete(let held, let announced): "\(held) of \(announced) octets came, then nothing"
        case .badOctet(let count): "a state or error has 1 octet, this has \(count)"
        }
    }
}

#endif
