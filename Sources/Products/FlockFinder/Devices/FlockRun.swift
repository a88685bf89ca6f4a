// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BluetoothLE
import FlockFinder
import Companion
import CompanionDevices

/// One client at work on a radio: what it brings is stored, then shown, in order.
///
/// ```
/// radio ─► session ─► queue (bounded) ─► everything that waits is stored in one commit ─► then shown
/// ```
struct FlockRun: Sendable {
    /// Events that may wait for the disk; then the radio waits.
    static let queueCapacity = 1024

    /// On what to look for the device and to connect.
    var phys = PHYOptions.all
    /// Shows news; called after what it tells of was stored.
    let show: @Sendable ([FlockNews]) throws -> Void
    /// Waits until the run shall end; cancelled when it ends before, or when the person ends it.
    let untilEnd: @Sendable () async -> Void

    /// Runs a client until it is finished, enough has come, the wait is over or the task is cancelled.
    ///
    /// However it ends, everything that was received is stored and shown before this returns.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - radio: On what.
    ///   - recorder: Stores what comes.
    /// - Returns: What has come.
    /// - Throws: ``StoreError`` or ``OutputError``.
    func run(
        _ client: consuming sending FlockFinderClient, on radio: Radio, recorder: FlockRecorder
    ) async throws -> FlockRecorder.Tally {
        let queue = EventQueue<TimedEvent>(capacity: Self.queueCapacity)
        let runner = ClientRunner(client, on: radio, phys: phys)
        // Tasks of their own: cancelling the command must not tear the link, but lead to a farewell.
        let radioWork = Task {
            await runner.run { await queue.append(TimedEvent(event: $0, time: .now())) }
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
        var recorder = recorder
        var wasFull = false
        while let events = await queue.takeAll() {
            try show(try await recorder.take(events))
            if recorder.isFull, !wasFull {
                wasFull = true
                await whenFull()
            }
        }
        return recorder.tally
    }
}
