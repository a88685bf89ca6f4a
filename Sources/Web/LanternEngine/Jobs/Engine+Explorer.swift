// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionText

/// All that is heard, one device as an open book, and devices that are kept.
extension Engine {
    /// How long changes are told after a page has looked, in seconds.
    private static var lookLength: UInt64 { 60 }
    /// Devices that may be saved.
    private static var saveLimit: Int { 50 }

    func performScan(_ request: EngineRequest) throws(HubFault) {
        let number = request.path.last.flatMap { Int($0) }
        switch (request.method, request.path.count > 1 ? request.path[1] : nil, number) {
        case ("GET", "devices", nil):
            lookAtHeard()
            answer(request.id) { json in
                json.object { json in
                    json.key("items")
                    json.array { json in for device in devices.heard { device.write(into: &json) } }
                    json.field("limit", devices.deviceLimit)
                }
            }
        case ("POST", "keep", _):
            lookAtHeard()
            answer(request.id)
        case ("GET", "devices", let id?):
            guard let device = devices.heard(id) else { throw .noDevice }
            let detail = HeardDeviceDetail(
                device,
                AdvertisedStructure.all(
                    advertisement: device.seen.advertisement, scanResponse: device.seen.scanResponse))
            answer(request.id) { detail.write(into: &$0) }
        default: throw .noDevice
        }
    }

    private func lookAtHeard() {
        lookEnd = now.advanced(bySeconds: Self.lookLength)
        devices.setListed(true)
    }

    /// Tells those who look what has changed.
    func publishHeard() {
        if let end = lookEnd, end <= now {
            lookEnd = nil
            devices.setListed(false)
        }
        if let changes = devices.takeListChanges(at: time) { publish(changes) }
    }

    // MARK: One device

    func beginExplorer(_ request: EngineRequest, _ id: Int) throws(HubFault) {
        guard let device = devices.device(id) else { throw .noDevice }
        let mayWrite = writable.contains(device.peer)
        let work = try begin(.explorer, with: id) { ExplorerWork(self, $0, mayWrite: mayWrite) }
        answer(request.id) { work.state.write(into: &$0) }
    }

    func performExplorer(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        guard let work = try job(id, isUsed: request.method == "POST").work.explorer else { throw .noJob }
        switch (request.method, verb) {
        case ("GET", nil):
            answer(request.id) { json in
                json.object { json in
                    json.key("explorer")
                    work.state.write(into: &json)
                    json.key("tree")
                    if let tree = work.tree { tree.write(into: &json) } else { json.value(String?.none) }
                }
            }
        case ("GET", "log"):
            let values = work.log.values(
                of: request.integer("handle"), before: request.integer("before"),
                limit: min(500, max(1, request.integer("limit") ?? 100)))
            answer(request.id) { json in
                json.object { json in
                    json.key("items")
                    json.array { json in for value in values { value.write(into: &json) } }
                    json.field("total", work.state.values)
                }
            }
        case ("POST", "read"): try work.read(Self.handle(request)) { [self] in answer(request, $0) }
        case ("POST", "write"): try write(request, work)
        case ("POST", "watch"):
            let isOn = request.member("on") == .bool(true)
            try work.watch(Self.handle(request), isOn: isOn) { [self] result in
                switch result {
                case .success: answer(request.id) { work.state.write(into: &$0) }
                case .failure(let fault): refuse(request.id, EngineProblem(fault))
                }
            }
        case ("POST", "refresh"):
            guard work.state.job.phase == .open else {
                throw .notNow("The device is not connected. Wait a moment, or connect to it again.")
            }
            work.find()
            answer(request.id) { work.state.write(into: &$0) }
        case ("POST", "save"): try save(request, work)
        case ("POST", "pair"):
            throw .notNow("This radio cannot pair. Where the system pairs, do it in the system's settings.")
        default: throw .noJob
        }
    }

    private func answer(_ request: EngineRequest, _ result: Result<ExplorerValue, HubFault>) {
        switch result {
        case .success(let value): answer(request.id) { value.write(into: &$0) }
        case .failure(let fault): refuse(request.id, EngineProblem(fault))
        }
    }

