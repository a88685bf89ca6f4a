// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionStore
import FlockFinder

/// A hub's link to one FlockFinder: keeps it, whatever becomes of device and radio, until it is ended.
///
/// Each has a session, a queue and a task of its own, so that a device that hangs, or sends rubbish, delays no other.
actor FlockLink {
    /// How long a device is looked for before it is said not to be heard, in looks.
    private static let patience = 10
    /// Objects of the live stream, and what cannot be used, that are reported in a second.
    private static let reportsPerSecond = 100

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
    private var command: CommandExchange?
    private var state = DeviceLink.State.bluetoothOff
    private var wasConnected = false
    private var wasRefusedForRoom = false
    /// For how many looks the device was looked for.
    private var looks = 0
    private var isReadingStrength = false
    /// The second in which objects were published, and how many.
    private var budget: (second: Int64, used: Int) = (0, 0)

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
        board.update(id) { device in
            device.link = .none
            (device.reason, device.nextTry, device.connectedSince) = (nil, nil, nil)
            device.isStreaming = false
        }
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
            state = .bluetoothOff
            command?.end(
                with: .failure(.notNow("The link to the device has ended. Try again when it is back.")))
            command = nil
        }
    }

    private func run(on radio: Radio) async {
        let wish = await hub.settings.settings.encryption.flock
        let run = FlockRun(
            protection: await hub.protection(wish, on: radio, begunBy: .device), now: hub.clock.now,
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
            board.update(id) { ($0.link, $0.reason) = (.lost, reason) }
            do { try await hub.clock.sleep(.seconds(10)) } catch {}
        }
    }

    private func steer(_ control: FlockControl) { self.control = control }

    // MARK: What comes

    private func receive(_ reports: [FlockReport]) async {
        let now = hub.clock.now()
        var received: [DetectionEvent] = []
        var refused = 0
        for report in reports {
            switch report.content {
            case .state(let change): await receive(change, at: report.time)
            case .detection(let event): received.append(event)
            case .parseError(let event):
                refused += 1
                if mayTell(at: now) { hub.feed.publish(event, at: report.time) }
            case .stream(let event):
                command?.receive(event)
                if mayTell(at: now) { hub.feed.publish(event, at: report.time) }
            case .command(let event):
                command?.receive(event)
                hub.feed.publish(event, at: report.time)
            case .notice(let notice):
                hub.feed.publish(notice, at: report.time)
                if case .characteristicsMissing = notice.advice { await hub.proved(id, isFlockFinder: false) }
            }
        }
        if state == .connected {
            board.update(id) { device in
                device.lastHeard = now
                device.received += received.count
                device.refused += refused
                if !received.isEmpty { device.lastReceived = now }
            }
        }
        if !received.isEmpty { await hub.publishNew(received) }
    }

    private func mayTell(at now: Timestamp) -> Bool {
        let second = now.milliseconds / 1000
        if budget.second != second { budget = (second, 0) }
        budget.used += 1
        return budget.used <= Self.reportsPerSecond
    }

    private func receive(_ change: LinkStateChanged, at time: Timestamp) async {
        let report = change.report
        state = report.state
        looks = 0
        hub.feed.publish(change, at: time)
        let wasConnected = wasConnected
        switch report.state {
        case .connected:
            self.wasConnected = true
            wasRefusedForRoom = false
            await hub.proved(id, isFlockFinder: true)
        case .disconnected: wasRefusedForRoom = report.reason?.isForWantOfRoom ?? false
        default: break
        }
        board.update(id) { device in
            (device.reason, device.nextTry) = (nil, nil)
            if report.state != .connected { device.connectedSince = nil }
            switch report.state {
            case .connected:
                device.link = .connected
                device.connectedSince = time
            case .connecting, .discovering: device.link = .connecting
            case .scanning: device.link = wasConnected ? .lost : .connecting
            case .disconnected:
                device.link = .lost
                device.reason = report.reason.map(\.sentence)
                device.nextTry = report.retryMilliseconds.map {
                    Timestamp(milliseconds: time.milliseconds + Int64(clamping: $0))
                }
            case .bluetoothOff, .unauthorized:
                device.link = .lost
                device.reason = "The radio cannot be used."
            }
        }
    }

    /// Looks after the link, once a second.
    ///
    /// - Returns: Whether the radio has no room for it.
    func refresh() async -> Bool {
        looks += 1
        if state == .scanning, looks == Self.patience {
            board.update(id) { device in
                device.link = .lost
                device.reason = "It is not heard. Bring it near and switch it on."
            }
        }
        if state == .connected, looks.isMultiple(of: 3), let control, !isReadingStrength {
            isReadingStrength = true
            // It waits for the radio, which may take its time.
            Task {
                let strength = await control.strength()
                self.note(strength: strength)
            }
        }
        return wasRefusedForRoom
    }

    private func note(strength: Int8?) {
        isReadingStrength = false
        guard state == .connected, let strength else { return }
        board.update(id) { $0.rssi = Int(strength) }
    }

    // MARK: Commands

    /// Writes a command and waits for the answer.
    func send(_ text: WireText) async throws(HubFault) -> CommandAnswer {
        guard let control, state == .connected else {
            throw .notNow("The device is not connected. Connect to it first.")
        }
        guard command == nil else {
            throw .notNow("The device is still answering another command. Try again in a moment.")
        }
        let exchange = CommandExchange(text, clock: hub.clock)
        command = exchange
        defer { if command === exchange { command = nil } }
        if let isOn = exchange.streamWish { await control.setStream(isOn) } else { await control.send(text) }
        let answer = try await exchange.answer()
        board.update(id) { device in
            if let isOn = exchange.streamWish { device.isStreaming = isOn }
            if text == FlockFinderCommand.reset { (device.received, device.refused) = (0, 0) }
        }
        return answer
    }
}

extension DeviceLink.Reason {
    /// The reason as a sentence.
    fileprivate var sentence: String {
        let text = "\(self)"
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// Whether the radio has no room for another link.
    fileprivate var isForWantOfRoom: Bool {
        // Spec: Core v5.4, Vol 1, Part F, 1.3: memory capacity exceeded, connection limit exceeded.
        if case .connectFailed(.controller(let status)) = self {
            [0x07, 0x09].contains(status)
        } else {
            false
        }
    }
}
