// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What proxies say of a request that they have passed on.
///
/// Spec: RFC 7239 for `Forwarded`; `X-Forwarded-For`, `-Proto` and `-Host` are older, and more widely used.
struct ForwardedRequest {
    /// The addresses that each proxy has got the request from, the nearest last; `nil` for what is no address.
    private(set) var addresses: [MachineAddress?] = []
    /// Whether the way to the nearest proxy was encrypted, where it says so.
    private(set) var isEncrypted: Bool?
    /// The host that the client has asked for, where the nearest proxy says so.
    private(set) var host: String?
    /// Whether two headers name two clients, so that one of them was made up by the client.
    private(set) var isAmbiguous = false

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
        "true-client-ip", "fastly-client-ip", "x-envoy-external-address",
    ]

    init(_ headers: HTTPFields) {
        let old = Self.list(headers, "X-Forwarded-For")
        let new = Self.list(headers, "Forwarded").map(Self.pairs)
        let addresses = (old.map(Self.address), new.map { $0["for"].flatMap(Self.address) })
        if !old.isEmpty, !new.isEmpty {
            isAmbiguous = addresses.0.last != addresses.1.last
        }
        self.addresses = old.isEmpty ? addresses.1 : addresses.0
        let scheme = Self.list(headers, "X-Forwarded-Proto").last ?? new.last?["proto"]
        isEncrypted = scheme.map { $0.lowercased() == "https" }
        host = Self.list(headers, "X-Forwarded-Host").last ?? new.last?["host"]
    }

    /// The first machine on the way back that is none of the proxies.
    func client(beyond proxies: ProxyTrust) -> MachineAddress? {
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

    /// Splits a text where a mark is not in quotes.
    private static func split(_ text: String, at mark: Character) -> [String] {
        var isQuoted = false
        return text.split(omittingEmptySubsequences: false) { letter in
            if letter == "\"" { isQuoted.toggle() }
            return letter == mark && !isQuoted
        }.map { String($0.trimmingBlanks()) }
    }

    /// An address with or without a port: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> MachineAddress? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return MachineAddress(text[..<end].dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return MachineAddress(parts.count == 2 ? String(parts[0]) : text)
    }
}
