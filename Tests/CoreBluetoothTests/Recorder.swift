// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// An app that writes down whatever it is told, and does what a test says.
final class Recorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    // As apps have it.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var central: CBCentralManager!
    /// What was found or restored, which an app has to hold.
    private(set) var found: [CBPeripheral] = []
    let log = Log()
    /// Connects to whatever it finds.
    var connectOptions: [String: Any]?
    var connects = true
    /// Finds everything as soon as it is connected, and subscribes to what can be.
    var explores = true

    init(restoring identifier: String? = nil, queue: DispatchQueue? = DispatchQueue(label: "recorder")) {
        super.init()
        central = CBCentralManager(
            delegate: self, queue: queue,
            options: identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] })
    }

    /// The characteristic of a kind of the first device.
    func characteristic(_ uuid: CBUUID) -> CBCharacteristic? {
        found.first?.services?.flatMap { $0.characteristics ?? [] }.first { $0.uuid == uuid }
    }

    func forget() { found = [] }

    // MARK: Central

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        found = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        for one in found { one.delegate = self }
        let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID] ?? []
        log.add("restored \(found.map { "\($0.state)" }) \(services.map(\.uuidString))")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { log.add("state \(central.state)") }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let overflow = advertisementData[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] ?? []
        log.add(
            "discover \(peripheral.name ?? "?")\(overflow.isEmpty ? "" : " overflow \(overflow.map(\.uuidString))")"
        )
        guard !found.contains(peripheral) else { return }
        found.append(peripheral)
        peripheral.delegate = self
        if connects { central.connect(peripheral, options: connectOptions) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.add("connect \(peripheral.state == .connected)")
        if explores { peripheral.discoverServices(nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        log.add("fail \(Self.words(error))")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { log.add("disconnect \(isReconnecting ? "reconnecting " : "")\(Self.words(error))") }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) { log.add("event \(event)") }

    // MARK: Peripheral

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { log.add("name \(peripheral.name ?? "?")") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        log.add("modified \(invalidatedServices.map(\.uuid.uuidString))")
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        log.add("rssi \(RSSI.intValue < 0) \(Self.words(error))")
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        log.add("services \(peripheral.services?.map(\.uuid.uuidString) ?? []) \(Self.words(error))")
        if explores {
            for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { log.add("included \(service.includedServices?.map(\.uuid.uuidString) ?? [])") }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        log.add(
            "characteristics \(service.characteristics?.map(\.uuid.uuidString) ?? []) \(Self.words(error))")
        guard explores else { return }
        for one in service.characteristics ?? [] where !one.properties.isDisjoint(with: [.notify, .indicate])
        {
            peripheral.setNotifyValue(true, for: one)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { log.add("descriptors \(characteristic.descriptors?.map(\.uuid.uuidString) ?? [])") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = (characteristic.value ?? Data()).map { "\($0)" }.joined(separator: " ")
        log.add("value \(characteristic.uuid.uuidString) \(error == nil ? value : Self.words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { log.add("write \(characteristic.uuid.uuidString) \(Self.words(error))") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        log.add("notify \(characteristic.uuid.uuidString) \(characteristic.isNotifying) \(Self.words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        log.add(
            "descriptor \(descriptor.uuid.uuidString) \(descriptor.value ?? "nothing") \(Self.words(error))")
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { log.add("ready") }

    private static func words(_ error: (any Error)?) -> String {
        if let error = error as? CBError { return "\(error.code)" }
        if let error = error as? CBATTError { return "\(error.code)" }
        return error.map { "\($0)" } ?? "well"
    }
}
