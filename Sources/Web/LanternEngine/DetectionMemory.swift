// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder

/// Detections and their sources, in memory: the rows of a hub without its database.
struct DetectionMemory {
    /// What a person has said of a source.
    struct Remarks {
        var mark = SourceMark.none
        var note = ""
        var revision: Int64 = 0
    }

    /// Detections that there may be: then nothing is added, or of invented ones the oldest go.
    let limit: Int
    let dropsOldest: Bool

    init(limit: Int = 20_000, dropsOldest: Bool = true) {
        (self.limit, self.dropsOldest) = (limit, dropsOldest)
    }

    /// A source with what its last detection says of it.
    struct Listed {
        var source: DetectionSource
        var confidence: Double?
        var name: String?

        /// The source as pages show it.
        func part(at now: Timestamp) -> SourcePart {
            SourcePart(source, confidence: confidence, name: name, at: now)
        }
    }

    private struct Row {
        let id: Int64
        let sighting: Sighting
        let key: DetectionKey?
        let source: Int64
        /// The deletion that has taken it; `nil` while it is there.
        var deletion: Int64?
    }

    /// By number, the oldest first.
    private var rows: [Row] = []
    private var listed: [Int64: Listed] = [:]
    private var numbers: [String: Int64] = [:]
    private var keys: Set<DetectionKey> = []
    /// What is known of sources before a detection of theirs is there.
    private var remarks: [Int64: Remarks] = [:]
    private var lastRow: Int64 = 0
    private var lastSource: Int64 = 0
    private var lastDeletion: Int64 = 0

    // MARK: Storing

    /// Stores a detection.
    ///
    /// - Parameters:
    ///   - sighting: What was seen.
    ///   - name: What names it in every file.
    ///   - number: The number that it had before, higher than those that are there.
    /// - Returns: Its record; `nil` for what breaks a rule, and when there is no room.
    mutating func add(_ sighting: Sighting, key name: DetectionKey? = nil, id number: Int64? = nil)
        -> DetectionRecord?
    {
        guard sighting.fault == nil, !isFull, number.map({ $0 > lastRow }) ?? true else { return nil }
        let key = DetectionSource.key(
            type: sighting.type.keywordString, label: sighting.label, mac: sighting.mac, ssid: sighting.ssid)
        let source: Int64
        if let known = numbers[key] {
            source = known
            if listed[known] == nil {
                listed[known] = Listed(first: sighting, id: known, remarks[known] ?? Remarks())
            } else {
                listed[known]?.count(sighting)
            }
        } else {
            lastSource += 1
            source = lastSource
            numbers[key] = source
            listed[source] = Listed(first: sighting, id: source, Remarks())
        }
        lastRow = number ?? lastRow + 1
        if let name { keys.insert(name) }
        let row = Row(id: lastRow, sighting: sighting, key: name, source: source)
        rows.append(row)
        if rows.count > limit { rows.removeFirst(limit / 10) }
        return record(row)
    }

    /// Whether there is no room for another detection.
    var isFull: Bool { !dropsOldest && rows.count >= limit }

    /// Whether a detection of that name is there, or was deleted.
    func has(_ key: DetectionKey) -> Bool { keys.contains(key) }

    /// Takes what is known of a source.
    mutating func know(source id: Int64, key: String, _ remarks: Remarks) {
        numbers[key] = id
        lastSource = max(lastSource, id)
        self.remarks[id] = remarks
    }

    /// What tells a source from others.
    func key(ofSource id: Int64) -> String? { numbers.first { $0.value == id }?.key }

    private func record(_ row: Row) -> DetectionRecord {
        let source = listed[row.source]?.source
        return DetectionRecord(
            id: row.id, sighting: row.sighting, key: row.key, source: row.source,
            sourceFirstSeen: source?.firstSeen,
            mark: source?.mark ?? .none, note: source?.note ?? "")
    }

    // MARK: Asking

    /// How many detections there are.
    var count: Int { rows.count { $0.deletion == nil } }

    /// The sources that have detections, the one that was received last first.
    var sources: [Listed] {
        listed.values.filter { $0.source.count > 0 }.sorted {
            ($0.source.lastSeen.milliseconds, $0.source.id) > ($1.source.lastSeen.milliseconds, $1.source.id)
        }
    }

    /// When the last detection came.
    var last: Timestamp? { rows.last { $0.deletion == nil }?.sighting.received }

    /// A source.
    func source(_ id: Int64) -> Listed? { listed[id] }

    /// A detection.
    func record(_ id: Int64) -> DetectionRecord? {
        guard let index = index(of: id), rows[index].deletion == nil else { return nil }
        return record(rows[index])
    }

