// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import CoreBluetooth

// What apps do with Apple's classes beside calling them: proxies hand delegates' calls on, mocks override methods and properties.

/// Hands everything on that it is told, with question marks, as delegates of Objective-C are called.
private final class Proxy: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate,
    CBPeripheralManagerDelegate
{
    weak var central: (any CBCentralManagerDelegate)?
    weak var device: (any CBPeripheralDelegate)?
    weak var server: (any CBPeripheralManagerDelegate)?

    func centralManagerDidUpdateState(_ manager: CBCentralManager) {
        central?.centralManagerDidUpdateState(manager)
    }
    func centralManager(_ manager: CBCentralManager, willRestoreState dict: [String: Any]) {
        central?.centralManager?(manager, willRestoreState: dict)
    }
    func centralManager(
        _ manager: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central?.centralManager?(
            manager, didDiscover: peripheral, advertisementData: advertisementData, rssi: RSSI)
    }
    func centralManager(_ manager: CBCentralManager, didConnect peripheral: CBPeripheral) {
        central?.centralManager?(manager, didConnect: peripheral)
    }
    func centralManager(
        _ manager: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { central?.centralManager?(manager, didFailToConnect: peripheral, error: error) }
    func centralManager(
        _ manager: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { central?.centralManager?(manager, didDisconnectPeripheral: peripheral, error: error) }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { device?.peripheralDidUpdateName?(peripheral) }
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        device?.peripheralIsReady?(toSendWriteWithoutResponse: peripheral)
    }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        device?.peripheral?(peripheral, didDiscoverServices: error)
    }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { device?.peripheral?(peripheral, didDiscoverCharacteristicsFor: service, error: error) }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { device?.peripheral?(peripheral, didUpdateValueFor: characteristic, error: error) }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { device?.peripheral?(peripheral, didUpdateValueFor: descriptor, error: error) }

    func peripheralManagerDidUpdateState(_ manager: CBPeripheralManager) {
        server?.peripheralManagerDidUpdateState(manager)
    }
    func peripheralManagerDidStartAdvertising(_ manager: CBPeripheralManager, error: (any Error)?) {
        server?.peripheralManagerDidStartAdvertising?(manager, error: error)
    }
    func peripheralManagerIsReady(toUpdateSubscribers manager: CBPeripheralManager) {
        server?.peripheralManagerIsReady?(toUpdateSubscribers: manager)
    }
    func peripheralManager(_ manager: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        server?.peripheralManager?(manager, didReceiveRead: request)
    }
}

/// Writes down what it is told.
private final class Listener: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate,
    CBPeripheralManagerDelegate
{
    var told: [String] = []

    func centralManagerDidUpdateState(_ manager: CBCentralManager) { told.append("state") }
    func centralManager(_ manager: CBCentralManager, willRestoreState dict: [String: Any]) {
        told.append("restored \(dict.count)")
    }
    func centralManager(
        _ manager: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { told.append("found \(RSSI)") }
    func centralManager(_ manager: CBCentralManager, didConnect peripheral: CBPeripheral) {
        told.append("connected")
    }
    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { told.append("name") }
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { told.append("room") }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        told.append("services \((error as NSError?)?.code ?? 0)")
    }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { told.append("descriptor") }
    func peripheralManagerDidUpdateState(_ manager: CBPeripheralManager) {}
    func peripheralManagerDidStartAdvertising(_ manager: CBPeripheralManager, error: (any Error)?) {
        told.append("advertises \(error == nil)")
    }
    func peripheralManagerIsReady(toUpdateSubscribers manager: CBPeripheralManager) { told.append("again") }
}

/// A device that is not there, as mocks are.
private final class FakePeripheral: CBPeripheral {
    var calls: [String] = []
    private let own: UUID

    init(_ identifier: UUID, _ manager: CBCentralManager) {
        own = identifier
        super.init(UUID(), Peer(identifier: "180D"), manager)
    }

    override var identifier: UUID { own }
    override var name: String? { "Fake" }
    override var state: CBPeripheralState { .connected }
    override func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        calls.append("services")
        delegate?.peripheral?(self, didDiscoverServices: nil)
    }
    override func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        calls.append("characteristics")
    }
    override func discoverDescriptors(for characteristic: CBCharacteristic) { calls.append("descriptors") }
    override func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        calls.append("included")
    }
    override func readValue(for characteristic: CBCharacteristic) { calls.append("read") }
    override func readValue(for descriptor: CBDescriptor) { calls.append("read descriptor") }
    override func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) {
        calls.append("write \(data.count)")
    }
    override func writeValue(_ data: Data, for descriptor: CBDescriptor) { calls.append("write descriptor") }
    override func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        calls.append("notify \(enabled)")
    }
    override func readRSSI() { calls.append("rssi") }
    override func openL2CAPChannel(_ PSM: CBL2CAPPSM) { calls.append("channel \(PSM)") }
}

