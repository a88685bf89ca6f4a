// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import FlockFinder
import FlockFinderCompanion
import Testing

@Suite("The link to a FlockFinder that is kept")
struct FlockLinkTests {
    /// A link, the device on which it is shown, and a clock that a test moves.
    private struct Bench {
        var link = FlockLink()
        var device = HubDevice.tested
        private(set) var now = HostInstant.zero
        private(set) var told: [FlockReport] = []
        private(set) var proofs: [Bool] = []
        private(set) var orders: [String] = []
        private(set) var answers: [Int64: Result<CommandAnswer, HubError>] = [:]

        var moment: Moment { .at(now) }

        mutating func receive(_ content: FlockReport.Content) {
            link.receive(FlockReport(moment.time, content), at: moment)
            drain()
        }

        mutating func receive(
            _ state: DeviceLink.State, because reason: DeviceLink.Reason? = nil, retry: UInt64? = nil
        ) {
            var report = DeviceLink.Report(state)
            (report.reason, report.retryMilliseconds) = (reason, retry)
            receive(.state(LinkStateChanged(report)))
        }

        mutating func connect() {
            for state in [DeviceLink.State.scanning, .connecting, .discovering, .connected] { receive(state) }
        }

        mutating func send(_ command: WireText, as id: Int64) throws(HubError) {
            try link.send(command, for: JobRequest(id: id), at: moment)
            drain()
        }

        mutating func say(_ text: String) {
            receive(.stream(FlockStreamObject(device.peer, Array(text.utf8))))
        }

        mutating func noteWritten(_ command: WireText, _ failure: GATTRequestError? = nil) {
            receive(.command(FlockCommandWritten(device.peer, command, failure: failure)))
        }

        /// Lets time go by, and every deadline be met.
        mutating func pass(milliseconds: UInt64) {
            let end = now.advanced(byMilliseconds: milliseconds)
            while let due = link.nextDeadline, due <= end {
                now = max(now, due)
                link.deadlineReached(at: moment)
                drain()
            }
            now = end
        }

        mutating func drain() {
            while let output = link.nextOutput() {
                switch output {
                case .changed: link.show(on: &device)
                case .event(let report): told.append(report)
                case .proved(let isOne): proofs.append(isOne)
                case .send(let command): orders.append(command.string)
                case .setStream(let isOn): orders.append("stream \(isOn)")
                case .answered(let request, let result): answers[request.id] = result
                }
            }
        }

        func text(_ id: Int64) -> String? {
            switch answers[id] {
            case .success(let answer)?: answer.text
            case .failure(let fault)?: fault.description
            case nil: nil
            }
        }
    }

    private let ping = FlockFinderCommand.ping, reset = FlockFinderCommand.reset

    @Test func howItIsIsShownStepByStep() {
        var bench = Bench()
        bench.receive(.scanning)
        #expect(bench.device.link == .connecting)
        bench.receive(.connecting)
        bench.receive(.discovering)
        #expect(bench.device.link == .connecting && bench.proofs.isEmpty)
        bench.pass(milliseconds: 1500)
        bench.receive(.connected)
        #expect(bench.device.link == .connected && bench.device.connectedSince == bench.moment.time)
        #expect(bench.proofs == [true] && bench.link.isConnected && bench.told.count == 4)
        bench.receive(.disconnected, because: .lost(.supervisionTimeout), retry: 2000)
        #expect(bench.device.link == .lost && bench.device.connectedSince == nil)
        #expect(bench.device.reason?.hasSuffix(".") == true)
        #expect(bench.device.nextTry?.milliseconds == bench.moment.time.milliseconds + 2000)
        // One that was there is lost while it is looked for, and no longer being connected to.
        bench.receive(.scanning)
        #expect(bench.device.link == .lost && bench.device.reason == nil && bench.device.nextTry == nil)
        bench.receive(.bluetoothOff)
        #expect(bench.device.reason == "The radio cannot be used.")
    }

