// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Detections
import FlockFinderCompanion
import HubModel
import LEDBulb
import LEDBulbCompanion

extension Engine {
    /// Does what a request asks for, and answers it now or later.
    func perform(_ request: EngineRequest) throws(RequestError) {
        let number = request.path.count > 1 ? Int64(request.path[1]) : nil
        switch (request.method, request.path.first, request.path.dropFirst(2).first, number) {
        case ("GET", "hub", nil, nil): answer(request.id) { state.write(into: &$0) }
        case ("GET", "settings", nil, nil): answerSettings(request.id)
        case ("PATCH", "settings", nil, nil): try changeSettings(request)
        case ("POST", "position", nil, nil): try takePosition(request)
        case ("POST", "radio", nil, nil):
            browser?.lookAgain()
            answer(request.id)
        case ("GET", "exports", nil, nil): try answerExport(request)
        case ("POST", "imports", nil, nil): try takeImport(request)
        case ("PUT", "storage", nil, nil):
            keepingTrouble = request.text("trouble")
            answer(request.id)
        case (_, "devices", let verb, let id): try performDevice(request, verb, id)
        case (_, "detections", let verb, let id): try performDetection(request, verb, id)
        case (_, "sources", nil, let id): try performSource(request, id)
        case (_, "map", _, nil): try performMap(request)
        case (_, "drives", nil, let id): try performDrive(request, id)
        default:
            let isKnown: Bool
            do throws(HubError) {
                isKnown = try performWork(request, request.path.dropFirst(2).first, number)
            } catch {
                throw RequestError(error)
            }
            if !isKnown { throw .needsHub }
        }
    }

    /// Does what pages of devices ask for.
    ///
    /// - Returns: Whether it is one of these requests.
    private func performWork(
        _ request: EngineRequest, _ verb: String?, _ id: Int64?
    ) throws(HubError) -> Bool {
        switch request.path.first {
        case "jobs": try performJob(request, verb, id)
        case "wifi": try performWiFi(request, verb, id)
        case "bulbs": try performBulb(request, verb, id)
        case "bulb-dialects": answerList(request.id, BulbDialect.all.map { BulbDialectJSON($0) })
        case "nightlights": try performLamp(request, verb, id)
        case "light-schedules": try performSchedule(request, id)
        case "light-preview": try previewLight(request)
        case "zone": try takeZone(request)
        case "overflow": try performOverflow(request)
        case "scan": try performScan(request)
        case "explorers": try performExplorer(request, verb, id)
        case "saves": try performSave(request, verb, id)
        case "serving" where request.method == "GET": answer(request.id) { HubServing().write(into: &$0) }
        case "serving": answer(request.id)
        default: return false
        }
        return true
    }

    func answerList<Part: EventPart>(_ id: Int64, _ parts: [Part]) {
        answer(id) { json in
            json.object { json in
                json.key("items")
                json.array { json in for part in parts { part.write(into: &json) } }
            }
        }
    }

    // MARK: Settings

    private func answerSettings(_ id: Int64) {
        answer(id, tag: kept.stored.revision) { kept.settings.write(into: &$0) }
    }

    private func changeSettings(_ request: EngineRequest) throws(RequestError) {
        guard let patch = request.body else { throw .misread }
        let new: HubSettings
        do throws(HubError) { new = try kept.merging(patch, seen: request.revision) } catch {
            throw RequestError(error)
        }
        if let refusal = refusal(of: new) { throw refusal }
        keep(kept.changes(to: new))
        answerSettings(request.id)
    }

    // MARK: Devices

    private func performDevice(
        _ request: EngineRequest, _ verb: String?, _ id: Int64?
    ) throws(RequestError) {
        if request.method == "GET", request.path.count == 1 {
            return answerList(request.id, devices.devices)
        }
        guard let id, let device = Int(exactly: id).flatMap({ devices.device($0) }) else {
            throw request.path.count == 1 ? .needsHub : .noDevice
        }
        let isKnown: Bool
        do throws(HubError) { isKnown = try perform(request, verb, on: device.id) } catch {
            throw RequestError(error)
        }
        if !isKnown { throw .needsHub }
    }

