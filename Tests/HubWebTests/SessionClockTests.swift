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

    /// Their event streams end when this is told, whoever has found out first that they are out.
    @Test func whoIsOutForAnyReasonIsTold() async throws {
        let clock = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
        let access = try await AccessControl(
            store: try DetectionDatabase(), needsLogin: true, now: { clock.withLock { $0 } },
            monotonic: { ContinuousClock.now })
        let (token, _) = try await access.makeToken()
        let first = try await access.signIn(token, from: client)
        #expect(await !access.endOldSessions())
        clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + 31 * 86_400_000) }
        // Who signs in clears away what is over.
        _ = try await access.signIn(token, from: client)
        #expect(await !access.isSignedIn(first))
        #expect(await access.endOldSessions())
        #expect(await !access.endOldSessions())
        // One too many takes the place of the one that was seen longest ago.
        for _ in 1..<AccessControl.sessionLimit { _ = try await access.signIn(token, from: client) }
        #expect(await !access.endOldSessions())
        _ = try await access.signIn(token, from: client)
        #expect(await access.endOldSessions())
        #expect(await !access.endOldSessions())
    }

    @Test func aTokenThatAnotherProgramHasRevokedIsToldThoughAChangeOfOurOwnHasSeenItFirst() async throws {
        let store = try DetectionDatabase()
        let other = try await AccessControl(store: store, needsLogin: true)
        _ = try await other.makeToken()
        let (guest, _) = try await other.makeToken(named: "Guest", role: .read)
        let hub = try await AccessControl(store: store, needsLogin: true)
        let session = try await hub.signIn(guest, from: client)
        let number = try #require(await other.tokens.first { $0.name == "Guest" }?.id)
        #expect(try await other.revoke(number) == nil)
        try await hub.keep()
        #expect(await !hub.isSignedIn(session))
        #expect(await hub.reload())
        #expect(await !hub.reload())
        // What it revokes itself it has told by itself.
        let (_, _) = try await hub.makeToken(named: "Guest", role: .read)
        let next = try #require(await hub.tokens.first { $0.name == "Guest" }?.id)
        #expect(try await hub.revoke(next) == nil)
        #expect(await !hub.reload())
    }
}
