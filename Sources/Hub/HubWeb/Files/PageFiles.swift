// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The pages, read once: what is served is what is in here, so no address leads out of their folder.
struct PageFiles: Sendable {
    private struct File {
        let type: String
        let tag: String
        let octets: ByteBuffer
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "txt": "text/plain; charset=utf-8", "json": "application/json",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2", "wasm": "application/wasm",
    ]
    /// A file of pages is smaller than that.
    private static let largest = 4 << 20

    private var files: [String: File] = [:]

    /// Reads a folder; what is not of a known kind stays out.
    init(folder: URL) throws {
        let root = folder.standardizedFileURL.resolvingSymlinksInPath().path
        let walk = FileManager.default.enumerator(atPath: root)
        while let path = walk?.nextObject() as? String {
            guard let type = Self.types[(path as NSString).pathExtension.lowercased()] else { continue }
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))
            guard data.count <= Self.largest else { continue }
            let tag = SHA256.hash(data: data).prefix(16).map { String($0, radix: 16) }.joined()
            files["/\(path)"] = File(type: type, tag: "\"\(tag)\"", octets: ByteBuffer(bytes: data))
        }
        guard files["/index.html"] != nil else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(root)/index.html"])
        }
    }

    /// The folder of the pages: beside the program, where a package has put it, or where SwiftPM has.
    static func folder(beside program: URL?) -> URL? {
        var places: [URL] = []
        if let folder = program?.resolvingSymlinksInPath().deletingLastPathComponent() {
            places.append(folder.appendingPathComponent("pages"))
            places.append(
                folder.deletingLastPathComponent().appendingPathComponent("share/lantern/pages"))
            // What `Bundle.module` finds, which ends the program where there is none.
            places.append(folder.appendingPathComponent("Lantern_HubWeb.resources/Public"))
            places.append(
                folder.appendingPathComponent("Lantern_HubWeb.bundle/Contents/Resources/Public"))
        }
        return places.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("index.html").path)
        }
    }

    /// The answer to a request for a page; `nil` when there is no such file.
    func answer(_ request: Request, path: Substring) -> Response? {
        guard let path = PercentCoding.decoded(path), let file = files[path == "/" ? "/index.html" : path]
        else { return nil }
        let headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        if let known = request.headers[.ifNoneMatch], Self.names(known, file.tag) {
            return Response(status: .notModified, headers: [.eTag: file.tag, .cacheControl: "no-cache"])
        }
        let answer = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.octets))
        return request.method == .head ? answer.createHeadResponse() : answer
    }

    /// Whether a list of tags names one; `W/` makes no difference here.
    private static func names(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { part in
            let part = part.trimmingBlanks()
            return part == "*" || part == tag || part == "W/\(tag)"
        }
    }
}
