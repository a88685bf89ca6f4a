// SPDX-License-Identifier: Apache-2.0

public import BLEAssignedNumbers
public import BLEWire

/// What is known of how values of an attribute are laid out.
public struct ValueLayout: Hashable, Sendable {
    /// The attribute's UUID.
    public let uuid: BluetoothUUID
    /// The value of its Characteristic Presentation Format, if it has one.
    public let presentation: [UInt8]?
    /// What the two come to, for many values.
    private let format: StandardFormat?

    /// Makes a layout.
    ///
    /// - Parameters:
    ///   - uuid: The attribute's UUID.
    ///   - presentation: The value of its Characteristic Presentation Format, if it has one.
    public init(_ uuid: BluetoothUUID, presentation: [UInt8]? = nil) {
        self.uuid = uuid
        self.presentation = presentation
        format = StandardFormat(of: uuid) ?? presentation.flatMap { StandardFormat(presentedAs: $0) }
    }

    /// Whether two layouts are of the same UUID and presentation.
    public static func == (left: Self, right: Self) -> Bool {
        left.uuid == right.uuid && left.presentation == right.presentation
    }

    /// Takes in UUID and presentation, which say all the rest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(uuid)
        hasher.combine(presentation)
    }

    /// What a value says, by the standard of its UUID, else as the device says that it is to be shown.
    ///
    /// - Parameter value: The value.
    /// - Returns: What it says; `nil` when nothing lays it out.
    public func decode(_ value: [UInt8]) -> StandardValue? { format?.decode(value) }
}
