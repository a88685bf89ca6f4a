// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import HTTPTypes
import HubModel
import Hummingbird

extension HubAPI {
    func cookie(of input: RouteInput) async -> SessionCookie {
        SessionCookie(hub: await access.cookieName, isEncrypted: input.sender.isEncrypted)
    }

    /// Signing in and out.
    var sessionRoutes: [Route] {
        [
            Route(
                method: .get, path: "/session", name: "getSession",
                summary: "Whether this browser is signed in.",
                answer: .json(
                    "The session.",
                    .object([
                        Schema.Property(name: "hub", about: "What the hub is called.", schema: .text()),
                        Schema.Property(
                            name: "signed_in", about: "Whether the hub answers this browser.", schema: .flag),
                        Schema.Property(
                            name: "role", about: "What this browser may do; null when it is not signed in.",
                            schema: .nullable(.word(AccessRole.allCases.map(\.rawValue)))),
                    ])), isOpen: true
            ) { input in
                let role =
                    if access.needsLogin {
                        await access.role(
                            ofSession: cookie(of: input).value(in: input.request.headers))
                    } else {
                        AccessRole.admin
                    }
                let name = await hub.state().name
                return .object { json in
                    json.field("hub", name)
                    json.field("signed_in", role != nil)
                    json.field("role", role?.rawValue)
                }
            },
            Route(
                method: .post, path: "/session", name: "signIn",
                summary: "Signs this browser in; the session is a cookie that no script can read.",
                body: Route.Body(
                    about: "The token.",
                    schema: .object([
                        Schema.Property(
                            name: "token", about: "A token of the hub.", schema: .text(0...200))
                    ])), answer: .empty("The browser is signed in."), refusals: [.unauthorized], isOpen: true
            ) { input in
                guard case .text(let token)? = input.member("token") else { throw Problem.unexpected }
                let secret: String
                do throws(AccessControl.Refusal) {
                    secret = try await access.signIn(token, from: input.client)
                } catch {
                    throw error.problem
                }
                var answer = Response.empty
                answer.headers[.setCookie] = await cookie(of: input).header(secret)
                return answer
            },
            Route(
                method: .delete, path: "/session", name: "signOut", summary: "Signs this browser out.",
                answer: .empty("The browser is signed out."), isOpen: true
            ) { input in
                let cookie = await cookie(of: input)
                let secret = cookie.value(in: input.request.headers)
                let isSignedIn = await access.isSignedIn(secret)
                // Afterwards, so that none is opened meanwhile; also where it cannot be stored.
                defer { if isSignedIn { streams.endAll() } }
                try await access.signOut(secret)
                var answer = Response.empty
                answer.headers[.setCookie] = cookie.header(nil)
                return answer
            },
        ]
    }
}
