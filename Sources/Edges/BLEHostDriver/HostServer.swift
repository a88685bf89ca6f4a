// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Synchronization

/// A running server on our own host stack.
final class HostServer: Server {
    let isConnectable: Bool
    let backlog: Backlog
    let database: GATT.Database
    private let radio: HostRadio
    private let stream: AsyncStream<ServerEvent>
    private let continuation: AsyncStream<ServerEvent>.Continuation
    private let links = Mutex<Set<LinkID>>([])

    init(_ radio: HostRadio, isConnectable: Bool, _ database: GATT.Database) {
        self.radio = radio
        self.isConnectable = isConnectable
        self.database = database
        (stream, continuation) = AsyncStream.makeStream()
        backlog = Backlog { [weak radio] in Task { await radio?.openGate() } }
    }

    /// The clients that are connected.
    var clients: Set<LinkID> { links.withLock { $0 } }

    /// Gives an event to the consumer.
    ///
    /// - Returns: Whether there was room; that a link has come or gone is always told.
    func tell(_ event: ServerEvent) -> Bool {
        let isOfLinks = links.withLock { links in
            switch event {
            case .connected(let link, _): links.insert(link).inserted
            case .disconnected(let link, _): links.remove(link) != nil
            default: false
            }
        }
        guard backlog.add() || isOfLinks else {
            backlog.taken()
            return false
        }
        continuation.yield(event)
        return true
    }

    func end() { continuation.finish() }

    func events() async -> ServerEventStream {
        ServerEventStream(stream) { [backlog] in backlog.taken() }
    }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, on link: LinkID) async {
        await radio.answer(result, on: link)
    }

    func send(_ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to link: LinkID) async
        -> Bool
    { await radio.send(value, of: handle, as: kind, to: link) }

    func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError) {
        try await radio.advertise(advertisement, for: self)
    }

    func stop() async { await radio.stop(self) }
}
