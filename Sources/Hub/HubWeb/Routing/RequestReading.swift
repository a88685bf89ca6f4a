// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import HTTPTypes
import Hummingbird
import NIOCore

/// Holds a request against its route.
struct RequestReading {
    let route: Route
    let shape: RequestShape
    let request: Request
    let sender: RequestSender
    let usage: ClientUsage

    /// Reads everything that the route has declared, or says what is wrong with it.
    func input(path: [String: String], query: Substring) async throws -> RouteInput {
        var input = RouteInput(request: request, sender: sender)
        try checkAccept()
        guard let pairs = PercentCoding.pairs(query) else {
            throw Problem(.badRequest, "The query of the address is not well-formed.")
        }
        do throws(RequestError) {
            input.values = try shape.values(path: path, query: pairs) { name in
                HTTPField.Name(name).flatMap { request.headers[$0] }
            }
        } catch {
            throw Problem(error)
        }
        if let body = route.body, let limit = body.fileLimit {
            try checkType(body)
            input.file = try await file(atMost: limit)
        } else if let body = route.body, !body.isStreamed {
            (input.body, input.secret) = try await read(body)
        } else if let body = route.body {
            try checkType(body)
        }
        return input
    }

    /// A whole file, which is one of the few large bodies at once.
    private func file(atMost limit: Int) async throws -> [UInt8] {
        let client = sender.client
        guard usage.open(.largeBody, of: client) else { throw Self.tooManyLarge }
        defer { usage.close(.largeBody, of: client) }
        return try await octets(atMost: limit, wiping: false)
    }

    private static func tooLong(_ limit: Int) -> Problem {
        let size = limit % 1_048_576 == 0 ? "\(limit / 1_048_576) MiB" : "\(limit) octets"
        return Problem(.contentTooLarge, "The body has more than \(size).")
    }

    private static var tooManyLarge: Problem {
        Problem(
            .serviceUnavailable, "Too many large requests at once. Wait a moment.", retryAfter: .seconds(1))
    }

    private func read(_ body: Route.Body) async throws -> (JSONNode?, RequestSecret?) {
        let (limits, client) = (usage.limits, sender.client)
        let isSmall = route.isOpen || body.secret != nil
        let limit = isSmall ? min(limits.smallBody, limits.body) : limits.body
        let length = request.headers[.contentLength].flatMap { Int($0) }
        // One that comes in parts may become large.
        let isLarge = length.map { $0 > limits.smallBody } ?? (request.headers[.transferEncoding] != nil)
        if let length, length > limit {
            throw Self.tooLong(limit)
        }
        guard !isLarge || usage.open(.largeBody, of: client) else { throw Self.tooManyLarge }
        defer { if isLarge { usage.close(.largeBody, of: client) } }
        var octets = try await octets(atMost: limit, wiping: body.secret != nil)
        defer { if body.secret != nil { WiFiSecret.wipe(&octets) } }
        if octets.isEmpty {
            if body.isRequired { try checkBody(JSONNode(line: 1, value: .null)) }
            return (nil, nil)
        }
        try checkType(body)
        let secret = body.secret.flatMap { RequestSecret.taken($0, outOf: &octets) }
        let node: JSONNode
        do {
            node = try JSONReader.read(octets)
        } catch {
            throw Problem(.badRequest, "The body is not JSON: \(error.place): \(error.reason).")
        }
        try checkBody(node)
        return (node, secret)
    }

    private func checkBody(_ node: JSONNode) throws(Problem) {
        do throws(RequestError) { try shape.check(node) } catch { throw Problem(error) }
    }

    /// The whole body.
    private func octets(atMost limit: Int, wiping isWiped: Bool) async throws -> [UInt8] {
        var octets: [UInt8] = []
        // Growing would leave copies behind.
        octets.reserveCapacity(isWiped ? limit : 0)
        do {
            for try await piece in request.body {
                defer { if isWiped { piece.wipe() } }
                guard octets.count + piece.readableBytes <= limit else { throw Self.tooLong(limit) }
                octets.append(contentsOf: piece.readableBytesView)
            }
        } catch {
            if isWiped { WiFiSecret.wipe(&octets) }
            throw error
        }
        return octets
    }

    private func checkType(_ body: Route.Body) throws(Problem) {
        let type = (request.headers[.contentType] ?? "").split(separator: ";").first.map {
            $0.trimmingBlanks().lowercased()
        }
        if body.isFile {
            // What `curl --data-binary` says, or nothing at all, is as good as its right name; a form has more around the file.
            guard type?.hasPrefix("multipart/") != true else {
                throw Problem(
                    .unsupportedMediaType,
                    "Send the file itself and no form: with curl, --data-binary @FILE in place of -F.")
            }
            return
        }
        let isPatch = route.method == .patch && type == "application/merge-patch+json"
        guard type == body.type || isPatch else {
            throw Problem(.unsupportedMediaType, "The body has to be \(body.type).")
        }
    }

    /// Whether the client takes what the route answers.
    private func checkAccept() throws(Problem) {
        guard let accept = request.headers[.accept], let type = route.answer.type else { return }
        let mine = type.split(separator: ";")[0].split(separator: "/")
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmingBlanks().lowercased() }
            if parts.dropFirst().contains(where: { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }) {
                continue
            }
            guard let wanted = parts.first else { continue }
            if wanted == "*/*" || wanted == "\(mine[0])/*" || wanted == "\(mine[0])/\(mine[1])" { return }
        }
        throw Problem(.notAcceptable, "This is \(type), which the request does not accept.")
    }
}

extension Substring {
    /// Without blanks at both ends.
    func trimmingBlanks() -> Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
