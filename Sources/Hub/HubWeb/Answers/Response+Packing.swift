// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Octets from which on packing is worth it: what is less is one packet anyway.
    private static let leastPacked = 1400
    /// Octets up to which an answer that is there as a whole is packed: some 40 ms of work.
    private static let mostPacked = 4 << 20

    /// The same answer packed, where it is JSON and whoever has asked can unpack it.
    ///
    /// A list that is made while it is taken is packed while it is; a file is not. Nothing that has a secret may come here:
    /// see ``Route/isPackable``.
    func packed(for request: Request) async -> Response {
        guard status == .ok, request.method != .head, headers[.contentType] == "application/json",
            headers[.contentDisposition] == nil
        else { return self }
        if let length = body.contentLength, length < Self.leastPacked || length > Self.mostPacked {
            return self
        }
        var answer = self
        answer.headers[.vary] = "Accept-Encoding"
        guard Gzip.isAccepted(request.headers[.acceptEncoding]), let smaller = await packedBody else {
            return answer
        }
        answer.body = smaller
        answer.headers[.contentEncoding] = "gzip"
        if let tag = headers[.eTag] { answer.headers[.eTag] = "\(tag.dropLast())\(Gzip.tagEnd)" }
        return answer
    }

    private var packedBody: ResponseBody? {
        get async {
            guard body.contentLength != nil else {
                return ResponseBody { [body] writer in
                    try await body.write(PackingWriter(writer: writer, stream: GzipStream()))
                }
            }
            let kept = KeepingWriter.Kept()
            do {
                try await body.write(KeepingWriter(kept: kept))
                let packed = try GzipStream().packed(kept.octets, isLast: true)
                return ResponseBody(byteBuffer: ByteBuffer(bytes: packed))
            } catch {
                return nil
            }
        }
    }
}

/// Keeps a body that is there as a whole.
private struct KeepingWriter: ResponseBodyWriter {
    final class Kept {
        var octets: [UInt8] = []
    }

    let kept: Kept

    mutating func write(_ buffer: ByteBuffer) async throws { kept.octets += buffer.readableBytesView }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Packs a body while it is written.
private struct PackingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let stream: GzipStream

    mutating func write(_ buffer: ByteBuffer) async throws {
        let packed = try stream.packed(Array(buffer.readableBytesView), isLast: false)
        if !packed.isEmpty { try await writer.write(ByteBuffer(bytes: packed)) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        var writer = writer
        try await writer.write(ByteBuffer(bytes: stream.packed([], isLast: true)))
        try await writer.finish(trailingHeaders)
    }
}
