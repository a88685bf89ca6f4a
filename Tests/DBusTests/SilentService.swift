// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client of a bus that says hello and never anything again.
final class SilentService {
    /// Its name on the bus.
    private(set) var name = ""
    private let descriptor: CInt

    struct Failed: Error {}

    /// - Parameter address: A bus, as in `unix:path=/tmp/socket,guid=…`.
    /// - Throws: ``Failed``.
    init(at address: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let path = address.split(separator: ",")[0].dropFirst("unix:path=".count)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw Failed() }
        let user = "\(getuid())".utf8.map { String($0, radix: 16) }.joined()
        send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
        _ = try receive { $0.contains("\r\n") }
        send(Array("BEGIN\r\n".utf8) + Self.hello)
        // The name stands in the answer, and before it as its destination.
        let answer = try receive { $0.contains(":1.") }
        guard let start = answer.range(of: ":1.")?.lowerBound else { throw Failed() }
        name = String(answer[start...].prefix { $0 != "\0" })
    }

    /// A call of Hello.
    private static var hello: [UInt8] {
        func text(_ code: UInt8, _ type: String, _ text: String) -> [UInt8] {
            var field = [code, 1] + Array(type.utf8) + [0]
            field += [UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) + [0]
            return field
        }
        var fields: [UInt8] = []
        var length = 0
        for field in [
            text(1, "o", "/org/freedesktop/DBus"), text(2, "s", "org.freedesktop.DBus"),
            text(3, "s", "Hello"),
            text(6, "s", "org.freedesktop.DBus"),
        ] {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += field
            length = fields.count
        }
        while fields.count % 8 != 0 { fields.append(0) }
        return [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(length), 0, 0, 0] + fields
    }

    private func send(_ octets: [UInt8]) { _ = write(descriptor, octets, octets.count) }

    private func receive(until isWhole: (String) -> Bool) throws -> String {
        var all: [UInt8] = []
        while true {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Failed() }
            all += chunk[..<count]
            let text = String(decoding: all, as: UTF8.self)
            if isWhole(text) { return text }
        }
    }

    /// Leaves the bus.
    func end() { close(descriptor) }
}
