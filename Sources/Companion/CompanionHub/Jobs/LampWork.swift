// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText
import Nightlight

/// What a page asks of a lamp.
package struct LampRequest: Sendable {
    enum Action: Sendable {
        case set([NightlightSetting])
        /// Shows a colour on some LEDs.
        case proof([Int], RGBColor)
        case endProof
        case setClock
    }

    let action: Action
    /// Told when it is done, or why it is not.
    var ended: @Sendable (String?) async -> Void = { _ in }
}

/// Shows a lamp to pages, and writes what they want: one link for all of them.
package actor LampWork: PacedWork {
    /// How often what changes without a word is read again.
    private static let readInterval = Duration.seconds(60)

    private nonisolated let peer: Peer
    nonisolated let clock: HubClock
    private nonisolated let feed: EventFeed
    private var desk: LampController
    private var viewers = Viewers()
    private var requests = FIFO<LampRequest>()
    private var wake: (@Sendable () async -> Void)?
    private var isDue = false
    /// Whether it ends when nobody looks and nothing is left to do.
    private var isForWishes: Bool
    var pace = Pace()

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - isForWishes: Whether it was begun for what waited, and no page looks.
    ///   - clock: The time.
    ///   - feed: Gets what happens.
    package init(_ job: DeviceJob, isForWishes: Bool = false, clock: HubClock, feed: EventFeed) {
        peer = job.peer
        desk = LampController(job)
        self.isForWishes = isForWishes
        self.clock = clock
        self.feed = feed
    }

    /// How it is.
    package var dashboard: LampDashboard { desk.dashboard }
    /// Whether something is being written that goes on without its page.
    package var isUnderWay: Bool { dashboard.isWorking }
    /// Whether the last page has left, so that the link is about to end.
    package var isLeft: Bool { viewers.isLeft }

    // MARK: What pages ask for

    /// Handles that a page looks, or still does.
    ///
    /// - Parameter page: Its name, which it has given itself.
    package func look(_ page: String) {
        isForWishes = false
        viewers.look(page, at: clock.ticks)
        countPages()
    }

    /// Handles that a page does not look any more.
    ///
    /// - Parameter page: Its name.
    /// - Returns: How many still do.
    package func leave(_ page: String) -> Int {
        viewers.leave(page)
        countPages()
        return viewers.count
    }

    private func countPages() {
        viewers.forget(after: Int64(dashboard.job.lease), at: clock.ticks)
        guard dashboard.viewers != viewers.count else { return }
        desk.dashboard.viewers = viewers.count
        tell()
    }

    /// Has settings written.
    ///
    /// - Parameters:
    ///   - change: What is to be others.
    ///   - changes: What ``LampDashboard/changes`` was when the person looked; `nil` for whatever it is.
    ///   - ended: Told when it is done, or why it is not.
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func change(
        _ change: LampChange, ifChanges changes: Int? = nil,
        ended: @escaping @Sendable (String?) async -> Void = { _ in }
    ) async throws(HubFault) {
        let settings = try desk.settings(of: change, ifChanges: changes)
        try await ask(LampRequest(action: .set(settings), ended: ended))
    }

    /// Shows a colour, which ends by itself.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - leds: On which LEDs, from 1.
    /// - Throws: ``HubFault``.
    package func tryOut(_ color: RGBColor, on leds: [Int]) async throws(HubFault) {
        let known = try LampController.known(leds)
        // What was not shown yet need not be.
        requests.removeAll { if case .proof(known, _) = $0.action { true } else { false } }
        try await ask(LampRequest(action: .proof(known, color)))
    }

    /// Ends what is tried out.
    package func endProof() async throws(HubFault) { try await ask(LampRequest(action: .endProof)) }

    /// Sets the clock, however far it is off.
    package func setClock() async throws(HubFault) { try await ask(LampRequest(action: .setClock)) }

    private func ask(_ request: LampRequest) async throws(HubFault) {
        let wake = try desk.admit(wake, waiting: requests.count)
        requests.append(request)
        tell()
        await wake()
    }

    // MARK: The link

    package func show(_ job: DeviceJob) async {
        desk.dashboard.job = job
        if job.phase == .ended {
            (wake, desk.dashboard.isWorking, desk.dashboard.proofEnd) = (nil, false, nil)
            while let request = requests.popFirst() {
                await request.ended(job.reason ?? "It was ended before it was done.")
            }
        }
        tell()
    }

    package nonisolated func run(
        on radio: Radio, opened: @escaping @Sendable (String?) async -> Void
    ) async throws {
        let client = NightlightClient(
            options: NightlightClient.Options(
                target: .peer(peer), reconnects: false, seed: .random(in: 0 ... .max)))
        try await ClientConnection.open(client, on: radio) { connection in
            var state = try await connection.lamp()
            await self.begin(state, connection.wake)
            if state.action == .set || state.action == .setAndReport {
                let note = LampNowText(state, nil).clockNote(isSet: true)
                do {
                    state = try await connection.setClock(state)
                    await self.take(state, clockNote: note)
                } catch let error as LampError {
                    await self.refused(NightlightText.sentence(error))
                }
            }
            await opened(state.childName)
            let wake = connection.wake
            let alarm = Task { [clock] in
                await clock.every(Self.readInterval) {
                    await self.readSoon()
                    await wake()
                }
            }
            defer { alarm.cancel() }
            while true {
                while let request = await self.nextRequest() {
                    let refusal: String?
                    do {
                        state = try await Self.perform(request.action, on: &connection, state)
                        refusal = nil
                    } catch let error as LampError {
                        refusal = NightlightText.sentence(error)
                        state = try await connection.readAgain(of: state.peer)
                    }
                    await self.done(request, state, refusal)
                }
                if await self.isOver { return }
                switch try await connection.nextUnlessWoken() {
                case .changed(let item, let values)?:
                    if NightlightItem.leds.contains(item) || item == .ledProof {
                        // Only the picture of the LEDs is another one: the clock need not be asked.
                        state = state.having(values)
                    } else {
                        state = try await connection.readAgain(of: state.peer)
                    }
                    await self.take(state)
                case nil where await self.takeDue():
                    state = try await connection.readAgain(of: state.peer)
                    await self.take(state)
                default: break
                }
            }
        }
    }

    private nonisolated static func perform(
        _ action: LampRequest.Action, on connection: inout ClientConnection<NightlightClient>,
        _ state: LampState
    ) async throws -> LampState {
        switch action {
        case .set(let settings):
            try await connection.set(settings, of: state.peer)
            return try await connection.readAgain(of: state.peer)
        case .proof(let leds, let color):
            return try await connection.set(LampController.proof(of: color, on: leds, state), of: state.peer)
        case .endProof: return try await connection.set([.proof(false)], of: state.peer)
        case .setClock:
            let set = try await connection.setClock(state)
            return try await connection.readAgain(of: set.peer)
        }
    }

    private func begin(_ state: LampState, _ wake: @escaping @Sendable () async -> Void) {
        self.wake = wake
        take(state)
    }

    private func nextRequest() -> LampRequest? { requests.popFirst() }

    private func done(_ request: LampRequest, _ state: LampState, _ refusal: String?) async {
        if case .proof = request.action, refusal == nil { desk.beginProof(at: clock.now()) }
        desk.dashboard.isWorking = !requests.isEmpty
        // Before it is told that nothing is under way any more: whoever waits for that learns how it went.
        if let refusal { desk.note(refusal) }
        take(state)
        await request.ended(refusal)
    }

    private func refused(_ sentence: String) {
        desk.note(sentence)
        tell()
    }

    private func readSoon() {
        isDue = true
        countPages()
    }

    private func takeDue() -> Bool {
        defer { isDue = false }
        return isDue
    }

    /// Whether nobody looks and nothing is left to do.
    private var isOver: Bool { isForWishes && requests.isEmpty }

    /// Takes what was read.
    private func take(_ state: LampState, clockNote: String? = nil) {
        desk.take(state, clockNote: clockNote, at: clock.now())
        tell()
    }

    // MARK: What is told

    func count() { desk.dashboard.revision += 1 }
    func publish() { feed.publish(NightlightChanged(dashboard), at: clock.now()) }
}
