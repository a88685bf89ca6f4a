// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import SessionTesting
import Synchronization
import Testing
import WiFiSet
import WiFiSetSimulated

/// What a station holds beside what is stored.
private final class Held: Sendable {
    private let state = Mutex<WiFiCredentials?>(nil)

    var candidate: WiFiCredentials? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A station that lets a test see its candidate.
private struct OpenStation: ~Copyable, WiFiStation {
    var station = SimulatedWiFiStation()
    let held: Held

    var stored: WiFiCredentials? { station.stored }
    var nextDeadline: HostInstant? { station.nextDeadline }

    mutating func keep(_ candidate: WiFiCredentials) -> Bool {
        held.candidate = candidate
        return station.keep(candidate)
    }

    mutating func storeCandidate() -> Bool {
        held.candidate = nil
        return station.storeCandidate()
    }

    mutating func dropCandidate() {
        held.candidate = nil
        station.dropCandidate()
    }

    mutating func startScan(at now: HostInstant) { station.startScan(at: now) }
    mutating func join(_ credentials: WiFiCredentials, at now: HostInstant) {
        station.join(credentials, at: now)
    }
    mutating func leave(at now: HostInstant) { station.leave(at: now) }
    mutating func deadlineReached(at now: HostInstant) { station.deadlineReached(at: now) }
    mutating func nextEvent() -> WiFiStationEvent? { station.nextEvent() }
}

@Suite("Credentials that are tried")
struct CandidateTests {
    @Test("What did not work is not kept", arguments: [("wrong-password", false), ("lantern-home", true)])
    func dropped(password: String, works: Bool) throws {
        let held = Held()
        let pair = SessionPair(
            WiFiSetClient(options: .init(reconnects: false)),
            WiFiSetDevice(station: OpenStation(held: held)))
        pair.start()
        let credentials = try WiFiCredentials(ssid: "Lantern Home", password: Array(password.utf8))
        pair.update { client, now in client.provision(credentials, at: now) }
        pair.run(milliseconds: 500)
        #expect(held.candidate?.password == Array(password.utf8))
        pair.run(seconds: 3)
        #expect(held.candidate == nil)
        #expect((pair.device.storedSSID != nil) == works)
    }
}
