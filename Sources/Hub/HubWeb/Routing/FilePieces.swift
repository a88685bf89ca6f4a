// SPDX-License-Identifier: Apache-2.0

import CompanionStore
import Hummingbird

/// A file that comes as the body of a request, unpacked piece by piece.
///
/// One file is read at a time, so it ends when its task is cancelled, because its sender has gone or the hub is to stop, and
/// when it is read for long and nothing of use comes out of it.
struct FilePieces {
    /// It was read for too long with nothing of use in it.
    struct Fruitless: Error {}

    private let unpacking: FileUnpacking
    private var body: RequestBody.AsyncIterator
    private var patience: ReadingPatience
    private var isOver = false
    /// Whether nothing at all has come.
    private(set) var isEmpty = true

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - input: What has brought it.
    ///   - limit: How many octets it may have once it is unpacked.
    ///   - patience: How long it is read at least with nothing of use in it.
    init(_ input: RouteInput, atMost limit: Int, patience: Duration) {
        unpacking = FileUnpacking(atMost: limit)
        body = input.request.body.makeAsyncIterator()
        self.patience = ReadingPatience(least: patience)
    }

    /// Waits for the next piece.
    ///
    /// - Parameter found: How much of use was found in those before.
    /// - Returns: At most 64 KB; `nil` at the end.
    /// - Throws: `FileUnpacking.Failure`, ``Fruitless``, and what ends a request.
    mutating func next(found: Int) async throws -> [UInt8]? {
        patience.found(found, at: .now)
        // A small file may have much in it, and others are to be answered meanwhile.
        await Task.yield()
        while true {
            try Task.checkCancellation()
            guard !patience.isOver(at: .now) else { throw Fruitless() }
            if let octets = try unpacking.next() { return octets }
            guard !isOver else { return nil }
            patience.waits(at: .now)
            let piece = try await body.next()
            let count = piece?.readableBytes ?? 0
            patience.received(count, at: .now)
            isEmpty = isEmpty && count == 0
            if let piece {
                unpacking.receive(Array(piece.readableBytesView))
            } else {
                isOver = true
                unpacking.finish()
            }
        }
    }
}
