// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import HTTPTypes
import Hummingbird

extension Response {
    /// An answer of one JSON value.
    static func json(
        _ json: JSONWriter, status: HTTPResponse.Status = .ok, headers: HTTPFields = HTTPFields()
    ) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.octets)))
    }

    /// An answer of one part.
    static func json(_ part: some EventPart, headers: HTTPFields = HTTPFields()) -> Response {
        var json = JSONWriter()
        part.write(into: &json)
        return .json(json, headers: headers)
    }

    /// An answer of one object.
    static func object(
        headers: HTTPFields = HTTPFields(), _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> Response {
        var json = JSONWriter()
        try json.object(body)
        return .json(json, headers: headers)
    }

    /// An answer without a body.
    static var empty: Response {
        Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    /// A file that a browser keeps under a name.
    static func file(
        _ name: String, type: String, length: Int? = nil,
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(name)\"",
        ]
        return Response(
            status: .ok, headers: headers, body: ResponseBody(contentLength: length, write))
    }

    /// A file that is there as a whole.
    static func file(_ file: NamedFile, type: String) -> Response {
        .file(file.name, type: type, length: file.octets.count) { writer in
            try await writer.write(ByteBuffer(bytes: file.octets))
            try await writer.finish(nil)
        }
    }
}
