// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import HubWeb

@Suite("Who guesses a token waits")
struct LoginGateTests {
    private let start = ContinuousClock.now
    private let one = Self.client("192.168.1.2")
    private let other = Self.client("192.168.1.3")

    static func client(_ address: String) -> ClientAddress {
        ClientAddress(try? SocketAddress(ipAddress: address, port: 1))
    }

    @Test func eachWrongTokenDoublesTheWaitUpToALimit() {
        var gate = LoginGate()
        var now = start
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(gate.wait(for: one, at: now) == nil)
            #expect(gate.fail(one, at: now) == .seconds(seconds))
            #expect(gate.wait(for: one, at: now) == .seconds(seconds))
            #expect(gate.wait(for: other, at: now) == nil)
            now += .seconds(seconds)
        }
    }

    @Test func aRightTokenForgives() {
        var gate = LoginGate()
        _ = gate.fail(one, at: start)
        _ = gate.fail(one, at: start)
        gate.succeed(one)
        #expect(gate.wait(for: one, at: start) == nil)
        #expect(gate.fail(one, at: start) == .seconds(1))
    }

    @Test func manyClientsThatAreWrongCloseItForAllButNotForLong() {
        var gate = LoginGate()
        for number in 1...LoginGate.freeFailures {
            _ = gate.fail(Self.client("10.0.0.\(number)"), at: start)
        }
        #expect(gate.wait(for: one, at: start) == nil)
        _ = gate.fail(Self.client("10.0.1.1"), at: start)
        #expect(gate.wait(for: one, at: start) == .seconds(1))
        for number in 1...50 { _ = gate.fail(Self.client("10.0.2.\(number)"), at: start) }
        #expect(gate.wait(for: one, at: start) == LoginGate.longestWaitOfAll)
    }

    @Test func whatWasWrongLongAgoCountsNoMore() {
        var gate = LoginGate()
        for _ in 1...9 { _ = gate.fail(one, at: start) }
        let later = start + LoginGate.memory + .seconds(1)
        #expect(gate.fail(one, at: later) == .seconds(1))
    }

    @Test func clientsAreTheirAddressOrTheirNetwork() {
        #expect(Self.client("127.0.0.1").isLoopback && Self.client("127.9.9.9").isLoopback)
        #expect(Self.client("::1").isLoopback && Self.client("::ffff:127.0.0.1").isLoopback)
        #expect(!one.isLoopback && !Self.client("2001:db8::1").isLoopback)
        #expect(Self.client("::ffff:192.168.1.2") == one)
        #expect(Self.client("2001:db8::1") == Self.client("2001:db8::2"))
        #expect(Self.client("2001:db8::1") != Self.client("2001:db8:0:1::1"))
    }
}
