// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import HTTPTypes
import Hummingbird
import NIOHTTPTypes

/// Why a request is refused, in words for a person.
///
/// Spec: RFC 9457.
struct Problem: Error, Hashable {
    /// The status of the answer.
    let status: HTTPResponse.Status
    /// What is wrong and what to do.
    let detail: String
    /// How long to wait before trying again.
    var retryAfter: Duration?
    /// Headers that the status asks for.
    var headers = HTTPFields()

    init(
        _ status: HTTPResponse.Status, _ detail: String, retryAfter: Duration? = nil,
        headers: HTTPFields = HTTPFields()
    ) {
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
        self.headers = headers
    }

    /// What a request has that its route has not declared.
    init(_ fault: RequestError) {
        // Made of a number it would lack its words, which are the title.
        let known = [
            HTTPResponse.Status.badRequest, .notFound, .methodNotAllowed, .conflict, .preconditionFailed,
            .unprocessableContent, .preconditionRequired,
        ]
        self.init(
            known.first { $0.code == fault.status } ?? HTTPResponse.Status(code: fault.status), fault.detail)
    }

    /// What a store refuses.
    init(_ error: StoreError) {
        switch error {
        case .conflict: self.init(.preconditionFailed, error.description)
        case .tooMuch, .refused, .zeroCharacter: self.init(.unprocessableContent, error.description)
        default:
            self.init(.serviceUnavailable, error.description, retryAfter: .seconds(5))
        }
    }

    /// Something failed that nobody has thought of; what it was is only in the log.
    static let unexpected = Problem(
        .internalServerError, "The hub has made a mistake. Its log says more.")

    /// The seconds to wait, rounded up, at least one.
    private var seconds: Int? {
        retryAfter.map { max(1, Int(($0 / .seconds(1)).rounded(.up))) }
    }

    /// What is said of it.
    private var body: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("type", "about:blank")
            json.field("status", status.code)
            json.field("title", status.reasonPhrase)
            json.field("detail", detail)
            if let seconds { json.field("retry_after", seconds) }
        }
        return json.octets
    }

    private var allHeaders: HTTPFields {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let seconds { headers[.retryAfter] = "\(seconds)" }
        return headers
    }

    /// The answer.
    var response: Response {
        Response(
            status: status, headers: allHeaders, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// The answer to what is no request, after which the connection is of no use.
    var lastParts: [HTTPResponsePart] {
        let body = body
        var headers = allHeaders
        for field in HubResponder.safety { headers[field.name] = field.value }
        headers[.connection] = "close"
        headers[.contentLength] = "\(body.count)"
        return [
            .head(HTTPResponse(status: status, headerFields: headers)), .body(ByteBuffer(bytes: body)),
            .end(nil),
        ]
    }

    /// Its shape.
    static let schema = Schema.object([
        Schema.Property(name: "type", about: "Always about:blank.", schema: .text()),
        Schema.Property(name: "status", about: "The status of the answer.", schema: .integer(400...599)),
        Schema.Property(name: "title", about: "The status in words.", schema: .text()),
        Schema.Property(name: "detail", about: "What is wrong and what to do.", schema: .text()),
        Schema.Property(
            name: "retry_after", about: "How many seconds to wait before trying again.", schema: .integer(),
            isRequired: false),
    ])
}

extension HTTPResponse.Status {
    /// The person has to sign in first, or may not do that at all; the names of HTTPTypes are kept for the others.
    static let misdirected = HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request")
}
