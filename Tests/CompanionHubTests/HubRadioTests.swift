// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLESimulation
import BLEWire
import BluetoothLE
import Companion
import CompanionHub
import HubModel
import Synchronization
import Testing

@Suite("A hub's radio", .timeLimit(.minutes(5)))
struct HubRadioTests {
    private let time = SteppedClock()
    private let board = DeviceRegistry()
    private let source = ScriptedSource()

    private func made() -> HubRadio { HubRadio(source, board: board, clock: time.clock) }

    @Test func aRadioThatCannotBeOpenedIsTriedAgainLaterEachTime() async throws {
        source.trouble = RadioError(
            .busy, title: "The radio is in use", text: "End it.", commands: ["kill"])
        let radio = made()
        let work = Task { await radio.run() }
        for delay in [1, 2, 4, 8, 16, 30, 30] {
            try await time.sleepers(1)
            #expect(time.lengths.last == .seconds(delay))
            let state = await radio.state
            #expect(state.condition == .busy && state.title == "The radio is in use")
            #expect(state.commands == ["kill"] && state.text == "End it.")
            let next = try #require(state.nextTry)
            #expect(next.milliseconds - time.clock.now().milliseconds == Int64(delay) * 1000)
            try await time.advance(by: .seconds(delay))
        }
        // Somebody has mended it and does not want to wait.
        try await time.sleepers(1)
        source.trouble = nil
        await radio.retry()
        try await eventually { await radio.state.condition == .scanning }
        #expect(await radio.state.title == "Scanning")
        #expect(await radio.usable() != nil)
        work.cancel()
        await work.value
        #expect(await radio.usable() == nil)
        let areClosed = source.radios.allSatisfy { $0.isClosed }
        #expect(areClosed)
    }

    @Test func whoWaitsForTheRadioGetsItWhenItIsThere() async throws {
        source.trouble = .init(.missing, title: "", text: "")
        let radio = made()
        let work = Task { await radio.run() }
        let waiting = Task { await radio.usable() != nil }
        let givenUp = Task { await radio.usable() != nil }
        try await time.sleepers(1)
        givenUp.cancel()
        #expect(await !givenUp.value)
        source.trouble = nil
        await radio.retry()
        #expect(await waiting.value)
        // This one tells nothing of what pages would like to show, and the page says so.
        #expect(await radio.state.lacks == HubRadioState.Lack.allCases)
        work.cancel()
        await work.value
    }

    @Test func aRadioThatIsLostIsOpenedAgain() async throws {
        let radio = made()
        let work = Task { await radio.run() }
        try await eventually { source.radios.count == 1 && source.radios[0].scanCount == 1 }
        source.radios[0].hear()
        try await eventually { board.reportCount == 1 }
        source.trouble = .init(.missing, title: "The radio is not plugged in", text: "Plug it in.")
        source.radios[0].fail()
        try await eventually { await radio.state.title == "The radio is not plugged in" }
        #expect(source.radios[0].isClosed)
        source.trouble = nil
        try await time.advance(by: .seconds(1))
        try await eventually { source.radios.count == 2 && source.radios[1].scanCount == 1 }
        #expect(await radio.state.condition == .scanning)
        work.cancel()
        await work.value
    }

    @Test func aRadioThatHadHeardSomethingIsOpenedAnewAtOnceOneThatFailsEachTimeIsNot() async throws {
        let radio = made()
        let work = Task { await radio.run() }
        try await eventually { source.radios.count == 1 && source.radios[0].scanCount == 1 }
        #expect(await radio.state.name == "test 1")
        source.radios[0].hear()
        try await eventually { board.reportCount == 1 }
        source.radios[0].fail()
        try await eventually { source.radios.count == 2 && source.radios[1].scanCount == 1 }
        for delay in [1, 2, 4] {
            let count = source.radios.count
            source.radios[count - 1].fail()
            try await eventually { await radio.state.nextTry != nil }
            #expect(source.radios.count == count)
            try await time.sleepers(1)
            #expect(time.lengths.last == .seconds(delay))
            try await time.advance(by: .seconds(delay))
            try await eventually { source.radios.count == count + 1 && source.radios[count].scanCount == 1 }
        }
        work.cancel()
        await work.value
    }

    @Test func aScanThatWasBusyAndFallsSilentIsBegunAnewThenTheRadioOpenedAnew() async throws {
        let radio = made()
        let work = Task { await radio.run() }
        try await eventually { source.radios.first?.scanCount == 1 }
        let backend = source.radios[0]
        for _ in 0..<20 { backend.hear() }
        try await eventually { board.reportCount == 20 }
        // The look that sees them, and a minute of silence behind it.
        for _ in 0..<12 { try await time.advance(by: .seconds(5)) }
        try await time.sleepers(1)
        #expect(backend.scanCount == 1)
        #expect(await radio.state.restarts == 0)
        try await time.advance(by: .seconds(5))
        try await eventually { backend.scanCount == 2 }
        #expect(await radio.state.restarts == 1)
        #expect(await radio.state.lastRestart == time.clock.now())
        for _ in 0..<12 { try await time.advance(by: .seconds(5)) }
        try await eventually { source.radios.count == 2 }
        #expect(await radio.state.restarts == 2)
        #expect(backend.isClosed)
        // Where nothing is heard from the beginning, silence means nothing.
        for _ in 0..<40 { try await time.advance(by: .seconds(5)) }
        try await time.sleepers(1)
        #expect(await radio.state.restarts == 2)
        work.cancel()
        await work.value
    }