    /// Does what is asked of one device.
    ///
    /// - Returns: Whether it is one of these requests.
    private func perform(
        _ request: EngineRequest, _ verb: String?, on device: Int
    ) throws(HubError) -> Bool {
        switch (request.method, verb) {
        case ("PATCH", nil): try change(device, request)
        case ("POST", "connect"):
            begin(try connections.connect(device, obstacle: obstacle(to: device)))
            answer(device, to: request.id)
        case ("POST", "wifi"): try beginWiFi(request, device)
        case ("POST", "bulb"): try beginBulb(request, device)
        case ("POST", "nightlight"): try beginLamp(request, device)
        case ("POST", "explorer"): try beginExplorer(request, device)
        case ("POST", "disconnect"):
            try connections.disconnect(device)
            end(device)
            answer(device, to: request.id)
        case ("POST", "commands"):
            try send(WireText(request.text("command") ?? ""), to: device, for: request.id)
        default: return false
        }
        return true
    }

    private func answer(_ device: Int, to id: Int64) {
        guard let device = devices.device(device) else { return refuse(id, .noDevice) }
        answer(id) { device.write(into: &$0) }
    }

    private func change(_ device: Int, _ request: EngineRequest) throws(HubError) {
        try connections.change(device, DeviceChange(request.body))
        keepDevices()
        answer(device, to: request.id)
    }

    // MARK: Detections

    private func performDetection(
        _ request: EngineRequest, _ verb: String?, _ id: Int64?
    ) throws(RequestError) {
        switch (request.method, id, verb) {
        case ("GET", nil, nil) where request.path.count == 1: listDetections(request)
        case ("POST", nil, nil) where request.path.last == "bulk": try changeMany(request)
        case ("GET", let id?, nil):
            guard let record = detections.record(id) else { throw .noDetection }
            var event = DetectionEvent(record, at: time)
            event.knownNearby = record.sighting.position.flatMap { known.camera(near: $0) }
            answer(request.id) { $0.json(event.json) }
        case ("DELETE", let id?, nil):
            let (deletion, ids) = detections.discard([id])
            guard !ids.isEmpty else { throw .noDetection }
            for id in ids { keep(detection: id) }
            answerChanged(request.id, ids.count, undo: deletion)
            publish(DetectionsDeleted(ids, missing: []))
        case ("POST", let id?, "restore"):
            guard detections.restore(detection: id) else { throw .noDetection }
            keep(detection: id)
            answerChanged(request.id, 1, undo: nil)
            publish(DetectionsRestored([id]))
        default: throw .needsHub
        }
    }

    private func answerChanged(_ id: Int64, _ count: Int, undo: Int64?, _ marked: MarkedSources? = nil) {
        answer(id) { json in
            json.object { json in
                json.field("changed", count)
                json.field("undo", undo.map { "\($0)" })
                guard let marked else { return }
                json.key("before")
                marked.write(into: &json)
            }
        }
    }

    /// Answers with a part of a list, and where it goes on.
    private func answerPage<Item>(
        _ request: EngineRequest, _ found: [Item], all: Int, _ id: (Item) -> Int64,
        _ write: (Item, inout JSONWriter) -> Void
    ) {
        let limit = min(max(1, request.integer("limit") ?? 100), 1000)
        var rest = found[...]
        // A cursor is the number of the last that is known; what has gone meanwhile begins the list anew.
        if let cursor = request.integer("cursor"), let index = found.firstIndex(where: { id($0) == cursor }) {
            rest = found[(index + 1)...]
        }
        let items = rest.prefix(limit)
        let next = items.count < rest.count ? items.last.map { "\(id($0))" } : nil
        answer(request.id) { json in
            json.object { json in
                json.key("items")
                json.array { json in for item in items { write(item, &json) } }
                json.field("next", next)
                json.field("total", found.count)
                json.field("all", all)
            }
        }
    }

    private func listDetections(_ request: EngineRequest) {
        var found = detections.records(matching: DetectionFilter(request.filter, at: time))
        if request.filterText("sort") == DetectionPage.Order.oldestFirst.rawValue { found.reverse() }
        answerPage(request, found, all: detections.count, { $0.id }) { record, json in
            json.json(DetectionEvent(record, at: time).json)
        }
    }

