// SPDX-License-Identifier: Apache-2.0

package import Companion
package import HubModel

extension Hub {
    /// What records the radio's traffic.
    var capturing: (any HubCapturing)? { source.capture }

    /// Begins to record the radio's traffic, in a new file; one that runs goes on.
    package func startCapture() throws(HubError) -> HubCapture {
        guard let capturing else { throw .notNow("The traffic of this radio cannot be captured.") }
        refreshCapture()
        if capture.isRunning { return capture }
        do throws(BadInput) {
            try capturing.start(options.captureFile)
        } catch {
            throw .notNow(error.description)
        }
        capture = HubCapture(isRunning: true, started: clock.now(), hasFile: true)
        refreshCapture()
        return capture
    }

    /// Ends the file.
    package func stopCapture() async -> HubCapture {
        capturing?.stop()
        await capturing?.flush()
        refreshCapture()
        capture.isRunning = false
        return capture
    }

    /// The file that was recorded last, with all that has passed; it may still grow.
    package func captureFile() async -> String? {
        guard capture.hasFile else { return nil }
        await capturing?.flush()
        return options.captureFile
    }

    /// Looks how large the file is.
    func refreshCapture() {
        guard capture.isRunning, let progress = capturing?.progress else { return }
        (capture.octets, capture.packets, capture.failure) = progress
        guard let failure = capture.failure else { return }
        capture.isRunning = false
        options.log(failure)
    }
}
