// SPDX-License-Identifier: Apache-2.0

package import Companion
public import CompanionText
public import Detections

extension DetectionPlaced: EventText {
    /// The event in one line.
    public var line: EventLine {
        let later = Double(-(place.fix.age ?? 0)) / 1000
        return EventLine(
            .quiet, "detection \(place.id) has a place now, from a fix \((later * 10).rounded() / 10) s later"
        )
    }
}

extension DriveChanged: EventText {
    /// The event in one line.
    public var line: EventLine {
        switch change {
        case .begun: EventLine(.quiet, "drive \(drive.id) has begun")
        case .extended: EventLine(.quiet, "drive \(drive.id) goes on, \(drive.length)")
        case .ended: EventLine(.good, "drive \(drive.id) has ended, \(drive.length), \(drive.sources)")
        }
    }
}

extension DriveListed: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.quiet, "drive \(drive.id), \(drive.length), \(drive.duration), \(drive.sources)")
    }
}

extension DriveShown: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.quiet, "drive \(drive.id), \(drive.length), \(points.count) points")
    }
}

extension DrivesDeleted: EventText {
    /// The event in one line.
    public var line: EventLine {
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        return EventLine(.good, ids.isEmpty ? "Nothing was deleted." : "Deleted the drive \(list).")
    }
}

extension Drive {
    /// Its length for people: metres below a kilometre.
    package var length: String {
        metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 100).rounded() / 10) km"
    }

    /// How long it took, for people.
    package var duration: String {
        let minutes = Int(max(0, end.milliseconds - begin.milliseconds) / 60_000)
        if minutes < 1 { return "less than a minute" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// What was received during it, for people.
    package var sources: String {
        let count = newSources + knownSources
        if count == 0 { return "no source" }
        return "\(count) source\(count == 1 ? "" : "s"), \(newSources) of them new"
    }

    /// All that is known of it, a name and a value each.
    ///
    /// - Parameter localTime: A moment as people here write it.
    /// - Returns: The facts.
    package func facts(localTime: (Timestamp) -> String) -> [(name: String, value: String)] {
        [
            ("number", "\(id)"), ("began", localTime(begin)), ("ended", localTime(end)),
            ("took", duration), ("length", length), ("new sources", "\(newSources)"),
            ("known sources", "\(knownSources)"), ("told by", source.map { "\($0.keyword)" } ?? "–"),
        ]
    }
}

extension TextTable {
    /// Drives, a line each.
    ///
    /// - Parameters:
    ///   - drives: The drives.
    ///   - localTime: A moment as people here write it: `2026-11-21 18:30:59`.
    package init(_ drives: [Drive], localTime: (Timestamp) -> String) {
        let number = max(5, "\(drives.map { $0.id }.max() ?? 0)".utf8.count)
        self.init([
            Column("ID", .right, fixed: number, rank: 6), Column("BEGAN", .left, fixed: 19, rank: 5),
            Column("TOOK", .left, fixed: 18, rank: 3), Column("LENGTH", .right, fixed: 9, rank: 4),
            Column("NEW", .right, fixed: 5, rank: 2), Column("KNOWN", .right, fixed: 5, rank: 1),
        ])
        for drive in drives {
            add([
                .init("\(drive.id)"), .init(localTime(drive.begin)), .init(drive.duration),
                .init(drive.length), .init("\(drive.newSources)"), .init("\(drive.knownSources)"),
            ])
        }
    }
}