    private func changeMany(_ request: EngineRequest) throws(RequestError) {
        guard let action = request.text("action") else { throw .misread }
        if action == "restore" {
            guard let undo = request.text("undo").flatMap({ Int64($0) }) else { throw .misread }
            let ids = detections.restore(deletion: undo)
            for id in ids { keep(detection: id) }
            answerChanged(request.id, ids.count, undo: nil)
            return ids.isEmpty ? () : publish(DetectionsRestored(ids))
        }
        let chosen = try chosen(request)
        if action == "delete" {
            let (deletion, ids) = detections.discard(chosen.map { $0.id })
            for id in ids { keep(detection: id) }
            answerChanged(request.id, ids.count, undo: ids.isEmpty ? nil : deletion)
            return ids.isEmpty ? () : publish(DetectionsDeleted(ids, missing: []))
        }
        guard let mark = SourceMark(rawValue: action) else { throw .misread }
        var isOn = true
        if case .bool(let flag)? = request.member("value") { isOn = flag }
        let sources = Set(request.numbers("sources") ?? chosen.compactMap { $0.source }).sorted()
        var changed = MarkedSources()
        for id in sources {
            guard let old = detections.source(id)?.source, isOn || old.mark == mark else { continue }
            if let listed = detections.mark(id, as: isOn ? mark : SourceMark.none, note: nil) {
                changed.add(id, before: old.mark)
                keep(source: id)
                publish(SourceChanged(SourceJSON(listed, at: time)))
            }
        }
        answerChanged(request.id, changed.ids.count, undo: nil, changed)
    }

    /// The detections that a request is about.
    private func chosen(_ request: EngineRequest) throws(RequestError) -> [DetectionRecord] {
        if let ids = request.numbers("detections") { return ids.compactMap { detections.record($0) } }
        var filter = DetectionFilter()
        if let sources = request.numbers("sources") {
            if sources.isEmpty { return [] }
            filter.sources = Set(sources)
        } else if let value = request.member("filter") {
            filter = DetectionFilter(value, at: time)
        } else {
            throw .misread
        }
        return detections.records(matching: filter)
    }

    // MARK: Sources

    private func performSource(_ request: EngineRequest, _ id: Int64?) throws(RequestError) {
        if request.method == "GET" { showPlaces() }
        switch (request.method, id) {
        case ("GET", nil) where request.path.count == 1:
            var found = detections.sources(matching: DetectionFilter(request.filter, at: time))
            if let order = request.filterText("sort").flatMap({ SourceOrder(rawValue: $0) }), order != .last {
                found.order { (order.value(of: $0), $0.source.id) > (order.value(of: $1), $1.source.id) }
            }
            answerPage(request, found, all: detections.sources.count, { $0.source.id }) { listed, json in
                SourceJSON(listed, at: time).write(into: &json)
            }
        case ("GET", let id?): try answerSource(id, to: request.id)
        case ("PATCH", let id?): try changeSource(id, request)
        default: throw .needsHub
        }
    }

    private func answerSource(_ id: Int64, to request: Int64) throws(RequestError) {
        guard let listed = detections.source(id) else { throw .noSource }
        let records = detections.records(matching: DetectionFilter(source: id)).prefix(500)
        let reasons = SourceReason.reasons(
            of: listed.source, confidence: listed.confidence, last: records.first)
        answer(request, tag: listed.source.revision) { json in
            json.object { json in
                SourceJSON(listed, at: time).writeValues(into: &json)
                json.key("reasons")
                json.array { json in for reason in reasons { reason.write(into: &json) } }
                json.key("detections")
                json.array { json in
                    for record in records.reversed() { json.json(DetectionEvent(record, at: time).json) }
                }
            }
        }
    }

    private func changeSource(_ id: Int64, _ request: EngineRequest) throws(RequestError) {
        guard let old = detections.source(id)?.source else { throw .noSource }
        if let revision = request.revision, revision != old.revision { throw .changedMeanwhile }
        var mark = old.mark
        for one in [SourceMark.mine, .muted, .falseAlarm] {
            guard case .bool(let isOn)? = request.member(one.rawValue) else { continue }
            if isOn { mark = one } else if mark == one { mark = .none }
        }
        let note = request.text("note")
        if let note, note.utf8.count > SourceMark.longestNote {
            throw RequestError(422, "A note has at most \(SourceMark.longestNote) octets.")
        }
        guard let listed = detections.mark(id, as: mark, note: note) else { throw .noSource }
        keep(source: id)
        try answerSource(id, to: request.id)
        publish(SourceChanged(SourceJSON(listed, at: time)))
    }
}
