// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import FlockFinder
import Testing

/// A client session and a device session, joined without any radio, on a clock of their own.
private final class Pair {
    var client: FlockFinderClient
    var device: FlockFinderDevice
    let database: GATT.Database
    let mtu: Int
    var now = HostInstant.zero
    var events: [FlockFinderEvent] = []
    var isFinished = false
    private let peer = Peer(BluetoothAddress(1, .random))
    private let link = LinkID(rawValue: 1)
    private var isScanning = false
    private var isConnected = false

    init(_ source: FlockFinderDevice.Source, mtu: Int, streams: Bool = false) {
        client = FlockFinderClient(options: .init(streams: streams, unixMillisecondsAtZero: 0))
        device = FlockFinderDevice(source: source, seed: 1)
        database = GATT.Database(device.services)
        self.mtu = mtu
        device.start(database: database, at: now)
        client.receive(.radio(.ready), at: now)
        exchange()
    }

    /// Lets time go by until a number of milliseconds have gone by or the client has finished.
    func run(milliseconds: UInt64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while !isFinished {
            let device = isConnected ? device.nextDeadline : nil
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

    func close() {
        client.close(at: now)
        exchange()
    }

    func send(_ command: WireText) {
        client.send(command, at: now)
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
                guard case .send(_, let handle, let octets, let kind) = output, isConnected else { continue }
                client.receive(.value(handle, Array(octets.prefix(mtu - 3)), kind), at: now)
            }
        }
    }

    private func perform(_ action: ClientAction) {
        switch action {
        case .startScan:
            client.receive(
                .advertisement(ClientAdvertisement(peer: peer, services: [FlockFinderUUID.service])),
                at: now)
        case .stopScan: break
        case .connect:
            isConnected = true
            device.receive(.connected(link, peer), at: now)
            device.receive(.mtuChanged(link, mtu), at: now)
            client.receive(.connected(peer, mtu: mtu), at: now)
        case .discover: client.receive(.discovered(discovered), at: now)
        case .disconnect:
            isConnected = false
            device.receive(.disconnected(link), at: now)
            client.receive(.disconnected(.closedByUs), at: now)
        case .request(let id, let request):
            client.receive(.completed(id: id, carryOut(request)), at: now)
        }
    }

    private func carryOut(_ request: ClientRequest) -> Result<[UInt8], RequestFailure> {
        do throws(ATT.ErrorCode) {
            switch request {
            case .read(let handle): return .success(try device.read(handle, on: link, at: now))
            case .write(let handle, let value), .writeWithoutResponse(let handle, let value):
                try device.write(handle, value, on: link, at: now)
            case .subscribe(let characteristic, let subscription):
                device.receive(.subscribed(link, characteristic.valueHandle, subscription), at: now)
            }
            return .success([])
        } catch {
            return .failure(.refused(error))
        }
    }

    /// What discovery would find in the database.
    private var discovered: [GATT.Service] {
        var characteristics: [GATT.Characteristic] = []
        for (index, attribute) in database.attributes.enumerated() {
            guard case .value(let properties, _) = attribute.content else { continue }
            let handle = AttributeHandle(rawValue: UInt16(index + 1))
            characteristics.append(
                GATT.Characteristic(
                    uuid: attribute.type, handle: handle, valueHandle: handle, endHandle: handle,
                    properties: properties))
        }
        return [
            GATT.Service(
                uuid: FlockFinderUUID.service, handle: 1, endHandle: 9, characteristics: characteristics)
        ]
    }

    var detections: [Detection] {
        events.compactMap { if case .detection(let detection, _) = $0 { detection } else { nil } }
    }
    var streamObjects: [String] {
        events.compactMap { if case .stream(let object) = $0 { WireText(object).string } else { nil } }
    }
    var hasParseErrors: Bool {
        events.contains { if case .parseError = $0 { true } else { false } }
    }
}

@Suite struct BackToBackTests {
    private static func script(_ count: Int, every milliseconds: UInt64) -> FlockFinderDevice.Source {
        .script(
            DetectionScript(
                lines: (0..<count).map { index in
                    .init(
                        afterMilliseconds: milliseconds,
                        Detection(
                            type: .flockSafety, label: "Flock Safety", mac: UInt64(index),
                            ssid: WireText("n\(index) \"📷\"\n"), rssi: -60, confidence: 0.9,
                            deviceTime: .uptime(milliseconds: Int64(index))))
                }))
    }

    @Test("A script arrives whole at any MTU", arguments: [23, 24, 48, 100, 120, 121, 122, 123, 185, 517])
    func script(mtu: Int) {
        let pair = Pair(Self.script(200, every: 37), mtu: mtu)
        pair.run(milliseconds: 200 * 37)
        #expect(pair.detections.map(\.mac) == (0..<200).map { UInt64($0) })
        #expect(pair.detections.allSatisfy { $0.ssid?.string == "n\($0.mac ?? 0) \"📷\"\n" })
        #expect(!pair.hasParseErrors)
    }

    @Test func aBurstArrivesWhole() {
        let pair = Pair(Self.script(5_000, every: 0), mtu: 247)
        pair.run(milliseconds: 1)
        #expect(pair.detections.count == 5_000)
    }

    @Test func aScriptGoesOnAfterALostLink() {
        let pair = Pair(Self.script(20, every: 500), mtu: 60)
        pair.run(milliseconds: 5_000)
        #expect(pair.detections.count == 10)
        pair.loseLink()
        pair.run(milliseconds: 10_000)
        #expect(pair.detections.map(\.mac) == (0..<20).map { UInt64($0) })
        #expect(!pair.hasParseErrors)
    }

    @Test func theDriveIsUnderstoodAndTheStreamToo() {
        let pair = Pair(.route, mtu: 23, streams: true)
        pair.run(milliseconds: 60_000)
        #expect(pair.detections.count > 20)
        #expect(pair.streamObjects.count > 120)
        #expect(!pair.hasParseErrors)
    }

    @Test func commandsAreAnswered() {
        let pair = Pair(.script(DetectionScript(lines: [])), mtu: 185)
        pair.send("STATUS")
        pair.send("nonsense")
        #expect(pair.streamObjects.count == 2)
        #expect(pair.streamObjects.first?.contains(#""msg":"ready""#) == true)
        #expect(pair.streamObjects.last?.contains(#""msg":"unknown command: nonsense""#) == true)
    }

    @Test func aSilentLinkIsPinged() {
        let pair = Pair(.script(DetectionScript(lines: [])), mtu: 185)
        pair.run(milliseconds: 95_000)
        #expect(pair.streamObjects.count == 3)
        #expect(pair.streamObjects.allSatisfy { $0.contains("pong") })
    }

    @Test func theEndIsOrderly() {
        let pair = Pair(.route, mtu: 185, streams: true)
        pair.run(milliseconds: 5_000)
        pair.close()
        #expect(pair.isFinished)
        #expect(pair.device.nextDeadline == nil)
        #expect(!pair.hasParseErrors)
    }
}
