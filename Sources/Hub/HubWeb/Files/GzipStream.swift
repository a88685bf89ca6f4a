// SPDX-License-Identifier: Apache-2.0

import CZlib

/// One member of gzip that is packed as its octets come, quickly and with little memory.
final class GzipStream {
    /// Why nothing can be packed.
    enum Failure: Error {
        case memory, broken
    }

    private static let piece = 16_384

    // Its address is known to zlib, which looks whether it is still the same.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Throws: ``Failure/memory``.
    init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard lantern_deflate_gzip_quickly(stream) == Z_OK else { throw .memory }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Packs more octets, or what is left and the end.
    ///
    /// - Returns: What has come of it so far.
    /// - Throws: ``Failure/broken``.
    func packed(_ octets: [UInt8], isLast: Bool) throws(Failure) -> [UInt8] {
        var octets = octets
        var packed: [UInt8] = []
        var result = Z_OK
        octets.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = CUnsignedInt(input.count)
            repeat {
                let more = [UInt8](unsafeUninitializedCapacity: Self.piece) { output, filled in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = CUnsignedInt(Self.piece)
                    result = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    filled = Self.piece - Int(stream.pointee.avail_out)
                }
                packed += more
            } while stream.pointee.avail_out == 0
        }
        // That there was nothing to do is no fault.
        let isRight = isLast ? result == Z_STREAM_END : (result == Z_OK || result == Z_BUF_ERROR)
        guard isRight else { throw .broken }
        return packed
    }
}
