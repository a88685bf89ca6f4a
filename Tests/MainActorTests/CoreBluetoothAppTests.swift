// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import BLEVirtualRadio
import CoreBluetooth
import Testing
import VirtualPhone

/// A model of an app as Xcode sets it up today: nothing is written of isolation, and everything is on the main actor.
private final class BatteryModel: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var levels: [String: Int] = [:]
    private(set) var isOn = false
    private var central: CBCentralManager?
    private var devices: Set<CBPeripheral> = []

    override init() {
        super.init()
        central = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        isOn = central.state == .poweredOn
        devices = []
        if isOn { central.scanForPeripherals(withServices: [CBUUID(string: "180F")]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard devices.insert(peripheral).inserted else { return }
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for one in service.characteristics ?? [] where one.properties.contains(.notify) {
            peripheral.setNotifyValue(true, for: one)
            peripheral.readValue(for: one)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let level = characteristic.value?.first { levels[peripheral.name ?? "?"] = Int(level) }
    }
}

@Test func anAppWhoseCodeIsAllOnTheMainActor() async throws {
    try await TestAir.run { air in
        let level = GATT.CharacteristicDefinition(.batteryLevel, [.read, .notify], value: .stored([95]))
        let battery = GATT.ServiceDefinition(.batteryService, characteristics: [level])
        let lamp = try await air.radio("C0:00:00:00:00:01")
            .serve(ServerDescription(name: "Kitchen", services: [battery]))
        let phone = VirtualPhone(radio: try await air.radio("C0:00:00:00:00:02"))
        let model = phone.app().launch { BatteryModel() }
        while model.levels != ["Kitchen": 95] { try await air.advance(by: .milliseconds(50)) }
        try await lamp.update([94], of: .batteryLevel)
        while model.levels != ["Kitchen": 94] { try await air.advance(by: .milliseconds(50)) }
        phone.isBluetoothOn = false
        while model.isOn { try await air.advance(by: .milliseconds(50)) }
    }
}
#endif
