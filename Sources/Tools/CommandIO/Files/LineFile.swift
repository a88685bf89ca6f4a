// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// The latest lines of something, kept from one command to the next in a file that only its owner may read.
package struct LineFile: Sendable {
    /// Lines that are kept.
    package static let limit = 1000
    /// Longer lines are not kept, in octets.
    static let longestLine = 4096

    private let path: String

    /// Uses a file; none need be there.
    package init(path: String) { self.path = path }

    /// A file in the person's state folder, which is made; `nil` when that cannot be.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: The file, which need not be there.
    package static func inStateFolder(_ name: String) -> LineFile? {
        let folder = DataFolder.state(environment: ProcessInfo.processInfo.environment)
        do throws(CommandError) {
            try DataFolder.create(folder)
        } catch {
            // What would be kept lasts as long as the command then.
            return nil
        }
        return LineFile(path: "\(folder)/\(name)")
    }

    /// Reads what was kept, and makes the file shorter when it has grown long.
    ///
    /// - Returns: The lines, oldest first.
    package func load() -> [String] {
        let octets = read()
        let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init)
        let kept = Array(lines.filter(Self.isKept).suffix(Self.limit))
        if lines.count > 2 * Self.limit { replace(with: kept) }
        return kept
    }

    /// Keeps a line; where that fails the command goes on without.
    ///
    /// - Parameter line: The line.
    package func append(_ line: String) {
        guard Self.isKept(line) else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let octets = Array((line + "\n").utf8)
        _ = octets.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Whether a line is worth keeping: one that begins with a blank is not, as in other shells.
    static func isKept(_ line: String) -> Bool {
        guard let first = line.first, !first.isWhitespace else { return false }
        return line.utf8.count <= longestLine && PrintableText.escaped(line) == line
    }

    /// The end of the file, as much as could be worth keeping.
    private func read() -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        let most = 2 * (Self.limit + 1) * 256
        let start = max(0, Int(status.st_size) - most)
        guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else { return [] }
        var octets = [UInt8](repeating: 0, count: most)
        var count = 0
        while count < most {
            let more = octets.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress?.advanced(by: count), most - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        // What was cut in the middle is no line.
        let whole = start == 0 ? octets[..<count] : octets[..<count].drop { $0 != UInt8(ascii: "\n") }
        return Array(whole)
    }

    private func replace(with lines: [String]) {
        do throws(CommandError) {
            let file = try AtomicFile(path: path, mode: 0o600)
            try file.write(lines.flatMap { Array(($0 + "\n").utf8) })
            try file.finish()
        } catch {
            // A file that stays long is no harm.
        }
    }
}
