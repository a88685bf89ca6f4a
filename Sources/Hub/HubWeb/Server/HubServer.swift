// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The hub's pages and its interface over HTTP.
struct HubServer {
    /// Answers as soon as requests are.
    static func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("healthz") { _, _ in "ok\n" }
        return router
    }
}
