// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE

/// Serves a saved device on a radio.
actor ReplayServer {
    /// What happens.
    enum Event: Hashable, Sendable {
        case advertising(name: String?)
        case connected(LinkID, BluetoothAddress)
        case disconnected(LinkID)
        case mtuChanged(LinkID, Int)
        case subscribed(LinkID, AttributeHandle, GATT.Subscription)
        /// A client has written; the error is what it got.
        case write(LinkID, AttributeHandle, [UInt8], error: ATT.ErrorCode?)
        /// The recording of a value is at its end, or its client does not want it any more.
        case played(LinkID, AttributeHandle, sent: Int, of: Int)
    }

    private struct Listener: Hashable {
        let link: LinkID
        let handle: AttributeHandle
    }

    private let device: ReplayDevice
    private let recording: ReplayRecording
    private let radio: any Radio
    private let show: @Sendable (Event) -> Void
    private var values: [AttributeHandle: [UInt8]]
    private var players: [Listener: Task<Void, Never>] = [:]

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - device: What to serve.
    ///   - recording: What to send to whoever subscribes.
    ///   - radio: The radio.
    ///   - show: Called for each event, in order.
    init(
        _ device: ReplayDevice, _ recording: ReplayRecording, on radio: any Radio,
        show: @escaping @Sendable (Event) -> Void
    ) {
        self.device = device
        self.recording = recording
        self.radio = radio
        self.show = show
        values = device.values
    }

    /// Serves until the task is cancelled or the radio is gone.
    ///
    /// - Throws: ``BluetoothError`` when the radio refuses or is lost.
    func run() async throws(BluetoothError) {
        var description = ServerDescription(
            name: WireText(Array((device.name ?? "").utf8)), services: [],
            advertisement: device.advertisement)
        description.database = device.database
        let server = try await radio.serve(description)
        show(.advertising(name: device.name))
        for await event in await server.events() { await take(event, server) }
        for player in players.values { player.cancel() }
        await Uncancelled.run { await server.stop() }
        if !Task.isCancelled { throw .radioUnavailable("the connection to it was lost") }
    }

    private func take(_ event: ServerEvent, _ server: any Server) async {
        switch event {
        case .connected(let link, let peer): show(.connected(link, peer))
        case .disconnected(let link, _):
            for (listener, player) in players where listener.link == link {
                player.cancel()
                players[listener] = nil
            }
            show(.disconnected(link))
        case .mtuChanged(let link, let mtu): show(.mtuChanged(link, mtu))
        case .subscribed(let link, let handle, let subscription):
            show(.subscribed(link, handle, subscription))
            play(handle, to: link, subscription, server)
        case .read(let link, let handle):
            let answer: Result<[UInt8], ATT.ErrorCode> =
                if let code = device.refusals[handle]?.read {
                    .failure(code)
                } else {
                    .success(values[handle] ?? [])
                }
            await server.answer(answer, on: link)
        case .write(let link, let handle, let value, let isAnswered):
            let error = device.refusals[handle]?.write
            if error == nil { values[handle] = value }
            show(.write(link, handle, value, error: error))
            if isAnswered {
                await server.answer(error.map { .failure($0) } ?? .success([]), on: link)
            }
        case .stored(let link, let handle, let value): show(.write(link, handle, value, error: nil))
        case .confirmed: break
        }
    }

    /// Plays what was recorded of a value, from its beginning.
    private func play(
        _ handle: AttributeHandle, to link: LinkID, _ subscription: GATT.Subscription, _ server: any Server
    ) {
        let listener = Listener(link: link, handle: handle)
        players[listener]?.cancel()
        players[listener] = nil
        let lines = recording.lines(of: handle)
        guard !subscription.isEmpty, !lines.isEmpty else { return }
        players[listener] = Task { [show] in
            let sent = await Self.send(lines, to: link, subscription, server)
            show(.played(link, handle, sent: sent, of: lines.count))
        }
    }

    /// How many of the lines were sent; each waits for room, so none is lost.
    private static func send(
        _ lines: [ReplayRecording.Line], to link: LinkID, _ subscription: GATT.Subscription,
        _ server: any Server
    ) async -> Int {
        let start = ContinuousClock.now
        var sent = 0
        for line in lines {
            let due = start + line.after
            if due > .now {
                // An error here means that it was cancelled, which is looked at next.
                try? await Task.sleep(until: due, clock: .continuous)
            }
            if Task.isCancelled { break }
            // A client that wants the other kind only gets that.
            let wanted: GATT.Subscription = line.kind == .notify ? .notify : .indicate
            let kind: GATT.ValueKind =
                subscription.contains(wanted) ? line.kind : line.kind == .notify ? .indicate : .notify
            guard await server.send(line.value, of: line.handle, as: kind, to: link) else { break }
            sent += 1
        }
        return sent
    }
}
