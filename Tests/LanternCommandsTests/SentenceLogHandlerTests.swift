// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import Testing

@testable import LanternCommands

@Suite struct SentenceLogHandlerTests {
    @Test func whatLibrariesLogHasTheFormOfOurOwnLines() {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "library") { _ in
            SentenceLogHandler(write: { line in lines.withLock { $0.append(line) } })
        }
        logger.error("The request failed", metadata: ["path": "/x", "error": "gone"])
        logger.critical("It ends")
        logger.warning("This is of no use to anybody")
        #expect(lines.withLock { $0 } == ["The request failed (error: gone, path: /x)", "It ends"])
    }
}
