// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections
import FlockFinder

/// Detections and their sources, in memory: the rows of a hub without its database.
struct InMemoryDetectionStore {
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

    struct Row {
        let id: Int64
        var sighting: Sighting
        let key: DetectionKey?
        let source: Int64
        /// The deletion that has taken it; `nil` while it is there.
        var deletion: Int64?
    }

    /// By number, the oldest first.
    private(set) var rows: [Row] = []
    private(set) var listed: [Int64: ListedSource] = [:]
    /// Sources of which something has come with a place, or gone, since they were placed.
    private var unplaced: Set<Int64> = []
    private var lone = LoneSightings()
    private var numbers: [String: Int64] = [:]
    private var keys: Set<DetectionKey> = []
    /// What is known of sources before a detection of theirs is there.
    private var remarks: [Int64: Remarks] = [:]
    /// How many detections there are.
    private(set) var count = 0
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
                listed[known] = ListedSource(first: sighting, id: known, remarks[known] ?? Remarks())
            } else {
                listed[known]?.count(sighting)
            }
        } else {
            lastSource += 1
            source = lastSource
            numbers[key] = source
            listed[source] = ListedSource(first: sighting, id: source, Remarks())
        }
        lastRow = number ?? lastRow + 1
        if let name { keys.insert(name) }
        let row = Row(id: lastRow, sighting: sighting, key: name, source: source)
        rows.append(row)
        if sighting.position != nil { unplaced.insert(source) }
        count += 1
        if dropsOldest, rows.count > limit {
            count -= rows.prefix(limit / 10).count { $0.deletion == nil }
            rows.removeFirst(limit / 10)
        } else if rows.count > 2 * limit {
            // What was deleted can be brought back for long, not for ever.
            rows.removeAll { $0.deletion != nil }
        }
        return record(row)
    }

    /// Whether there is no room for another detection.
    var isFull: Bool { !dropsOldest && count >= limit }

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

    /// The sources that have detections, the one that was received last first.
    var sources: [ListedSource] {
        listed.values.filter { $0.source.count > 0 }.ordered {
            ($0.source.lastSeen.milliseconds, $0.source.id) > ($1.source.lastSeen.milliseconds, $1.source.id)
        }
    }

    /// When the last detection came.
    var last: Timestamp? { rows.last { $0.deletion == nil }?.sighting.received }

    /// A source.
    func source(_ id: Int64) -> ListedSource? { listed[id] }

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

    /// The sources that fit a filter by what is known of them, as a hub judges them; the one that was received last first.
    func sources(matching filter: DetectionFilter) -> [ListedSource] {
        guard filter != DetectionFilter() else { return sources }
        let named = sources(withText: filter)
        return sources.filter { listed in
            filter.admits(listed) && (named?.contains(listed.source.id) ?? true)
        }
    }

    /// The sources in whose last detection, address or note a text stands; `nil` when none is asked for.
    private func sources(withText filter: DetectionFilter) -> Set<Int64>? {
        guard let wanted = filter.wantedText else { return nil }
        var (seen, found): (Set<Int64>, Set<Int64>) = ([], [])
        for row in rows.reversed() where row.deletion == nil && seen.insert(row.source).inserted {
            let note = listed[row.source]?.source.note ?? ""
            if row.sighting.has(wanted) || wanted.stands(in: note) { found.insert(row.source) }
        }
        return found
    }

    /// Drives with how many new and known sources each has met, in one pass over the detections however many drives there are.
    func counted(_ drives: [Drive]) -> [Drive] {
        guard let begin = drives.map({ $0.begin }).min(), let end = drives.map({ $0.end }).max() else {
            return []
        }
        var met = rows.indices.filter {
            rows[$0].deletion == nil && rows[$0].sighting.received >= begin
                && rows[$0].sighting.received <= end
        }
        // What a file has brought may be older than what stands before it.
        met.order { rows[$0].sighting.received < rows[$1].sighting.received }
        var sweep = DriveSources(drives)
        for index in met {
            let (source, received) = (rows[index].source, rows[index].sighting.received.milliseconds)
            guard let firstSeen = listed[source]?.source.firstSeen else { continue }
            sweep.take(source, at: received, firstSeen: firstSeen.milliseconds)
        }
        return sweep.finish()
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

    // MARK: Places

    /// Fills in where a detection was.
    ///
    /// - Returns: The number of its source; `nil` when the detection is gone, or has a place.
    mutating func fill(_ place: LatePlace) -> Int64? {
        guard let index = index(of: place.id), rows[index].deletion == nil,
            rows[index].sighting.received == place.received, rows[index].sighting.position == nil
        else { return nil }
        (rows[index].sighting.position, rows[index].sighting.fix) = (place.position, place.fix)
        let source = rows[index].source
        listed[source]?.place(rows[index].sighting)
        unplaced.insert(source)
        return source
    }

    /// How much of the map is there, 0 to 1, while sources are placed; `nil` when it is complete, but for what has only just come.
    var progress: Double? {
        unplaced.count > Self.littleWork ? 1 - Double(unplaced.count) / Double(max(1, listed.count)) : nil
    }

    /// Judges where the next sources stand of which something has come.
    ///
    /// A source that was received at one spot takes no time; of others some hundred sightings are enough for one turn.
    mutating func placeSources() {
        guard !unplaced.isEmpty else { return }
        let chosen = Set(unplaced.sorted().prefix(Self.sourcesAtOnce))
        var sightings: [Int64: [CameraEstimate.Sighting]] = [:]
        for row in rows.reversed() where row.deletion == nil && chosen.contains(row.source) {
            guard let position = row.sighting.position,
                sightings[row.source]?.count ?? 0 < Self.sightingsLookedAt
            else { continue }
            sightings[row.source, default: []].append(
                CameraEstimate.Sighting(
                    latitude: position.latitude, longitude: position.longitude,
                    accuracy: row.sighting.fix?.accuracy, rssi: row.sighting.rssi))
        }
        var left = Self.sightingsAtOnce
        for id in chosen.sorted() {
            let found = sightings[id] ?? []
            if found.count > 1 { left -= found.count }
            let estimate = estimate(found)
            listed[id]?.source.estimate = estimate
            unplaced.remove(id)
            if left <= 0 { break }
        }
    }

    private mutating func estimate(_ sightings: [CameraEstimate.Sighting]) -> DetectionSource.Estimate? {
        if sightings.count == 1, let radius = lone.radius(of: sightings[0]) {
            return .init(sightings[0].latitude, sightings[0].longitude, radius: radius, spots: 1)
        }
        guard let found = CameraEstimate(sightings) else { return nil }
        return .init(found.latitude, found.longitude, radius: found.radius, spots: found.placeCount)
    }

    /// So many may be missing before it is said that the map is made.
    private static let littleWork = 50
    /// Sources that are placed in one turn, and the sightings of all that were received more than once.
    private static let sourcesAtOnce = 500
    private static let sightingsAtOnce = 150
    /// So many sightings of a source, the newest ones, say where it stands.
    private static let sightingsLookedAt = 1000

    // MARK: Changing

    /// Says something of a source.
    ///
    /// - Returns: The source; `nil` when there is none.
    mutating func mark(_ id: Int64, as mark: SourceMark?, note: String?) -> ListedSource? {
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
            count -= 1
            unplaced.insert(rows[index].source)
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
            count += 1
            unplaced.insert(rows[index].source)
        }
        return indices.map { rows[$0].id }
    }
}

