// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
public import Foundation

extension DetectionImport {
    /// Reads the JSON of an export.
    ///
    /// `location` and `motion` may be missing or null. Numbers of rows (`id`) are not kept. The whole file is
    /// held in memory.
    ///
    /// - Parameters:
    ///   - data: The file.
    ///   - body: Takes each detection.
    /// - Returns: How many detections were read.
    /// - Throws: ``BadInput`` with the detection that cannot be used, or what the body throws.
    @discardableResult
    public static func json(_ data: Data, _ body: (Sighting) throws -> Void) throws -> Int {
        let file: ExportFile
        do {
            file = try JSONDecoder().decode(ExportFile.self, from: data)
        } catch let error as DecodingError {
            throw BadInput("The file is not an export in JSON: \(error.sentence)")
        }
        for (index, row) in file.detections.enumerated() { try body(try row.sighting(number: index + 1)) }
        return file.detections.count
    }
}

private struct ExportFile: Decodable {
    let detections: [Row]

    struct Row: Decodable {
        let device_type: String
        let mac_address: String?
        let ssid: String?
        let rssi: Int
        let confidence: Double
        let location: Location?
        let motion: Motion?
        let timestamp: String
    }

    struct Location: Decodable {
        let latitude: Double?
        let longitude: Double?
    }

    struct Motion: Decodable {
        let speed: Double?
        let heading: Double?
        let activity: String?
    }
}

extension ExportFile.Row {
    func sighting(number: Int) throws(BadInput) -> Sighting {
        guard let received = Timestamp(timestamp) else {
            throw BadInput("Detection \(number) cannot be used: its timestamp is not a time.")
        }
        var position: Position?
        if let latitude = location?.latitude, let longitude = location?.longitude {
            position = Position(latitude: latitude, longitude: longitude)
            guard position != nil else {
                throw BadInput("Detection \(number) cannot be used: its location is out of range.")
            }
        }
        let sighting = Sighting(
            type: DetectionType(label: WireText(device_type)), label: device_type, mac: mac_address,
            ssid: ssid,
            rssi: rssi, confidence: confidence, received: received, position: position,
            motion: Sighting.Motion(
                speed: motion?.speed, heading: motion?.heading, activity: motion?.activity))
        if let fault = sighting.fault { throw BadInput("Detection \(number) cannot be used: \(fault).") }
        return sighting
    }
}

extension DecodingError {
    /// What is wrong and where, as the end of a sentence.
    fileprivate var sentence: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "the file" : path.joined(separator: ".")
        }
        return switch self {
        case .keyNotFound(let key, let context): "\(place(context)) has no \(key.stringValue)."
        case .typeMismatch(_, let context): "\(place(context)) is of the wrong kind."
        case .valueNotFound(_, let context): "\(place(context)) is null."
        case .dataCorrupted(let context): "\(place(context)) is not JSON."
        @unknown default: "it cannot be read."
        }
    }
}