    @Test func oneThatIsNotHeardIsSaidToBeSo() {
        var bench = Bench()
        bench.receive(.scanning)
        bench.pass(milliseconds: 9999)
        #expect(bench.device.link == .connecting && bench.device.reason == nil)
        bench.pass(milliseconds: 1)
        #expect(bench.device.link == .lost)
        #expect(bench.device.reason == "It is not heard. Bring it near and switch it on.")
        bench.connect()
        bench.pass(milliseconds: 60_000)
        #expect(bench.device.link == .connected && bench.device.reason == nil)
    }

    @Test(arguments: [(UInt8(0x07), true), (0x09, true), (0x3E, false)])
    func aRadioWithoutRoomIsKnown(_ status: UInt8, _ isFull: Bool) {
        var bench = Bench()
        bench.receive(.disconnected, because: .connectFailed(.controller(status: status)))
        #expect(bench.link.wasRefusedForRoom == isFull)
        bench.connect()
        #expect(!bench.link.wasRefusedForRoom)
    }

    @Test func whatComesIsCountedAlsoWhenItIsShownLater() {
        var bench = Bench()
        bench.connect()
        bench.device.received = 5
        for _ in 0..<3 { bench.link.receiveDetection(at: bench.moment) }
        bench.link.refuse(at: bench.moment)
        #expect(bench.device.received == 5)
        bench.drain()
        #expect(bench.device.received == 8 && bench.device.refused == 1)
        #expect(bench.device.lastReceived == bench.moment.time && bench.device.lastHeard == bench.moment.time)
        bench.drain()
        #expect(bench.device.received == 8)
    }

    @Test func oneThatTalksWithoutEndFillsNoFeed() {
        var bench = Bench()
        bench.connect()
        let before = bench.told.count
        for _ in 0..<500 { bench.say("{}") }
        #expect(bench.told.count - before == 100)
        bench.pass(milliseconds: 1000)
        bench.say("{}")
        #expect(bench.told.count - before == 101)
        // What becomes of a command is told all the same.
        for _ in 0..<200 { bench.say("{}") }
        bench.noteWritten(ping)
        guard case .command? = bench.told.last?.content else {
            Issue.record("it was not told")
            return
        }
    }

    @Test func oneThatIsNoFlockFinderSaysSo() {
        var bench = Bench()
        bench.receive(.notice(FlockNotice(bench.device.peer, .characteristicsMissing([]))))
        #expect(bench.proofs == [false] && bench.told.count == 1)
        // It stays said when the link is ended for that.
        bench.link.end(at: bench.moment)
        bench.drain()
        #expect(bench.device.link == .none)
        #expect(bench.device.reason == FlockFinderAdvice.characteristicsMissing([]).description)
    }

    // MARK: Commands