extension ListedSource {
    fileprivate init(first sighting: Sighting, id: Int64, _ remarks: InMemoryDetectionStore.Remarks) {
        let name = sighting.ssid.map { DetectionSource.Identity.name($0) }
        self.init(
            DetectionSource(
                id: id, identity: sighting.mac.map { .address($0) } ?? name ?? .kind, type: sighting.type,
                label: sighting.label, firstSeen: sighting.received, lastSeen: sighting.received, count: 0,
                strongest: sighting.rssi, mark: remarks.mark, note: remarks.note, revision: remarks.revision),
            confidence: nil, ssid: nil)
        count(sighting)
    }

    fileprivate mutating func count(_ sighting: Sighting) {
        source.count += 1
        (source.type, source.label) = (sighting.type, sighting.label)
        source.firstSeen = min(source.firstSeen, sighting.received)
        source.lastSeen = max(source.lastSeen, sighting.received)
        source.strongest = max(source.strongest, sighting.rssi)
        (confidence, ssid) = (sighting.confidence, sighting.ssid)
        place(sighting)
    }

    fileprivate mutating func place(_ sighting: Sighting) {
        if let position = sighting.position, sighting.rssi > source.strongestPlace?.rssi ?? -128 {
            source.strongestPlace = .init(position: position, rssi: sighting.rssi)
        }
    }
}

extension DetectionSource.Estimate {
    /// Makes one as a hub keeps it: to the seventh digit of a degree; `nil` where the place is none.
    fileprivate init?(_ latitude: Double, _ longitude: Double, radius: Double, spots: Int) {
        let position = Position(
            latitude: WholeDegrees.degrees(WholeDegrees.whole(latitude)),
            longitude: WholeDegrees.degrees(WholeDegrees.whole(longitude)))
        guard let position else { return nil }
        self.init(position: position, radius: radius, spots: spots)
    }
}
