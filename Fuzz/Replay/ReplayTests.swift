// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Testing

@testable import Fuzzing
@testable import ProductRegistry

/// Tries again every input that the fuzzers have kept, without a fuzzer.
@Suite struct ReplayTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The corpus of a target: an input a line, in hex digits.
    private static func corpus(_ target: FuzzTarget) throws -> [(name: String, input: [UInt8])] {
        let file = folder.appending(components: "Corpus", "\(target.name).hex")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try lines.enumerated().map { index, line in
            let digits = Array(line.utf8)
            let input = stride(from: 0, to: digits.count, by: 2).map { start in
                UInt8(
                    String(decoding: digits[start..<min(start + 2, digits.count)], as: UTF8.self), radix: 16)
            }
            return ("line \(index + 1)", try #require(input.contains(nil) ? nil : input.compactMap(\.self)))
        }
    }

    private static func crashes(_ target: FuzzTarget) throws -> [(name: String, input: [UInt8])] {
        let folder = folder.appending(components: "Crashes", target.name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
            ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
        }
    }

    @Test(arguments: FuzzTarget.all) func `what the fuzzers have kept does no harm`(_ target: FuzzTarget)
        throws
    {
        let corpus = try Self.corpus(target)
        #expect(corpus.count >= 10, "the corpus of \(target) is not there")
        for (name, input) in try corpus + Self.crashes(target) {
            do throws(Broken) {
                try target.run(input)
            } catch {
                Issue.record("\(name): \(error.promise)")
            }
        }
    }

    @Test func `each product is fuzzed`() {
        let names = Set(FuzzTarget.all.map(\.name))
        #expect(names.count == FuzzTarget.all.count, "two targets have one name")
        #expect(
            names.isSuperset(of: ["wifiset", "improv", "bulb", "overflow", "nightlight", "detection_json"]))
        #expect(
            FuzzTarget.products.map { $0.name }
                == Products.all.filter { $0 is any FuzzedProduct }.map { $0.name })
    }
}
