// SPDX-License-Identifier: Apache-2.0

import BLETransport
import Companion
import CompanionDevices
import CompanionHub
import Synchronization

/// Captures of a hub's radio, which begin and end while it runs.
final class HubCaptures: HubCapturing {
    /// How large one may get, in octets.
    private static let limit: Int64 = 1_000_000_000

    /// Where packets go at any time.
    let capture = CaptureSwitch()
    private let last = Mutex<CaptureFile?>(nil)

    func start(_ path: String) throws(BadInput) {
        do throws(CommandError) { try OutputPath.check(path) } catch { throw BadInput(error.sentence) }
        let file: CaptureFile
        do throws(TransportError) {
            file = try CaptureFile(path, limit: Self.limit)
        } catch {
            let why = if case .cannotOpen(let why) = error { why } else { error.description }
            throw BadInput("The capture cannot be written to \(why).")
        }
        last.withLock { $0 = file }
        capture.file = file
    }

    func stop() { capture.file = nil }

    var progress: (octets: Int64, packets: Int, failure: String?) {
        guard let file = last.withLock({ $0 }) else { return (0, 0, nil) }
        let size = file.size
        return (size.octets, size.packets, file.failure.map { "The capture has ended: \($0)." })
    }
}
