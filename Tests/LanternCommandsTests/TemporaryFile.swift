// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// A file that is gone when the test is over.
final class TemporaryFile: Sendable {
    let path: String

    init(_ content: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
