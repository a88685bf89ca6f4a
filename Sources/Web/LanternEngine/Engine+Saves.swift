// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore

/// Devices that were saved, in the memory of a page and in its browser's storage.
extension Engine {
    /// Devices that may be saved: each is in memory, with all that it has.
    private static var saveLimit: Int { 50 }
    /// Where it is kept which number was given last.
    static var lastSaveSetting: String { "last_save" }

    /// Saves a file, and answers with what a list shows of it.
    func keep(file: [UInt8], as name: String, for request: Int64) throws(HubError) {
        guard file.count <= SavedDeviceEntry.longestFile else {
            throw .badValue("This is larger than 1 MB, so it is not a saved device.")
        }
        guard saves.count < Self.saveLimit else {
            throw .badValue("This page keeps \(Self.saveLimit) devices at most. Delete one first.")
        }
        var entry = try SavedDeviceEntry(brought: file, as: name, at: time)
        lastSave += 1
        entry.id = lastSave
        keep(setting: Self.lastSaveSetting, "\(lastSave)")
        saves.append((entry, file))
        keep(save: entry.id)
        publish(SavesChanged())
        answer(request) { entry.write(into: &$0) }
    }

    func performSave(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
        switch (request.method, request.path.count) {
        case ("GET", 1): return answerSaves(request.id)
        case ("POST", 1):
            return try keep(
                file: request.octets("octets") ?? [], as: request.filterText("name") ?? "", for: request.id)
        default: break
        }
        let index = try index(ofSave: id)
        switch (request.method, verb) {
        case ("GET", nil): answer(request.id) { saves[index].entry.write(into: &$0) }
        case ("GET", "tree"):
            let opened = try OpenedSave(saved: saves[index].entry, saves[index].file)
            answer(request.id) { opened.write(into: &$0) }
        case ("GET", "file") where request.isForFile:
            answer(request.id, NamedFile(saves[index].entry, saves[index].file))
        case ("GET", "file"): answer(request.id) { $0.json(saves[index].file) }
        case ("GET", "differences"):
            let other = try self.index(ofSave: request.integer("with").map { Int64($0) })
            let comparison = try SaveComparison(saves[index], saves[other])
            answer(request.id) { comparison.write(into: &$0) }
        case ("PATCH", nil):
            saves[index].entry.name = request.text("name") ?? ""
            keep(save: saves[index].entry.id)
            publish(SavesChanged())
            answer(request.id) { saves[index].entry.write(into: &$0) }
        case ("DELETE", nil):
            keep(save: saves.remove(at: index).entry.id)
            publish(SavesChanged())
            answer(request.id)
        default:
            throw .notNow("A page cannot serve a device: the browser does not let it. Use a hub for that.")
        }
    }

    private func index(ofSave id: Int64?) throws(HubError) -> Int {
        guard let index = saves.firstIndex(where: { $0.entry.id == id }) else { throw .noSave }
        return index
    }

    private func answerSaves(_ request: Int64) {
        answer(request) { json in
            json.object { json in
                json.key("items")
                json.array { json in for save in saves.reversed() { save.entry.write(into: &json) } }
                json.field("limit", Self.saveLimit)
            }
        }
    }
}
