// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Testing
import VirtualPhone

/// An app that offers a service and looks for others that do, as messengers between phones have it.
private struct Messenger {
    let sensor: Sensor
    let reader: Reader
}

@Suite("Apple's central and peripheral of two phones that look for each other", .timeLimit(.minutes(5)))
struct BothWaysTests {
    @Test(arguments: 1...8) func bothFindAndReadEachOther(seed: UInt64) async throws {
        try await TestAir.run(seed: seed) { air in
            let anna = VirtualPhone(name: "Anna's", radio: try await air.radio("C0:AA:00:00:00:01"))
            let ben = VirtualPhone(name: "Ben's", radio: try await air.radio("C0:AA:00:00:00:02"))
            let hers = anna.app().launch { Messenger(sensor: Sensor("A", value: 1), reader: Reader()) }
            let his = ben.app().launch { Messenger(sensor: Sensor("B", value: 2), reader: Reader()) }
            try await hers.reader.log.next("ready 5")
            try await his.reader.log.next("ready 5")
            hers.reader.read(Sensor.level)
            his.reader.read(Sensor.level)
            try await hers.reader.log.next("value [2]")
            try await his.reader.log.next("value [1]")
        }
    }

    @Test func theLinkStaysToWhoeverHasOpenedIt() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            let sensor = pair.readerPhone.app().launch { Sensor("Reader", value: 9) }
            try await sensor.log.next("advertising true")
            // This phone is the peripheral of the link that there is.
            let other = pair.sensorApp.launch { Reader() }
            try await other.log.next("ready 5")
            other.read(Sensor.level)
            try await other.log.next("value [9]")
            other.disconnect()
            try await other.log.next("disconnected")
            pair.reader.read(Sensor.level)
            try await pair.reader.log.next("value [1]")
            #expect(!pair.reader.log.lines.contains { $0.hasPrefix("disconnected") })
            other.lookAgain()
            try await other.log.next("ready 5")
            pair.reader.disconnect()
            try await other.log.next("disconnected")
        }
    }
}
