// SPDX-License-Identifier: Apache-2.0

import Companion
import HTTPTypes
import Hummingbird

/// One request of the interface: what it may bring, what it answers, who may send it, and who answers it.
///
/// Everything that the OpenAPI document says of it is here, and what comes in is held against it before it is answered.
struct Route: Sendable {
    /// A body that a request has to bring.
    struct Body: Sendable {
        /// Its media type; a `PATCH` may also call JSON a merge patch.
        var type = "application/json"
        let about: String
        let schema: Schema
        /// Whether the route reads it itself, as it comes.
        var isStreamed = false
        /// Octets of a file that is taken whole and as it is.
        var fileLimit: Int?
        var isRequired = true
        /// The key of a password, which is not kept with the rest.
        var secret: String?

        /// Whether it is a file, which is looked at itself, whatever its sender calls it.
        var isFile: Bool { isStreamed || fileLimit != nil }

        /// What it is, and whatever else it may be called.
        var description: String {
            isFile
                ? about
                    + " It is taken with any Content-Type, or none, but for a form (multipart/…), which has more around the file."
                : about
        }
    }

    /// An answer when all is well.
    struct Answer: Sendable {
        var status = HTTPResponse.Status.ok
        let about: String
        /// Its media type; `nil` when it has no body.
        var type: String?
        var schema: Schema = .anything
        /// Headers that it has beyond those of every answer.
        var headers: [String: String] = [:]

        static func json(_ about: String, _ schema: Schema, headers: [String: String] = [:]) -> Answer {
            Answer(about: about, type: "application/json", schema: schema, headers: headers)
        }

        static func file(_ about: String, type: String) -> Answer {
            Answer(
                about: about, type: type, schema: type.hasSuffix("json") ? .anyObject : .text(),
                headers: ["Content-Disposition": "A name for the file."])
        }

        static func empty(_ about: String) -> Answer { Answer(status: .noContent, about: about) }
    }

    let method: HTTPRequest.Method
    /// Below `/api/v1`; parameters stand in braces.
    let path: String
    let name: String
    let summary: String
    var parameters: [Parameter] = []
    var body: Body?
    let answer: Answer
    /// Statuses with which it refuses, beyond those that follow from the rest.
    var refusals: [HTTPResponse.Status] = []
    /// Whether it is open to those who have not signed in.
    var isOpen = false
    /// Who may ask for it at least, where that is another than its method says.
    var role: AccessRole?
    /// Whether its answer has what opens the hub or a device.
    var hasSecret = false
    /// Whether it stays open for as long as its client likes, and so counts as a stream.
    var isStream = false
    let respond: @Sendable (RouteInput) async throws -> Response

    /// Who may ask for it at least: who may look may get things, and only an administrator changes any.
    var leastRole: AccessRole { role ?? (method == .get ? .read : .admin) }

    /// Whether its answer may be packed.
    ///
    /// How long a packed answer is tells what in it is alike (BREACH). Who reads the lengths on the wire and gets to choose
    /// something that stands beside a secret, such as a name in the air, could guess the secret piece by piece. So what
    /// answers a login, and what has a token or the digits of a pairing, is sent as it is.
    var isPackable: Bool { !isOpen && !hasSecret }

    /// What a request of it may bring.
    var shape: RequestShape {
        RequestShape(
            method: method.rawValue, path: path, parameters: parameters,
            body: body.flatMap { $0.isFile ? nil : $0.schema }, isBodyRequired: body?.isRequired ?? false)
    }

    /// All statuses with which it may refuse.
    var allRefusals: [HTTPResponse.Status] {
        var all: Set<HTTPResponse.Status> = [
            .badRequest, .forbidden, .notAcceptable, .misdirected, .tooManyRequests,
            .requestHeaderFieldsTooLarge, .serviceUnavailable,
        ]
        if !isOpen { all.insert(.unauthorized) }
        if parameters.contains(where: { $0.place == .path }) { all.insert(.notFound) }
        if body != nil {
            all.formUnion([.contentTooLarge, .unsupportedMediaType, .unprocessableContent])
        }
        if parameters.contains(where: { $0.name == "If-Match" }) {
            all.formUnion([.preconditionFailed, .preconditionRequired])
        }
        return all.union(refusals).sorted { $0.code < $1.code }
    }
}

extension [Route] {
    /// The same for those who have at least a role, where they change something and say nothing else.
    func changed(by role: AccessRole) -> [Route] {
        map { route in
            var route = route
            if route.method != .get, route.role == nil { route.role = role }
            return route
        }
    }
}
