// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Networks of proxies whose word for who has sent a request is taken.
public struct ProxyTrust: Hashable, Sendable {
    private struct Network: Hashable {
        let octets: [UInt8]
        let bits: Int

        func contains(_ address: MachineAddress) -> Bool {
            guard address.octets.count == octets.count else { return false }
            for (index, (mine, theirs)) in zip(octets, address.octets).enumerated() {
                let left = bits - index * 8
                guard left > 0 else { break }
                let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
                guard (mine ^ theirs) & mask == 0 else { return false }
            }
            return true
        }
    }

    private let networks: [Network]

    /// Trusts nobody.
    public init() { networks = [] }

    /// Reads addresses such as `127.0.0.1`, and networks such as `10.1.0.0/16`, with commas between them.
    ///
    /// - Parameter text: What a person has written; `nil` comes out when one of them is neither.
    public init?(_ text: String) {
        var networks: [Network] = []
        for piece in text.split(separator: ",") {
            let halves = piece.filter { !$0.isWhitespace }
                .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = halves.first, let address = MachineAddress(first) else { return nil }
            let length = address.octets.count * 8
            guard let bits = halves.count == 2 ? Int(halves[1]) : length, (1...length).contains(bits) else {
                return nil
            }
            networks.append(Network(octets: address.octets, bits: bits))
        }
        self.networks = networks
    }

    /// Whether nobody is trusted.
    public var isEmpty: Bool { networks.isEmpty }

    /// Whether a machine is one of the proxies.
    func contains(_ address: MachineAddress?) -> Bool {
        guard let address else { return false }
        return networks.contains { $0.contains(address) }
    }
}
