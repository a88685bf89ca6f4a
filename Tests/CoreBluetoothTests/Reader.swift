// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// An app that looks for sensors, connects to the first and finds all that it has.
final class Reader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    // As apps have it.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var manager: CBCentralManager!
    private(set) var peripheral: CBPeripheral?
    let log = Log()
    var channelOpened: (CBL2CAPChannel) -> Void = { _ in }
    private let services: [CBUUID]?
    private let connects: Bool

    init(_ services: [CBUUID]? = [Sensor.service], connects: Bool = true) {
        self.services = services
        self.connects = connects
        super.init()
        manager = CBCentralManager(delegate: self, queue: DispatchQueue(label: "reader"))
    }

    subscript(_ uuid: CBUUID) -> CBCharacteristic {
        let all = (peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }
        guard let one = all.first(where: { $0.uuid == uuid }) else { fatalError("no \(uuid): \(log.lines)") }
        return one
    }

    func read(_ uuid: CBUUID) { peripheral?.readValue(for: self[uuid]) }
    func write(
        _ octets: [UInt8], _ uuid: CBUUID = Sensor.command, _ type: CBCharacteristicWriteType = .withResponse
    ) {
        peripheral?.writeValue(Data(octets), for: self[uuid], type: type)
    }
    func follow(_ uuid: CBUUID, _ isOn: Bool = true) { peripheral?.setNotifyValue(isOn, for: self[uuid]) }
    func disconnect() { if let peripheral { manager.cancelPeripheralConnection(peripheral) } }
    func scan() { manager.scanForPeripherals(withServices: services) }
    func explore() { peripheral?.discoverServices(nil) }

    /// Has the reader forget whom it has found, and look again.
    func lookAgain() {
        peripheral = nil
        scan()
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        log.add("state \(central.state)")
        if central.state == .poweredOn { central.scanForPeripherals(withServices: services) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let shown = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        let hidden = advertisementData[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] ?? []
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "-"
        log.add("found \(name) shown \(shown.count) hidden \(hidden.count)")
        guard connects, self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.add("connected")
        explore()
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { log.add("disconnected\(Sensor.words(error))") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let services = peripheral.services, !services.isEmpty else { return log.add("ready 0") }
        for service in services {
            peripheral.discoverIncludedServices(nil, for: service)
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard service === peripheral.services?.last else { return }
        let all = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
        log.add("ready \(all.count)")
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        log.add("modified \(invalidatedServices.count)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let octets = Array(characteristic.value ?? Data())
        log.add(
            "value\(Sensor.words(error)) \(error != nil ? "" : octets.count > 20 ? "\(octets.count)" : "\(octets)")"
        )
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { log.add("wrote\(Sensor.words(error)) \(error.map { "\(($0 as NSError).code)" } ?? "")") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { log.add("follows \(characteristic.isNotifying)\(Sensor.words(error))") }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        log.add("channel \(channel?.psm ?? 0) \(channel?.peer === peripheral)\(Sensor.words(error))")
        if let channel { channelOpened(channel) }
    }
}
