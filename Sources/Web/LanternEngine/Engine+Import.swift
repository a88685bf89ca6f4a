// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Detections

/// Files with detections and drives, which a page gives piece by piece.
///
/// The body of a request has a piece (`octets`), whether the file begins with it (`first`; what is left of another file is
/// forgotten then), whether it is the last one, and why no more can be had of a file that is damaged (`broken`).
extension Engine {
    /// Takes a piece of a file; the last one, and one behind which nothing can be read, is answered as a hub answers the file.
    func takeImport(_ request: EngineRequest) throws(RequestError) {
        guard let octets = request.octets("octets"), case .bool(let isLast)? = request.member("last") else {
            throw .misread
        }
        var work = (request.isFirst ? nil : importing) ?? DetectionImport(file: DetectionFile(at: time))
        importing = nil
        work.file.receive(octets)
        if let reason = request.text("broken") {
            work.report.end(ImportError(work.file.lineReached, reason))
            work.file.stop()
        } else if isLast {
            work.file.finish()
        }
        while let row = work.file.next() {
            switch row {
            case .detection(let found): take(found, &work)
            case .drive(let drive):
                let changes = drives.take(drive)
                work.report.addDrive(isNew: changes != nil)
                if let changes { keep(changes) }
            case .passed: work.report.pass()
            case .noted(let note): work.report.add(note)
            case .bad(let fault): work.report.refuse(fault)
            case .broken(let fault): work.report.end(fault)
            }
        }
        guard isLast || work.report.broken != nil else {
            importing = work
            return answer(request.id)
        }
        let report = work.report
        answer(request.id) { json in json.object { report.writeValues(isTrial: false, into: &$0) } }
    }

    private func take(_ found: ImportedDetection, _ work: inout DetectionImport) {
        let isKnown = found.key.map { detections.has($0) } ?? work.wasThere(found.sighting, in: detections)
        if isKnown { return work.report.addDetections(new: 0, known: 1) }
        let key = found.key ?? DetectionKey(received: found.sighting.received, using: &random)
        guard let record = detections.add(found.sighting, key: key) else {
            // Of no line: it is not the file's fault.
            return work.report.refuse(
                ImportError(
                    0,
                    "this page has no room for more than \(detections.limit) detections; export them, delete some and import the file again"
                ))
        }
        work.report.addDetections(new: 1, known: 0)
        keep(detection: record.id)
        guard let source = record.source, record.mark == .none, record.note.isEmpty else { return }
        if found.mark != .none || !found.note.isEmpty {
            _ = detections.mark(source, as: found.mark, note: found.note)
        }
        keep(source: source)
    }
}

/// A file with detections that is being read.
struct DetectionImport {
    var file: DetectionFile
    var report = ImportReport()
    /// How many alike there were before the file that it has not had yet; `nil` until it is asked for.
    fileprivate var unmatched: [Likeness: Int]?

    /// What detections without a key have in common that are alike, as a hub compares them.
    fileprivate struct Likeness: Hashable {
        let received: Timestamp
        let label: String
        let mac: String?
        let name: String?
        let rssi: Int
        let confidence: Double
        let position: Position?
        let motion: Sighting.Motion

        init(_ sighting: Sighting) {
            (received, label, mac) = (sighting.received, sighting.label, sighting.mac)
            (name, rssi, confidence) = (sighting.ssid, sighting.rssi, sighting.confidence)
            (position, motion) = (sighting.position, sighting.motion)
        }
    }

    /// Whether the next detection of the file was there before it: only those of which it has more are new.
    mutating func wasThere(_ sighting: Sighting, in memory: InMemoryDetectionStore) -> Bool {
        if unmatched == nil {
            unmatched = memory.rows.reduce(into: [:]) { $0[Likeness($1.sighting), default: 0] += 1 }
        }
        let likeness = Likeness(sighting)
        guard let count = unmatched?[likeness], count > 0 else { return false }
        unmatched?[likeness] = count - 1
        return true
    }
}
