// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The cookie by which a browser is known.
///
/// Browsers do not tell ports apart, so each hub of a machine has a name of its own for it. Over an encrypted way the
/// name begins with `__Host-`, which keeps everybody else, and every unencrypted page, from setting it.
///
/// Spec: RFC 6265bis, 4.1.3.2.
struct SessionCookie {
    /// What tells it from those of other hubs.
    let hub: String
    /// Whether the request has come over an encrypted way.
    let isEncrypted: Bool

    /// What it is called.
    var name: String { "\(isEncrypted ? "__Host-" : "")lantern-\(hub)" }

    /// What a request has of it.
    func value(in headers: HTTPFields) -> String? {
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let halves = pair.trimmingBlanks().split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0] == name { return String(halves[1]) }
            }
        }
        return nil
    }

    /// The header that gives it to a browser; without a value it takes it away.
    func header(_ value: String?) -> String {
        let lifetime = value == nil ? 0 : AccessControl.longestSession * 86_400
        let end = isEncrypted ? "; Secure" : ""
        return
            "\(name)=\(value ?? ""); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict\(end)"
    }
}
