// SPDX-License-Identifier: Apache-2.0

// bench-work advertising|detection|pairing-secure|pairing-legacy|receive|scan TIMES, or bench-work store ROWS FILE: work of ours that needs
// no radio. Prints one JSON object; work_peers.py does the same for the peers.

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionStore
import Detections
import FlockFinder
import Foundation
import GRDB

let arguments = CommandLine.arguments
guard arguments.count >= 3, let times = Int(arguments[2]), times > 0 else {
    stop(
        "usage: bench-work advertising|detection|pairing-secure|pairing-legacy|receive|scan TIMES, or store ROWS FILE"
    )
}
let clock = ContinuousClock()
/// What is worked out goes here, so that the compiler cannot leave the work out.
nonisolated(unsafe) var sink = 0
/// A detection of 230 octets.
let detection = [UInt8](try Data(contentsOf: URL(filePath: "detection.json")))

switch arguments[1] {
case "advertising": report(advertising())
case "detection": report(try detections())
case "pairing-secure": report(measurePairing(.preferred, times))
case "pairing-legacy": report(measurePairing(.off, times))
case "receive": report(measureStack(.notification, times))
case "scan": report(measureStack(.advertisement, times))
case "store" where arguments.count == 4: try await store(arguments[3])
default: stop("no such work")
}

func stop(_ why: String) -> Never {
    FileHandle.standardError.write(Data("bench-work: \(why)\n".utf8))
    exit(64)
}

func report(_ duration: Duration) {
    print("{\"ns\": \(duration / .nanoseconds(1) / Double(times))}")
}

/// Gives the processor's time that work takes, which is what other programs on the machine disturb least.
func processorTime(of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try work()
    return now() - start
}

/// 2048 advertisements of 31 octets that differ in their last octets, as many as keep a peer's cache from hitting.
func advertisements() -> [[UInt8]] {
    let first: [UInt8] = [2, 1, 6, 3, 3, 0x0F, 0x18, 9, 9] + Array("Lantern1".utf8)
    return (0..<2048).map { number in
        first + [13, 0xFF, 0x4C, 0, 2, 0x15, 1, 2, 3, 4, 5, 6, UInt8(number & 0xFF), UInt8(number >> 8)]
    }
}

/// Takes name, services, data of companies and services, and power out of advertisements.
func advertising() -> Duration {
    let all = advertisements()
    return processorTime {
        for time in 0..<times {
            let data = AdvertisingData(all[time & 2047])
            sink &+= data.name?.octets.count ?? 0
            sink &+= data.services.count &+ data.manufacturerData.count &+ data.serviceData.count
            sink &+= Int(data.txPower ?? 0)
        }
    }
}

/// Decodes a detection.
func detections() throws -> Duration {
    var fault: DetectionError?
    let duration = processorTime {
        do throws(DetectionError) {
            for _ in 0..<times {
                sink &+= try Detection(decoding: detection).rssi
            }
        } catch {
            fault = error
        }
    }
    if let fault { throw fault }
    return duration
}

/// Stores sightings durably, all of them as fast as it goes, then some one by one.
func store(_ path: String) async throws {
    let database = try DetectionDatabase(path: path, createIfMissing: true)
    let decoded = try Detection(decoding: detection)
    func sighting(_ number: Int) -> Sighting {
        Sighting(
            decoded, received: Timestamp(milliseconds: 1_790_000_000_000 + Int64(number)),
            position: Position(
                latitude: 52.5 + Double(number % 1000) / 5000,
                longitude: 13.4 + Double(number / 1000 % 1000) / 5000))
    }
    let sightings = (0..<times).map(sighting)
    let start = clock.now
    var last: PendingDetection?
    for sighting in sightings { last = await database.enqueue(sighting) }
    _ = try await last?.record()
    let acknowledged = clock.now - start
    let reader = try DatabaseQueue(path: path)
    // Fewer than 200 rows are left to whoever looks for them.
    while try await reader.read({ try Int.fetchOne($0, sql: "SELECT up_to FROM derived") }) ?? 0 < times - 200
    {
        try await Task.sleep(for: .milliseconds(10))
    }
    let derived = clock.now - start
    var single: [Double] = []
    for number in 0..<200 {
        let start = clock.now
        _ = try await database.save(sighting(times + number))
        single.append((clock.now - start) / .milliseconds(1))
    }
    single.sort()
    try await database.close()
    print(
        """
        {"acknowledged_per_second": \(Double(times) / (acknowledged / .seconds(1))), \
        "derived_per_second": \(Double(times) / (derived / .seconds(1))), \
        "single_p50_ms": \(single[100]), "single_p99_ms": \(single[198])}
        """)
}
