// SPDX-License-Identifier: Apache-2.0

import BLESessions
public import BLEWire
public import BluetoothLE
public import Companion
public import FlockFinder

/// One client at work on a radio: what it brings is stored, then shown, in order.
///
/// ```
/// radio ─► session ─► queue (bounded) ─► everything that waits is stored in one commit ─► then shown
/// ```
///
/// The queue is bounded: while the disk is slow, the radio waits, and holds the device up. When storing or showing
/// fails, the queue takes no more, the link is closed and the error is thrown. When the task is cancelled, the link is
/// closed with a farewell, and what has come is still stored and shown.
public struct FlockRun: Sendable {
    /// Events that may wait for the disk; then the radio waits.
    static let queueCapacity = 1024

    /// On what to look for the device and to connect.
    private let phys: Set<PHY>
    /// The time.
    private let now: @Sendable () -> Timestamp
    /// Shows what has come; called after it was stored.
    private let show: @Sendable ([FlockReport]) async throws -> Void
    /// Waits until the run shall end; cancelled when it ends before, or when the person ends it.
    private let untilEnd: @Sendable () async -> Void

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - phys: On what to look for the device and to connect, as far as the radio can.
    ///   - now: The time.
    ///   - show: Shows what has come; called after it was stored.
    ///   - untilEnd: Waits until the run shall end; cancelled when it ends before, or when the task is cancelled.
    public init(
        phys: Set<PHY> = [.le1M, .leCoded],
        now: @escaping @Sendable () -> Timestamp,
        show: @escaping @Sendable ([FlockReport]) async throws -> Void,
        untilEnd: @escaping @Sendable () async -> Void
    ) {
        self.phys = phys
        self.now = now
        self.show = show
        self.untilEnd = untilEnd
    }

    /// Runs a client until it is finished, enough has come, the wait is over or the task is cancelled.
    ///
    /// However it ends, everything that was received is stored and shown before this returns.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - radio: On what.
    ///   - recorder: Stores what comes.
    ///   - begun: Gets what steers the client while it runs.
    /// - Returns: What has come.
    /// - Throws: ``StoreError``, or what showing throws.
    public func run(
        _ client: consuming sending FlockFinderClient, on radio: Radio, recorder: FlockRecorder,
        begun: @Sendable (FlockControl) async -> Void = { _ in }
    ) async throws -> FlockRecorder.Tally {
        let queue = EventQueue<TimedEvent>(capacity: Self.queueCapacity)
        let runner = ClientRunner(client, on: radio, phys: phys)
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
            group.addTask(operation: untilEnd)
            group.addTask { await radioWork.value }
            await group.next()
            group.cancelAll()
            await runner.update { $0.close(at: $1) }
        }
        await radioWork.value
        return try await diskWork.value
    }

    /// Takes out what waits, stores it, then shows it, until no more comes.
    func consume(
        _ queue: EventQueue<TimedEvent>, _ recorder: FlockRecorder, whenFull: () async -> Void
    ) async throws -> FlockRecorder.Tally {
        var wasFull = false
        while let events = await queue.next() {
            try await show(try await recorder.receive(events))
            if !wasFull, await recorder.isFull {
                wasFull = true
                await whenFull()
            }
        }
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
    func strength() async -> Int8? { await runner.strength() }
}