    /// The detections that fit a filter, what was stored last first.
    func records(matching filter: DetectionFilter) -> [DetectionRecord] {
        var found: [DetectionRecord] = []
        for row in rows.reversed() where row.deletion == nil {
            guard let source = listed[row.source]?.source, filter.admits(row.sighting, row.id, source) else {
                continue
            }
            found.append(record(row))
        }
        return found
    }

    /// The sources of which a detection fits a filter, the one that was received last first.
    func sources(matching filter: DetectionFilter) -> [Listed] {
        guard filter != DetectionFilter() else { return sources }
        // Numbers in a filter of sources are theirs.
        var rowFilter = filter
        rowFilter.ids = []
        let found = Set(records(matching: rowFilter).compactMap { $0.source })
        return sources.filter {
            found.contains($0.source.id) && (filter.ids.isEmpty || filter.ids.contains($0.source.id))
        }
    }

    private func index(of id: Int64) -> Int? {
        // Those that were deleted before the page was loaded have left gaps.
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].id == id ? low : nil
    }

    // MARK: Changing

    /// Says something of a source.
    ///
    /// - Returns: The source; `nil` when there is none.
    mutating func mark(_ id: Int64, as mark: SourceMark?, note: String?) -> Listed? {
        guard var one = listed[id] else { return nil }
        if let mark { one.source.mark = mark }
        if let note { one.source.note = note }
        one.source.revision += 1
        listed[id] = one
        return one
    }

    /// Deletes detections so that it can be taken back.
    ///
    /// - Returns: The deletion, and the numbers that were there.
    mutating func discard(_ ids: [Int64]) -> (deletion: Int64, ids: [Int64]) {
        lastDeletion += 1
        var gone: [Int64] = []
        for id in ids {
            guard let index = index(of: id), rows[index].deletion == nil else { continue }
            rows[index].deletion = lastDeletion
            listed[rows[index].source]?.source.count -= 1
            gone.append(id)
        }
        return (lastDeletion, gone)
    }

    /// Takes a deletion back.
    ///
    /// - Returns: The numbers that are there again.
    mutating func restore(deletion: Int64) -> [Int64] {
        restore(rows.indices.filter { rows[$0].deletion == deletion })
    }

    /// Takes the deletion of one detection back.
    ///
    /// - Returns: Whether it was deleted.
    mutating func restore(detection id: Int64) -> Bool {
        guard let index = index(of: id), rows[index].deletion != nil else { return false }
        return !restore([index]).isEmpty
    }

    private mutating func restore(_ indices: [Int]) -> [Int64] {
        for index in indices {
            rows[index].deletion = nil
            listed[rows[index].source]?.source.count += 1
        }
        return indices.map { rows[$0].id }
    }
}

extension DetectionMemory.Listed {
    fileprivate init(first sighting: Sighting, id: Int64, _ remarks: DetectionMemory.Remarks) {
        let name = sighting.ssid.map { DetectionSource.Identity.name($0) }
        source = DetectionSource(
            id: id, identity: sighting.mac.map { .address($0) } ?? name ?? .kind, type: sighting.type,
            label: sighting.label, firstSeen: sighting.received, lastSeen: sighting.received, count: 0,
            strongest: sighting.rssi, mark: remarks.mark, note: remarks.note, revision: remarks.revision)
        count(sighting)
    }

    fileprivate mutating func count(_ sighting: Sighting) {
        source.count += 1
        (source.type, source.label) = (sighting.type, sighting.label)
        source.firstSeen = min(source.firstSeen, sighting.received)
        source.lastSeen = max(source.lastSeen, sighting.received)
        source.strongest = max(source.strongest, sighting.rssi)
        (confidence, name) = (sighting.confidence, sighting.ssid)
        if let position = sighting.position, sighting.rssi > source.strongestPlace?.rssi ?? -128 {
            source.strongestPlace = .init(position: position, rssi: sighting.rssi)
        }
    }
}

extension DetectionFilter {
    /// Whether a detection fits every condition that is set.
    fileprivate func admits(_ sighting: Sighting, _ id: Int64, _ source: DetectionSource) -> Bool {
        if !types.isEmpty, !types.contains(sighting.type) { return false }
        if let since, sighting.received < since { return false }
        if let until, sighting.received >= until { return false }
        if let minimumConfidence, sighting.confidence < minimumConfidence { return false }
        if !sources.isEmpty, !sources.contains(source.id) { return false }
        if let one = self.source, one != source.id { return false }
        if !ids.isEmpty, !ids.contains(id) { return false }
        if let hasPosition, hasPosition != (sighting.position != nil) { return false }
        if let box, !box.contains(sighting.position) { return false }
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

extension MapBox {
    fileprivate func contains(_ position: Position?) -> Bool {
        guard let position, (south...max(south, north)).contains(position.latitude) else { return false }
        let (isEast, isWest) = (position.longitude >= west, position.longitude <= east)
        return west <= east ? isEast && isWest : isEast || isWest
    }
}
