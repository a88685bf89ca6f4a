// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Synchronization

/// A running server on our own host stack.
final class HostServer: Server {
    let isConnectable: Bool
    private let radio: HostRadio
    private let source: ServerEventStream.Source
    private let stream: ServerEventStream
    private let links = Mutex<Set<LinkID>>([])

    init(_ radio: HostRadio, isConnectable: Bool) {
        self.radio = radio
        self.isConnectable = isConnectable
        source = ServerEventStream.Source(
            limit: StreamLimit.hard, overflow: .refuse, pause: StreamLimit.soft
        ) { [weak radio] in Task { await radio?.openGate() } }
        stream = ServerEventStream(source)
    }

    var database: GATT.Database { get async { await radio.database } }

    /// The clients that are connected.
    var clients: Set<LinkID> { links.withLock { $0 } }

    /// Gives an event to the consumer.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - wakeUps: Whom to wake when everything was given out.
    /// - Returns: Whether there was room; that a link has come or gone is always told.
    func tell(_ event: ServerEvent, _ wakeUps: inout StreamWakeUps) -> Bool {
        let isOfLinks = links.withLock { links in
            switch event {
            case .connected(let link, _): links.insert(link).inserted
            case .disconnected(let link, _): links.remove(link) != nil
            default: false
            }
        }
        return source.yield(event, always: isOfLinks, &wakeUps) != .refused
    }

    /// Whether so many events wait that no more should be read.
    var isFull: Bool { source.isFull }

    func end() { source.finish() }

    func events() async -> ServerEventStream { stream }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, on link: LinkID) async {
        await radio.answer(result, on: link)
    }

    func send(_ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to link: LinkID) async
        -> Bool
    { await radio.send(value, of: handle, as: kind, to: link) }

    func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError) {
        try await radio.advertise(advertisement, for: self)
    }

    func updateParameters(
        _ range: ConnectionParameterRange, on link: LinkID
    ) async throws(BluetoothError) -> ConnectionParameters {
        try await radio.updateParameters(range, on: link)
    }

    func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange {
        try await radio.add(service, to: self)
    }

    func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        try await radio.removeService(at: handle, of: self)
    }

    func disconnect(_ link: LinkID) async { if clients.contains(link) { await radio.disconnect(link) } }

    func stop() async { await radio.stop(self) }
}
