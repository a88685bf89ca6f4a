// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder

extension DetectionFilter {
    /// Whether a detection fits every condition that is set.
    func admits(_ sighting: Sighting, _ id: Int64, _ source: DetectionSource) -> Bool {
        if !types.isEmpty, !types.contains(sighting.type) { return false }
        if let since, sighting.received < since { return false }
        if let until, sighting.received >= until { return false }
        if let minimumConfidence, sighting.confidence < minimumConfidence { return false }
        if !sources.isEmpty, !sources.contains(source.id) { return false }
        if let one = self.source, one != source.id { return false }
        if !ids.isEmpty, !ids.contains(id) { return false }
        if let hasPosition, hasPosition != (sighting.position != nil) { return false }
        if let box, !(sighting.position.map { box.contains($0) } ?? false) { return false }
        if let near, !(sighting.position.map { near.contains($0) } ?? false) { return false }
        return admitsMark(of: source) && admitsText(of: sighting)
    }

    private func admitsMark(of source: DetectionSource) -> Bool {
        if marks.isEmpty, newSince == nil { return true }
        return marks.contains(source.mark) || newSince.map { source.firstSeen >= $0 } ?? false
    }

    private func admitsText(of sighting: Sighting) -> Bool {
        guard let text, !text.isEmpty else { return true }
        let wanted = WireText(Array(text.lowercased().utf8))
        return [sighting.label, sighting.ssid ?? "", sighting.mac ?? "", sighting.extra].contains {
            WireText(Array($0.lowercased().utf8)).contains(wanted)
        }
    }
}
