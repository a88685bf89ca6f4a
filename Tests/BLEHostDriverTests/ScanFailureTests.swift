// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESessions
import FlockFinder
import Testing

/// Fault 7: a scan that fails ends its stream with the error, and nobody goes on as if it listened.
@Suite("A scan that fails", .manualTime, .timeLimit(.minutes(5)))
struct ScanFailureTests {
    /// LE Set Scan Enable.
    private static let enable = 0x200C
    private static let disallowed: UInt8 = 0x0C

    /// What goes wrong.
    enum Fault: CaseIterable, Sendable {
        case refusedStart
        case refusedRestart
        case radioLost
        case radioMad
        case controllerSilent
    }

    /// Makes a scan that has been heard by fail.
    private static func happen(_ fault: Fault, _ controller: ScriptedController, _ radio: Radio) async {
        switch fault {
        case .refusedStart: break
        case .refusedRestart:
            // The scan rests while a link is being opened.
            controller.change { $0.refusals[Self.enable] = Self.disallowed }
            await failure { () async throws(BluetoothError) in
                _ = try await radio.connect(to: RobustRadioTests.peer)
            }
        case .radioLost: controller.cut()
        case .radioMad: controller.give([0x77])
        case .controllerSilent:
            controller.change { $0.silences.insert(0x1405) }
            await failure { () async throws(BluetoothError) in
                _ = try await radio.connect(to: RobustRadioTests.peer).readRSSI()
            }
        }
    }

    private static func isExpected(_ error: BluetoothError?, after fault: Fault) -> Bool {
        switch (fault, error) {
        case (.refusedStart, .refusedByRadio), (.refusedRestart, .refusedByRadio): true
        case (.radioLost, .radioUnavailable), (.radioMad, .radioUnavailable): true
        case (.controllerSilent, .radioUnavailable("it does not answer")): true
        default: false
        }
    }

    @Test(arguments: Fault.allCases) func itsStreamThrows(_ fault: Fault) async throws {
        let controller = ScriptedController()
        if fault == .refusedStart { controller.change { $0.refusals[Self.enable] = Self.disallowed } }
        let host = controller.makeRadio()
        try await host.start()
        let heard = Happenings<Advertisement>()
        let stream = try await host.radio.scan()
        let scan = begin {
            await failure { () async throws(BluetoothError) in for try await one in stream { heard.add(one) }
            }
        }
        if fault != .refusedStart {
            controller.give(ControllerScript.report(0xC000_0000_0001))
            #expect(try await heard.next().peer == RobustRadioTests.peer)
        }
        await Self.happen(fault, controller, host.radio)
        let error = await scan.value
        #expect(Self.isExpected(error, after: fault), "\(String(describing: error))")
        #expect(await host.census.scans == 0)
        if fault == .radioLost {
            // Who comes afterwards is told the same, not that it is off.
            let next = await failure { () async throws(BluetoothError) in _ = try await host.radio.scan() }
            #expect(next == error)
        }
        await host.close()
    }

    /// Two listen; what only the second wants is refused, and the first goes on.
    @Test func whoWasHeardByBeforeGoesOn() async throws {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        var first = try await host.radio.scan(ScanOptions(isActive: false)).makeAsyncIterator()
        controller.give(ControllerScript.report(0xC000_0000_0001))
        #expect(try await first.next() != nil)
        controller.change { $0.refusalsOnce[0x200B] = 0x12 }
        let second = try await host.radio.scan(ScanOptions(isActive: true))
        let error = await failure { () async throws(BluetoothError) in for try await _ in second {} }
        #expect(Self.isExpected(error, after: .refusedStart))
        controller.give(ControllerScript.report(0xC000_0000_0001))
        #expect(try await first.next() != nil)
        await host.close()
    }

    /// A session that scans is told that it does not, and scans again when it can.
    @Test(arguments: Fault.allCases) func aSessionDoesNotStayScanning(_ fault: Fault) async throws {
        let controller = ScriptedController()
        if fault == .refusedStart { controller.change { $0.refusals[Self.enable] = Self.disallowed } }
        // Each time the transport is opened there is a controller as good as new.
        let host = HostRadio(loop: controller.loop) { _ async throws(TransportError) in
            controller.isCut ? ScriptedController(on: controller.loop) : controller
        }
        try await host.start()
        let client = RunningClient(on: host.radio)
        func state() async throws -> RadioState {
            try await client.inputs.next { if case .radio(let state) = $0 { state } else { nil } }
        }
        #expect(try await state() == .ready)
        await client.ask(.startScan)
        if fault != .refusedStart {
            try await ManualTime.pass(milliseconds: 10)
            controller.give(ControllerScript.report(0xC000_0000_0001))
            _ = try await client.inputs.next { if case .advertisement = $0 { true } else { nil } }
        }
        await Self.happen(fault, controller, host.radio)
        #expect(try await state() == .off)
        controller.change { script in
            script.refusals = [:]
            script.silences = []
        }
        while try await state() != .ready {}
        // A session that is ready begins anew, and is heard by now.
        await client.ask(.startScan)
        try await ManualTime.pass(milliseconds: 100)
        #expect(await host.census.scans == 1)
        await client.finish()
        await client.run.value
        try await ManualTime.pass(milliseconds: 100)
        #expect(await host.census.scans == 0)
        await host.close()
    }

    /// The same with the machine that kits have, on a radio that refuses three times.
    @Test func aKitScansAgainOnceTheRadioLetsIt() async throws {
        let controller = ScriptedController()
        controller.change { $0.refusals[Self.enable] = Self.disallowed }
        let host = controller.makeRadio()
        try await host.start()
        let states = Happenings<DeviceLink.State>()
        let runner = ClientRunner(FlockFinderClient(options: .init()), on: host.radio)
        let run = begin { await runner.run { if case .state(let report) = $0 { states.add(report.state) } } }
        for refusals in 0..<3 {
            #expect(try await states.next() == .scanning)
            #expect(try await states.next() == .bluetoothOff)
            if refusals == 2 { controller.change { $0.refusals = [:] } }
        }
        #expect(try await states.next() == .scanning)
        try await ManualTime.pass(milliseconds: 5000)
        #expect(await host.census.scans == 1)
        run.cancel()
        await run.value
        await host.close()
    }
}
