// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What services, characteristics and descriptors have in common.
open class CBAttribute: NSObject {
    /// What kind of thing it is.
    open private(set) var uuid: CBUUID
    /// Where it stands in its device's database, once it was discovered or published; of a characteristic, where its value does.
    package var handle: UInt16?

    /// Makes one of a kind.
    package init(uuid: CBUUID) { self.uuid = uuid }
}

/// A service of a device.
open class CBService: CBAttribute {
    /// The device, as long as somebody holds it; none for a service of the app's own.
    open package(set) weak var peripheral: CBPeripheral?
    /// Whether it stands for itself; others are only included.
    open package(set) var isPrimary = true
    /// The services that it includes, once they were discovered.
    open package(set) var includedServices: [CBService]?
    /// Its characteristics, once they were discovered.
    open package(set) var characteristics: [CBCharacteristic]?
    /// The last handle that belongs to it, once it was discovered or published.
    package var endHandle: UInt16?
}

/// A service of the app's own.
open class CBMutableService: CBService {
    /// Makes one without characteristics.
    ///
    /// - Parameters:
    ///   - UUID: What kind of service it is.
    ///   - isPrimary: Whether it stands for itself, or is only included.
    public init(type UUID: CBUUID, primary isPrimary: Bool) {
        super.init(uuid: UUID)
        self.isPrimary = isPrimary
    }

    /// The services that it includes, which have to be published before.
    open override var includedServices: [CBService]? {
        get { super.includedServices }
        set { super.includedServices = newValue }
    }

    /// Its characteristics, each of which then knows its service.
    open override var characteristics: [CBCharacteristic]? {
        get { super.characteristics }
        set {
            for one in super.characteristics ?? [] where one.service === self { one.service = nil }
            super.characteristics = newValue
            for one in newValue ?? [] { one.service = self }
        }
    }
}

/// A descriptor of a characteristic.
open class CBDescriptor: CBAttribute {
    /// The characteristic, as long as somebody holds it.
    open package(set) weak var characteristic: CBCharacteristic?
    /// The value that was read last: text, a number or `Data`, as its kind has it.
    open package(set) var value: Any?
}

/// A descriptor of the app's own.
open class CBMutableDescriptor: CBDescriptor {
    /// Makes one with a value, which stays.
    ///
    /// - Parameters:
    ///   - UUID: What kind of descriptor it is.
    ///   - value: The value.
    public init(type UUID: CBUUID, value: Any?) {
        super.init(uuid: UUID)
        self.value = value
    }
}
