// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// Who sends a request, as far as limits are concerned: an IPv4 address, or the network of 64 bits of an IPv6 one.
struct ClientAddress: Hashable, Sendable {
    /// The octets that tell clients apart.
    let octets: [UInt8]
    /// Whether it is a program of this machine.
    let isLoopback: Bool

    /// Takes the address of the other end of a connection; one without an address is on this machine.
    init(_ address: SocketAddress?) {
        guard let text = address?.ipAddress?.split(separator: "%").first else {
            self.init(octets: [], isLoopback: true)
            return
        }
        if let four = Self.octets(text, AF_INET, 4) {
            self.init(four: four)
        } else {
            self.init(six: Self.octets(text, AF_INET6, 16) ?? [])
        }
    }

    private init(octets: [UInt8], isLoopback: Bool) {
        self.octets = octets
        self.isLoopback = isLoopback
    }

    private init(four octets: [UInt8]) {
        self.init(octets: octets, isLoopback: octets.first == 127)
    }

    private init(six octets: [UInt8]) {
        // ::ffff:a.b.c.d is an IPv4 client on a socket for both.
        if octets.prefix(12).elementsEqual(Array(repeating: 0, count: 10) + [0xFF, 0xFF]) {
            self.init(four: Array(octets.suffix(4)))
        } else {
            self.init(
                octets: Array(octets.prefix(8)),
                isLoopback: octets.elementsEqual(Array(repeating: 0, count: 15) + [1]))
        }
    }

    private static func octets(_ text: Substring, _ family: Int32, _ count: Int) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(text), &octets) == 1 ? octets : nil
    }
}
