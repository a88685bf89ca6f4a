// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import FlockFinder
import Testing

private typealias F = ClientFixture
private typealias Bench = ClientBench
private let (peer, services) = (F.peer, F.services)
private let (detection, command, stream) = (F.detection, F.command, F.stream)
private let at = F.at

@Suite struct FlockFinderClientLinkTests {
    // MARK: Commands

    @Test func commandsAreWrittenAndTheirOutcomeIsTold() {
        let bench = Bench()
        bench.bringUp()
        bench.client.send("STATUS", at: .zero)
        bench.client.send("dance", at: .zero)
        bench.drain()
        // One after the other.
        #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("STATUS".utf8))])
        bench.answer()
        #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("dance".utf8))])
        bench.answer(.failure(.timeout))
        #expect(bench.events == [.command("STATUS", nil), .command("dance", .timeout)])
    }

    @Test func commandsWaitForALink() {
        let bench = Bench()
        for _ in 0..<FlockFinderClient.maximumWaitingCommands { bench.client.send("RESET", at: .zero) }
        bench.client.send("PING", at: .zero)
        bench.drain()
        #expect(bench.events == [.command("PING", .queueFull)])
        bench.find()
        bench.answer()
        bench.answer()
        bench.forget()
        for _ in 0..<FlockFinderClient.maximumWaitingCommands {
            #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("RESET".utf8))])
            bench.answer()
        }
        #expect(bench.requests.isEmpty)
        #expect(bench.events == Array(repeating: .command("RESET", nil), count: 16))
    }

