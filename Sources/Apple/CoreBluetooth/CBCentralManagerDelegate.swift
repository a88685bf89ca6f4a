// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who is told what a central manager hears and does; on the manager's queue.
///
/// Apple's is a protocol of Objective-C with optional requirements; here what is optional has a default that does
/// nothing. A class that conforms is written the same.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// Says that the manager's state has changed.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// Says what the system has kept of the manager, before it tells the first state.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
    /// Says that a device was heard; the signal's strength is in dBm, and 127 where it is not known.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    /// Says that a device is connected.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    /// Says that a device could not be connected.
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// Says that a connection has ended; without an error when the app has ended it.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
    /// Says that a connection has ended, and whether it is being made again; without it the older method is told.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)
    /// Says that a device was connected or disconnected that the app has asked about.
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral)
    /// Says that a device may get the phone's notifications now, or no more.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

// A class that has the method overrides the default; one whose method is misspelt is not told, as on Apple's systems.
extension CBCentralManagerDelegate {
    /// Says what the system has kept of the manager, before it tells the first state.
    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
    /// Says that a device was heard; the signal's strength is in dBm, and 127 where it is not known.
    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}
    /// Says that a device is connected.
    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    /// Says that a device could not be connected.
    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}
    /// Says that a connection has ended; without an error when the app has ended it.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {}
    /// Says that a connection has ended, and whether it is being made again; without it the older method is told.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) { centralManager(central, didDisconnectPeripheral: peripheral, error: error) }
    /// Says that a device was connected or disconnected that the app has asked about.
    public func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) {}
    /// Says that a device may get the phone's notifications now, or no more.
    public func centralManager(
        _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
    ) {}
}
