// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// A file that is gone when the test is over.
final class TemporaryFile: Sendable {
    let path: String

    convenience init(_ content: String) throws { try self.init(Array(content.utf8)) }

    init(_ octets: [UInt8]) throws {
        path = FileManager.default.temporaryDirectory.path + "/lantern-\(UUID().uuidString)"
        try Data(octets).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
