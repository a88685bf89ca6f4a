// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Synchronization

// An app as iPhones have it: nothing here knows that this is Linux.

/// Follows a FlockFinder, on a queue of its own.
final class Finder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    static var service: CBUUID { CBUUID(string: "4FAFC201-1FB5-459E-8FCC-C5C9C331914B") }
    static var detection: CBUUID { CBUUID(string: "BEB5483E-36E1-4688-B7F5-EA07361B26A8") }
    static var command: CBUUID { CBUUID(string: "BEB5483E-36E1-4688-B7F5-EA07361B26A9") }
    // As apps have it.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals

    private var central: CBCentralManager!
    private(set) var peripheral: CBPeripheral?
    let log = Log()

    init(restoring identifier: String? = nil) {
        super.init()
        var options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: true]
        if let identifier { options[CBCentralManagerOptionRestoreIdentifierKey] = identifier }
        central = CBCentralManager(delegate: self, queue: DispatchQueue(label: "finder"), options: options)
    }

    func disconnect() { if let peripheral { central.cancelPeripheralConnection(peripheral) } }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        peripheral = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
        peripheral?.delegate = self
        log.add("restored \(peripheral?.name ?? "nothing") \(peripheral?.state == .connected)")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        log.add("state \(central.state.rawValue)")
        if central.state == .poweredOn, peripheral == nil {
            central.scanForPeripherals(withServices: [Self.service])
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        let isConnectable =
            (advertisementData[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? false
        log.add("found \(services.contains(Self.service)) \(isConnectable) \(RSSI.intValue < 0)")
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        peripheral.delegate = self
        central.connect(peripheral, options: nil)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.add("connected \(peripheral.state == .connected)")
        peripheral.discoverServices([Self.service])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        log.add("disconnected \((error as? CBError).map { "\($0.code)" } ?? "")")
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        log.add("characteristics \(service.characteristics?.count ?? 0)")
        for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify)
        {
            peripheral.setNotifyValue(true, for: characteristic)
        }
        guard let command = service.characteristics?.first(where: { $0.uuid == Self.command }) else { return }
        peripheral.writeValue(Data("PING".utf8), for: command, type: .withResponse)
        peripheral.readValue(for: command)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { log.add("notifying \(characteristic.isNotifying)") }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { log.add("written \(error == nil)") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error = error as? CBATTError {
            let bridged = error as NSError
            return log.add("refused \(error.code) \(bridged.domain) \(bridged.code)")
        }
        guard characteristic.uuid == Self.detection, let value = characteristic.value else { return }
        let json = try? JSONSerialization.jsonObject(with: value) as? [String: Any]
        log.add("detection \(json?["type"] as? String ?? "?")")
    }
}

/// Lines that an app has written, and whoever waits for more.
///
/// Whoever waits is resumed by the line, or by the end of its task.
final class Log: Sendable {
    private struct State {
        var lines: [String] = []
        var taken = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func add(_ line: String) {
        let waiter = state.withLock { state in
            state.lines.append(line)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a line that begins so, after those that were waited for.
    func next(_ beginning: String) async throws {
        while true {
            try Task.checkCancellation()
            let isThere = state.withLock { state in
                guard let index = state.lines[state.taken...].firstIndex(where: { $0.hasPrefix(beginning) })
                else {
                    return false
                }
                state.taken = index + 1
                return true
            }
            if isThere { return }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    let isThere = state.withLock { state in
                        if state.lines.count > state.taken,
                            state.lines[state.taken...].contains(where: { $0.hasPrefix(beginning) })
                                || Task.isCancelled
                        {
                            return true
                        }
                        state.waiter = waiter
                        return false
                    }
                    if isThere { waiter.resume() }
                }
            } onCancel: {
                state.withLock { state in
                    defer { state.waiter = nil }
                    return state.waiter
                }?.resume()
            }
        }
    }
}
