// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import HTTPTypes
import Hummingbird

extension HubSite {
    private func cookie(of input: RouteInput) async -> SessionCookie {
        SessionCookie(hub: await access.cookieName, isEncrypted: input.sender.isEncrypted)
    }

    /// Signing in and out, and the token.
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
                    ])), isOpen: true
            ) { input in
                let isIn =
                    if access.needsLogin {
                        await access.isSignedIn(cookie(of: input).value(in: input.request.headers))
                    } else {
                        true
                    }
                let name = await hub.state().name
                return .object { json in
                    json.field("hub", name)
                    json.field("signed_in", isIn)
                }
            },
            Route(
                method: .post, path: "/session", name: "signIn",
                summary: "Signs this browser in; the session is a cookie that no script can read.",
                body: Route.Body(
                    about: "The token.",
                    schema: .object([
                        Schema.Property(
                            name: "token", about: "The token of the hub.", schema: .text(0...200))
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
                if await access.isSignedIn(secret) { streams.endAll() }
                try await access.signOut(secret)
                var answer = Response.empty
                answer.headers[.setCookie] = cookie.header(nil)
                return answer
            },
            Route(
                method: .post, path: "/tokens", name: "makeToken",
                summary:
                    "Makes a new token; the old one opens nothing any more, and everybody is signed out.",
                answer: .json(
                    "The token, which cannot be had again.",
                    .object([
                        Schema.Property(name: "token", about: "The token.", schema: .text()),
                        Schema.Property(name: "made", about: "When it was made.", schema: .time),
                    ]))
            ) { _ in
                let (token, made) = try await access.makeToken()
                streams.endAll()
                return .object { json in
                    json.field("token", token)
                    json.field("made", made)
                }
            },
            Route(
                method: .delete, path: "/tokens/sessions", name: "signEverybodyOut",
                summary: "Signs all browsers out; the token stays.", answer: .empty("Nobody is signed in.")
            ) { _ in
                try await access.signEverybodyOut()
                streams.endAll()
                return .empty
            },
        ]
    }
}
