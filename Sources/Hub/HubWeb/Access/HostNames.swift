// SPDX-License-Identifier: Apache-2.0

/// The names under which a hub lets itself be called.
///
/// A page of a stranger can have its own name resolved to this machine (DNS rebinding), and is then of one origin with
/// the hub as far as a browser knows; but it cannot call it by an address, nor by a name that is the hub's.
struct HostNames: Sendable {
    /// Names in lower case.
    private let names: Set<String>

    /// Takes the names that a hub has beyond its addresses and `localhost`.
    init(_ names: some Sequence<String>) {
        var all: Set<String> = ["localhost"]
        for name in names where !name.isEmpty {
            let name = name.lowercased()
            all.insert(name)
            // Bonjour's name of the machine.
            if !name.contains(".") { all.insert("\(name).local") }
        }
        self.names = all
    }

    /// Whether a host of a `Host` header or of an origin, with or without a port, is the hub.
    func allow(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        return names.contains(host) || Self.isAddress(host)
    }

    /// The host in lower case, without port and closing dot.
    static func host(of authority: String) -> String? {
        var host = authority.lowercased()[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return String(host[...end])
        }
        if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : String(host)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.count <= 6
            && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            let inner = host.dropFirst().dropLast()
            return inner.contains(":")
                && inner.utf8.allSatisfy { octet in
                    switch octet {
                    case 0x30...0x39, 0x61...0x66, UInt8(ascii: ":"), UInt8(ascii: "."): true
                    default: false
                    }
                }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && UInt8(part) != nil
            }
    }
}
