// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
package import BluetoothLE
package import Companion
import ProductRegistry

/// Serves a saved device on a radio.
package actor ReplayServer {
    private struct Listener: Hashable {
        let client: Server.Client
        let handle: AttributeHandle
    }

    private let device: ReplayDevice
    private let recording: ReplayRecording
    private let radio: Radio
    private let show: @Sendable (any Event) -> Void
    private var values: [AttributeHandle: [UInt8]]
    private var players: [Listener: Task<Void, Never>] = [:]

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - device: What to serve.
    ///   - recording: What to send to whoever subscribes.
    ///   - radio: The radio.
    ///   - show: Called for each event, in order.
    package init(
        _ device: ReplayDevice, _ recording: ReplayRecording, on radio: Radio,
        show: @escaping @Sendable (any Event) -> Void
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
    package func run() async throws(BluetoothError) {
        let server = try await radio.serve(
            ServerDescription(
                name: WireText(Array((device.name ?? "").utf8)), database: device.database,
                advertisement: device.advertisement, advertisesName: false))
        show(DeviceAdvertising(device.name))
        let result: Result<Void, BluetoothError>
        do throws(BluetoothError) {
            for try await event in server.events() { await handle(event, server) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for player in players.values { player.cancel() }
        // A task of its own: whoever has ended us must not cut it short.
        await Task { await server.stop() }.value
        try result.get()
    }

    private func handle(_ event: ServerEvent, _ server: Server) async {
        switch event {
        case .connected(let client): show(LinkConnected(link: client.link, client.peer))
        case .disconnected(let client, _):
            for (listener, player) in players where listener.client == client {
                player.cancel()
                players[listener] = nil
            }
            show(LinkDisconnected(link: client.link, client.peer))
        case .mtuChanged(let client, let mtu): show(LinkMTUChanged(link: client.link, mtu: mtu))
        case .subscribed(let client, let handle, let subscription):
            show(
                ClientSubscribed(
                    client.link, attribute(handle), notify: subscription.contains(.notify),
                    indicate: subscription.contains(.indicate)))
            play(handle, to: client, subscription, server)
        case .unsubscribed(let client, let handle):
            show(ClientUnsubscribed(client.link, attribute(handle)))
            play(handle, to: client, [], server)
        case .readRequest(let request):
            let handle = request.handle
            if let code = device.refusals[handle]?.read {
                await server.refuse(request, with: code)
            } else {
                await server.respond(to: request, with: values[handle] ?? [])
            }
        case .writeRequest(let request):
            let handle = request.handle
            let error = device.refusals[handle]?.write
            if error == nil { values[handle] = request.value }
            show(
                AttributeWritten(
                    request.client.link, attribute(handle), request.value, reason: error?.description))
            if let error {
                await server.refuse(request, with: error)
            } else {
                await server.respond(to: request)
            }
        case .valueWritten(let value, let handle, let client):
            show(AttributeWritten(client.link, attribute(handle), value, reason: nil))
        case .secured(let client, let security):
            show(LinkSecured(link: client.link, client.peer, security))
        case .pairingFailed(let client, let failure):
            show(PairingFailed(link: client.link, client.peer, reason: failure.sentence))
        case .indicationConfirmed: break
        case .advertisingStopped(let error): show(DeviceAdvertisingStopped(reason: error.description))
        case .advertisingResumed: show(DeviceAdvertisingResumed())
        }
    }

    private func attribute(_ handle: AttributeHandle) -> ServedAttribute {
        let uuid = device.uuid(of: handle)
        let title = uuid.flatMap {
            UUIDNames.name(ofCharacteristic: $0) ?? AssignedNumbers.name(ofDescriptor: $0)
        }
        return ServedAttribute(handle, uuid, title: title)
    }

    /// Plays what was recorded of a value, from its beginning.
    private func play(
        _ handle: AttributeHandle, to client: Server.Client, _ subscription: GATT.Subscription,
        _ server: Server
    ) {
        let listener = Listener(client: client, handle: handle)
        players[listener]?.cancel()
        players[listener] = nil
        let lines = recording.lines(of: handle)
        guard !subscription.isEmpty, !lines.isEmpty else { return }
        let attribute = attribute(handle)
        players[listener] = Task { [show, radio] in
            let sent = await Self.send(lines, to: client, subscription, server, on: radio)
            show(RecordingPlayed(client.link, attribute, sent: sent, of: lines.count))
        }
    }

    /// How many of the lines were sent; each waits for room, so none is lost.
    private static func send(
        _ lines: [ReplayRecording.Line], to client: Server.Client, _ subscription: GATT.Subscription,
        _ server: Server, on radio: Radio
    ) async -> Int {
        let start = radio.now
        var sent = 0
        for line in lines {
            let due = start + line.after
            // An error here means that it was cancelled, which is looked at next.
            if due > radio.now { try? await radio.sleep(until: due) }
            if Task.isCancelled { break }
            // A client that wants the other kind only gets that.
            let wanted: GATT.Subscription = line.kind == .notify ? .notify : .indicate
            let isNotified = subscription.contains(wanted) == (line.kind == .notify)
            let handle = line.handle
            do throws(BluetoothError) {
                guard
                    try await isNotified
                        ? server.notify(line.value, of: handle, to: client)
                        : server.indicate(line.value, of: handle, to: client)
                else { break }
            } catch {
                // The client is gone, which the events say.
                break
            }
            sent += 1
        }
        return sent
    }
}
