// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText
package import LEDBulb

/// Has a bulb at hand for a page: gives it what the page asks for, the newest only, and tells what it says.
package actor BulbWork: PacedWork {
    private enum Request: Sendable {
        case perform(BulbCommand)
        case startCycle(turn: UInt64)
        case stopCycle
    }

    private nonisolated let peer: Peer
    /// What the bulb speaks, if somebody has chosen that.
    nonisolated let chosen: BulbDialect?
    nonisolated let clock: HubClock
    private nonisolated let feed: EventFeed
    /// How it is.
    package private(set) var bulb: HubBulb
    private var wake: (@Sendable () async -> Void)?
    /// What the link has not taken yet: of each kind the newest.
    private var power: BulbCommand?
    private var light: BulbCommand?
    private var wantsState = false
    private var cycle: Request?
    /// Whether a light was asked for, so that a bulb that is off has to be switched on.
    private var isToShine = false
    private var viewers = Viewers()
    var pace = Pace()

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - dialect: What the bulb speaks, if somebody has chosen that.
    ///   - clock: The time.
    ///   - feed: Gets what happens.
    package init(_ job: DeviceJob, speaking dialect: BulbDialect?, clock: HubClock, feed: EventFeed) {
        peer = job.peer
        chosen = dialect
        bulb = HubBulb(job, isDialectChosen: dialect != nil)
        self.clock = clock
        self.feed = feed
    }

    /// Whether something is on its way to the bulb; a turn through the hues ends with its page.
    package var isUnderWay: Bool { bulb.isBusy && bulb.turn == nil }
    /// Whether the last page has left, so that the link is about to end.
    package var isLeft: Bool { viewers.isLeft }

    // MARK: What pages ask for

    /// Handles that a page has the bulb in hand, or still has.
    ///
    /// - Parameter page: Its name, which it has given itself.
    package func look(_ page: String) {
        viewers.forget(after: .seconds(bulb.job.lease), at: clock.elapsed())
        viewers.look(page, at: clock.elapsed())
    }

    /// Handles that a page has the bulb in hand no more.
    ///
    /// - Parameter page: Its name.
    /// - Returns: Whether nobody has.
    package func leave(_ page: String) -> Bool {
        viewers.forget(after: .seconds(bulb.job.lease), at: clock.elapsed())
        viewers.leave(page)
        return viewers.isLeft
    }

    /// Gives the bulb a command.
    ///
    /// - Parameter command: The command.
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func perform(_ command: BulbCommand) async throws(HubFault) {
        let (wake, dialect) = try link()
        guard dialect.encode(command) != nil else {
            throw .badValue(BulbText.pageSentence(BulbRefusal.notInDialect(dialect)))
        }
        switch command {
        case .requestState: wantsState = true
        case .power(let isOn):
            power = command
            isToShine = false
            if !isOn, bulb.turn != nil { endCycle() }
        case .color, .white, .effect:
            light = command
            isToShine = true
            (bulb.turn, bulb.hue, cycle) = (nil, nil, nil)
        }
        if command != .requestState { ask(command) }
        tell()
        await wake()
    }

    /// Lets the bulb go through all hues until something else is asked of it, or the page is gone.
    ///
    /// - Parameter turn: How long a turn takes, in milliseconds.
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func startCycle(turn: Int) async throws(HubFault) {
        let (wake, _) = try link()
        light = nil
        cycle = .startCycle(turn: UInt64(max(1, turn)))
        isToShine = false
        (bulb.turn, bulb.asked, bulb.trouble) = (turn, nil, nil)
        if bulb.said?.isOn == false { lightUp() }
        tell()
        await wake()
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func stopCycle() async throws(HubFault) {
        let (wake, _) = try link()
        endCycle()
        tell()
        await wake()
    }

    private func endCycle() {
        cycle = .stopCycle
        // Written once more: what a page is told last may not be what was written last.
        if let hue = bulb.hue {
            light = .color(hue)
            ask(.color(hue))
        }
        (bulb.turn, bulb.hue) = (nil, nil)
    }

    private func ask(_ command: BulbCommand) {
        var asked = bulb.asked ?? bulb.said ?? BulbState()
        asked.apply(command)
        // A light that is asked for is to be seen.
        if isToShine { asked.isOn = true }
        (bulb.asked, bulb.askedTime, bulb.isBusy, bulb.trouble) = (asked, clock.now(), true, nil)
    }

    private func lightUp() {
        isToShine = false
        power = .power(true)
        bulb.isBusy = true
    }

    private func link() throws(HubFault) -> (wake: @Sendable () async -> Void, dialect: BulbDialect) {
        guard let wake, let dialect = bulb.dialect, bulb.job.phase == .open else {
            throw .notNow("The bulb is not connected. Wait a moment, or connect to it again.")
        }
        return (wake, dialect)
    }

    // MARK: The link

    package func show(_ job: DeviceJob) {
        bulb.job = job
        if job.phase == .ended {
            wake = nil
            (bulb.isBusy, bulb.turn, bulb.hue) = (false, nil, nil)
        }
        tell()
    }

    package nonisolated func run(
        on radio: Radio, opened: @escaping @Sendable (String?) async -> Void
    ) async throws {
        let options = LEDBulbClient.Options(
            target: .peer(peer), dialect: chosen, reconnects: false, seed: .random(in: 0 ... .max))
        try await ClientConnection.open(LEDBulbClient(options: options), on: radio) { connection in
            let found: FoundBulb
            do {
                found = try await connection.bulb()
            } catch BulbError.misfit(let misfit) {
                await self.note(misfit)
                throw JobFailure(BulbText.pageSentence(misfit))
            }
            await self.begin(found, connection.wake)
            await opened(found.name?.string)
            if found.reportsState { try await self.perform(.requestState) }
            while true {
                while let request = await self.nextRequest() {
                    await connection.update { client, now in
                        switch request {
                        case .perform(let command): client.perform(command, at: now)
                        case .startCycle(let turn): client.startCycle(turnMilliseconds: turn, at: now)
                        case .stopCycle: client.stopCycle(at: now)
                        }
                    }
                }
                if let event = try await connection.nextUnlessWoken() { await self.receive(event) }
            }
        }
    }

    private func note(_ misfit: BulbMisfit) {
        bulb.fitting =
            switch misfit {
            case .notABulb: []
            case .ambiguous(let dialects), .lacks(_, let dialects): dialects
            }
    }

    private func begin(_ found: FoundBulb, _ wake: @escaping @Sendable () async -> Void) {
        self.wake = wake
        (bulb.dialect, bulb.reportsState) = (found.dialect, found.reportsState)
        bulb.dialectReason = BulbText.reason(found.dialect, isChosen: chosen != nil)
    }

    private func nextRequest() -> Request? {
        if let request = cycle {
            cycle = nil
            return request
        }
        if let command = power {
            power = nil
            return .perform(command)
        }
        if let command = light {
            light = nil
            return .perform(command)
        }
        guard wantsState else { return nil }
        wantsState = false
        return .perform(.requestState)
    }

    private func receive(_ event: LEDBulbEvent) {
        switch event {
        case .written(_, let octets): bulb.octets = octets
        case .settled:
            bulb.isBusy = power != nil || light != nil
            if !bulb.isBusy { isToShine = false }
        case .stateReported(let state):
            (bulb.said, bulb.saidTime) = (state, clock.now())
            if !state.isOn, isToShine, light == nil { lightUp() }
        case .refused(_, let refusal):
            bulb.trouble = BulbText.pageSentence(refusal)
            (bulb.isBusy, bulb.turn, bulb.hue) = (false, nil, nil)
        case .stateFailed(let failure):
            bulb.trouble = BulbText.pageSentence(failure)
            bulb.isBusy = false
        case .shown(let color): if bulb.turn != nil { bulb.hue = color }
        case .cycleEnded: (bulb.turn, bulb.hue) = (nil, nil)
        case .state, .unfit, .ready, .unknown: return
        }
        tell()
    }

    // MARK: What is told

    func count() { bulb.revision += 1 }
    func publish() { feed.publish(BulbChanged(bulb), at: clock.now()) }
}
