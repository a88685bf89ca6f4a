// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import HTTPTypes
import Hummingbird

/// The routes, and which of them answers a request.
struct RouteTable: Sendable {
    /// Where all of them are.
    static let base = "/api/v1"

    let routes: [Route]
    private let shapes: [RequestShape]
    /// Those of which a body holds a password; there are few, and each request is held against them before it is read.
    private let secretShapes: [RequestShape]

    init(routes: [Route]) {
        self.routes = routes
        shapes = routes.map { $0.shape }
        secretShapes = routes.filter { $0.body?.secret != nil }.map { $0.shape }
    }

    /// What was found for a request.
    enum Match {
        /// Nothing is at this address.
        case none
        /// Something is, but not for this method; these there are.
        case methods([HTTPRequest.Method])
        /// This is asked for, with these texts in its path.
        case route(Route, RequestShape, [String: String])
    }

    /// Finds the route of a request by its address below ``base``, which still has its percent signs.
    func match(_ method: HTTPRequest.Method, _ path: Substring) -> Match {
        switch RequestMatch(method.rawValue, path, among: shapes) {
        case .none: .none
        case .methods(let methods): .methods(methods.compactMap { HTTPRequest.Method($0) })
        case .found(let index, let texts): .route(routes[index], shapes[index], texts)
        }
    }

    /// Whether the body of a request holds a password, should it be taken.
    func hasSecret(_ request: HTTPRequest) -> Bool {
        guard let path = request.path?.split(separator: "?", maxSplits: 1).first, path.hasPrefix(Self.base)
        else {
            return false
        }
        let method = request.method.rawValue
        guard case .found = RequestMatch(method, path.dropFirst(Self.base.count), among: secretShapes) else {
            return false
        }
        return true
    }
}
