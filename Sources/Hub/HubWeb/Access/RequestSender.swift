// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Who has sent a request and how, once it is settled whether a proxy's word is taken for it.
struct RequestSender: Sendable {
    /// Who has sent it.
    let client: ClientAddress
    /// Whether it was encrypted on its way from the client, or to the proxy that says so.
    let isEncrypted: Bool
    /// The host that the client has asked for, with its port.
    let authority: String?

    /// Takes the word of a proxy that is trusted, and of no other.
    ///
    /// - Parameters:
    ///   - request: What has come.
    ///   - peer: The other end of its connection.
    ///   - connection: The same as limits know it.
    ///   - proxies: Those that are trusted.
    ///   - isEncrypted: Whether the connection is encrypted.
    /// - Throws: ``Problem`` when a proxy names two clients.
    init(
        of request: Request, from peer: MachineAddress?, on connection: ClientAddress,
        trusting proxies: ProxyTrust,
        isEncrypted: Bool
    ) throws(Problem) {
        guard proxies.contains(peer) else {
            (client, self.isEncrypted, authority) = (connection, isEncrypted, request.head.authority)
            return
        }
        let forwarded = ForwardedRequest(request.headers)
        guard !forwarded.isAmbiguous(beyond: proxies) else {
            throw Problem(
                .badRequest,
                "Forwarded and X-Forwarded-For name two clients. Let the proxy remove the one that it does not set."
            )
        }
        client =
            forwarded.addresses.isEmpty
            ? connection : ClientAddress(behindProxy: forwarded.client(beyond: proxies) ?? peer)
        self.isEncrypted = forwarded.isEncrypted ?? isEncrypted
        authority = forwarded.host ?? request.head.authority
    }
}
