// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Who sends a request, as far as limits are concerned: an IPv4 address, or the network of 64 bits of an IPv6 one.
struct ClientAddress: Hashable, Sendable {
    /// The octets that tell clients apart.
    let octets: [UInt8]
    /// Whether it is a program of this machine.
    let isLoopback: Bool
    /// Whether it is somebody there who is signed in, and counted apart from whoever else has the same address.
    private var isSignedIn = false

    /// Takes the address of the other end of a connection; one without an address is on this machine.
    init(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else {
            self.init([], isLoopback: true)
            return
        }
        self.init(MachineAddress(text))
    }

    /// Takes the address of the other end of a connection.
    init(_ address: MachineAddress?) {
        self.init(Self.network(of: address), isLoopback: address?.isLoopback ?? false)
    }

    /// Takes the address that a proxy names; whoever is behind one is not of this machine.
    init(behindProxy address: MachineAddress?) {
        self.init(Self.network(of: address), isLoopback: false)
    }

    /// Somebody there who is signed in.
    var signedIn: ClientAddress {
        var own = self
        own.isSignedIn = true
        return own
    }

    private init(_ octets: [UInt8], isLoopback: Bool) {
        (self.octets, self.isLoopback) = (octets, isLoopback)
    }

    private static func network(of address: MachineAddress?) -> [UInt8] {
        guard let octets = address?.octets else { return [] }
        return octets.count == 16 ? Array(octets.prefix(8)) : octets
    }
}