    @Test func aCommandIsAnsweredByTheStatus() throws {
        var bench = Bench()
        bench.connect()
        try bench.send(ping, as: 1)
        #expect(bench.orders == ["PING"] && bench.answers.isEmpty)
        #expect(
            throws: HubError.notNow(
                "The device is still answering another command. Try again in a moment.")
        ) { try bench.send(ping, as: 2) }
        bench.pass(milliseconds: 30)
        bench.noteWritten(ping)
        bench.say(#"{"evt":"detection"}"#)
        #expect(bench.answers.isEmpty)
        bench.pass(milliseconds: 70)
        bench.say(#"{"evt":"status","msg":"pong"}"#)
        #expect(bench.text(1)?.contains("pong") == true)
        guard case .success(let answer)? = bench.answers[1] else {
            Issue.record("no answer")
            return
        }
        #expect(answer.milliseconds == 100)
        // It may overtake the word that the command was written.
        try bench.send(ping, as: 3)
        bench.say(#"{"evt":"status","msg":"pong"}"#)
        #expect(bench.text(3)?.contains("pong") == true)
        bench.noteWritten(ping)
        bench.pass(milliseconds: 20_000)
        #expect(bench.answers.count == 2)
    }

    @Test func silenceMeansWhatItMeans() throws {
        var bench = Bench()
        bench.connect()
        try bench.send(ping, as: 1)
        bench.pass(milliseconds: 9999)
        #expect(bench.text(1) == nil)
        bench.pass(milliseconds: 1)
        #expect(bench.answers[1]?.fault == .noAnswer("The device did not take the command. Try again."))
        try bench.send(ping, as: 2)
        bench.noteWritten(ping)
        bench.pass(milliseconds: 1999)
        #expect(bench.text(2) == nil)
        bench.pass(milliseconds: 1)
        #expect(bench.text(2) == "It took the command and said nothing.")
        try bench.send(FlockFinderCommand.streamOn, as: 3)
        #expect(bench.orders.last == "stream true" && !bench.device.isStreaming)
        bench.noteWritten(FlockFinderCommand.streamOn)
        // What it says of other things is no answer to this.
        bench.say(#"{"evt":"status","msg":"busy"}"#)
        bench.pass(milliseconds: 400)
        #expect(bench.text(3) == "The live stream is on." && bench.device.isStreaming)
        try bench.send(FlockFinderCommand.streamOff, as: 4)
        bench.noteWritten(FlockFinderCommand.streamOff)
        bench.pass(milliseconds: 400)
        #expect(bench.text(4) == "The live stream is off." && !bench.device.isStreaming)
    }

    @Test func whatADeviceDoesNotKnowOrTakeIsSaid() throws {
        var bench = Bench()
        bench.connect()
        try bench.send(FlockFinderCommand.streamOn, as: 1)
        bench.noteWritten(FlockFinderCommand.streamOn)
        bench.say(#"{"evt":"status","msg":"unknown command: stream_on"}"#)
        #expect(bench.text(1)?.hasPrefix("The device does not know the command: ") == true)
        #expect(!bench.device.isStreaming)
        try bench.send(ping, as: 2)
        // That of another one is none of this.
        bench.noteWritten(reset, .timeout)
        #expect(bench.text(2) == nil)
        bench.noteWritten(ping, .timeout)
        #expect(bench.text(2)?.hasPrefix("The command could not be written: ") == true)
        #expect(throws: HubError.self) { try FlockLink.check("FORMAT") }
        for command in FlockFinderCommand.all { try FlockLink.check(command) }
    }

    @Test func aResetSetsTheCountsBack() throws {
        var bench = Bench()
        bench.connect()
        for _ in 0..<4 { bench.link.receiveDetection(at: bench.moment) }
        bench.link.refuse(at: bench.moment)
        bench.drain()
        try bench.send(reset, as: 1)
        bench.noteWritten(reset)
        bench.link.receiveDetection(at: bench.moment)
        bench.drain()
        #expect(bench.device.received == 5)
        bench.say(#"{"evt":"status","msg":"reset"}"#)
        #expect(bench.device.received == 0 && bench.device.refused == 0)
    }

    @Test func whoWaitsWhenItEndsIsTold() throws {
        let gone = HubError.notNow("The link to the device has ended. Try again when it is back.")
        var bench = Bench()
        bench.connect()
        try bench.send(ping, as: 1)
        bench.link.interrupt(at: bench.moment)
        bench.drain()
        #expect(bench.answers[1]?.fault == gone && !bench.link.isConnected)
        #expect(throws: FlockLink.notConnected) { try bench.send(ping, as: 2) }
        bench.link.interrupt("The database is full.", at: bench.moment)
        bench.drain()
        #expect(bench.device.link == .lost && bench.device.reason == "The database is full.")
        bench.connect()
        try bench.send(ping, as: 3)
        bench.link.end(at: bench.moment)
        bench.drain()
        #expect(bench.answers[3]?.fault == gone && bench.link.nextDeadline == nil)
        #expect(
            bench.device.link == .none && bench.device.reason == nil && bench.device.connectedSince == nil)
        // What its session says on its way out is not shown any more.
        bench.receive(.disconnected, because: .closed)
        #expect(bench.device.link == .none)
        #expect(throws: FlockLink.notConnected) { try bench.send(ping, as: 4) }
    }
}

extension Result where Failure == HubError {
    fileprivate var fault: HubError? { if case .failure(let fault) = self { fault } else { nil } }
}
