// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import SimulatedDevices
import WiFiSet

/// A client session and a device session, joined without any radio, on a clock of their own.
final class Pair {
    var client: WiFiSetClient
    var device: WiFiSetDevice<SimulatedWiFiStation>
    let database: GATT.Database
    let mtu: Int
    var now = HostInstant.zero
    var events: [WiFiSetEvent] = []
    var told: [WiFiSetDeviceEvent] = []
    var isFinished = false
    /// Looks at what the device sends; `nil` loses it on the way.
    var filter: ([UInt8]) -> [UInt8]? = { $0 }
    /// What the client has written.
    var written: [[UInt8]] = []
    private let peer = Peer(BluetoothAddress(1, .random))
    private let link = LinkID(rawValue: 1)
    private var isScanning = false
    private(set) var isConnected = false

    convenience init(
        _ networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood, mtu: Int = 247,
        retries: Bool = false
    ) {
        self.init(station: SimulatedWiFiStation(networks), mtu: mtu, retries: retries)
    }

    init(station: consuming SimulatedWiFiStation, mtu: Int = 247, retries: Bool = false) {
        client = WiFiSetClient(options: .init(retries: retries))
        device = WiFiSetDevice(station: station)
        database = GATT.Database(device.services)
        self.mtu = mtu
        device.start(database: database, at: now)
        client.receive(.radio(.ready), at: now)
        exchange()
    }

    /// Lets time go by until a number of seconds have gone by or the client has finished.
    func run(seconds: UInt64) {
        exchange()
        let end = now.advanced(bySeconds: seconds)
        while !isFinished {
            let device = device.nextDeadline
            guard let deadline = HostInstant.earliest(client.nextDeadline, device), deadline <= end else {
                break
            }
            now = max(now, deadline)
            if let time = client.nextDeadline, time <= now { client.deadlineReached(at: now) }
            if let device, device <= now { self.device.deadlineReached(at: now) }
            exchange()
        }
        now = max(now, end)
    }

    func loseLink() {
        isConnected = false
        device.receive(.disconnected(link), at: now)
        client.receive(.disconnected(.supervisionTimeout), at: now)
        exchange()
    }

    func provision(_ ssid: WireText, _ password: StaticString) throws {
        let password = WireText(stringLiteral: password).octets
        client.provision(try WiFiCredentials(ssid: ssid, password: password), at: now)
        exchange()
    }

    /// Writes octets to the device as a client of another make might.
    func write(_ octets: [UInt8]) {
        guard let handle = database.valueHandle(of: WiFiSetUUID.credentialWrite) else { return }
        _ = device.answerWrite(of: octets, to: handle, on: link, at: now)
        exchange()
    }

    var storedSSID: WireText? { device.storedSSID }

    var status: WiFiStatus { device.status }

    var outcomes: [WiFiOutcome] {
        events.compactMap { if case .provisioned(let outcome) = $0 { outcome } else { nil } }
    }

    var states: [WiFiState] {
        events.compactMap { if case .status(let status) = $0 { status.state } else { nil } }
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
                switch output {
                case .event(let event): told.append(event)
                case .advertisementChanged: break
                case .send(_, let handle, let value, let kind):
                    guard isConnected, let value = filter(value) else { break }
                    client.receive(.value(handle, Array(value.prefix(mtu - 3)), kind), at: now)
                }
            }
            if isScanning {
                isScanning = false
                isMoving = true
                client.receive(
                    .advertisement(ClientAdvertisement(peer: peer, services: [WiFiSetUUID.service])),
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
            device.receive(.connected(link, peer), at: now)
            device.receive(.mtuChanged(link, mtu), at: now)
            client.receive(.connected(peer, mtu: mtu), at: now)
        case .discover: client.receive(.discovered(discovered()), at: now)
        case .disconnect:
            if isConnected { device.receive(.disconnected(link), at: now) }
            isConnected = false
            client.receive(.disconnected(.closedByUs), at: now)
        case .request(let id, let request):
            client.receive(.completed(id: id, answer(request)), at: now)
        }
    }

    private func answer(_ request: ClientRequest) -> Result<[UInt8], RequestFailure> {
        guard isConnected else { return .failure(.disconnected) }
        switch request {
        case .read(let handle):
            return device.answerRead(of: handle, on: link, at: now).mapError { .refused($0) }
        case .write(let handle, let value), .writeWithoutResponse(let handle, let value):
            written.append(value)
            return device.answerWrite(of: value, to: handle, on: link, at: now).mapError { .refused($0) }
        case .subscribe(let characteristic, let subscription):
            device.receive(.subscribed(link, characteristic.valueHandle, subscription), at: now)
            return .success([])
        }
    }

    private func discovered() -> [GATT.Service] {
        device.services.map { service in
            GATT.Service(
                uuid: service.uuid, handle: 1, endHandle: 0xFFFF,
                characteristics: service.characteristics.compactMap { characteristic in
                    guard let handle = database.valueHandle(of: characteristic.uuid) else { return nil }
                    return GATT.Characteristic(
                        uuid: characteristic.uuid, handle: handle, valueHandle: handle, endHandle: handle,
                        properties: characteristic.properties)
                })
        }
    }
}
