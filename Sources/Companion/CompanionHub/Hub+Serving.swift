// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText
package import HubModel
import OverflowAreaCompanion
import Synchronization

/// What clients of a served device have done since somebody looked; they may do much, so nobody waits for anybody.
private final class ServedTally: Sendable {
    private struct State {
        var clients: Set<LinkID> = []
        var writes = 0
        var texts: [String] = []
        var isOn = false
        var reason: String?
        var hasChanged = false
    }

    private let state = Mutex(State())

    func receive(_ event: any Event) {
        state.withLock { state in
            switch event {
            case is DeviceAdvertising, is DeviceAdvertisingResumed: (state.isOn, state.reason) = (true, nil)
            case let stopped as DeviceAdvertisingStopped: state.reason = stopped.reason
            case let connected as LinkConnected:
                if let link = connected.link { state.clients.insert(link) }
            case let gone as LinkDisconnected:
                if let link = gone.link { state.clients.remove(link) }
            case is AttributeWritten: state.writes += 1
            default: break
            }
            // What it says of itself is for a terminal.
            if !(event is DeviceAdvertising), let text = (event as? any EventText)?.line.text {
                state.texts.append(text)
                if state.texts.count > HubServing.lineLimit { state.texts.removeFirst() }
            }
            state.hasChanged = true
        }
    }

    /// Adds to what is told.
    ///
    /// - Returns: Whether anything has changed since the last time.
    func take(into serving: inout HubServing, at now: Timestamp) -> Bool {
        state.withLock { state in
            guard state.hasChanged else { return false }
            state.hasChanged = false
            (serving.clients, serving.writes, serving.reason) = (
                state.clients.count, state.writes, state.reason
            )
            for text in state.texts { serving.note(text, at: now) }
            state.texts = []
            if state.isOn, serving.state == .starting { (serving.state, serving.since) = (.on, now) }
            return true
        }
    }
}

/// A saved device on the hub's radio.
extension Hub {
    /// How often what clients do is told.
    private static let servingPause = Duration.milliseconds(250)

    /// Serves something that was saved; what was served before ends first.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - name: Another name for the device; `nil` for its own.
    /// - Returns: How far it is.
    /// - Throws: ``HubError`` that says why it cannot be.
    package func serve(save id: Int64, as name: String? = nil) async throws(HubError) -> HubServing {
        let (entry, file) = try await save(id)
        let device: ReplayDevice
        do throws(JSONDecodingError) { device = try ReplayDevice(json: file, name: name) } catch {
            throw .badValue("This cannot be served: line \(error.line): \(error.reason).")
        }
        let state = await radio.state
        guard ![.missing, .forbidden].contains(state.condition) else {
            throw .notNow("There is no radio to serve with. \(state.text)")
        }
        await endServing()
        guard !isLeaving else { throw .notNow("The hub is about to stop.") }
        guard servingTask == nil else { throw .notNow("Another page has just had something else served.") }
        guard beacon.payload == nil else {
            throw .notNow(
                "The hub sends an overflow area, and its radio advertises one thing at a time. End that first."
            )
        }
        serving = HubServing()
        (serving.state, serving.save, serving.title, serving.name) = (.starting, id, entry.name, device.name)
        servingTask = Task { [radio] in
            guard let radio = await radio.usable() else { return }
            let failure = await self.run(device, on: radio)
            if let failure, !Task.isCancelled { self.servingFailed(failure) }
        }
        publishServing()
        return serving
    }

    /// Ends that, and returns when nothing of it is on the air any more.
    package func endServing() async {
        let task = servingTask
        task?.cancel()
        await task?.value
        // Another one may have begun meanwhile.
        guard servingTask == task else { return }
        servingTask = nil
        guard serving.state != .off else { return }
        serving = HubServing()
        publishServing()
    }

    /// Serves until the task is cancelled, or something fails.
    ///
    /// - Returns: What has failed.
    private nonisolated func run(_ device: ReplayDevice, on radio: Radio) async -> String? {
        guard await radio.capabilities.contains(.peripheral) else {
            return "This radio cannot be a peripheral."
        }
        let tally = ServedTally()
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    try await ReplayServer(device, ReplayRecording(), on: radio) { tally.receive($0) }.run()
                    return nil
                } catch {
                    return "It is not served any more. \(error)"
                }
            }
            group.addTask {
                await self.clock.every(Self.servingPause) { await self.tell(tally) }
                return nil
            }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    private func tell(_ tally: ServedTally) {
        if tally.take(into: &serving, at: clock.now()) { publishServing() }
    }

    private func servingFailed(_ reason: String) {
        servingTask = nil
        (serving.state, serving.reason, serving.clients, serving.since) = (.failed, reason, 0, nil)
        publishServing()
    }

    private func publishServing() { feed.publish(ServingChanged(serving), at: clock.now()) }
}
