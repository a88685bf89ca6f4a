// SPDX-License-Identifier: Apache-2.0

public import CompanionText
public import Detections

extension KnownSetShown: EventText {
    /// The event in one line.
    public var line: EventLine {
        let version = set.version.isEmpty ? "" : ", \(set.version)"
        return EventLine(
            .quiet, "\(set.name): \(cameras(set.cameras)) of \(set.origin)\(version)", mayBeCut: true)
    }
}

extension KnownSetImported: EventText {
    /// The event in one line.
    public var line: EventLine {
        var text = "\(set.name): \(cameras(set.cameras)) known"
        if let replaced { text += " in the place of \(replaced)" }
        if passed > 0 {
            text += ", \(passed == 1 ? "1 entry" : "\(passed) entries") of other kinds passed over"
        }
        if refused > 0 { text += ", \(refused) left out" }
        return EventLine(refused > 0 ? .warning : .good, text + ".")
    }
}

extension KnownSetRemoved: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.good, "\(set): removed with \(FlockFinderCompanion.cameras(cameras)).")
    }
}

extension KnownNearby {
    /// For people: `Flock Safety ALPR, 35 m away (deflock, node/123)`.
    package var words: String {
        "\(camera.name), \(Int(metres.rounded())) m away (\(camera.set), \(camera.reference))"
    }
}

private func cameras(_ count: Int) -> String { count == 1 ? "1 camera" : "\(count) cameras" }
