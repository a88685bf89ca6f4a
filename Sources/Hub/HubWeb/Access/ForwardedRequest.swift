// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What proxies say of a request that they have passed on.
///
/// Spec: RFC 7239 for `Forwarded`; `X-Forwarded-For`, `-Proto` and `-Host` are older, and more widely used.
struct ForwardedRequest {
    /// The addresses that each proxy has got the request from, the nearest last; `nil` for what is no address.
    ///
    /// Each of the two headers that is there has such a list.
    private let chains: [[MachineAddress?]]
    /// Whether the way to the nearest proxy was encrypted, where it says so.
    private(set) var isEncrypted: Bool?
    /// The host that the client has asked for, where the nearest proxy says so.
    private(set) var host: String?

    var addresses: [MachineAddress?] { chains.first ?? [] }

    /// Whether a request was passed on by something that says so.
    static func isMarked(_ headers: HTTPFields) -> Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            return name.hasPrefix("x-forwarded") || names.contains(name)
        }
    }

    /// Headers by which proxies and services in front of them say for whom they ask.
    private static let names: Set<String> = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for",
        "x-originating-ip", "x-remote-ip", "x-remote-addr", "x-original-host", "cf-connecting-ip",
        "true-client-ip", "fastly-client-ip", "x-envoy-external-address", "cf-ray", "cf-visitor",
        "cf-ipcountry",
        "cdn-loop", "fly-client-ip", "x-azure-clientip", "x-azure-socketip", "x-azure-fdid", "client-ip",
        "x-forward-for", "proxy-client-ip", "wl-proxy-client-ip", "x-appengine-user-ip",
        "x-nf-client-connection-ip", "x-proxyuser-ip", "front-end-https", "x-scheme", "x-url-scheme",
        "x-host",
        "x-original-for", "x-original-proto", "x-amzn-trace-id", "tailscale-user-login",
    ]

    init(_ headers: HTTPFields) {
        // It has no quotes: what one of them holds together in the eyes of one reader would be apart in those of another.
        let old = Self.plainList(headers, "X-Forwarded-For")
        let new = Self.list(headers, "Forwarded").map(Self.pairs)
        chains = [old.map(Self.address), new.map { $0["for"].flatMap(Self.address) }].filter { !$0.isEmpty }
        let scheme = Self.list(headers, "X-Forwarded-Proto").last ?? new.last?["proto"]
        isEncrypted = scheme.map { $0.lowercased() == "https" }
        host = Self.list(headers, "X-Forwarded-Host").last ?? new.last?["host"]
    }

    /// The first machine on the way back that is none of the proxies.
    func client(beyond proxies: ProxyTrust) -> MachineAddress? { Self.client(addresses, beyond: proxies) }

    /// Whether two headers name two clients, so that one of them was made up by the client.
    func isAmbiguous(beyond proxies: ProxyTrust) -> Bool {
        Set(chains.map { Self.client($0, beyond: proxies) }).count > 1
    }

    private static func client(_ addresses: [MachineAddress?], beyond proxies: ProxyTrust) -> MachineAddress?
    {
        var last: MachineAddress?
        for address in addresses.reversed() {
            guard let address else { return last }
            guard proxies.contains(address) else { return address }
            last = address
        }
        return last
    }

    /// The parts of a header that is a list, whichever lines it comes in.
    private static func list(_ headers: HTTPFields, _ name: String) -> [String] {
        guard let name = HTTPField.Name(name) else { return [] }
        return headers[values: name].flatMap { split($0, at: ",") }.filter { !$0.isEmpty }
    }

    private static func plainList(_ headers: HTTPFields, _ name: String) -> [String] {
        guard let name = HTTPField.Name(name) else { return [] }
        return headers[values: name].flatMap { $0.split(separator: ",") }.map { String($0.trimmingBlanks()) }
            .filter { !$0.isEmpty }
    }

    private static func pairs(_ element: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in split(element, at: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let value = halves[1].trimmingBlanks()
            let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
            pairs[halves[0].trimmingBlanks().lowercased()] = String(
                isQuoted ? value.dropFirst().dropLast() : value)
        }
        return pairs
    }

    /// Splits a text where a mark is not in quotes; a quotation that does not end has hidden what stands behind it, so
    /// there is nothing to believe then.
    private static func split(_ text: String, at mark: Character) -> [String] {
        var isQuoted = false
        let parts = text.split(omittingEmptySubsequences: false) { letter in
            if letter == "\"" { isQuoted.toggle() }
            return letter == mark && !isQuoted
        }
        return isQuoted ? ["unknown"] : parts.map { String($0.trimmingBlanks()) }
    }

    /// An address with or without a port: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> MachineAddress? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[end...].dropFirst()) else { return nil }
            return MachineAddress(text[..<end].dropFirst())
        }
        let colons = text.count { $0 == ":" }
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return MachineAddress(text) }
        return isPort(text[colon...]) ? MachineAddress(String(text[..<colon])) : nil
    }

    /// Whether nothing or the port of an address stands there; a port may be hidden behind `_` and letters (RFC 7239, 6.3),
    /// which nobody sends that is trusted here.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && (2...6).contains(text.utf8.count)
                && text.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }
}
