// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEGATT
public import BLEWire

extension DetectionType: CustomStringConvertible {
    /// The word for files and scripts.
    public var description: String { keyword.description }

    /// The word for files and scripts, as a string.
    public var keywordString: String { keyword.description }

    /// The label that devices send, as a string.
    public var labelString: String { label.description }

    /// The name of an SF Symbol, as a string.
    public var iconString: String { icon.description }

    /// A colour that CSS and SwiftUI know, as a string.
    public var colorString: String { color.description }

    /// One sentence that says what it is, as a string.
    public var explanationString: String { explanation.description }

    /// Finds the kind for the word that files and scripts use.
    ///
    /// - Parameter keyword: The word, for example `flock_safety`.
    public init?(keyword: String) {
        let found = Self.allCases.first { kind in
            kind.keyword.utf8CodeUnitCount == keyword.utf8.count
                && kind.keyword.withUTF8Buffer { $0.elementsEqual(keyword.utf8) }
        }
        guard let found else { return nil }
        self = found
    }
}

extension Detection.Proximity: CustomStringConvertible {
    /// The word for files and scripts.
    public var description: String { keyword.description }

    /// The word for files and scripts, as a string.
    public var keywordString: String { keyword.description }
}

extension Detection {
    /// The MAC address in upper case, for example `AA:BB:CC:DD:EE:FF`.
    public var macString: String? {
        mac.map { BluetoothAddress($0, kind: .public).description }
    }
}

extension DetectionError: CustomStringConvertible {
    /// One sentence without its full stop: what was wrong and where.
    public var description: String { "the object \(reason.text) (octet \(offset))" }
}

extension FlockFinderAdvice: CustomStringConvertible {
    /// One or two sentences that say what happened and what to do.
    public var description: String {
        switch self {
        case .bluetoothOff:
            return "The radio is off or gone. Switch it on or connect it again; the search goes on by itself."
        case .unauthorized:
            return "This program may not use Bluetooth. Allow it in the system's settings."
        case .noLink(let retry?):
            return "There is no link to the device. Stay near it and leave it switched on; "
                + "the next try comes in \((retry + 500) / 1000) s."
        case .noLink(nil):
            return "There is no link to the device. Check that it is near and switched on, then try again."
        case .characteristicsMissing(let missing):
            let names = missing.map(Self.name(of:)).joined(separator: ", ")
            return "The device lacks characteristics of a FlockFinder: \(names). "
                + "If it is one, update its firmware to a version that has them."
        case .notListening(let failure):
            return "The device did not let its detections be switched on: \(failure). "
                + "Restart it; if that does not help, update its firmware."
        }
    }

    /// What a characteristic is called, with its UUID.
    ///
    /// - Parameter uuid: The characteristic.
    /// - Returns: The name; the UUID alone where it is none of a FlockFinder.
    public static func name(of uuid: BluetoothUUID) -> String { names[uuid] ?? "\(uuid)" }

    private static let names: [BluetoothUUID: String] = [
        FlockFinderUUID.detection: "Detection (\(FlockFinderUUID.detection))",
        FlockFinderUUID.command: "Command (\(FlockFinderUUID.command))",
        FlockFinderUUID.stream: "Stream (\(FlockFinderUUID.stream))",
    ]
}

extension DetectionScript.Failure: CustomStringConvertible {
    /// One sentence without its full stop: which line is wrong and why.
    public var description: String { "line \(line): \(error)" }
}

#endif
