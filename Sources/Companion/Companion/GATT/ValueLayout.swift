// SPDX-License-Identifier: Apache-2.0

public import BLEAssignedNumbers
public import BLEWire

/// What is known of how values of an attribute are laid out.
public struct ValueLayout: Hashable, Sendable {
    /// The attribute's UUID.
    public var uuid: BluetoothUUID
    /// The value of its Characteristic Presentation Format, if it has one.
    public var presentation: [UInt8]?

    /// Makes a layout.
    ///
    /// - Parameters:
    ///   - uuid: The attribute's UUID.
    ///   - presentation: The value of its Characteristic Presentation Format, if it has one.
    public init(_ uuid: BluetoothUUID, presentation: [UInt8]? = nil) {
        self.uuid = uuid
        self.presentation = presentation
    }

    /// What a value says, by the standard of its UUID, else as the device says that it is to be shown.
    ///
    /// - Parameter value: The value.
    /// - Returns: What it says; `nil` when nothing lays it out.
    public func decode(_ value: [UInt8]) -> StandardValue? {
        StandardValue.decode(value, of: uuid)
            ?? presentation.flatMap { StandardValue.decode(value, presentedAs: $0) }
    }
}
