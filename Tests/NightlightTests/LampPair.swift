// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Nightlight

/// A client session and a lamp, joined without any radio, on a clock of their own.
final class LampPair {
    var client: NightlightClient
    var device: NightlightDevice
    let database: GATT.Database
    var now = HostInstant(microseconds: 9_000_000)
    var events: [NightlightEvent] = []
    var isFinished = false
    /// What the client has asked of the lamp, in order.
    var asked: [ClientRequest] = []
    /// Looks at each request; what it gives is the answer in place of the lamp's.
    var answers: (ClientRequest) -> Result<[UInt8], RequestFailure>? = { _ in nil }
    /// After so many requests the link is lost before the answer.
    var losesAfter: Int?
    /// Values that the lamp does not have.
    let missing: Set<NightlightItem>
    /// Where the button's settings are: in a service of their own.
    private let peer = Peer(BluetoothAddress(0xC0FF_EE00_0001, .random))
    private let link = LinkID(rawValue: 1)
    private var isScanning = false
    private(set) var isConnected = false
    /// What the client has switched on, as the server in front of the lamp knows it.
    private var switchedOn: Set<AttributeHandle> = []

    init(
        _ settings: NightlightSettings = .factory, clock: ClockReading? = nil, retries: Bool = false,
        missing: Set<NightlightItem> = [], losesAfter: Int? = nil
    ) {
        client = NightlightClient(options: .init(retries: retries))
        device = NightlightDevice(settings: settings, clock: clock)
        database = GATT.Database(device.services)
        self.missing = missing
        self.losesAfter = losesAfter
        device.start(database: database, at: now)
        client.receive(.radio(.ready), at: now)
        exchange()
    }

    var values: NightlightValues { client.values }

    var isReady: Bool { events.contains { if case .ready = $0 { true } else { false } } }

    func set(_ setting: NightlightSetting) {
        client.set(setting, at: now)
        exchange()
    }

    /// Lets time go by.
    func run(seconds: UInt64) {
        exchange()
        let end = now.advanced(bySeconds: seconds)
        while true {
            let device = device.nextDeadline
            guard let deadline = HostInstant.earliest(isFinished ? nil : client.nextDeadline, device),
                deadline <= end
            else { break }
            now = max(now, deadline)
            if let time = client.nextDeadline, time <= now { client.deadlineReached(at: now) }
            if let device, device <= now { self.device.deadlineReached(at: now) }
            exchange()
        }
        now = end
    }

    func loseLink() {
        guard isConnected else { return }
        isConnected = false
        device.receive(.disconnected(link), at: now)
        client.receive(.disconnected(.supervisionTimeout), at: now)
        exchange()
    }

    /// Carries everything across until both are quiet.
    func exchange() {
        var isMoving = true
        while isMoving {
            isMoving = false
            while let output = client.nextOutput() {
                isMoving = true
                switch output {
                case .event(let event): events.append(event)
                case .finished: isFinished = true
                case .action(let action): perform(action)
                }
            }
            while let output = device.nextOutput() {
                isMoving = true
                if case .send(_, let handle, let value, let kind) = output, isConnected,
                    switchedOn.contains(handle)
                {
                    client.receive(.value(handle, value, kind), at: now)
                }
            }
            if isScanning {
                isScanning = false
                isMoving = true
                client.receive(
                    .advertisement(
                        ClientAdvertisement(peer: peer, services: [NightlightUUID.ledService])),
                    at: now)
            }
        }
    }

    private func perform(_ action: ClientAction) {
        switch action {
        case .startScan: isScanning = true
        case .stopScan: isScanning = false
        case .connect:
            isConnected = true
            switchedOn = []
            device.receive(.connected(link, peer), at: now)
            client.receive(.connected(peer, mtu: 185), at: now)
        case .discover: client.receive(.discovered(discovered()), at: now)
        case .disconnect:
            if isConnected { device.receive(.disconnected(link), at: now) }
            isConnected = false
            client.receive(.disconnected(.closedByUs), at: now)
        case .request(let id, let request):
            guard isConnected else { break }
            asked.append(request)
            if asked.count == losesAfter {
                losesAfter = nil
                isConnected = false
                device.receive(.disconnected(link), at: now)
                client.receive(.completed(id: id, .failure(.disconnected)), at: now)
                client.receive(.disconnected(.supervisionTimeout), at: now)
                break
            }
            client.receive(.completed(id: id, answers(request) ?? answer(request)), at: now)
        }
    }

    private func answer(_ request: ClientRequest) -> Result<[UInt8], RequestFailure> {
        switch request {
        case .read(let handle):
            return device.answerRead(of: handle, on: link, at: now).mapError { .refused($0) }
        case .write(let handle, let value), .writeWithoutResponse(let handle, let value):
            return device.answerWrite(of: value, to: handle, on: link, at: now).mapError { .refused($0) }
        case .subscribe(let characteristic, let subscription):
            switchedOn.insert(characteristic.valueHandle)
            device.receive(.subscribed(link, characteristic.valueHandle, subscription), at: now)
            return .success([])
        }
    }

    func handle(_ item: NightlightItem) -> AttributeHandle { database.valueHandle(of: item.uuid) ?? 0 }

    /// All in one service that has another UUID: a client finds values in whatever service they are.
    private func discovered() -> [GATT.Service] {
        let items = NightlightItem.allCases.filter { !missing.contains($0) }
        return [
            GATT.Service(
                uuid: BluetoothUUID(0xFFF0), handle: 1, endHandle: 0xFFFF,
                characteristics: items.map { item in
                    GATT.Characteristic(
                        uuid: item.uuid, handle: handle(item), valueHandle: handle(item),
                        endHandle: handle(item),
                        properties: item.properties)
                })
        ]
    }
}
