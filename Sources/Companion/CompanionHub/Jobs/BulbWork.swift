// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText
package import LEDBulb

/// Has a bulb at hand for a page: gives it what the page asks for, the newest only, and tells what it says.
package actor BulbWork: PacedWork {
    private nonisolated let peer: Peer
    /// What the bulb speaks, if somebody has chosen that.
    nonisolated let chosen: BulbDialect?
    nonisolated let clock: HubClock
    private nonisolated let feed: EventFeed
    private var hand: BulbController
    private var wake: (@Sendable () async -> Void)?
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
        hand = BulbController(job, speaking: dialect)
        self.clock = clock
        self.feed = feed
    }

    /// How it is.
    package var bulb: HubBulb { hand.bulb }
    /// Whether something is on its way to the bulb; a turn through the hues ends with its page.
    package var isUnderWay: Bool { hand.isUnderWay }
    /// Whether the last page has left, so that the link is about to end.
    package var isLeft: Bool { viewers.isLeft }

    // MARK: What pages ask for

    /// Handles that a page has the bulb in hand, or still has.
    ///
    /// - Parameter page: Its name, which it has given itself.
    package func look(_ page: String) {
        viewers.forget(after: Int64(bulb.job.lease), at: clock.ticks)
        viewers.look(page, at: clock.ticks)
    }

    /// Handles that a page has the bulb in hand no more.
    ///
    /// - Parameter page: Its name.
    /// - Returns: Whether nobody has.
    package func leave(_ page: String) -> Bool {
        viewers.forget(after: Int64(bulb.job.lease), at: clock.ticks)
        viewers.leave(page)
        return viewers.isLeft
    }

    /// Gives the bulb a command.
    ///
    /// - Parameter command: The command.
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func perform(_ command: BulbCommand) async throws(HubFault) {
        try hand.perform(command, at: clock.now())
        tell()
        await wake?()
    }

    /// Lets the bulb go through all hues until something else is asked of it, or the page is gone.
    ///
    /// - Parameter turn: How long a turn takes, in milliseconds.
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func startCycle(turn: Int) async throws(HubFault) {
        try hand.startCycle(turn: turn)
        tell()
        await wake?()
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func stopCycle() async throws(HubFault) {
        try hand.stopCycle(at: clock.now())
        tell()
        await wake?()
    }

    // MARK: The link

    package func show(_ job: DeviceJob) {
        hand.show(job)
        if job.phase == .ended { wake = nil }
        tell()
    }

    package nonisolated func run(
        on radio: Radio, opened: @escaping @Sendable (String?) async -> Void
    ) async throws {
        let options = LEDBulbClient.Options(
            target: .peer(peer), dialect: chosen, reconnects: false, asksName: false,
            seed: .random(in: 0 ... .max))
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

    private func note(_ misfit: BulbMisfit) { hand.note(misfit) }

    private func begin(_ found: FoundBulb, _ wake: @escaping @Sendable () async -> Void) {
        self.wake = wake
        hand.begin(found.dialect, reportsState: found.reportsState)
    }

    private func nextRequest() -> BulbController.Request? { hand.nextRequest() }

    private func receive(_ event: LEDBulbEvent) {
        if hand.receive(event, at: clock.now()) { tell() }
    }

    // MARK: What is told

    func count() { hand.bulb.revision += 1 }
    func publish() { feed.publish(BulbChanged(bulb), at: clock.now()) }
}
