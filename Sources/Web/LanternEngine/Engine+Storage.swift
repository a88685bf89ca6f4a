// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Detections
import HubModel

/// What a page keeps for the engine, in the rows of a hub: settings by name, lamps and weeks among them, sources with what
/// people say of them, detections as the hub's export has them, saved devices, pieces of drives, and cameras that others know.
///
/// ```
/// {"keep":"detections","id":7,"row":"{\"id\":7,\"device_type\":…}"}   {"keep":"detections","id":7,"row":null}
/// {"keep":"sources","id":2,"row":"{\"id\":2,\"key\":…,\"mark\":…,\"note\":…,\"revision\":…}"}
/// {"keep":"settings","id":"theme","row":"\"dark\""}
/// {"keep":"saves","id":1,"row":"{\"id\":1,\"name\":…,\"saved\":…,\"file\":…}"}
/// {"keep":"drives","id":4,"row":"{\"id\":4,\"drive\":1,\"source\":…,\"metres\":…,\"points\":[[time,latitude,longitude,…],…]}"}
/// {"keep":"known","id":"a name","row":"{\"name\":…,\"cameras\":[[reference,name,latitude,longitude,direction,…],…]}"}
/// ```
///
/// Only an engine with a browser's Bluetooth keeps something: what its own air has is invented.
extension Engine {
    /// Whether what it has is kept.
    var keeps: Bool { browser != nil }

    /// Takes back what was kept, before anything else happens; what cannot be read is counted.
    ///
    /// The first line is an object with `settings`, `sources`, `saves`, `drives` and `known`, and with the numbers (`ids`) of the
    /// detections that follow as an export in JSON.
    ///
    /// - Parameter octets: The lines.
    public func restore(_ octets: [UInt8]) {
        let end = octets.firstIndex(of: 0x0A) ?? octets.count
        guard let node = try? JSONReader.read(Array(octets[..<end])) else { return unreadable += 1 }
        restoreSettings(node)
        for source in (try? node.list("sources")) ?? [] where !restoreSource(source) { unreadable += 1 }
        for save in (try? node.list("saves")) ?? [] where !restoreSave(save) { unreadable += 1 }
        for set in (try? node.list("known")) ?? [] where !restoreKnown(set) { unreadable += 1 }
        let pieces = (try? node.list("drives")) ?? []
        for piece in pieces where !restoreDrive(piece) { unreadable += 1 }
        if !pieces.isEmpty { drives.sort() }
        var ids: [Int64] = []
        for one in (try? node.list("ids")) ?? [] {
            if case .number(let number) = one.value, let id = Int64(exactly: number) { ids.append(id) }
        }
        guard end < octets.count, !ids.isEmpty else { return }
        var file = DetectionFile()
        file.receive(Array(octets[(end + 1)...]))
        file.finish()
        var position = 0
        while let row = file.next(), position < ids.count {
            if case .detection(let found) = row {
                if detections.add(found.sighting, key: found.key, id: ids[position]) == nil {
                    unreadable += 1
                }
            } else {
                unreadable += 1
            }
            position += 1
        }
        unreadable += ids.count - position
    }

    private func restoreSettings(_ node: JSONNode) {
        guard let all = try? node.member("settings"), case .object(let members) = all.value else { return }
        var stored: [String: String] = [:]
        for member in members { if case .text(let text) = member.node.value { stored[member.key] = text } }
        let last = stored[Self.lastSaveSetting].flatMap { Int64($0) } ?? 0
        // Saves of other numbers would not be taken back.
        lastSave = 0..<Int64(Int32.max) ~= last ? last : 0
        // What an earlier version took and did not do.
        for name in ["encryption", "size_limit_mb", "this_radio"] { stored[name] = nil }
        _ = kept.take(StoredSettings(revision: 0, values: stored), isFirst: true)
        if kept.settings.location.source == .gpsd {
            _ = kept.take([KeptSettings.Change("location", nil)])
        }
        choosePlace()
        unreadable += kept.unreadable
        for device in kept.devices { _ = devices.know(device, at: time) }
    }

    private func restoreSave(_ node: JSONNode) -> Bool {
        guard let number = try? node.needed("id").number("The number", in: 1...Double(Int32.max)),
            let name = try? node.needed("name").text("The name"),
            let saved = try? node.needed("saved").text("The time"), let time = Timestamp(saved),
            let text = try? node.needed("file").text("The file"),
            var entry = try? SavedDeviceEntry(file: Array(text.utf8), name: name, time: time)
        else { return false }
        entry.id = Int64(number)
        lastSave = max(lastSave, entry.id)
        saves.append((entry, Array(text.utf8)))
        return true
    }

    private func restoreSource(_ node: JSONNode) -> Bool {
        guard let number = try? node.needed("id").number("The number", in: 1...Double(Int32.max)),
            let key = try? node.needed("key").text("The key"),
            let word = try? node.needed("mark").text("The mark"), let mark = SourceMark(rawValue: word),
            let note = try? node.needed("note").text("The note"),
            let revision = try? node.needed("revision").number("The revision", in: 0...Double(Int32.max))
        else { return false }
        detections.know(
            source: Int64(number), key: key,
            InMemoryDetectionStore.Remarks(mark: mark, note: note, revision: Int64(revision)))
        return true
    }

