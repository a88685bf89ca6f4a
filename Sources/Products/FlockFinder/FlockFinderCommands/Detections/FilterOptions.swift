// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Companion
import CompanionDevices
import Detections
import FlockFinder

/// Which detections are wanted; every condition that is given must hold.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this kind, for example flock_safety; repeat it for any of several.", valueName: "type"),
        completion: .list(DetectionType.allCases.map(\.keywordString)),
        transform: Self.type)
    var type: [DetectionType] = []

    @Option(
        help: ArgumentHelp(
            "Received then or later: yesterday, 2h (ago), or local time, for example 2026-11-21 or 2026-11-21T18:30; UTC "
                + "and other zones as in 2026-11-21T18:30Z and 2026-11-21T18:30+01:00.", valueName: "time"),
        transform: Self.time)
    var since: WrittenTime?

    @Option(
        help: ArgumentHelp(
            "Received then or earlier, written in the same way; the whole day, minute or second that is written "
                + "is included.", valueName: "time"),
        transform: Self.time)
    var until: WrittenTime?

    @Option(
        help: ArgumentHelp("At least this sure, 0 to 1.", valueName: "number"), transform: Self.proportion)
    var minConfidence: Double?

    @Option(
        help: ArgumentHelp("Received within this many metres of a place.", valueName: "lat,lon,metres"),
        transform: Self.vicinity)
    var near: Vicinity?

    @Option(help: "Only detections with this text in the label, SSID, MAC address or extra keys.")
    var text: String?

    /// The conditions together.
    var filter: DetectionFilter {
        // The store's end is not part of the span.
        DetectionFilter(
            types: Set(type), since: since?.local, until: until?.localEnd, minimumConfidence: minConfidence,
            near: near, text: text)
    }

    static func type(_ text: String) throws -> DetectionType {
        guard let type = DetectionType(keyword: text.lowercased()) else {
            let known = DetectionType.allCases.map(\.keywordString).joined(separator: ", ")
            throw ValidationError("There is no such kind. Choose one of \(known).")
        }
        return type
    }

    static func time(_ text: String) throws -> WrittenTime {
        guard let time = WrittenTime(spoken: text, at: .now()) else {
            throw ValidationError(
                "Write a local time as 2026-11-21 or 2026-11-21T18:30, one with its zone as 2026-11-21T18:30Z or "
                    + "2026-11-21T18:30+01:00, or today, yesterday, or how long ago, as in 30m, 2h or 3d."
            )
        }
        return time
    }

    static func proportion(_ text: String) throws -> Double {
        guard let value = Double(text), (0...1).contains(value) else {
            throw ValidationError("Write a number from 0 to 1, for example 0.8.")
        }
        return value
    }

    static func vicinity(_ text: String) throws -> Vicinity {
        do { return try Vicinity(parsing: text) } catch { throw ValidationError(error.description) }
    }

    /// A place as `--location` takes it.
    static func position(_ text: String) throws -> Position {
        do { return try Position(parsing: text) } catch { throw ValidationError(error.description) }
    }
}
