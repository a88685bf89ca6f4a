// SPDX-License-Identifier: Apache-2.0

import Companion
import HTTPTypes
import Hummingbird

/// What a request has brought, once it fits what its route has declared.
struct RouteInput: Sendable {
    /// The request; its body was read when ``body`` is there.
    let request: Request
    /// Who has sent it.
    let sender: RequestSender
    /// Its parameters.
    var values: [String: [JSONNode]] = [:]
    /// Its body, when the route has one of JSON.
    var body: JSONNode?
    /// Its body, when the route takes a file whole.
    var file: [UInt8] = []
    /// The password of its body, when the route has one; the body has an empty text in its place.
    var secret: RequestSecret?

    /// Who has sent it, as far as limits are concerned.
    var client: ClientAddress { sender.client }

    /// A text of a parameter.
    func text(_ name: String) -> String? {
        guard case .text(let text) = values[name]?.first?.value else { return nil }
        return text
    }

    /// A number of a parameter.
    func number(_ name: String) -> Double? {
        guard case .number(let number) = values[name]?.first?.value else { return nil }
        return number
    }

    /// A whole number of a parameter.
    func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

    /// Whether a parameter is there and true.
    func flag(_ name: String) -> Bool {
        guard case .bool(let flag) = values[name]?.first?.value else { return false }
        return flag
    }

    /// The number in the path.
    func id() throws(Problem) -> Int64 {
        guard let id = integer("id") else { throw Problem(.notFound, "There is nothing with this number.") }
        return Int64(id)
    }

    /// A value of the body.
    func member(_ name: String) -> JSONNode.Value? {
        body?.value(of: name)
    }
}
