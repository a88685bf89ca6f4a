// SPDX-License-Identifier: Apache-2.0

import Companion
import HTTPTypes
import Hummingbird

/// Whether a request comes from the hub's own pages or from a program, not from a page of a stranger (CSRF).
struct RequestOrigin {
    let names: HostNames

    /// Refuses what is not meant for this hub or, below the interface's address, comes from elsewhere; links to pages
    /// may come from anywhere.
    func check(_ request: Request, from sender: RequestSender, isInterface: Bool) throws(Problem) {
        guard let authority = sender.authority, !authority.isEmpty else {
            throw Problem(.badRequest, "The request names no host.")
        }
        for authority in [request.head.authority ?? "", authority] where !names.allow(authority) {
            throw Problem(
                .misdirected,
                "This hub is not called \"\(authority.shortened)\". Use its address, or allow the name with --names."
            )
        }
        guard isInterface else { return }
        if let origin = request.headers[.origin] {
            guard Self.isSame(origin, authority, isEncrypted: sender.isEncrypted) else { throw Self.foreign }
        } else if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) {
            // Browsers that send no origin with a request say at least this.
            guard site == "same-origin" || site == "none" else { throw Self.foreign }
        }
    }

    private static let foreign = Problem(
        .forbidden, "This request comes from a page that is not the hub's. Open the hub's own pages.")

    private static func isSame(_ origin: String, _ authority: String, isEncrypted: Bool) -> Bool {
        // Whoever can change what is not encrypted could speak for the pages that are.
        let (scheme, port) = isEncrypted ? ("https://", ":443") : ("http://", ":80")
        guard origin.hasPrefix(scheme) else { return false }
        let mine = origin.dropFirst(scheme.count).lowercased()
        let theirs = authority.lowercased()
        return mine == theirs || mine + port == theirs || mine == theirs + port
    }
}
