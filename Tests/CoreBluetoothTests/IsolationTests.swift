// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Testing
import VirtualPhone

// Each way in which apps write delegates in the Swift 6 mode.

/// On the main actor, with a conformance that is isolated to it.
@MainActor private final class IsolatedModel: NSObject {
    private(set) var names: [String] = []
    private(set) var state = CBManagerState.unknown
    let log = Log()
    var central: CBCentralManager?

    func begin() { central = CBCentralManager(delegate: self, queue: nil) }
}

extension IsolatedModel: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        state = central.state
        log.add("state")
        if state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        if let name = peripheral.name, !names.contains(name) { names.append(name) }
        log.add("discover \(peripheral.name ?? "")")
    }
}

/// The same with @preconcurrency, as Swift 6.0 has it.
@MainActor private final class PreconcurrencyModel: NSObject, @preconcurrency CBCentralManagerDelegate {
    private(set) var states: [CBManagerState] = []
    let log = Log()
    var central: CBCentralManager?

    func begin() { central = CBCentralManager(delegate: self, queue: .main) }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        states.append(central.state)
        log.add("state")
    }
}

/// The same with methods that are isolated to nobody.
@MainActor private final class NonisolatedModel: NSObject, CBCentralManagerDelegate {
    private(set) var states: [CBManagerState] = []
    let log = Log()
    var central: CBCentralManager?

    func begin() { central = CBCentralManager(delegate: self, queue: .main) }

    nonisolated func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let state = central.state
        MainActor.assumeIsolated {
            states.append(state)
            log.add("state")
        }
    }
}

@Suite("Delegates on the main actor", .timeLimit(.minutes(5)))
struct IsolationTests {
    @Test @MainActor func eachOfThreeWaysIsTold() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let (isolated, preconcurrency, nonisolated) = (
                IsolatedModel(), PreconcurrencyModel(), NonisolatedModel()
            )
            phone.app().launch {
                isolated.begin()
                preconcurrency.begin()
                nonisolated.begin()
            }
            try await isolated.log.next("discover Device")
            try await preconcurrency.log.next("state")
            try await nonisolated.log.next("state")
            phone.isBluetoothOn = false
            for log in [isolated.log, preconcurrency.log, nonisolated.log] { try await log.next("state") }
            #expect(isolated.names == ["Device"])
            #expect(isolated.state == .poweredOff)
            #expect(preconcurrency.states == [.poweredOn, .poweredOff])
            #expect(nonisolated.states == [.poweredOn, .poweredOff])
            _ = device
        }
    }

    @Test func statesAndScansAreObserved() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let recorder = phone.app().launch { Recorder() }
            let log = Log()
            let observations = [
                recorder.central.observe(\.state, options: [.new]) { _, change in
                    log.add("state \(change.newValue.map { "\($0)" } ?? "")")
                },
                recorder.central.observe(\.isScanning, options: [.new]) { _, change in
                    log.add("scans \(change.newValue == true)")
                },
            ]
            try await recorder.log.next("state poweredOn")
            recorder.central.scanForPeripherals(withServices: nil)
            recorder.central.stopScan()
            phone.isBluetoothOn = false
            try await log.next("state poweredOff")
            #expect(
                log.lines.filter { $0 != "state poweredOn" } == [
                    "scans true", "scans false", "state poweredOff",
                ])
            withExtendedLifetime(observations) {}
        }
    }
}
