// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// One file of the pages as it is answered.
struct PageFile: Sendable {
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "txt": "text/plain; charset=utf-8", "json": "application/json",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2", "wasm": "application/wasm",
    ]
    /// Those that are packed already.
    private static let packedTypes: Set = ["image/png", "font/woff2"]
    /// A file of pages is smaller than that.
    private static let largest = 4 << 20

    private let type: String
    /// Names what is in it.
    let tag: String
    private let octets: ByteBuffer
    /// The same packed, where that is smaller.
    private let packed: ByteBuffer?

    /// Whether it is a page, not something that belongs to one.
    var isDocument: Bool { type.hasPrefix("text/html") }

    /// Reads a file; `nil` when it is too large or not of a known kind.
    ///
    /// - Throws: What keeps it from being read.
    init?(_ file: URL) throws {
        guard let type = Self.types[file.pathExtension.lowercased()] else { return nil }
        let data = try Data(contentsOf: file)
        guard data.count <= Self.largest else { return nil }
        self.init(data, type: type)
    }

    private init(_ data: Data, type: String) {
        self.type = type
        tag = "\"\(SHA256.hash(data: data).prefix(16).map { String($0, radix: 16) }.joined())\""
        octets = ByteBuffer(bytes: data)
        let packed = Self.packedTypes.contains(type) ? nil : Gzip.packed(Array(data))
        self.packed = packed.flatMap { $0.count < data.count ? ByteBuffer(bytes: $0) : nil }
    }

    /// The same page with a version in the addresses of what it is made of; those that begin with `./` stay.
    func naming(version: String) -> PageFile {
        var text = String(decoding: octets.readableBytesView, as: UTF8.self)
        for name in ["href", "src"] {
            text = text.replacingOccurrences(of: "\(name)=\"", with: "\(name)=\"v/\(version)/")
        }
        text = text.replacingOccurrences(of: "\"v/\(version)/./", with: "\"./")
        return PageFile(Data(text.utf8), type: type)
    }

    /// The answer to a request for it; a browser that has it already is told so.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - keeping: `Cache-Control`: for how long browsers may keep it without asking.
    /// - Returns: The answer.
    func answer(_ request: Request, keeping: String = "no-cache") -> Response {
        var headers: HTTPFields = [.contentType: type, .eTag: tag, .cacheControl: keeping]
        if packed != nil { headers[.vary] = "Accept-Encoding" }
        if let known = request.headers[.ifNoneMatch], names(known) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        var body = octets
        if let packed, Gzip.isAccepted(request.headers[.acceptEncoding]) {
            body = packed
            // Other octets of the same file have a tag that says no more than that.
            headers[.eTag] = "W/\(tag)"
            headers[.contentEncoding] = "gzip"
        }
        let answer = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        return request.method == .head ? answer.createHeadResponse() : answer
    }

    /// Whether a list of tags names its own; `W/` makes no difference here.
    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { part in
            let part = part.trimmingBlanks()
            return part == "*" || part == tag || part == "W/\(tag)"
        }
    }
}
