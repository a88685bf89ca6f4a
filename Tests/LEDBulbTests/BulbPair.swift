// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import LEDBulb

/// Octets written as hex, blanks ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = Array(text.filter { !$0.isWhitespace })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
}

/// A client session and a device session, joined without any radio, on a clock of their own.
final class BulbPair {
    static let nameHandle = AttributeHandle(rawValue: 3)
    static let peer = Peer(BluetoothAddress(1, .random))

    var client: LEDBulbClient
    var device: LEDBulbDevice
    let database: GATT.Database
    var now = HostInstant.zero
    var events: [LEDBulbEvent] = []
    var told: [LEDBulbDevice.Event] = []
    var isFinished = false
    private(set) var isConnected = false
    /// What was written, with the moment and whether an answer was wanted.
    private(set) var writes: [(at: HostInstant, octets: [UInt8], isAnswered: Bool)] = []
    private(set) var nameReads = 0

    /// What the client finds, made of what the device has.
    var change: ([GATT.Service]) -> [GATT.Service] = { $0 }
    /// How long each write takes to be handed to the radio, in milliseconds.
    var writeMilliseconds: UInt64 = 0
    /// Why writes fail.
    var writeFailure: RequestFailure?
    /// What becomes of a notification on the way; `nil` loses it.
    var filter: ([UInt8]) -> [UInt8]? = { $0 }
    /// Whether the device can be heard.
    var isThere = true

    private let link = LinkID(rawValue: 1)
    private var isScanning = false
    private var pending: (id: UInt32, Result<[UInt8], RequestFailure>, at: HostInstant)?

    init(
        _ dialect: BulbDialect, state: BulbState = BulbState(), given: BulbDialect? = nil,
        retries: Bool = false
    ) {
        client = LEDBulbClient(
            options: .init(
                target: .peer(Self.peer),
                dialect: given ?? (dialect.isFoundOut ? nil : dialect), retries: retries))
        device = LEDBulbDevice(dialect, state: state)
        database = GATT.Database(device.services)
        device.start(database: database, at: now)
    }

    /// Switches the radio on, and lets everything happen that needs no time.
    func start() {
        client.receive(.radio(.ready), at: now)
        exchange()
    }

    func perform(_ command: BulbCommand) {
        client.perform(command, at: now)
        exchange()
    }

    /// Lets time go by until a number of milliseconds have gone by or the client has finished.
    func run(milliseconds: UInt64) {
        exchange()
        let end = now.advanced(byMilliseconds: milliseconds)
        while !isFinished {
            guard let next = HostInstant.earliest(client.nextDeadline, pending?.at), next <= end else {
                break
            }
            now = max(now, next)
            if let done = pending, done.at <= now {
                pending = nil
                client.receive(.completed(id: done.id, done.1), at: now)
            }
            if let deadline = client.nextDeadline, deadline <= now { client.deadlineReached(at: now) }
            exchange()
        }
        now = max(now, end)
    }

    func loseLink() {
        isConnected = false
        pending = nil
        device.receive(.disconnected(link), at: now)
        client.receive(.disconnected(.supervisionTimeout), at: now)
        exchange()
    }

    /// The bulb notifies something by itself.
    func notify(_ octets: [UInt8], from handle: AttributeHandle? = nil) {
        let reports = device.dialect.reports.flatMap { place in database.valueHandle(of: place.characteristic)
        }
        guard let handle = handle ?? reports else { return }
        client.receive(.value(handle, octets, .notify), at: now)
        exchange()
    }

    var octets: [[UInt8]] { writes.map(\.octets) }
    var shown: [BulbColor] { events.compactMap { if case .shown(let color) = $0 { color } else { nil } } }
    var states: [BulbState] { events.compactMap { if case .told(let state) = $0 { state } else { nil } } }

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
                switch output {
                case .event(let event): told.append(event)
                case .advertisementChanged: break
                case .send(_, let handle, let value, let kind):
                    if isConnected, let value = filter(value) {
                        client.receive(.value(handle, value, kind), at: now)
                    }
                }
            }
            if isScanning, isThere {
                isScanning = false
                isMoving = true
                client.receive(.advertisement(ClientAdvertisement(peer: Self.peer)), at: now)
            }
        }
    }

    private func perform(_ action: ClientAction) {
        switch action {
        case .startScan: isScanning = true
        case .stopScan: isScanning = false
        case .connect:
            isConnected = true
            device.receive(.connected(link, Self.peer), at: now)
            client.receive(.connected(Self.peer, mtu: 23), at: now)
        case .discover: client.receive(.discovered(change(Self.found(device.services, database))), at: now)
        case .disconnect:
            if isConnected { device.receive(.disconnected(link), at: now) }
            isConnected = false
            client.receive(.disconnected(.closedByUs), at: now)
        case .request(let id, let request):
            let (result, delay) = answer(request)
            if delay == 0 {
                client.receive(.completed(id: id, result), at: now)
            } else {
                pending = (id, result, now.advanced(byMilliseconds: delay))
            }
        }
    }

    private func answer(_ request: ClientRequest) -> (Result<[UInt8], RequestFailure>, UInt64) {
        guard isConnected else { return (.failure(.disconnected), 0) }
        switch request {
        case .read(Self.nameHandle):
            nameReads += 1
            return (.success(device.name.octets), 0)
        case .read(let handle):
            return (device.answerRead(of: handle, on: link, at: now).mapError { .refused($0) }, 0)
        case .write(let handle, let value): return write(value, handle, isAnswered: true)
        case .writeWithoutResponse(let handle, let value): return write(value, handle, isAnswered: false)
        case .subscribe(let characteristic, let subscription):
            device.receive(.subscribed(link, characteristic.valueHandle, subscription), at: now)
            return (.success([]), 0)
        }
    }

    private func write(
        _ value: [UInt8], _ handle: AttributeHandle, isAnswered: Bool
    ) -> (Result<[UInt8], RequestFailure>, UInt64) {
        writes.append((now, value, isAnswered))
        if let writeFailure { return (.failure(writeFailure), 0) }
        return (
            device.answerWrite(of: value, to: handle, on: link, at: now).mapError { .refused($0) },
            writeMilliseconds
        )
    }

    /// What a client finds at a device with these services, and Generic Access before them.
    static func found(_ services: [GATT.ServiceDefinition], _ database: GATT.Database) -> [GATT.Service] {
        let name = GATT.Characteristic(
            uuid: BluetoothUUID(0x2A00), handle: nameHandle, valueHandle: nameHandle, endHandle: nameHandle,
            properties: .read)
        let access = GATT.Service(
            uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 5, characteristics: [name])
        return [access]
            + services.map { service in
                GATT.Service(
                    uuid: service.uuid, handle: 0x10, endHandle: 0xFFFF,
                    characteristics: service.characteristics.compactMap { characteristic in
                        guard let handle = database.valueHandle(of: characteristic.uuid) else { return nil }
                        return GATT.Characteristic(
                            uuid: characteristic.uuid, handle: handle, valueHandle: handle, endHandle: handle,
                            properties: characteristic.properties)
                    })
            }
    }
}

/// What a client finds at a bulb of a dialect.
func services(of dialect: BulbDialect) -> [GATT.Service] {
    let definitions = LEDBulbDevice(dialect).services
    return BulbPair.found(definitions, GATT.Database(definitions))
}
