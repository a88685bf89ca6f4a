// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// Counts the sources that drives have met, for many drives in one pass over the detections of their time: each is taken once,
/// however many drives it lies in.
///
/// The detections come by time. Of each source it is known in which part of the time it was received last, where each beginning
/// of a drive begins another part. When a drive ends, it has met the sources that were received last since its beginning.
package struct DriveSources {
    private struct Met {
        var last: Int
        let first: Int
    }

    private var drives: [Drive]
    /// Those that have not ended, by their places in the list; the last of them ends next.
    private var going: [Int]
    /// When the drives begin, each moment once, the earliest first; part 0 is before all of them.
    private let begins: [Int64]
    private var sources: [Int64: Met] = [:]
    /// How many sources were received last in each part.
    private var last: [Int]
    /// How many were received first in each part.
    private var first: [Int]

    /// Begins to count.
    ///
    /// - Parameter drives: The drives, in any order.
    package init(_ drives: [Drive]) {
        self.drives = drives
        going = drives.indices.ordered { drives[$0].end > drives[$1].end }
        begins = Set(drives.map { $0.begin.milliseconds }).sorted()
        last = Array(repeating: 0, count: begins.count + 1)
        first = last
    }

    /// Takes a detection, which is not earlier than the one before.
    ///
    /// - Parameters:
    ///   - source: Its source.
    ///   - received: When it was received, in milliseconds.
    ///   - firstSeen: When its source was received first, in milliseconds.
    package mutating func take(_ source: Int64, at received: Int64, firstSeen: Int64) {
        while let index = going.last, drives[index].end.milliseconds < received {
            drives[index] = counted(drives[index])
            going.removeLast()
        }
        let now = part(received)
        if let met = sources[source] {
            guard met.last != now else { return }
            last[met.last] -= 1
            first[min(met.first, met.last)] -= 1
        }
        let met = Met(last: now, first: sources[source]?.first ?? part(firstSeen))
        sources[source] = met
        last[now] += 1
        // Whatever somebody has written by hand: nothing is received first after it was received last.
        first[min(met.first, now)] += 1
    }

    /// Takes the end of the detections.
    ///
    /// - Returns: The drives in the order in which they were given, with how many new and known sources each has met.
    package mutating func finish() -> [Drive] {
        for index in going { drives[index] = counted(drives[index]) }
        going = []
        return drives
    }

    /// The part of the time in which a moment lies.
    private func part(_ moment: Int64) -> Int {
        var (low, high) = (0, begins.count)
        while low < high {
            let middle = (low + high) / 2
            if begins[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A drive that ends before the next detection, with its counts.
    private func counted(_ drive: Drive) -> Drive {
        let begin = part(drive.begin.milliseconds)
        let new = first[begin...].reduce(0, +)
        var drive = drive
        (drive.newSources, drive.knownSources) = (new, last[begin...].reduce(0, +) - new)
        return drive
    }
}
