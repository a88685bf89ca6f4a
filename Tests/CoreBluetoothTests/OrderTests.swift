// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Testing
import VirtualPhone

@Suite("Values and answers keep their order", .timeLimit(.minutes(5)))
struct OrderTests {
    private static var asked: CBUUID { CBUUID(Device.asked) }

    @Test(arguments: 1...100) func valuesNeverOvertakeWhatTheyFollow(_ seed: UInt64) async throws {
        try await TestAir.run(seed: seed) { air in
            let device = try await Device(on: air) { device, request in
                try await device.send(4, to: request.client)
                try await device.send(5, to: request.client)
                await device.server.respond(to: request, with: [99])
                try await device.send(6, to: request.client)
            } subscribed: { device, client in
                // With the answer to the subscription: all are on the air at once.
                for value in UInt8(1)...3 { try await device.send(value, to: client) }
            }
            let app = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01")).app()
            let recorder = app.launch { Recorder() }
            try await recorder.log.next("state poweredOn")
            recorder.central.scanForPeripherals(withServices: [CBUUID(Device.service)])
            try await recorder.log.next("value FFF1 3")
            recorder.found[0].readValue(for: recorder.characteristic(Self.asked)!)
            try await recorder.log.next("value FFF1 6")
            let told = recorder.log.lines.filter { $0.hasPrefix("notify") || $0.hasPrefix("value") }
            #expect(
                told == [
                    "notify FFF1 true well", "value FFF1 1", "value FFF1 2", "value FFF1 3", "value FFF1 4",
                    "value FFF1 5", "value FFF3 99", "value FFF1 6",
                ])
            _ = device
        }
    }

    @Test func requestsAreMadeInTheOrderOfTheirCalls() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let recorder = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01")).app().launch {
                Recorder()
            }
            try await recorder.log.next("state poweredOn")
            recorder.central.scanForPeripherals(withServices: nil)
            try await recorder.log.next("notify")
            let note = recorder.characteristic(CBUUID(Device.note))!
            for number in UInt8(0)..<50 {
                if number % 3 == 0 { recorder.found[0].readValue(for: recorder.characteristic(Self.asked)!) }
                recorder.found[0].writeValue(
                    Data([number]), for: note, type: number % 5 == 0 ? .withoutResponse : .withResponse)
            }
            recorder.found[0].readRSSI()
            try await recorder.log.next("rssi")
            #expect(device.log.lines.filter { $0.hasPrefix("written") } == (0..<50).map { "written [\($0)]" })
            #expect(recorder.log.lines.filter { $0 == "write FFF2 well" }.count == 40)
            #expect(recorder.log.lines.filter { $0 == "value FFF3 42" }.count == 17)
        }
    }
}