    @Test func aRadioThatRefusesToListenIsAskedAgain() async throws {
        let radio = made()
        source.refusal = .refusedByRadio("status 0x0C")
        let work = Task { await radio.run() }
        try await eventually { await radio.state.condition == .busy }
        #expect(await radio.state.title == "The radio does not listen")
        source.refusal = nil
        source.radios[0].refusal = nil
        // The watch for silence and the wait sleep.
        try await time.advance(by: .seconds(1), sleepers: 2)
        try await eventually { await radio.state.condition == .scanning }
        #expect(source.radios.count == 1)
        work.cancel()
        await work.value
    }

    @Test func aRadioWithoutRoomSaysSoUntilItHasRoom() async throws {
        let radio = made()
        let work = Task { await radio.run() }
        try await eventually { await radio.state.condition == .scanning }
        await radio.note(isFull: true)
        #expect(await radio.state.condition == .full)
        await radio.note(isFull: false)
        #expect(await radio.state.condition == .scanning)
        work.cancel()
        await work.value
    }
}

/// Where a test gets radios from.
final class ScriptedSource: HubRadioSource {
    private struct State {
        var trouble: RadioError?
        var refusal: BluetoothError?
        var radios: [ScriptedRadio] = []
    }

    let name = "test"
    let isSimulated = false
    let maximumConnections = 3
    let capture: (any HubCapturing)? = nil
    private let state = Mutex(State())

    /// Why none can be opened now.
    var trouble: RadioError? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Why those that are opened do not scan.
    var refusal: BluetoothError? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// Those that were opened.
    var radios: [ScriptedRadio] { state.withLock { $0.radios } }

    func open() async throws(RadioError) -> (name: String, radio: Radio) {
        let (radio, trouble) = state.withLock { state -> (ScriptedRadio?, RadioError?) in
            if let trouble = state.trouble { return (nil, trouble) }
            let radio = ScriptedRadio(refusal: state.refusal)
            state.radios.append(radio)
            return (radio, nil)
        }
        guard let radio else { throw trouble ?? .init(.missing, title: "", text: "") }
        return ("test \(radios.count)", Radio(radio))
    }
}

/// A radio that hears what a test says.
final class ScriptedRadio: RadioBackend {
    private struct State {
        var scans: [Scan] = []
        var scanCount = 0
        var isClosed = false
        var refusal: BluetoothError?
    }

    private let state: Mutex<State>
    private let life = RadioStateStream.Source()
    let clock: any RadioClock = StoppedRadioClock()

    init(refusal: BluetoothError?) {
        state = Mutex(State(refusal: refusal))
        life.yield(.ready)
    }

    var capabilities: RadioCapabilities { [] }
    /// Scans that were begun.
    var scanCount: Int { state.withLock { $0.scanCount } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    var refusal: BluetoothError? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// Hears an advertisement.
    func hear(_ octets: [UInt8] = [2, 1, 6], rssi: Int8? = -50) {
        var wakeUps = StreamWakeUps()
        let report = Advertisement(
            peer: Peer(BluetoothAddress(7, kind: .public)), rssi: rssi, isConnectable: true,
            isScanResponse: false, data: AdvertisingData(octets))
        for scan in state.withLock({ $0.scans }) {
            var reports = FIFO<Advertisement>()
            reports.append(report)
            scan.hear(&reports, &wakeUps)
        }
        wakeUps.wake()
    }

    /// Is gone.
    func fail() {
        for scan in state.withLock({ $0.scans }) { scan.end(.radioUnavailable("it is gone")) }
        life.yield(.off)
    }

    func states() -> RadioStateStream { RadioStateStream(life) }

    func start(_ scan: Scan) throws(BluetoothError) {
        let refusal = state.withLock { state in
            if state.refusal == nil {
                state.scans.append(scan)
                state.scanCount += 1
            }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    func stop(_ scan: Scan.ID) { state.withLock { $0.scans.removeAll { $0.id == scan } } }

    func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) throws(BluetoothError) -> any ConnectionBackend { throw .connectFailed(.connectTimeout) }

    func close() {
        state.withLock { $0.isClosed = true }
        life.finish()
    }
}

private struct StoppedRadioClock: RadioClock {
    var now: HostInstant { .zero }
    func sleep(until deadline: HostInstant) async throws { try await Task.sleep(for: .seconds(3600)) }
}
