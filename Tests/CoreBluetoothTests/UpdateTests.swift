// SPDX-License-Identifier: Apache-2.0

import BLEVirtualRadio
import CoreBluetooth
import Synchronization
import Testing
import VirtualPhone

@Suite("Values that an app sends to those who have subscribed", .timeLimit(.minutes(5)))
struct UpdateTests {
    /// Sends numbers in order, as far as there is room, and goes on when there is room again.
    private final class Sending: Sendable {
        private let state = Mutex((next: UInt8(0), refusals: 0))
        let last: UInt8
        let isAlarm: Bool

        init(_ count: UInt8, isAlarm: Bool) {
            last = count
            self.isAlarm = isAlarm
        }

        var refusals: Int { state.withLock { $0.refusals } }

        func goOn(_ sensor: Sensor) {
            while true {
                let next = state.withLock { $0.next }
                guard next < last else { return }
                guard sensor.send([next], of: isAlarm ? Sensor.alarm : Sensor.level) else {
                    state.withLock { $0.refusals += 1 }
                    return
                }
                state.withLock { $0.next += 1 }
            }
        }
    }

    /// The queue is full again and again.
    ///
    /// Each time it is told that there is room, and once only; nothing is lost, and nothing overtakes.
    @Test(arguments: [false, true]) func aHundredValuesArriveInOrder(_ areIndications: Bool) async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.reader.follow(areIndications ? Sensor.alarm : Sensor.level)
            try await pair.sensor.log.next("subscribed")
            let sending = Sending(100, isAlarm: areIndications)
            pair.sensor.roomAgain = { sending.goOn($0) }
            let sensor = pair.sensor
            sensor.queue.async { sending.goOn(sensor) }
            try await pair.reader.log.next("value [99]")
            #expect(
                pair.reader.log.lines.filter { $0.hasPrefix("value") } == (0..<100).map { "value [\($0)]" })
            try await air.advance(by: .seconds(5))
            #expect(sending.refusals >= 1)
            #expect(sensor.log.lines.filter { $0 == "ready" }.count == sending.refusals)
        }
    }

    /// A refusal is followed by one callback, also when the app does not try again.
    @Test func roomIsToldOnceAfterARefusal() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.reader.follow(Sensor.alarm)
            try await pair.sensor.log.next("subscribed")
            let sensor = pair.sensor
            let accepted = sensor.queue.sync {
                (0..<60).filter { sensor.send([UInt8($0)], of: Sensor.alarm) }.count
            }
            #expect((1..<60).contains(accepted))
            try await pair.reader.log.next("value [\(accepted - 1)]")
            try await air.advance(by: .seconds(5))
            #expect(sensor.log.lines.filter { $0 == "ready" }.count == 1)
            // With room there is nothing to tell.
            #expect(sensor.send([60], of: Sensor.alarm))
            try await pair.reader.log.next("value [60]")
            #expect(sensor.log.lines.filter { $0 == "ready" }.count == 1)
        }
    }

    /// A subscriber that goes while values wait for it holds nothing up.
    @Test func aSubscriberThatLeavesHoldsNothingUp() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            pair.reader.follow(Sensor.alarm)
            try await pair.sensor.log.next("subscribed")
            let sensor = pair.sensor
            _ = sensor.queue.sync { (0..<60).filter { sensor.send([UInt8($0)], of: Sensor.alarm) } }
            pair.reader.disconnect()
            try await sensor.log.next("unsubscribed 0")
            try await air.advance(by: .seconds(5))
            #expect(sensor.log.lines.filter { $0 == "ready" }.count == 1)
            #expect(sensor.send([1], of: Sensor.alarm))
        }
    }

    /// Of two who have subscribed, only the one that is named gets a value; a slow one does not get it late.
    @Test func aValueGoesToThoseWhoAreNamed() async throws {
        try await TestAir.run { air in
            let pair = try await Pair(on: air)
            let third = VirtualPhone(name: "Third", radio: try await air.radio("C0:AA:00:00:00:03"))
            let other = third.app().launch { Reader() }
            try await other.log.next("ready")
            for reader in [pair.reader, other] {
                reader.follow(Sensor.level)
                try await pair.sensor.log.next("subscribed")
            }
            let centrals = try #require(pair.sensor[Sensor.level].subscribedCentrals)
            #expect(centrals.count == 2 && centrals[0] !== centrals[1])
            #expect(centrals[0].identifier != centrals[1].identifier)
            let sensor = pair.sensor
            #expect(
                sensor.manager.updateValue(
                    Data([1]), for: sensor[Sensor.level], onSubscribedCentrals: [centrals[1]]))
            #expect(sensor.send([2]))
            try await other.log.next("value [1]")
            try await other.log.next("value [2]")
            try await pair.reader.log.next("value [2]")
            #expect(!pair.reader.log.lines.contains("value [1]"))
            // As much as the link carries, no more.
            let room = centrals[0].maximumUpdateValueLength
            #expect(room > 20)
            #expect(sensor.send([UInt8](repeating: 3, count: 512)))
            try await pair.reader.log.next("value \(min(room, 512))")
        }
    }
}
