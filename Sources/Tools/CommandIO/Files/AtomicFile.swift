// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A file that appears under its name only when it is whole; until then a file of that name stays as it is.
///
/// What is no regular file (a pipe, a device) is written to as it is.
package final class AtomicFile: Sendable {
    private let path: String
    /// The file that is written; `nil` when it is the named one itself.
    private let partial: String?
    private let descriptor: Int32

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: Its name.
    ///   - mode: Who may do what with a file that is made.
    /// - Throws: ``CommandError`` when it cannot be made, or is a database.
    package init(path: String, mode: mode_t = 0o666) throws(CommandError) {
        try OutputPath.check(path)
        // A link stays a link: what it leads to is replaced.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.path = target
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandError.failed("\(path) is a folder. Name a file with --output.")
        }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            partial = nil
            descriptor = open(target, O_WRONLY)
        } else {
            let url = URL(fileURLWithPath: target)
            let folder = url.deletingLastPathComponent().path
            let partial = "\(folder)/.\(url.lastPathComponent).\(getpid()).partial"
            self.partial = partial
            unlink(partial)
            descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, mode)
        }
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit {
        // Only a file that was not finished is still there under its partial name.
        if let partial { unlink(partial) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a person looks at it as it is written.
    package var isTerminal: Bool { partial == nil && isatty(descriptor) == 1 }

    /// Appends octets.
    ///
    /// - Parameter octets: The octets.
    /// - Throws: ``CommandError`` when the disk refuses them.
    package func write(_ octets: [UInt8]) throws(CommandError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``CommandError`` when that fails.
    package func finish() throws(CommandError) {
        guard let partial else { return }
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> CommandError {
        let reason = String(cString: strerror(errno))
        return .failed("\(path) cannot be written: \(reason). Choose another place with --output.")
    }
}
