// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOPosix

/// A file that is read or written where no task waits for it.
struct OpenFile: Sendable {
    private let handle: FileHandle
    /// How many octets it had when it was opened.
    let octets: Int

    /// Opens a file to read it.
    init(reading path: String) async throws {
        (handle, octets) = try await NIOThreadPool.singleton.runIfActive {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let end = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            return (handle, Int(end))
        }
    }

    /// Makes a file for its owner only.
    init(making path: String) async throws {
        (handle, octets) = try await NIOThreadPool.singleton.runIfActive {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw CocoaError(
                    [ENOSPC, EDQUOT].contains(errno) ? .fileWriteOutOfSpace : .fileWriteNoPermission)
            }
            return (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), 0)
        }
    }

    /// Reads on.
    func read() async throws -> ByteBuffer? {
        try await NIOThreadPool.singleton.runIfActive {
            guard let data = try handle.read(upToCount: 65_536), !data.isEmpty else { return nil }
            return ByteBuffer(bytes: data)
        }
    }

    /// Writes on.
    func write(_ buffer: ByteBuffer) async throws {
        try await NIOThreadPool.singleton.runIfActive {
            try handle.write(contentsOf: Data(buffer.readableBytesView))
        }
    }

    /// Closes it.
    func close() async throws {
        try await NIOThreadPool.singleton.runIfActive { try handle.close() }
    }

    /// The file as an answer; what is written to it from now on is not in it.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - type: Its kind.
    ///   - done: Called when all of it was sent, or the client has gone.
    /// - Returns: The answer.
    func answer(_ name: String, type: String, done: @escaping @Sendable () -> Void = {}) -> Response {
        .file(name, type: type, length: octets) { writer in
            defer { done() }
            var left = octets
            while left > 0, let piece = try await read() {
                var piece = piece
                guard let wanted = piece.readSlice(length: min(left, piece.readableBytes)) else { break }
                left -= wanted.readableBytes
                try await writer.write(wanted)
            }
            try await writer.finish(nil)
        }
    }
}
