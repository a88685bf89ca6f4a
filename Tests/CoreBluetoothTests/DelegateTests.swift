// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import CoreBluetooth

/// Has what has to be there, as many apps do, and the older method for the end of a connection.
private final class OldCentral: NSObject, CBCentralManagerDelegate {
    var told: [String] = []
    func centralManagerDidUpdateState(_ central: CBCentralManager) { told.append("state") }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        told.append("gone \((error as NSError?)?.code ?? 0)")
    }
}

/// Has both methods.
private final class NewCentral: NSObject, CBCentralManagerDelegate {
    var told: [String] = []
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        told.append("gone")
    }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) {
        told.append("gone at \(timestamp), again \(isReconnecting)")
    }
}

private final class Empty: NSObject, CBPeripheralDelegate, CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}

/// Hears values of characteristics, not of descriptors, though the two methods have one name.
private final class Values: NSObject, CBPeripheralDelegate {
    var told = 0
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        told += 1
    }
}

@Suite("Delegates with what they leave out") struct DelegateTests {
    private let central: CBCentralManager
    private let peripheral: CBPeripheral

    init() {
        central = CBCentralManager()
        peripheral = CBPeripheral(UUID(), Peer(identifier: "180D"), central)
    }

    @Test("hear of the end of a connection by the newest method that they have") func ends() {
        let old = OldCentral()
        let new = NewCentral()
        for delegate in [old, new] as [any CBCentralManagerDelegate] {
            delegate.centralManagerDidUpdateState(central)
            delegate.centralManager(
                central, didDisconnectPeripheral: peripheral, timestamp: 12, isReconnecting: true,
                error: CBError(.connectionTimeout))
        }
        #expect(old.told == ["state", "gone 6"])
        #expect(new.told == ["gone at 12.0, again true"])
    }

    @Test("need nothing else of a central manager") func centrals() {
        let delegate: any CBCentralManagerDelegate = OldCentral()
        delegate.centralManager(central, willRestoreState: [:])
        delegate.centralManager(central, didDiscover: peripheral, advertisementData: [:], rssi: -40)
        delegate.centralManager(central, didConnect: peripheral)
        delegate.centralManager(central, didFailToConnect: peripheral, error: nil)
        delegate.centralManager(central, connectionEventDidOccur: .peerConnected, for: peripheral)
        delegate.centralManager(central, didUpdateANCSAuthorizationFor: peripheral)
        #expect((delegate as? OldCentral)?.told == [])
    }

    @Test("need nothing of a peripheral") func peripherals() {
        let delegate: any CBPeripheralDelegate = Empty()
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(string: "2A37"), properties: [], value: nil, permissions: [])
        let descriptor = CBMutableDescriptor(type: CBUUID(string: "2901"), value: "a")
        delegate.peripheralDidUpdateName(peripheral)
        delegate.peripheral(peripheral, didModifyServices: [])
        delegate.peripheral(peripheral, didReadRSSI: -40, error: nil)
        delegate.peripheral(peripheral, didDiscoverServices: nil)
        delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: nil)
        delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: nil)
        delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
        delegate.peripheral(peripheral, didWriteValueFor: characteristic, error: nil)
        delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: nil)
        delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: nil)
        delegate.peripheral(peripheral, didUpdateValueFor: descriptor, error: nil)
        delegate.peripheral(peripheral, didWriteValueFor: descriptor, error: nil)
        delegate.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
        delegate.peripheral(peripheral, didOpen: nil, error: nil)
    }

    @Test("tell values of characteristics and descriptors apart") func values() {
        let values = Values()
        let delegate: any CBPeripheralDelegate = values
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(string: "2A37"), properties: [], value: nil, permissions: [])
        delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
        delegate.peripheral(
            peripheral, didUpdateValueFor: CBMutableDescriptor(type: CBUUID(string: "2901"), value: "a"),
            error: nil)
        #expect(values.told == 1)
    }

    @Test("need nothing else of a peripheral manager") func managers() {
        let delegate: any CBPeripheralManagerDelegate = Empty()
        let manager = CBPeripheralManager()
        let central = CBCentral(identifier: UUID())
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(string: "2A37"), properties: [], value: nil, permissions: [])
        let request = CBATTRequest(central: central, characteristic: characteristic, offset: 0, value: nil)
        delegate.peripheralManagerDidUpdateState(manager)
        delegate.peripheralManager(manager, willRestoreState: [:])
        delegate.peripheralManagerDidStartAdvertising(manager, error: nil)
        delegate.peripheralManager(manager, didAdd: service, error: nil)
        delegate.peripheralManager(manager, central: central, didSubscribeTo: characteristic)
        delegate.peripheralManager(manager, central: central, didUnsubscribeFrom: characteristic)
        delegate.peripheralManager(manager, didReceiveRead: request)
        delegate.peripheralManager(manager, didReceiveWrite: [request])
        delegate.peripheralManagerIsReady(toUpdateSubscribers: manager)
        delegate.peripheralManager(manager, didPublishL2CAPChannel: 0x80, error: nil)
        delegate.peripheralManager(manager, didUnpublishL2CAPChannel: 0x80, error: nil)
        delegate.peripheralManager(manager, didOpen: nil, error: nil)
    }
}
