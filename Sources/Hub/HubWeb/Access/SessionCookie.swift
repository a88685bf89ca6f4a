// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The cookie by which a browser is known.
enum SessionCookie {
    static let name = "lantern_session"
    /// How long a browser keeps it: as long as browsers keep anything.
    private static let lifetime = 400 * 86_400

    /// What a request has of it.
    static func value(in headers: HTTPFields) -> String? {
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let halves = pair.trimmingBlanks().split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0] == name { return String(halves[1]) }
            }
        }
        return nil
    }

    /// The header that gives it to a browser; without a value it takes it away.
    static func header(_ value: String?, isEncrypted: Bool) -> String {
        let end = isEncrypted ? "; Secure" : ""
        return
            "\(name)=\(value ?? ""); Path=/; Max-Age=\(value == nil ? 0 : lifetime); HttpOnly; SameSite=Strict\(end)"
    }
}