    private func write(_ request: EngineRequest, _ work: ExplorerWork) throws(HubFault) {
        guard let form = request.text("form").flatMap({ WrittenForm(rawValue: $0) }),
            let text = request.text("value")
        else { throw .badValue("Say what to write.") }
        let octets: [UInt8]
        do throws(BadInput) { octets = try form.octets(of: text) } catch {
            throw .badValue(error.description)
        }
        let handle = try Self.handle(request)
        let job = work.state.job
        guard request.member("confirmed") == .bool(true) || writable.contains(job.peer) else {
            throw .notConfirmed(
                "A write can change what \(job.name ?? job.peer.plain) does, also for good. Confirm the first one."
            )
        }
        writable.insert(job.peer)
        work.confirmWriting()
        let isAnswered = request.member("response") != .bool(false)
        try work.write(octets, to: handle, isAnswered: isAnswered) { [self] in answer(request, $0) }
    }

    private static func handle(_ request: EngineRequest) throws(HubFault) -> AttributeHandle {
        guard case .number(let number)? = request.member("handle"), let handle = UInt16(exactly: number),
            handle > 0
        else { throw .badValue("A handle is a number from 1 to 65535.") }
        return AttributeHandle(rawValue: handle)
    }

    // MARK: Saves

    private func save(_ request: EngineRequest, _ work: ExplorerWork) throws(HubFault) {
        guard let tree = work.tree else {
            throw .notNow("What the device has is not known yet. Wait until it was found.")
        }
        guard saves.count < Self.saveLimit else {
            throw .badValue("This page keeps \(Self.saveLimit) devices at most. Delete one first.")
        }
        let seen = devices.heard(work.state.job.device)?.seen
        let file = SavedDevice(
            tree, advertisement: seen?.advertisement, scanResponse: seen?.scanResponse
        ).octets
        do throws(JSONFault) {
            var entry = try SavedDeviceEntry(file: file, name: request.text("name") ?? "", time: time)
            entry.id = (saves.last?.entry.id ?? 0) + 1
            saves.append((entry, file))
            keep(save: entry.id)
            publish(SavesChanged())
            answer(request.id) { entry.write(into: &$0) }
        } catch {
            throw .badValue("This cannot be saved: \(error.reason).")
        }
    }

    func performSave(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        if request.method == "GET", request.path.count == 1 {
            return answer(request.id) { json in
                json.object { json in
                    json.key("items")
                    json.array { json in for save in saves.reversed() { save.entry.write(into: &json) } }
                    json.field("limit", Self.saveLimit)
                }
            }
        }
        guard let index = saves.firstIndex(where: { $0.entry.id == id }) else { throw .noSave }
        switch (request.method, verb) {
        case ("GET", nil): answer(request.id) { saves[index].entry.write(into: &$0) }
        case ("GET", "file"): answer(request.id) { $0.json(saves[index].file) }
        case ("GET", "differences"):
            guard let other = saves.first(where: { $0.entry.id == request.integer("with").map { Int64($0) } })
            else { throw .noSave }
            try answerDifferences(request.id, saves[index], other)
        case ("PATCH", nil):
            guard let name = request.text("name"), (1...100).contains(name.utf8.count) else {
                throw .badValue("A name has 1 to 100 octets.")
            }
            saves[index].entry.name = name
            keep(save: saves[index].entry.id)
            publish(SavesChanged())
            answer(request.id) { saves[index].entry.write(into: &$0) }
        case ("DELETE", nil):
            let gone = saves.remove(at: index).entry.id
            keep(save: gone)
            publish(SavesChanged())
            answer(request.id)
        default:
            throw .notNow("A page cannot serve a device: the browser does not let it. Use a hub for that.")
        }
    }

    private func answerDifferences(
        _ id: Int64, _ before: (entry: SavedDeviceEntry, file: [UInt8]),
        _ after: (entry: SavedDeviceEntry, file: [UInt8])
    ) throws(HubFault) {
        let changes: [GATTChange]
        do throws(JSONFault) {
            changes = GATTChange.between(
                try SavedTree(try JSONReader.read(before.file)),
                try SavedTree(try JSONReader.read(after.file)))
        } catch {
            throw .badValue("What was saved cannot be read any more: \(error.reason).")
        }
        answer(id) { json in
            json.object { json in
                json.key("before")
                before.entry.write(into: &json)
                json.key("after")
                after.entry.write(into: &json)
                json.key("items")
                json.array { json in for change in changes { change.write(into: &json) } }
            }
        }
    }
}
