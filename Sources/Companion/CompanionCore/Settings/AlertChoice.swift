// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
package import Detections
package import HubModel

/// Chooses the detections that people are alerted to.
///
/// A source raises one alert in each interval. What is unsure, or marked by a person, raises none; nor does what comes in quiet
/// hours, which begins no interval either, and what was received long ago, as what is imported was.
package struct AlertChoice: Sendable {
    private struct Alert: Sendable {
        let source: Int64
        var raised: HostInstant
    }

    /// Sources of which is known when they have raised the last one.
    package static var capacity: Int { 10_000 }
    /// How old a detection may be, in milliseconds.
    private static var age: Int64 { 60_000 }

    /// The last alert of each source, by the numbers of those.
    private var last: [Alert] = []

    /// Begins without an alert.
    package init() {}

    /// Decides whether a detection raises an alert, which it has raised then.
    ///
    /// - Parameters:
    ///   - event: The detection.
    ///   - settings: What people want.
    ///   - offset: How far the clock of the place is ahead of UTC, in seconds: quiet hours are by it.
    ///   - moment: The moment.
    /// - Returns: Whether people are to be alerted.
    package mutating func raises(
        _ event: DetectionEvent, by settings: AlertSettings, offset: @autoclosure () -> Int32,
        at moment: Moment
    ) -> Bool {
        let time = moment.time.milliseconds
        guard let source = event.source, event.mark.alerts,
            event.sighting.confidence >= settings.minimumConfidence,
            abs(time - event.sighting.received.milliseconds) < Self.age
        else { return false }
        var place = place(of: source)
        let isKnown = place < last.count && last[place].source == source
        let pause = UInt64(settings.intervalMinutes) * 60
        if isKnown, moment.now < last[place].raised.advanced(bySeconds: pause) { return false }
        if settings.quiet.isOn {
            let minute = (time / 60_000 + Int64(offset()) / 60) % 1440
            if settings.quiet.contains(Int(minute)) { return false }
        }
        if isKnown {
            last[place].raised = moment.now
            return true
        }
        if last.count == Self.capacity {
            let oldest = oldest
            last.remove(at: oldest)
            if oldest < place { place -= 1 }
        }
        last.insert(Alert(source: source, raised: moment.now), at: place)
        return true
    }

    /// Where a source is, or belongs.
    private func place(of source: Int64) -> Int {
        var (low, high) = (0, last.count)
        while low < high {
            let middle = (low + high) / 2
            if last[middle].source < source { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Which source has been silent for the longest time.
    private var oldest: Int {
        var oldest = 0
        for index in last.indices where last[index].raised < last[oldest].raised { oldest = index }
        return oldest
    }
}
