// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who is told what others ask of a peripheral manager; on the manager's queue.
///
/// Apple's is a protocol of Objective-C with optional requirements; here what is optional has a default that does
/// nothing. A class that conforms is written the same.
public protocol CBPeripheralManagerDelegate: NSObjectProtocol {
    /// Says that the manager's state has changed.
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
    /// Says what the system has kept of the manager, before it tells the first state.
    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])
    /// Says that the manager advertises, or why not.
    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)
    /// Says that a service is published, or why not.
    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
    /// Says that somebody wants a characteristic's values.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    )
    /// Says that somebody no longer wants a characteristic's values.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic)
    /// Says that somebody reads; the app has to answer.
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
    /// Says that somebody writes; the app has to answer the first request, which is for all of them.
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
    /// Says that there is room again for values.
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
    /// Says under which number channels can be opened, or why not.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)
    /// Says that no more channels can be opened under a number.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)
    /// Says that somebody has opened a channel.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

// A class that has the method overrides the default; one whose method is misspelt is not told, as on Apple's systems.
extension CBPeripheralManagerDelegate {
    /// Says what the system has kept of the manager, before it tells the first state.
    public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}
    /// Says that the manager advertises, or why not.
    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    }
    /// Says that a service is published, or why not.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {}
    /// Says that somebody wants a characteristic's values.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {}
    /// Says that somebody no longer wants a characteristic's values.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {}
    /// Says that somebody reads; the app has to answer.
    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {}
    /// Says that somebody writes; the app has to answer the first request, which is for all of them.
    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
    {}
    /// Says that there is room again for values.
    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
    /// Says under which number channels can be opened, or why not.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {}
    /// Says that no more channels can be opened under a number.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {}
    /// Says that somebody has opened a channel.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {}
}
