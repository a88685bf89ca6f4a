// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import Dispatch
import Foundation

// What a program does about Control-C.
enum InterruptSnippets {
    static func run(
        on radio: Radio, _ listen: @escaping @Sendable (Radio) async throws -> Void
    ) async -> Result<Void, any Error> {
        // snippet: interrupt
        let job = Task { try await listen(radio) }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        interrupt.setEventHandler { job.cancel() }
        interrupt.resume()
        let end = await job.result
        await radio.close()
        // end
        signal(SIGINT, SIG_DFL)
        return end
    }
}
