// SPDX-License-Identifier: Apache-2.0

import BLETransport
import CommandIO
import Companion
import CompanionDevices
import CompanionHub
import Foundation
import Synchronization

/// Captures of a hub's radio, which begin and end while it runs.
final class HubCaptures: HubCapturing {
    /// How large one may get, in octets.
    private static let limit: Int64 = 1_000_000_000

    /// Where packets go at any time.
    let capture = CaptureSwitch()
    private let last = Mutex(Last())

    private struct Last {
        var file: CaptureFile?
        var obstacle: String?
    }

    /// Why nothing can be captured, in a sentence.
    ///
    /// It ends the file that is being written.
    var obstacle: String? {
        get { last.withLock { $0.obstacle } }
        set {
            last.withLock { $0.obstacle = newValue }
            if newValue != nil { stop() }
        }
    }

    func start(_ path: String) throws(BadInput) {
        if let obstacle { throw BadInput(obstacle) }
        do throws(CommandError) { try OutputPath.check(path) } catch { throw BadInput(error.sentence) }
        var status = stat()
        // A device or a pipe is written to; of files, the one before stays until the new one has a beginning.
        let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let new = isFile ? place + ".partial" : path
        let file: CaptureFile
        do throws(TransportError) {
            file = try CaptureFile(new, limit: Self.limit)
        } catch {
            let why = if case .cannotOpen(let why) = error { why } else { error.description }
            throw BadInput("The capture cannot be written to \(why.replacing(new, with: path)).")
        }
        if let failure = file.failure {
            if isFile { unlink(new) }
            throw BadInput("The capture cannot be written to \(path): \(failure). The previous one is kept.")
        }
        if isFile, rename(new, place) != 0 {
            let reason = String(cString: strerror(errno))
            unlink(new)
            throw BadInput("The capture cannot be written to \(path): \(reason). The previous one is kept.")
        }
        last.withLock { $0.file = file }
        capture.file = file
    }

    func stop() { capture.file = nil }

    func flush() async { await last.withLock { $0.file }?.flush() }

    var progress: (octets: Int64, packets: Int, failure: String?) {
        let last = last.withLock { $0 }
        guard let file = last.file else { return (0, 0, nil) }
        let size = file.size
        var failure = file.failure.map { "The capture has ended: \($0)." }
        // What it lacks does not end it, so that is told at the end.
        if failure == nil, capture.file == nil { failure = file.fault.map { "The capture \($0)." } }
        return (size.octets, size.packets, failure ?? last.obstacle)
    }
}
