// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

extension WrittenTime {
    /// The moment at which it begins; without a zone, in this computer's.
    ///
    /// A time that comes twice is the first of the two; one that a change of the clocks skips begins with the change.
    var local: Timestamp {
        if let offset { return start(offset: offset) }
        let zone = TimeZone.current
        func difference(at moment: Timestamp) -> Int64 {
            let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
            return Int64(zone.secondsFromGMT(for: date)) * 1000
        }
        // Clocks change by less than a day, and seldom: what holds a day before and after are the candidates.
        let guess = start(offset: 0)
        let offsets = [-86_400_000, 86_400_000].map {
            difference(at: Timestamp(milliseconds: guess.milliseconds + $0))
        }
        let moments = offsets.map { start(offset: $0) }
        let fitting = moments.filter { $0.milliseconds + difference(at: $0) == milliseconds }
        return fitting.min() ?? moments.max() ?? guess
    }
}
