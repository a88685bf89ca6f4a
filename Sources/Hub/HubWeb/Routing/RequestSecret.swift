// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Foundation
import NIOCore
import Synchronization
import WireJSON

/// A password that a request has brought, apart from everything else of it.
///
/// It is in nothing but here: what it came in is overwritten.
final class RequestSecret: Sendable {
    private let octets: Mutex<[UInt8]>

    init(_ octets: consuming [UInt8]) { self.octets = Mutex(octets) }

    deinit { octets.withLock { WiFiSecret.wipe(&$0) } }

    /// Hands the password out, and keeps nothing of it.
    func take() -> [UInt8] {
        octets.withLock { octets in
            var taken: [UInt8] = []
            swap(&taken, &octets)
            return taken
        }
    }

    /// Takes a text out of a JSON object and leaves an empty one in its place.
    ///
    /// - Parameters:
    ///   - key: The key of the text.
    ///   - octets: The object, which stays one.
    /// - Returns: The text; `nil` when there is no such text, or more than one.
    static func taken(_ key: String, outOf octets: inout [UInt8]) -> RequestSecret? {
        let found = texts(key, in: octets.octetSpan)
        let text = found.count == 1 ? found.first.map { JSONScanner.text(of: $0, in: octets.octetSpan) } : nil
        for token in found {
            for index in token.start..<token.end { octets[index] = 0x20 }
            octets[token.start] = UInt8(ascii: "\"")
            octets[token.start + 1] = UInt8(ascii: "\"")
        }
        return text.map { RequestSecret($0) }
    }

    /// Where the texts of a key stand.
    private static func texts(_ key: String, in octets: Span<UInt8>) -> [JSONScanner.Token] {
        var found: [JSONScanner.Token] = []
        JSONScanner.forEachEntry(of: octets) { name, value in
            if value.kind == .string, name == Array(key.utf8) { found.append(value) }
            return true
        }
        return found
    }
}

extension ByteBuffer {
    /// Overwrites the octets, also for all others who hold them.
    func wipe() {
        unsafe withUnsafeReadableBytes { bytes in
            guard let begin = bytes.baseAddress else { return }
            // They are shared with what was read from the connection, which is to forget them, too; nobody else reads them.
            // At once: all that a client pours out after its request was refused goes this way.
            _ = unsafe memset(UnsafeMutableRawPointer(mutating: begin), 0, bytes.count)
        }
    }
}
