// SPDX-License-Identifier: Apache-2.0

/// What pages may load: what the hub serves, and pictures of the one map server that people have chosen.
enum ContentPolicy {
    private static let own = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    private static let longestHost = 253

    /// What the pages that need no hub may load: their engine is WebAssembly.
    ///
    /// Of pictures they allow themselves only those of the map server that their browser remembers, which the hub does not know.
    static let browser = "\(own); script-src 'self' 'wasm-unsafe-eval'; img-src 'self' https: http:"

    /// The header's text.
    ///
    /// - Parameter mapServer: The address of a map's tiles with `{z}`, `{x}` and `{y}`; `nil` for none.
    /// - Returns: The text of the header.
    static func text(mapServer: String?) -> String {
        guard let source = mapServer.flatMap(source(of:)) else { return own }
        return "\(own); img-src 'self' \(source)"
    }

    /// The scheme, host and port of a map server; `nil` for an address of which that cannot be told for sure.
    ///
    /// `{s}` may stand for the first name of a host and becomes `*`. Nothing else of the address gets into the policy,
    /// so that none of it can widen what it allows.
    static func source(of address: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { address.hasPrefix($0) }) else { return nil }
        let rest = address.dropFirst(scheme.count)
        guard let end = rest.firstIndex(of: "/") else { return nil }
        var host = rest[..<end]
        var port: Substring = ""
        if let colon = host.lastIndex(of: ":") {
            port = host[colon...]
            host = host[..<colon]
            guard let number = UInt16(port.dropFirst()), number > 0 else { return nil }
        }
        let isMany = host.hasPrefix("{s}.")
        if isMany { host = host.dropFirst(4) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= longestHost, labels.allSatisfy(isLabel), !isMany || labels.count >= 2 else {
            return nil
        }
        return scheme + (isMany ? "*." : "") + host.lowercased() + port
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
