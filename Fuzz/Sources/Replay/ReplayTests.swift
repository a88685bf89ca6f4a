// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Tries again every input that the fuzzers have kept, without a fuzzer.
@Suite struct ReplayTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func files(_ kind: String, _ target: FuzzTarget) throws -> [URL] {
        let folder = folder.appending(components: kind, target.rawValue)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.allCases) func `what the fuzzers have kept does no harm`(_ target: FuzzTarget)
        throws
    {
        let corpus = try Self.files("Corpus", target)
        #expect(corpus.count >= 10, "the corpus of \(target) is not there")
        for file in try corpus + Self.files("Crashes", target) {
            do throws(Broken) {
                try target.run([UInt8](try read(file)))
            } catch {
                Issue.record("\(file.lastPathComponent): \(error.promise)")
            }
        }
    }

    private func read(_ file: URL) throws(Broken) -> Data {
        do { return try Data(contentsOf: file) } catch { throw Broken(promise: "\(file.path) can be read") }
    }
}
