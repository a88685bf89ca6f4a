// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import CompanionStore
import Detections
import FlockFinder
import FlockFinderCompanion
import FlockFinderDevices
import HubModel

/// A hub's link to one FlockFinder: keeps it, whatever becomes of device and radio, until it is ended.
///
/// Each has a session, a queue and a task of its own, so that a device that hangs, or sends rubbish, delays no other.
actor FlockLinkHost {
    nonisolated let id: Int
    private let peer: Peer
    /// Held until the link is let go, because tasks that nobody waits for go on a little: the hub ends each of its links, and lets it
    /// go, before it ends itself.
    private let hub: Hub
    private nonisolated let board: DeviceRegistry
    private var task: Task<Void, Never>?
    /// The run of now.
    private var current: Task<Void, Never>?
    private var isEnded = false
    private var control: FlockControl?
    private var link = FlockLink()
    private var alarm = DeadlineAlarm()
    /// Who waits for the answer to a command; answered at the latest when the link ends.
    private var waiting: [Int64: CheckedContinuation<Result<CommandAnswer, HubError>, Never>] = [:]
    private var lastRequest: Int64 = 0
    private var looks = 0
    private var isReadingStrength = false

    init(_ device: HubDevice, of hub: Hub) {
        id = device.id
        peer = device.peer
        self.hub = hub
        board = hub.board
    }

    /// Begins to keep the link, unless it was ended before.
    func begin() {
        guard task == nil, !isEnded else { return }
        // It ends with the link, which the hub ends.
        task = Task { await self.run() }
    }

    /// Leaves the device with a farewell; what has come is stored.
    func end() async {
        isEnded = true
        task?.cancel()
        await task?.value
        link.end(at: hub.clock.moment)
        await drain()
    }

    /// Leaves the device and connects to it again: what is wanted of the link is another.
    func beginAnew() { current?.cancel() }

    private func run() async {
        while let radio = await hub.radio.usable() {
            let current = Task { await self.run(on: radio) }
            self.current = current
            await withTaskCancellationHandler {
                await current.value
            } onCancel: {
                current.cancel()
            }
            control = nil
            link.interrupt(at: hub.clock.moment)
            await drain()
        }
    }

    private func run(on radio: Radio) async {
        let policy = await hub.settings.encryption.flock
        let run = FlockFinderRecorder(
            protection: await hub.protection(policy, on: radio, begunBy: .device), now: hub.clock.now,
            show: { await self.receive($0) })
        let options = FlockFinderClient.Options(target: .peer(peer), seed: .random(in: 0 ... .max))
        do {
            _ = try await run.run(FlockFinderClient(options: options), on: radio, recorder: hub.recorder) {
                await self.steer($0)
            }
        } catch {
            guard !Task.isCancelled else { return }
            // What came is lost to us and not to the device: it is connected again when the database may work.
            let reason = (error as? StoreError)?.description ?? "\(error)"
            link.interrupt(reason, at: hub.clock.moment)
            await drain()
            do { try await hub.clock.sleep(.seconds(10)) } catch {}
        }
    }

    private func steer(_ control: FlockControl) { self.control = control }

    // MARK: What comes

    private func receive(_ reports: [FlockReport]) async {
        let moment = hub.clock.moment
        var received: [DetectionEvent] = []
        for report in reports {
            link.receive(report, at: moment)
            if case .detection(let event) = report.content { received.append(event) }
        }
        await drain()
        if !received.isEmpty { await hub.publishNew(received) }
    }

    /// Does what comes of the link.
    private func drain() async {
        while let output = link.nextOutput() {
            switch output {
            case .changed: board.update(id) { link.show(on: &$0) }
            case .event(let report): publish(report)
            case .proved(let isFlockFinder): await hub.proved(id, isFlockFinder: isFlockFinder)
            case .send(let command): await control?.send(command)
            case .setStream(let isOn): await control?.setStream(isOn)
            case .answered(let request, let result):
                waiting.removeValue(forKey: request.id)?.resume(returning: result)
            }
        }
        alarm.set(link.nextDeadline, by: hub.clock) { [weak self] in await self?.alarmRang($0) }
    }

    private func alarmRang(_ deadline: HostInstant) async {
        guard alarm.rang(deadline) else { return }
        link.deadlineReached(at: hub.clock.moment)
        await drain()
    }

    private func publish(_ report: FlockReport) {
        switch report.content {
        case .state(let event): hub.feed.publish(event, at: report.time)
        case .parseError(let event): hub.feed.publish(event, at: report.time)
        case .stream(let event): hub.feed.publish(event, at: report.time)
        case .command(let event): hub.feed.publish(event, at: report.time)
        case .notice(let event): hub.feed.publish(event, at: report.time)
        // What is new in the store is published by the hub.
        case .detection: break
        }
    }

    /// Looks after the link, once a second.
    ///
    /// - Returns: Whether the radio has no room for it.
    func refresh() -> Bool {
        looks += 1
        if link.isConnected, looks.isMultiple(of: 3), let control, !isReadingStrength {
            isReadingStrength = true
            // It waits for the radio, which may take its time.
            Task {
                let strength = await control.strength()
                self.note(strength: strength)
            }
        }
        return link.wasRefusedForRoom
    }

    private func note(strength: Int8?) {
        isReadingStrength = false
        guard link.isConnected, let strength else { return }
        board.update(id) { $0.rssi = Int(strength) }
    }

    // MARK: Commands

    /// Writes a command and waits for the answer.
    func send(_ command: WireText) async throws(HubError) -> CommandAnswer {
        lastRequest += 1
        let request = JobRequest(id: lastRequest)
        try link.send(command, for: request, at: hub.clock.moment)
        let answer = await withCheckedContinuation { continuation in
            waiting[request.id] = continuation
            Task { await self.drain() }
        }
        return try answer.get()
    }
}
