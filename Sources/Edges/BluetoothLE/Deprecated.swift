// SPDX-License-Identifier: Apache-2.0

// Names of the version before, for one version.

/// The handle of a value.
@available(*, deprecated, renamed: "AttributeHandle")
public typealias ValueHandle = AttributeHandle

extension AttributeHandle {
    /// The handle itself.
    @available(*, deprecated, message: "the handle of a value is an AttributeHandle now: use it as it is")
    public init(_ attribute: AttributeHandle) { self = attribute }

    /// The handle of a characteristic's value.
    @available(*, deprecated, message: "use GATT.Characteristic.valueHandle")
    public init(_ characteristic: GATT.Characteristic) { self = characteristic.valueHandle }

    /// The handle of a descriptor.
    @available(*, deprecated, message: "use GATT.Descriptor.handle")
    public init(_ descriptor: GATT.Descriptor) { self = descriptor.handle }

    /// The handle itself.
    @available(*, deprecated, renamed: "self")
    public var attribute: AttributeHandle { self }
}
