// SPDX-License-Identifier: Apache-2.0

import CompanionStore
import Foundation
import GRDB

// One JSON object a line for each figure.

let clock = ContinuousClock()

func emit(_ name: String, _ times: [Duration], _ more: [String: Int] = [:], unit: String = "ms") {
    let sorted = times.map { $0 / .milliseconds(1) }.sorted()
    let at = { (part: Double) in
        ((sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]) * 1000)
            .rounded() / 1000
    }
    let extra = more.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\($0.value)" }.joined()
    let line =
        "{\"name\":\"\(name)\",\"unit\":\"\(unit)\",\"p50\":\(at(0.5)),\"p99\":\(at(0.99)),\"most\":\(at(1))\(extra)}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// Octets of memory that are in use, in millions.
func memory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1000
}

/// Times something several times.
func timed(_ name: String, _ count: Int = 9, _ body: () async throws -> Int) async throws {
    var (times, result): ([Duration], Int) = ([], 0)
    for _ in 0..<count {
        let start = clock.now
        result = try await body()
        times.append(clock.now - start)
    }
    emit(name, times, ["found": result])
}

/// Says something that is no figure.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data("{\"note\":\"\(text)\"}\n".utf8))
}

func perSecond(_ count: Int, _ time: Duration) -> Int { Int(Double(count) / (time / .seconds(1))) }

/// How long all processors have worked for this program, in seconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Octets of a file, in millions.
func megabytes(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return ((attributes?[.size] as? NSNumber)?.intValue ?? 0) / 1_000_000
}

/// Forgets what the system remembers of files, as after the start of the machine, but for what the disk itself remembers.
func chill() {
    sync()
    try? "1".write(toFile: "/proc/sys/vm/drop_caches", atomically: false, encoding: .utf8)
}

/// Waits until everything is derived and every source is placed.
func settle(_ path: String) async throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    while try await queue.read({
        try Int.fetchOne(
            $0,
            sql: """
                SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM source WHERE unplaced LIMIT 1))
                    + (SELECT (SELECT MAX(id) FROM detection) - MIN(up_to) > 2000 FROM
                        (SELECT up_to FROM derived UNION SELECT up_to FROM map_progress))
                """) ?? 0
    }) > 0 {
        try await Task.sleep(for: .milliseconds(200))
    }
}
