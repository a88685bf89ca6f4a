// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Foundation

/// A file that grows line by line; what was written stays when the command is interrupted.
final class RecordingFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Makes the file, or empties one that is there.
    ///
    /// - Parameter path: Its name.
    /// - Throws: ``CommandError`` when it cannot be made.
    init(path: String) throws(CommandError) {
        self.path = path
        try OutputPath.check(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit { close(descriptor) }

    /// Appends a line.
    ///
    /// - Parameter line: The line without its end.
    /// - Throws: ``CommandError`` when the disk refuses it.
    func write(_ line: [UInt8]) throws(CommandError) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> CommandError {
        let reason = String(cString: strerror(errno))
        return .failed("\(path) cannot be written: \(reason). Choose another place with --output.")
    }
}
