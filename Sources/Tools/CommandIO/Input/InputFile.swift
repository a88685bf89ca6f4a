// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// A file that a person has named, read without trust in its size.
package final class InputFile: Sendable {
    /// The sizes that files of each kind may have, in octets.
    package enum Limit {
        /// A schedule of a lamp, or its day.
        package static let schedule = 64 << 10
        /// Wi-Fi networks of a simulated neighbourhood.
        package static let networks = 1 << 20
        /// A device that `gatt tree` has saved.
        package static let tree = 4 << 20
        /// A track that is played: weeks of driving.
        package static let track = 64 << 20
        /// What `gatt watch` has recorded.
        package static let recording = 64 << 20
        /// Detections that a simulated device sends.
        package static let script = 16 << 20
        /// Cameras that others know: all of the world's.
        package static let knownCameras = 512 << 20
        /// Detections that are imported: more than two million of them.
        package static let detections = 1 << 30
    }

    private let path: String
    private let descriptor: Int32
    /// The same where it may have to be waited for.
    private let input: StandardInput

    /// Opens a file.
    ///
    /// - Parameter path: Its name; `-` is the standard input.
    /// - Throws: ``CommandError`` of wrong usage when it cannot be opened or is a folder.
    package init(path: String) throws(CommandError) {
        self.path = path
        if path == "-" {
            descriptor = STDIN_FILENO
            input = StandardInput()
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let number = errno
        input = StandardInput(descriptor: descriptor)
        guard descriptor >= 0 else { throw Self.failure(path.shortenedPath, number) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandError.wrongUsage("\(path.shortenedPath) is a folder. Name a file.")
        }
    }

    /// What it is called at the beginning of a sentence.
    package var title: String { path == "-" ? "The standard input" : path.shortenedPath }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// Reads the next octets.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: The octets; none at the end.
    /// - Throws: ``CommandError`` when they cannot be read.
    package func read(upTo limit: Int) throws(CommandError) -> [UInt8] {
        guard let octets = Readiness.read(descriptor, upTo: limit) else { throw Self.failure(title) }
        return octets
    }

    /// Reads the next octets; those of a pipe are waited for until the task is cancelled.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: The octets; none at the end, or when the task is cancelled.
    /// - Throws: ``CommandError`` when they cannot be read.
    package func next(upTo limit: Int) async throws(CommandError) -> [UInt8] {
        guard size == nil else { return try read(upTo: limit) }
        let octets = await input.read(upTo: limit)
        if let failure = input.failure { throw Self.failure(title, failure) }
        return octets
    }

    /// How many octets it has; `nil` for a pipe, which does not say.
    package var size: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Refuses a file that is larger than its kind may be, before anything of it is read.
    ///
    /// - Parameter limit: How many octets it may have.
    /// - Throws: ``CommandError`` of wrong usage when it has more; a pipe does not say how many.
    package func check(atMost limit: Int) throws(CommandError) {
        if let size, size > limit { throw tooLarge(limit) }
    }

    /// Reads a whole file, unless it is larger than its kind may be; then nothing of it is read.
    ///
    /// - Parameters:
    ///   - path: Its name; `-` is the standard input.
    ///   - limit: How many octets it may have.
    /// - Returns: Its octets.
    /// - Throws: ``CommandError`` of wrong usage when it cannot be read or is too large.
    package static func contents(of path: String, atMost limit: Int) throws(CommandError) -> [UInt8] {
        let file = try InputFile(path: path)
        try file.check(atMost: limit)
        // A pipe does not say how much there is.
        var octets: [UInt8] = []
        while true {
            let next = try file.read(upTo: min(65_536, limit + 1 - octets.count))
            if next.isEmpty { return octets }
            octets += next
            if octets.count > limit { throw file.tooLarge(limit) }
        }
    }

    /// What is said of a file that is larger than its kind may be.
    ///
    /// - Parameters:
    ///   - limit: How many octets it may have.
    ///   - done: A sentence about what was done with the part that was read; empty for nothing.
    /// - Returns: The error.
    package func tooLarge(_ limit: Int, _ done: String = "") -> CommandError {
        let size =
            switch limit {
            case (1 << 30)...: "\(limit >> 30) GB"
            case (1 << 20)...: "\(limit >> 20) MB"
            default: "\(limit >> 10) KB"
            }
        return .wrongUsage(
            "\(title) is larger than \(size), the most that such a file may have."
                + (done.isEmpty ? "" : " " + done))
    }

    private static func failure(_ title: String, _ number: Int32 = errno) -> CommandError {
        .wrongUsage(
            "\(title) cannot be read: \(String(cString: strerror(number))). Check its name.")
    }
}
