// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE

/// Serves a saved device on a radio.
actor ReplayServer {
    /// What happens.
    enum Event: Hashable, Sendable {
        case advertising(name: String?)
        case connected(LinkID, Peer)
        case disconnected(LinkID)
        case mtuChanged(LinkID, Int)
        case subscribed(LinkID, AttributeHandle, GATT.Subscription)
        /// A client has written; the error is what it got.
        case write(LinkID, AttributeHandle, [UInt8], error: ATT.ErrorCode?)
        /// The recording of a value is at its end, or its client does not want it any more.
        case played(LinkID, AttributeHandle, sent: Int, of: Int)
        /// The device is off the air against its will, or on it again.
        case air(AirNews)
    }

    private struct Listener: Hashable {
        let client: Server.Client
        let handle: AttributeHandle
    }

    private let device: ReplayDevice
    private let recording: ReplayRecording
    private let radio: Radio
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
        _ device: ReplayDevice, _ recording: ReplayRecording, on radio: Radio,
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
        let server = try await radio.serve(
            ServerDescription(
                name: WireText(Array((device.name ?? "").utf8)), database: device.database,
                advertisement: device.advertisement, advertisesName: false))
        show(.advertising(name: device.name))
        let result: Result<Void, BluetoothError>
        do throws(BluetoothError) {
            for try await event in server.events() { await take(event, server) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for player in players.values { player.cancel() }
        await Uncancelled.run { await server.stop() }
        try result.get()
    }

    private func take(_ event: ServerEvent, _ server: Server) async {
        switch event {
        case .connected(let client): show(.connected(client.link, client.peer))
        case .disconnected(let client, _):
            for (listener, player) in players where listener.client == client {
                player.cancel()
                players[listener] = nil
            }
            show(.disconnected(client.link))
        case .mtuChanged(let client, let mtu): show(.mtuChanged(client.link, mtu))
        case .subscribed(let client, let handle, let subscription):
            show(.subscribed(client.link, handle.attribute, subscription))
            play(handle, to: client, subscription, server)
        case .unsubscribed(let client, let handle):
            show(.subscribed(client.link, handle.attribute, []))
            play(handle, to: client, [], server)
        case .readRequest(let request):
            let handle = request.handle.attribute
            if let code = device.refusals[handle]?.read {
                await server.refuse(request, with: code)
            } else {
                await server.respond(to: request, with: values[handle] ?? [])
            }
        case .writeRequest(let request):
            let handle = request.handle.attribute
            let error = device.refusals[handle]?.write
            if error == nil { values[handle] = request.value }
            show(.write(request.client.link, handle, request.value, error: error))
            if let error {
                await server.refuse(request, with: error)
            } else {
                await server.respond(to: request)
            }
        case .valueWritten(let value, let handle, let client):
            show(.write(client.link, handle.attribute, value, error: nil))
        case .indicationConfirmed: break
        case .advertisingStopped, .advertisingResumed: if let news = AirNews(event) { show(.air(news)) }
        }
    }

    /// Plays what was recorded of a value, from its beginning.
    private func play(
        _ handle: ValueHandle, to client: Server.Client, _ subscription: GATT.Subscription, _ server: Server
    ) {
        let listener = Listener(client: client, handle: handle.attribute)
        players[listener]?.cancel()
        players[listener] = nil
        let lines = recording.lines(of: handle.attribute)
        guard !subscription.isEmpty, !lines.isEmpty else { return }
        players[listener] = Task { [show] in
            let sent = await Self.send(lines, to: client, subscription, server)
            show(.played(client.link, handle.attribute, sent: sent, of: lines.count))
        }
    }

    /// How many of the lines were sent; each waits for room, so none is lost.
    private static func send(
        _ lines: [ReplayRecording.Line], to client: Server.Client, _ subscription: GATT.Subscription,
        _ server: Server
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
            let isNotified = subscription.contains(wanted) == (line.kind == .notify)
            let handle = ValueHandle(line.handle)
            do throws(BluetoothError) {
                guard
                    try await isNotified
                        ? server.notify(line.value, of: handle, to: client)
                        : server.indicate(line.value, of: handle, to: client)
                else { break }
            } catch {
                // The client is gone, which the events tell.
                break
            }
            sent += 1
        }
        return sent
    }
}
