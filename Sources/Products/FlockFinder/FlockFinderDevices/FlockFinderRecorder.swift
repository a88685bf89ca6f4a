// SPDX-License-Identifier: Apache-2.0

public import BLESessions
public import BLEWire
public import BluetoothLE
public import Companion
public import CompanionDevices
public import FlockFinder
public import FlockFinderCompanion

/// Runs a FlockFinder client on a radio: what it receives is stored, then shown, in order.
///
/// ```
/// radio ─► session ─► queue (bounded) ─► everything that waits is stored in one commit ─► then shown
/// ```
///
/// The queue is bounded: while the disk is slow, the radio waits, and holds the device up. When storing or showing
/// fails, the queue takes no more, the link is closed and the error is thrown. When the task is cancelled, the link is
/// closed in good order, and what was received is still stored and shown.
public struct FlockFinderRecorder: Sendable {
    /// Events that may wait for the disk; then the radio waits.
    static let queueCapacity = 1024

    /// The PHYs to scan and to connect on.
    let phys: Set<PHY>
    /// Has each link encrypted before anything is asked or sent on it; `nil` leaves that to the device.
    private let protection: LinkProtection?
    /// The time, by the wall clock.
    let now: @Sendable () -> Timestamp
    /// Shows what was received; called after it was stored.
    private let show: @Sendable ([FlockReport]) async throws -> Void
    /// Returns when the run is to end.
    let untilEnd: @Sendable (Radio) async -> Void

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - phys: The PHYs to scan and to connect on, as far as the radio has them.
    ///   - protection: Has each link encrypted before anything is asked or sent on it.
    ///   - now: The time, by the wall clock.
    ///   - show: Shows what was received; called after it was stored.
    ///   - untilEnd: Returns when the run is to end; cancelled when it ends earlier, or the task is cancelled. Without it
    ///     the run goes on until the task is cancelled.
    public init(
        phys: Set<PHY> = [.le1M, .leCoded],
        protection: LinkProtection? = nil,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        @_inheritActorContext show: @escaping @Sendable ([FlockReport]) async throws -> Void,
        untilEnd: (@Sendable (Radio) async -> Void)? = nil
    ) {
        self.phys = phys
        self.protection = protection
        self.now = now
        self.show = show
        self.untilEnd = untilEnd ?? { _ in await Wait.untilCancelled() }
    }

    /// Runs a client until it ends, the recorder is full, `untilEnd` returns or the task is cancelled.
    ///
    /// However it ends, everything that was received is stored and shown before this returns.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - radio: The radio.
    ///   - recorder: Stores detections.
    ///   - begun: Gets what steers the client while it runs.
    /// - Returns: What was received.
    /// - Throws: ``StoreError`` when something could not be stored, `BluetoothError` when a link had to be encrypted and was not, and
    ///   what `show` throws.
    public func run(
        _ client: consuming sending FlockFinderClient, on radio: Radio, recorder: FlockRecorder,
        begun: @Sendable (FlockControl) async -> Void = { _ in }
    ) async throws -> FlockRecorder.Tally {
        let queue = EventQueue<TimedEvent>(capacity: Self.queueCapacity)
        let runner = ClientRunner(client, on: radio, phys: phys, protection: protection)
        await begun(FlockControl(runner: runner))
        // Tasks of their own: cancelling the command must not tear the link, but lead to a farewell.
        let radioWork = Task {
            await runner.run { [now] event in await queue.append(TimedEvent(event: event, time: now())) }
            await queue.finish()
        }
        let diskWork = Task {
            do {
                return try await consume(queue, recorder) { await runner.update { $0.close(at: $1) } }
            } catch {
                await queue.abandon()
                await runner.update { $0.close(at: $1) }
                throw error
            }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [untilEnd] in await untilEnd(radio) }
            group.addTask { await radioWork.value }
            await group.next()
            group.cancelAll()
            await runner.update { $0.close(at: $1) }
        }
        await radioWork.value
        let tally = try await diskWork.value
        if let error = await runner.protectionFailure { throw error }
        return tally
    }

    /// Stores what waits, then shows it, until there is no more.
    func consume(
        _ queue: EventQueue<TimedEvent>, _ recorder: FlockRecorder, whenFull: () async -> Void
    ) async throws -> FlockRecorder.Tally {
        var wasFull = false
        var failure: StoreError?
        while let events = await queue.next() {
            do {
                try await show(try await recorder.receive(events))
            } catch let error as StoreError where error.isOfTheEnd {
                // What still waits is to be kept, or counted, too.
                failure = error
                continue
            }
            if !wasFull, await recorder.isFull {
                wasFull = true
                await whenFull()
            }
        }
        if let failure { throw failure }
        return await recorder.tally
    }
}

/// Steers a client that runs.
public struct FlockControl: Sendable {
    let runner: ClientRunner<FlockFinderClient>

    /// Writes a command, at once or as soon as there is a link.
    ///
    /// - Parameter command: The command's text, at most 512 octets.
    public func send(_ command: WireText) async { await runner.update { $0.send(command, at: $1) } }

    /// Switches the live stream on or off, also after each reconnection.
    ///
    /// - Parameter isOn: Whether it is wanted.
    public func setStream(_ isOn: Bool) async {
        await runner.update { client, now in
            if isOn { client.startStream(at: now) } else { client.stopStream(at: now) }
        }
    }

    /// How strong the device is received on the link, in dBm; `nil` when there is no link or the radio does not say.
    package func strength() async -> Int8? { await runner.strength() }
}