    // MARK: Keeping

    /// Has a detection kept, or what was kept of it removed.
    func keep(detection id: Int64) {
        guard keeps else { return }
        keep("detections", number: id, detections.record(id).map { Self.row($0) })
    }

    /// Has kept what people say of a source.
    func keep(source id: Int64) {
        guard keeps, let source = detections.source(id)?.source, let key = detections.key(ofSource: id) else {
            return
        }
        var json = JSONWriter()
        json.object { json in
            json.field("id", id)
            json.field("key", key)
            json.field("mark", source.mark.rawValue)
            json.field("note", source.note)
            json.field("revision", source.revision)
        }
        keep("sources", number: id, json.octets)
    }

    /// Has kept what is to be remembered of devices, where that has changed.
    func keepDevices() { keep(kept.changes(remembering: devices.known)) }

    /// Changes what is kept by name, tells it, and does what follows.
    func keep(_ changes: [KeptSettings.Change]) {
        guard case .changed = kept.take(changes) else { return }
        for change in changes { keep(setting: change.name, change.text) }
        followDetector()
        choosePlace()
        publish(kept.event)
    }

    /// Has a setting kept, or removed.
    func keep(setting name: String, _ text: String?) {
        guard keeps else { return }
        var json = JSONWriter()
        json.object { json in
            json.field("keep", "settings")
            json.field("id", name)
            json.field("row", text)
        }
        tell(json.octets)
    }

    /// Has a saved device kept, or what was kept of it removed.
    func keep(save id: Int64) {
        guard keeps else { return }
        keep(
            "saves", number: id,
            saves.first { $0.entry.id == id }.map { save in
                var json = JSONWriter()
                json.object { json in
                    json.field("id", id)
                    json.field("name", save.entry.name)
                    json.field("saved", save.entry.time.description)
                    json.field("file", String(decoding: save.file, as: UTF8.self))
                }
                return json.octets
            })
    }

    private func keep(_ store: String, number: Int64, _ row: [UInt8]?) {
        keep(store, row) { $0.field("id", number) }
    }

    /// Has a row kept, or removed when there is none.
    func keep(_ store: String, _ row: [UInt8]?, id: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object { json in
            json.field("keep", store)
            id(&json)
            json.field("row", row.map { String(decoding: $0, as: UTF8.self) })
        }
        tell(json.octets)
    }

    /// A detection as a line of an export.
    private static func row(_ record: DetectionRecord) -> [UInt8] {
        var file = DetectionEncoder(
            .json, heading: ExportHeading(date: record.sighting.received, appVersion: ""))
        _ = file.removeAll()
        file.append(record)
        return Array(file.removeAll().drop { $0 == 0x0A || $0 == UInt8(ascii: ",") })
    }

    /// What keeps it from storing, in a sentence or two; `nil` when nothing does.
    var storageTrouble: String? {
        if let keepingTrouble { return keepingTrouble }
        if detections.isFull {
            return
                "This page holds \(detections.limit) detections and no more. New ones are not kept: export them, then delete some."
        }
        return nil
    }

    // MARK: Files

    /// Answers with a file of the detections that fit a filter.
    func answerExport(_ request: EngineRequest) throws(RequestError) {
        guard let name = request.path.last, let format = ExportFormat(endingOf: name) else { throw .needsHub }
        var file = DetectionEncoder(format, heading: ExportHeading(date: time, appVersion: state.version))
        let filter = DetectionFilter(request.filter, at: time)
        let records = detections.records(matching: filter)
        for record in records.reversed() { file.append(record) }
        if file.takesDrives { append(drivesOf: records, filter, to: &file) }
        file.finish()
        answer(request.id) { json in
            json.object { json in
                json.field("text", String(decoding: file.removeAll(), as: UTF8.self))
                json.field("written", file.summary.written)
                json.field("without_position", file.summary.withoutPosition)
                json.field("without_address", file.summary.withoutAddress)
                json.field("without_radio", file.summary.withoutRadio)
            }
        }
    }

    /// Appends the drives of the filter's time, or, where it asks for more than a time and a place, of that of the records.
    private func append(
        drivesOf records: [DetectionRecord], _ filter: DetectionFilter, to file: inout DetectionEncoder
    ) {
        var rest = filter
        (rest.since, rest.until, rest.hasPosition) = (nil, nil, nil)
        var (since, until) = (filter.since, filter.until)
        if rest != DetectionFilter() {
            let times = records.map { $0.sighting.received }
            guard let first = times.min(), let last = times.max() else { return }
            (since, until) = (first, Timestamp(milliseconds: last.milliseconds + 1))
        }
        for kept in drives.drives(since: since, until: until) {
            file.beginDrive(kept.drive.id)
            for point in kept.points { file.append(Fix(point, source: kept.drive.source ?? .track)) }
            file.endDrive()
        }
    }
}

extension Fix {
    /// A point of a drive as a fix.
    fileprivate init(_ point: DrivePoint, source: Fix.Source) {
        self.init(
            time: point.time, latitude: point.latitude, longitude: point.longitude, altitude: point.altitude,
            accuracy: point.accuracy, speed: point.speed, source: source)
    }
}
