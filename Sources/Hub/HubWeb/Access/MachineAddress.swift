// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The address of a machine: 4 octets of IPv4, or 16 of IPv6.
struct MachineAddress: Hashable, Sendable {
    /// In the order in which they are written.
    let octets: [UInt8]

    /// Reads one as it is written, without a port; `::ffff:a.b.c.d` is an IPv4 address on a socket for both.
    init?(_ text: some StringProtocol) {
        guard let text = text.split(separator: "%", omittingEmptySubsequences: false).first else {
            return nil
        }
        if let four = Self.octets(text, AF_INET, 4) {
            octets = four
        } else if let six = Self.octets(text, AF_INET6, 16) {
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
            octets = six.starts(with: mapped) ? Array(six.suffix(4)) : six
        } else {
            return nil
        }
    }

    /// Whether it is this machine itself.
    var isLoopback: Bool {
        octets.count == 4 ? octets.first == 127 : octets == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static func octets(_ text: some StringProtocol, _ family: Int32, _ count: Int) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(text), &octets) == 1 ? octets : nil
    }
}
