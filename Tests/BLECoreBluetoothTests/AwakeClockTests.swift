// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Synchronization
import Testing

@testable import BLECoreBluetooth

/// A system's clock that goes on when somebody waits, and how long the app is suspended in the turn of a wait.
private final class Uptime: Sendable {
    private let state = Mutex<(time: Duration, waits: Int, suspensions: [Int: Duration])>((.zero, 0, [:]))

    init(suspendedFor suspensions: [Int: Duration] = [:]) {
        state.withLock { $0.suspensions = suspensions }
    }

    var time: Duration { state.withLock { $0.time } }
    var waits: Int { state.withLock { $0.waits } }

    func pass(_ duration: Duration) {
        state.withLock { state in
            state.waits += 1
            state.time += duration + (state.suspensions[state.waits] ?? .zero)
        }
    }

    var clock: AwakeClock {
        AwakeClock {
            self.time
        } rest: {
            try Task.checkCancellation()
            self.pass($0)
        }
    }
}

@Suite("A clock that stands still while the app is suspended") struct AwakeClockTests {
    private func seconds(_ clock: AwakeClock) -> Double { Double(clock.now.microseconds) / 1_000_000 }

    @Test func awakeItGoesOnAsTheSystemsDoes() async throws {
        let uptime = Uptime()
        let clock = uptime.clock
        #expect(seconds(clock) == 0)
        try await clock.sleep(until: HostInstant(microseconds: 30_500_000))
        #expect(seconds(clock) == 30.5 && uptime.time == .milliseconds(30500) && uptime.waits == 31)
        // Nobody sleeps: what passes is counted, however much it is.
        uptime.pass(.seconds(3600))
        #expect(seconds(clock) == 3630.5)
        try await clock.sleep(until: HostInstant(microseconds: 5))
        #expect(seconds(clock) == 3630.5)
    }

    @Test func whatWasWaitedForIsWaitedForOn() async throws {
        let uptime = Uptime(suspendedFor: [3: .seconds(600), 7: .seconds(2)])
        let clock = uptime.clock
        try await clock.sleep(until: HostInstant(microseconds: 30_000_000))
        // Ten minutes of nothing; two seconds more are a busy system, and count.
        #expect(seconds(clock) == 30 && uptime.time == .seconds(630) && uptime.waits == 28)
    }

    @Test func whoLooksFirstAfterItSeesNothingOfIt() async throws {
        let uptime = Uptime()
        let seen = Mutex<[HostInstant]>([])
        let box = Mutex<AwakeClock?>(nil)
        let clock = AwakeClock {
            uptime.time
        } rest: { slice in
            uptime.pass(slice + .seconds(600))
            seen.withLock { $0.append(box.withLock { $0 }?.now ?? .zero) }
        }
        box.withLock { $0 = clock }
        try await clock.sleep(until: HostInstant(microseconds: 2_000_000))
        #expect(seen.withLock { $0 } == [1, 2].map { HostInstant(microseconds: $0 * 1_000_000) })
        #expect(uptime.time == .seconds(1202))
        box.withLock { $0 = nil }
    }

    @Test func whoIsCancelledSleepsNoMore() async throws {
        let clock = AwakeClock()
        let sleeping = Task { try await clock.sleep(until: HostInstant(microseconds: 3_600_000_000)) }
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
    }
}
