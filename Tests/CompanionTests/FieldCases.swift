// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation

/// Small files as people bring them, in `FieldCases`: of WiGLE's apps, Kismet, FlockFinder's app, flock-you, OpenStreetMap, gpsd
/// and recorders of tracks.
enum FieldCase {
    static func octets(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FieldCases")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }

    /// What comes of a file: whole, and octet by octet.
    static func rows(_ name: String) throws -> [DetectionFile.Row] { try rows(octets(name), name) }

    private struct CutMatters: Error { let name: String }

    static func rows(_ octets: [UInt8], _ name: String = "") throws -> [DetectionFile.Row] {
        let all = [octets.count + 1, 1].map { step in
            var file = DetectionFile(at: imported)
            var rows: [DetectionFile.Row] = []
            for start in stride(from: 0, to: octets.count, by: step) {
                file.receive(Array(octets[start..<min(start + step, octets.count)]))
                while let row = file.next() { rows.append(row) }
            }
            file.finish()
            while let row = file.next() { rows.append(row) }
            return rows
        }
        guard all[0] == all[1] else { throw CutMatters(name: name) }
        return all[0]
    }

    /// When the files are imported.
    static let imported = Timestamp(milliseconds: 1_795_000_000_000)
}

extension [DetectionFile.Row] {
    var sightings: [Sighting] {
        compactMap { if case .detection(let found) = $0 { found.sighting } else { nil } }
    }

    var drives: [ImportedDrive] { compactMap { if case .drive(let drive) = $0 { drive } else { nil } } }

    var passed: Int { count { $0 == .passed } }

    var notes: [String] {
        compactMap { if case .noted(let note) = $0 { "\(note.line): \(note.reason)" } else { nil } }
    }

    /// Why rows cannot be used, and why the file cannot.
    var faults: [String] {
        compactMap { row in
            switch row {
            case .bad(let fault), .broken(let fault): "\(fault.line): \(fault.reason)"
            default: nil
            }
        }
    }
}
