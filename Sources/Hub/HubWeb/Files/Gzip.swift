// SPDX-License-Identifier: Apache-2.0

import CZlib
import HTTPTypes

/// Files of pages and answers as browsers take them over a network: smaller.
///
/// Spec: RFC 1952; RFC 9110, 12.5.3.
enum Gzip {
    /// The end of the tag of an answer that is packed: other octets than those of the same answer as it is.
    ///
    /// Spec: RFC 9110, 8.8.3.3.
    static let tagEnd = "-gzip\""

    /// Packs a file.
    ///
    /// - Returns: One member of gzip; `nil` when there is no memory for it.
    static func packed(_ octets: [UInt8]) -> [UInt8]? {
        // Its address is known to zlib, which looks whether it is still the same.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            deflateEnd(stream)
            stream.deinitialize(count: 1)
            stream.deallocate()
        }
        guard lantern_deflate_gzip(stream) == Z_OK else { return nil }
        let most = Int(deflateBound(stream, uLong(octets.count)))
        var isWhole = false
        var octets = octets
        let packed = octets.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: most) { output, filled in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = CUnsignedInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = CUnsignedInt(most)
                isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                filled = most - Int(stream.pointee.avail_out)
            }
        }
        return isWhole ? packed : nil
    }

    /// Whether a browser says that it can unpack it.
    ///
    /// - Parameter accepted: `Accept-Encoding`, such as `gzip, br;q=0.8`.
    /// - Returns: Whether it names gzip, and not to refuse it.
    static func isAccepted(_ accepted: String?) -> Bool {
        (accepted ?? "").lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.trimmingBlanks() }
            guard words.first == "gzip" else { return false }
            return !words.dropFirst().contains { word in
                word.hasPrefix("q=") && word.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
            }
        }
    }
}
