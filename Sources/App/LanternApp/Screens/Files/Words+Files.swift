// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

// Files that go out and come in, in words.
extension Words {
    static func form(_ format: ExportFormat) -> LocalizedStringKey {
        switch format {
        case .csv: "CSV, for a spreadsheet"
        case .json: "JSON, everything"
        case .geojson: "GeoJSON, for a map"
        case .gpx: "GPX, for navigation"
        case .kml: "KML, for Google Earth"
        case .wigle: "WiGLE, for wigle.net"
        }
    }

    static func hint(_ format: ExportFormat) -> LocalizedStringKey {
        switch format {
        case .csv, .json: "Lantern can read it again."
        case .geojson: "What has no place is left out."
        case .gpx:
            "What has no place is left out. Drives are in it with their way, and Lantern can read it again."
        case .kml: "What has no place is left out. Drives are in it with their way."
        case .wigle: "What has no place, no address or no known radio is left out."
        }
    }

    static func title(_ file: FilesModel.Import?) -> LocalizedStringKey {
        guard let file, file.isOver else { return "Importing" }
        return file.counts.imported + file.counts.drives > 0 ? "Imported" : "Nothing was imported"
    }

    /// What is wrong with a row, with its line where it has one.
    static func fault(_ fault: ImportError) -> String {
        guard fault.line > 0 else { return fault.reason.prefix(1).uppercased() + fault.reason.dropFirst() }
        return String(localized: "Line \(fault.line): \(fault.reason)")
    }

    /// Why rows cannot be used, and how many.
    static func fault(_ kind: ImportFaults.Kind) -> String {
        guard kind.rows > 1 else { return fault(kind.fault) }
        return String(localized: "\(fault(kind.fault)) (\(kind.rows) rows)")
    }
}
