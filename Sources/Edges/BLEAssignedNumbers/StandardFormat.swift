// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How values of one kind are laid out, read once for many values.
public struct StandardFormat: Sendable {
    private let layouts: [ValueFormat]

    /// Finds the format of the values of a standard characteristic or descriptor.
    ///
    /// - Parameter uuid: The characteristic or descriptor; `nil` comes of one whose values no standard lays out.
    public init?(of uuid: BluetoothUUID) {
        guard let line = AssignedNumbers.name(of: uuid, .format) else { return nil }
        self.init(line)
    }

    /// Makes the format that a line of the text describes; `nil` when it describes none.
    init?(_ line: String) {
        var layouts: [ValueFormat] = []
        for part in line.split(separator: "~") {
            guard let layout = ValueFormat(part) else { return nil }
            layouts.append(layout)
        }
        self.layouts = layouts
    }

    /// Makes the format that a Characteristic Presentation Format describes.
    ///
    /// - Parameter presentation: The value of that descriptor; `nil` comes of a format that is not known.
    public init?(presentedAs presentation: [UInt8]) {
        let layout = ValueFormat(presentation: presentation) {
            AssignedNumbers.name(of: BluetoothUUID($0), .symbol)
        }
        guard let layout else { return nil }
        layouts = [layout]
    }

    /// Decodes a value.
    ///
    /// Of several layouts it is the first one that the value fits, else the one for which the fewest octets are missing
    /// or too many.
    ///
    /// - Parameter value: The octets.
    /// - Returns: What it says.
    public func decode(_ value: [UInt8]) -> StandardValue {
        var nearest: (value: StandardValue, distance: Int)?
        for layout in layouts {
            var decoder = ValueDecoder(value)
            let found = decoder.decode(layout)
            if found.misfit == nil { return found }
            if let nearest, nearest.distance <= decoder.distance { continue }
            nearest = (found, decoder.distance)
        }
        return nearest?.value ?? StandardValue()
    }
}
