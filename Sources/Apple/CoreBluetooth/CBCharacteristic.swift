// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A characteristic of a service.
open class CBCharacteristic: CBAttribute {
    /// The service, as long as somebody holds it.
    open package(set) weak var service: CBService?
    /// What can be done with it.
    open package(set) var properties: CBCharacteristicProperties = []
    /// The value that came last, if any has come.
    open package(set) var value: Data?
    /// Its descriptors, once they were discovered.
    open package(set) var descriptors: [CBDescriptor]?
    /// Whether its values come by themselves.
    open package(set) var isNotifying = false
    /// Whether it is broadcast, which it never is.
    @available(*, deprecated)
    open var isBroadcasted: Bool { false }
    /// Whether it was made with a value, which is then told without asking the app.
    package var valueIsCached = false
}

/// A characteristic of the app's own.
open class CBMutableCharacteristic: CBCharacteristic {
    /// What others may do with it.
    open var permissions: CBAttributePermissions
    /// Who wants its values.
    open package(set) var subscribedCentrals: [CBCentral]? = []

    /// Makes one without descriptors.
    ///
    /// - Parameters:
    ///   - UUID: What kind of characteristic it is.
    ///   - properties: What can be done with it.
    ///   - value: A value that stays, or `nil` to be asked each time.
    ///   - permissions: What others may do with it.
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
        permissions: CBAttributePermissions
    ) {
        self.permissions = permissions
        super.init(uuid: UUID)
        self.properties = properties
        self.value = value
        valueIsCached = value != nil
    }

    /// What can be done with it.
    open override var properties: CBCharacteristicProperties {
        get { super.properties }
        set { super.properties = newValue }
    }

    /// Its value, as far as the app keeps it here.
    open override var value: Data? {
        get { super.value }
        set { super.value = newValue }
    }

    /// Its descriptors, each of which then knows its characteristic.
    open override var descriptors: [CBDescriptor]? {
        get { super.descriptors }
        set {
            for one in super.descriptors ?? [] where one.characteristic === self { one.characteristic = nil }
            super.descriptors = newValue
            for one in newValue ?? [] { one.characteristic = self }
        }
    }
}