    @Test func commandsThatNeverGetALinkEndWithTheSession() {
        let bench = Bench()
        bench.receive(.radio(.ready))
        bench.client.send("STATUS", at: .zero)
        bench.client.send("RESET", at: .zero)
        bench.forget()
        bench.client.close(at: .zero)
        bench.client.send("PING", at: .zero)
        bench.drain()
        #expect(bench.isFinished)
        #expect(
            bench.events.dropFirst() == [
                .command("STATUS", .disconnected), .command("RESET", .disconnected),
                .command("PING", .disconnected),
            ])
    }

    @Test func tooManyCommandsAreRefused() {
        let bench = Bench()
        bench.bringUp()
        for _ in 0..<1_000 { bench.client.send("STATUS", at: .zero) }
        bench.drain()
        let refused = bench.events.filter { $0 == .command("STATUS", .queueFull) }
        #expect((800..<1_000).contains(refused.count) && bench.requests.count == 1)
    }

    @Test func aCommandThatIsNeverAnsweredEndsTheLink() {
        let bench = Bench()
        bench.bringUp()
        bench.client.send("STATUS", at: .zero)
        bench.drain()
        bench.forget()
        // The radio says nothing of it: neither that it was written, nor that the link is gone.
        while !bench.isFinished, let due = bench.client.nextDeadline, due < at(45_000) {
            bench.client.deadlineReached(at: due)
            bench.drain()
        }
        #expect(bench.events.contains(.command("STATUS", .disconnected)))
        #expect(bench.actions == [.disconnect])
    }

    @Test func aCommandThatIsOutWhenTheLinkIsLostHasFailed() {
        let bench = Bench()
        bench.bringUp()
        bench.client.send("STATUS", at: .zero)
        bench.drain()
        bench.receive(.disconnected(.closedByPeer))
        #expect(bench.events.first == .command("STATUS", .disconnected))
        bench.answer()
        #expect(bench.events.filter { $0 == .command("STATUS", nil) }.isEmpty)
    }

    @Test func theStreamCanBeSwitchedAtAnyTime() {
        let bench = Bench()
        bench.client.startStream(at: .zero)
        bench.client.stopStream(at: .zero)
        bench.bringUp()
        #expect(bench.requests.isEmpty)
        bench.client.startStream(at: .zero)
        bench.client.stopStream(at: .zero)
        bench.drain()
        #expect(
            bench.requests.map(\.request) == [.write(command.valueHandle, Array("stream_on".utf8))])
        bench.answer(.failure(.refused(.writeNotPermitted)))
        #expect(
            bench.requests.map(\.request) == [.write(command.valueHandle, Array("stream_off".utf8))])
        #expect(bench.events == [.command("stream_on", .refused(.writeNotPermitted))])
    }

    // MARK: Keeping the link alive

    @Test func pingsAfterHalfAMinuteOfSilence() {
        let bench = Bench()
        bench.bringUp()
        #expect(bench.client.nextDeadline == at(30_000))
        bench.receive(.value(stream.valueHandle, Array("{}".utf8), .notify), 10_000)
        #expect(bench.client.nextDeadline == at(40_000))
        bench.reach(39_999)
        #expect(bench.requests.isEmpty)
        bench.reach(40_000)
        #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("PING".utf8))])
        bench.forget()
        bench.answer()
        #expect(bench.events.isEmpty)
        #expect(bench.client.nextDeadline == at(70_000))
    }

    @Test func doesNotPingWhenToldNotTo() {
        let bench = Bench(sendsPings: false)
        bench.bringUp()
        #expect(bench.client.nextDeadline == nil)
    }

    @Test func comesBackAfterALossAndSwitchesEverythingOnAgain() {
        let bench = Bench(switchesStreamOn: true)
        bench.bringUp()
        bench.answer()
        bench.receive(.disconnected(.supervisionTimeout), 50_000)
        let wait = bench.client.nextDeadline
        guard case .advice(.noLink(retryMilliseconds: let retry?))? = bench.events.last else {
            Issue.record("no advice")
            return
        }
        #expect(at(50_000 + retry) == wait)
        bench.forget()
        bench.reach(50_000 + retry)
        bench.receive(.advertisement(ClientAdvertisement(peer: peer)))
        bench.receive(.connected(peer, mtu: 23))
        bench.receive(.discovered(services))
        bench.answer()
        bench.answer()
        #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("stream_on".utf8))])
        #expect(bench.client.state == .connected)
    }

    @Test func withoutRetriesALossIsTheEnd() {
        let bench = Bench(reconnects: false)
        bench.bringUp()
        bench.receive(.disconnected(.closedByPeer))
        #expect(bench.events.last == .advice(.noLink(retryMilliseconds: nil)))
        #expect(bench.isFinished)
    }

    // MARK: Ending

    @Test func closingSwitchesEverythingOffFirst() {
        let bench = Bench(switchesStreamOn: true)
        bench.bringUp()
        bench.answer()
        bench.client.close(at: .zero)
        bench.drain()
        #expect(
            bench.requests.map(\.request) == [.write(command.valueHandle, Array("stream_off".utf8))])
        bench.client.send("late", at: .zero)
        bench.client.close(at: .zero)
        bench.drain()
        bench.answer()
        #expect(bench.requests.map(\.request) == [.subscribe(detection, [])])
        bench.answer(.failure(.timeout))
        #expect(bench.requests.map(\.request) == [.subscribe(stream, [])])
        #expect(bench.actions.isEmpty)
        bench.answer()
        #expect(bench.actions == [.disconnect])
        bench.receive(.disconnected(.closedByUs))
        #expect(
            bench.events == [
                .state(.init(.disconnected, peer: peer, reason: .closed)), .command("late", .disconnected),
            ], "an end that was wanted needs no advice")
        #expect(bench.isFinished)
        #expect(bench.client.nextDeadline == nil)
    }

    @Test func aFarewellThatTakesTooLongIsCutShort() {
        let bench = Bench()
        bench.bringUp()
        bench.client.close(at: at(1_000))
        bench.drain()
        #expect(bench.client.nextDeadline == at(3_000))
        bench.reach(3_000)
        #expect(bench.actions == [.disconnect])
        bench.receive(.disconnected(.closedByUs))
        #expect(bench.isFinished)
    }

    @Test func aLossDuringTheFarewellIsTheEnd() {
        let bench = Bench()
        bench.bringUp()
        bench.client.close(at: .zero)
        bench.drain()
        bench.receive(.disconnected(.closedByPeer))
        #expect(bench.isFinished)
        #expect(bench.client.nextDeadline == nil)
    }

    @Test func closingBeforeThereIsALinkIsQuick() {
        for inputs in [[], [.radio(.off)], [.radio(.ready)]] as [[ClientInput]] {
            let bench = Bench()
            for input in inputs { bench.receive(input) }
            bench.client.close(at: .zero)
            bench.drain()
            #expect(bench.isFinished)
        }
        let bench = Bench()
        bench.find()
        bench.client.close(at: .zero)
        bench.drain()
        #expect(bench.actions.last == .disconnect)
        bench.receive(.disconnected(.closedByUs))
        #expect(bench.isFinished)
    }
}
