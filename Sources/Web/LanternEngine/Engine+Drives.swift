// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import Detections

/// The drives one by one: the list of them, and of one its way.
extension Engine {
    func performDrive(_ request: EngineRequest, _ id: Int64?) throws(RequestError) {
        switch (request.method, request.path.count, id) {
        case ("GET", 1, nil):
            let limit = min(max(1, request.integer("limit") ?? 100), 1000)
            let listed = detections.counted(drives.drives.suffix(limit).reversed().map { $0.drive })
            answer(request.id) { json in
                json.object { json in
                    json.key("drives")
                    json.array { json in for drive in listed { drive.write(into: &json) } }
                }
            }
        case ("GET", 2, let id?):
            guard let kept = drives.drives.first(where: { $0.drive.id == id }) else { throw .noDrive }
            let shown = DriveShown(counted(kept.drive), points: kept.points)
            answer(request.id) { json in json.object { shown.writeValues(into: &$0) } }
        case ("DELETE", 2, let id?):
            guard let changes = drives.remove(id) else { throw .noDrive }
            keep(changes)
            recording.forget(drives: [id])
            answer(request.id)
            publish(DrivesDeleted([id]))
        default: throw .needsHub
        }
    }

    /// A drive with the sources that were received during it, those that were new then and the others.
    func counted(_ drive: Drive) -> Drive { detections.counted([drive]).first ?? drive }
}
