// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Optional requirements of Objective-C are called with a question mark, as proxies and mocks of delegates do:
//
//     delegate?.peripheral?(peripheral, didDiscoverServices: error)
//
// What stands before it is a property here, whose value is called as the methods are. It is never nil: a method that a class
// leaves out does nothing.

/// The methods of a delegate that begin with `centralManager`.
public struct _CentralManagerCalls {
    let delegate: any CBCentralManagerDelegate

    /// Calls the method of that name.
    public func callAsFunction(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        delegate.centralManager(central, willRestoreState: dict)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        delegate.centralManager(
            central, didDiscover: peripheral, advertisementData: advertisementData, rssi: RSSI)
    }
    /// Calls the method of that name.
    public func callAsFunction(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        delegate.centralManager(central, didConnect: peripheral)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { delegate.centralManager(central, didFailToConnect: peripheral, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { delegate.centralManager(central, didDisconnectPeripheral: peripheral, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) {
        delegate.centralManager(
            central, didDisconnectPeripheral: peripheral, timestamp: timestamp,
            isReconnecting: isReconnecting, error: error)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) { delegate.centralManager(central, connectionEventDidOccur: event, for: peripheral) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
    ) { delegate.centralManager(central, didUpdateANCSAuthorizationFor: peripheral) }
}

extension CBCentralManagerDelegate {
    /// Its methods that begin so, for a call with a question mark.
    @_disfavoredOverload public var centralManager: _CentralManagerCalls? {
        _CentralManagerCalls(delegate: self)
    }
}

/// The methods of a delegate that begin with `peripheral`.
public struct _PeripheralCalls {
    let delegate: any CBPeripheralDelegate

    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheral, didModifyServices services: [CBService]) {
        delegate.peripheral(peripheral, didModifyServices: services)
    }
    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        delegate.peripheral(peripheral, didReadRSSI: RSSI, error: error)
    }
    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        delegate.peripheral(peripheral, didDiscoverServices: error)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { delegate.peripheral(peripheral, didWriteValueFor: characteristic, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { delegate.peripheral(peripheral, didUpdateValueFor: descriptor, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { delegate.peripheral(peripheral, didWriteValueFor: descriptor, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) { delegate.peripheral(peripheral, didOpen: channel, error: error) }
}

/// The methods of a delegate that have a name of their own.
public struct _PeripheralNoticeCalls {
    let delegate: any CBPeripheralDelegate

    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheral) { delegate.peripheralDidUpdateName(peripheral) }
    /// Calls the method of that name.
    public func callAsFunction(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        delegate.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
    }
}

extension CBPeripheralDelegate {
    /// Its methods that begin so, for a call with a question mark.
    @_disfavoredOverload public var peripheral: _PeripheralCalls? { _PeripheralCalls(delegate: self) }
    /// Its method, for a call with a question mark.
    @_disfavoredOverload public var peripheralDidUpdateName: _PeripheralNoticeCalls? {
        _PeripheralNoticeCalls(delegate: self)
    }
    /// Its method, for a call with a question mark.
    @_disfavoredOverload public var peripheralIsReady: _PeripheralNoticeCalls? {
        _PeripheralNoticeCalls(delegate: self)
    }
}

/// The methods of a delegate that begin with `peripheralManager`.
public struct _PeripheralManagerCalls {
    let delegate: any CBPeripheralManagerDelegate

    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        delegate.peripheralManager(peripheral, willRestoreState: dict)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) { delegate.peripheralManager(peripheral, didAdd: service, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { delegate.peripheralManager(peripheral, central: central, didSubscribeTo: characteristic) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { delegate.peripheralManager(peripheral, central: central, didUnsubscribeFrom: characteristic) }
    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        delegate.peripheralManager(peripheral, didReceiveRead: request)
    }
    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        delegate.peripheralManager(peripheral, didReceiveWrite: requests)
    }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { delegate.peripheralManager(peripheral, didPublishL2CAPChannel: PSM, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) { delegate.peripheralManager(peripheral, didUnpublishL2CAPChannel: PSM, error: error) }
    /// Calls the method of that name.
    public func callAsFunction(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) { delegate.peripheralManager(peripheral, didOpen: channel, error: error) }
}

/// The methods of a delegate that have a name of their own.
public struct _PeripheralManagerNoticeCalls {
    let delegate: any CBPeripheralManagerDelegate

    /// Calls the method of that name.
    public func callAsFunction(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        delegate.peripheralManagerDidStartAdvertising(peripheral, error: error)
    }
    /// Calls the method of that name.
    public func callAsFunction(toUpdateSubscribers peripheral: CBPeripheralManager) {
        delegate.peripheralManagerIsReady(toUpdateSubscribers: peripheral)
    }
}

extension CBPeripheralManagerDelegate {
    /// Its methods that begin so, for a call with a question mark.
    @_disfavoredOverload public var peripheralManager: _PeripheralManagerCalls? {
        _PeripheralManagerCalls(delegate: self)
    }
    /// Its method, for a call with a question mark.
    @_disfavoredOverload public var peripheralManagerDidStartAdvertising: _PeripheralManagerNoticeCalls? {
        _PeripheralManagerNoticeCalls(delegate: self)
    }
    /// Its method, for a call with a question mark.
    @_disfavoredOverload public var peripheralManagerIsReady: _PeripheralManagerNoticeCalls? {
        _PeripheralManagerNoticeCalls(delegate: self)
    }
}
