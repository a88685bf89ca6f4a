// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

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
        return admits(sighting.position) && admitsMark(of: source) && admitsText(of: sighting)
    }

    /// Whether a place, or that there is none, fits.
    private func admits(_ position: Position?) -> Bool {
        if let hasPosition, hasPosition != (position != nil) { return false }
        if let box, !(position.map { box.contains($0) } ?? false) { return false }
        if let near, !(position.map { near.contains($0) } ?? false) { return false }
        return true
    }

    private func admitsMark(of source: DetectionSource) -> Bool {
        if marks.isEmpty, newSince == nil { return true }
        return marks.contains(source.mark) || newSince.map { source.firstSeen >= $0 } ?? false
    }

    private func admitsText(of sighting: Sighting) -> Bool {
        wantedText.map { sighting.has($0) } ?? true
    }

    /// The text that is asked for, whatever its case; `nil` for none.
    var wantedText: WireText? {
        text.flatMap { $0.isEmpty ? nil : WireText(Array($0.lowercased().utf8)) }
    }

    /// Whether a source fits every condition that is set, but for the text.
    func admits(_ listed: ListedSource) -> Bool {
        let source = listed.source
        if !types.isEmpty, !types.contains(source.type) { return false }
        if let since, source.lastSeen < since { return false }
        if let until, source.firstSeen >= until { return false }
        if let least = minimumConfidence, listed.confidence ?? -1 < least { return false }
        let ids = ids.union(sources).union(self.source.map { [$0] } ?? [])
        if !ids.isEmpty, !ids.contains(source.id) { return false }
        // The box is about where the map shows it.
        let shown = source.estimate?.position ?? source.strongestPlace?.position
        if let box, !(shown.map { box.contains($0) } ?? false) { return false }
        var others = self
        others.box = nil
        return others.admits(source.strongestPlace?.position) && admitsMark(of: source)
    }
}

extension Sighting {
    /// Whether a text in lower case stands in what it says.
    func has(_ wanted: WireText) -> Bool {
        [label, ssid ?? "", mac ?? "", extra].contains { wanted.stands(in: $0) }
    }
}

extension WireText {
    /// Whether it stands in a text, whatever the case of that.
    func stands(in text: String) -> Bool { WireText(Array(text.lowercased().utf8)).contains(self) }
}
