// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Synchronization
import Testing

@testable import HubWeb

@Suite("Sessions and clocks that are wrong", .timeLimit(.minutes(5)))
struct SessionClockTests {
    private let client = LoginGateTests.client("10.0.0.1")

    @Test func aClockThatWasWrongKeepsNobodySignedInForYears() async throws {
        let clock = Mutex(Timestamp(milliseconds: 4_000_000_000_000))
        let access = try await AccessControl(
            store: try DetectionDatabase(), needsLogin: true, now: { clock.withLock { $0 } },
            monotonic: { ContinuousClock.now })
        let (token, _) = try await access.makeToken()
        let secret = try await access.signIn(token, from: client)
        clock.withLock { $0 = Timestamp(milliseconds: 1_800_000_000_000) }
        #expect(await !access.isSignedIn(secret))
        for extreme in [Int64.min, .max] {
            clock.withLock { $0 = Timestamp(milliseconds: extreme) }
            #expect(await !access.isSignedIn(secret))
        }
    }

    @Test func aClockThatIsBehindForAWhileSignsNobodyOutForGood() async throws {
        let clock = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
        let access = try await AccessControl(
            store: try DetectionDatabase(), needsLogin: true, now: { clock.withLock { $0 } },
            monotonic: { ContinuousClock.now })
        let (token, _) = try await access.makeToken()
        let secret = try await access.signIn(token, from: client)
        // A machine without a clock of its own has started, and has no network yet.
        clock.withLock { $0 = Timestamp(milliseconds: 1_700_000_000_000) }
        #expect(await !access.isSignedIn(secret))
        #expect(await !access.endOldSessions())
        let other = try await access.signIn(token, from: client)
        clock.withLock { $0 = Timestamp(milliseconds: 1_800_000_000_000) }
        #expect(await access.isSignedIn(secret))
        #expect(await !access.isSignedIn(other), "It is years old.")
    }
}
