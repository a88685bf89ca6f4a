// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation

/// What a central manager calls, on the queue.
final class CentralDelegate: NSObject, CBCentralManagerDelegate {
    private weak var radio: CoreBluetoothRadio?

    init(_ radio: CoreBluetoothRadio) { self.radio = radio }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { radio?.onQueue { $0.stateChanged() } }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let kept = OnQueue(dict)
        radio?.onQueue { $0.restore(kept.value) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let (peripheral, said) = (OnQueue(peripheral), OnQueue(advertisementData))
        radio?.onQueue { $0.heard(peripheral.value, said.value, RSSI) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        let peripheral = OnQueue(peripheral)
        radio?.onQueue { $0.connected(peripheral.value) }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        let peripheral = OnQueue(peripheral)
        radio?.onQueue { $0.notConnected(peripheral.value, error) }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        let peripheral = OnQueue(peripheral)
        radio?.onQueue { $0.disconnected(peripheral.value, error) }
    }
}

/// What the manager calls that listens for services by name, on the queue.
final class NamedScanDelegate: NSObject, CBCentralManagerDelegate {
    private weak var radio: CoreBluetoothRadio?

    init(_ radio: CoreBluetoothRadio) { self.radio = radio }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { radio?.onQueue { $0.adjustScan() } }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let (peripheral, said) = (OnQueue(peripheral), OnQueue(advertisementData))
        radio?.onQueue { $0.heardByName(peripheral.value, said.value, RSSI) }
    }
}

/// What a device that is connected calls, on the queue.
final class LinkDelegate: NSObject, CBPeripheralDelegate {
    private weak var link: CoreBluetoothConnection?

    init(_ link: CoreBluetoothConnection) { self.link = link }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        link?.modified(invalidatedServices)
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        link?.answered(.strength, error, .strength(Int8(clamping: RSSI.intValue)))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        link?.answered(.services, error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { link?.answered(.includes(ObjectIdentifier(service)), error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { link?.answered(.inside(ObjectIdentifier(service)), error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { link?.answered(.inside(ObjectIdentifier(characteristic)), error) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { link?.updated(characteristic, error) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { link?.answered(.read(ObjectIdentifier(descriptor)), error, .value(descriptor.octets)) }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { link?.answered(.write(ObjectIdentifier(characteristic)), error) }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { link?.answered(.write(ObjectIdentifier(descriptor)), error) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { link?.answered(.subscription(ObjectIdentifier(characteristic)), error) }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        link?.opened(channel, error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { link?.hasRoom() }
}

extension CBDescriptor {
    /// What was read of it: Core Bluetooth makes text and numbers of some kinds.
    fileprivate var octets: [UInt8] {
        switch value {
        case let data as Data: Array(data)
        case let text as String: Array(text.utf8)
        case let number as NSNumber:
            [UInt8(truncatingIfNeeded: number.intValue), UInt8(truncatingIfNeeded: number.intValue >> 8)]
        default: []
        }
    }
}