private final class FakeServer: CBPeripheralManager {
    var calls: [String] = []
    override var state: CBManagerState { .poweredOn }
    override func add(_ service: CBMutableService) { calls.append("add") }
    override func remove(_ service: CBMutableService) { calls.append("remove") }
    override func removeAllServices() { calls.append("clear") }
    override func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        calls.append("respond")
    }
    override func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        calls.append("update")
        return true
    }
    override func publishL2CAPChannel(withEncryption encryptionRequired: Bool) { calls.append("publish") }
    override func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) { calls.append("unpublish") }
    override func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) { calls.append("latency") }
}

private final class NamedCharacteristic: CBCharacteristic {
    override var uuid: CBUUID { CBUUID(string: "2A37") }
}

@Suite("Proxies and mocks of Apple's classes") struct OverridingTests {
    private let central = CBCentralManager()

    @Test func aProxyHandsOnWhatItIsTold() {
        let (proxy, listener) = (Proxy(), Listener())
        let peripheral = CBPeripheral(UUID(), Peer(identifier: "180D"), central)
        (proxy.central, proxy.device, proxy.server) = (listener, listener, listener)
        let told: any CBCentralManagerDelegate = proxy
        told.centralManager(central, willRestoreState: ["": 0])
        told.centralManager(central, didDiscover: peripheral, advertisementData: [:], rssi: -40)
        told.centralManager(central, didConnect: peripheral)
        // The listener has none for these: nothing comes of them.
        told.centralManager(central, didFailToConnect: peripheral, error: nil)
        let device: any CBPeripheralDelegate = proxy
        device.peripheralDidUpdateName(peripheral)
        device.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
        device.peripheral(peripheral, didDiscoverServices: CBError(.connectionTimeout))
        device.peripheral(
            peripheral, didUpdateValueFor: CBMutableDescriptor(type: CBUUID(string: "2901"), value: "A"),
            error: nil)
        let server: any CBPeripheralManagerDelegate = proxy
        let manager = CBPeripheralManager()
        server.peripheralManagerDidStartAdvertising(manager, error: nil)
        server.peripheralManagerIsReady(toUpdateSubscribers: manager)
        #expect(
            listener.told == [
                "restored 1", "found -40", "connected", "name", "room", "services 6", "descriptor",
                "advertises true", "again",
            ])
        proxy.central = nil
        told.centralManager(central, didConnect: peripheral)
        #expect(listener.told.count == 9)
    }

    @Test func whatIsOpenAtAppleIsOverridden() {
        let identifier = UUID()
        let fake = FakePeripheral(identifier, central)
        let (peripheral, listener): (CBPeripheral, Listener) = (fake, Listener())
        peripheral.delegate = listener
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        let characteristic = NamedCharacteristic(uuid: CBUUID(string: "2A38"))
        let descriptor = CBMutableDescriptor(type: CBUUID(string: "2901"), value: "A")
        peripheral.discoverServices(nil)
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverDescriptors(for: characteristic)
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.readValue(for: characteristic)
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        peripheral.writeValue(Data([1]), for: descriptor)
        peripheral.setNotifyValue(true, for: characteristic)
        peripheral.readRSSI()
        peripheral.openL2CAPChannel(0x80)
        #expect(
            fake.calls == [
                "services", "characteristics", "descriptors", "included", "read", "read descriptor",
                "write 1", "write descriptor", "notify true", "rssi", "channel 128",
            ])
        #expect(listener.told == ["services 0"])
        #expect(peripheral.identifier == identifier && peripheral.name == "Fake")
        #expect((characteristic as CBAttribute).uuid == CBUUID(string: "2A37"))
    }

    @Test func aServerIsOverridden() {
        let fake = FakeServer()
        let manager: CBPeripheralManager = fake
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "2A37"), properties: .notify, value: nil, permissions: [])
        let peer = CBCentral(identifier: UUID())
        manager.add(service)
        manager.remove(service)
        manager.removeAllServices()
        manager.respond(
            to: CBATTRequest(central: peer, characteristic: value, offset: 0, value: nil),
            withResult: .success)
        #expect(manager.updateValue(Data(), for: value, onSubscribedCentrals: nil))
        manager.publishL2CAPChannel(withEncryption: false)
        manager.unpublishL2CAPChannel(0x80)
        manager.setDesiredConnectionLatency(.low, for: peer)
        #expect(
            fake.calls == ["add", "remove", "clear", "respond", "update", "publish", "unpublish", "latency"])
    }
}
