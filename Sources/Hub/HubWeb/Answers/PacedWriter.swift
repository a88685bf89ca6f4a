// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore

/// Writes the body of an answer in small pieces, each once it is known whether the client has taken those before.
///
/// A task that writes is told to wait by the connection's event loop. While that is busy the task would go on and pile
/// up what nobody has taken.
struct PacedWriter: ResponseBodyWriter {
    /// Octets of a piece.
    static let piece = 16_384

    var writer: any ResponseBodyWriter
    let loop: any EventLoop

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)), piece.readableBytes > 0
        {
            try await writer.write(piece)
            try await loop.submit {}.get()
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}

extension ResponseBody {
    /// The same body, written piece by piece.
    func paced(on loop: any EventLoop) -> ResponseBody {
        // What fits into one piece needs no pace.
        if let contentLength, contentLength <= PacedWriter.piece { return self }
        return ResponseBody(contentLength: contentLength) { writer in
            try await self.write(PacedWriter(writer: writer, loop: loop))
        }
    }
}
