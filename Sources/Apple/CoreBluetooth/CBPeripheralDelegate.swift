// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who is told what a device answers; on the queue of the central manager.
///
/// Apple's is a protocol of Objective-C with optional requirements; here what is optional has a default that does
/// nothing. A class that conforms is written the same.
public protocol CBPeripheralDelegate: NSObjectProtocol {
    /// Says that the device has another name.
    func peripheralDidUpdateName(_ peripheral: CBPeripheral)
    /// Says that services are no longer what they were, and have to be discovered again.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
    /// Said how strong the signal is, up to iOS 7.
    @available(*, deprecated, message: "Use peripheral(_:didReadRSSI:error:).")
    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?)
    /// Says how strong the signal is, in dBm.
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)
    /// Says that the device's services are known.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
    /// Says that the services are known that a service includes.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)
    /// Says that a service's characteristics are known.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)
    /// Says that a value was read, or came by itself.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    /// Says that a value was written, or why not.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    /// Says that values come by themselves from now on, or no more.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// Says that a characteristic's descriptors are known.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?)
    /// Says that a descriptor was read.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    /// Says that a descriptor was written, or why not.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)
    /// Says that there is room again for writes without an answer.
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
    /// Says that a channel is open, or why not.
    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

// A class that has the method overrides the default; one whose method is misspelt is not told, as on Apple's systems.
extension CBPeripheralDelegate {
    /// Says that the device has another name.
    public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
    /// Says that services are no longer what they were, and have to be discovered again.
    public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}
    /// Said how strong the signal is, up to iOS 7.
    @available(*, deprecated, message: "Use peripheral(_:didReadRSSI:error:).")
    public func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {}
    /// Says how strong the signal is, in dBm.
    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
    /// Says that the device's services are known.
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
    /// Says that the services are known that a service includes.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {}
    /// Says that a service's characteristics are known.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {}
    /// Says that a value was read, or came by itself.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {}
    /// Says that a value was written, or why not.
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {}
    /// Says that values come by themselves from now on, or no more.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    /// Says that a characteristic's descriptors are known.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    /// Says that a descriptor was read.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {}
    /// Says that a descriptor was written, or why not.
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {}
    /// Says that there is room again for writes without an answer.
    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}
    /// Says that a channel is open, or why not.
    public func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
    {}
}
