// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import FlockFinder
import Testing

/// What the tests of the client share.
enum ClientFixture {
    static let peer = Peer(BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random))

    static func at(_ milliseconds: UInt64) -> HostInstant { .zero.advanced(byMilliseconds: milliseconds) }

    static func characteristic(
        _ uuid: BluetoothUUID, _ handle: UInt16, _ properties: GATT.Properties
    ) -> GATT.Characteristic {
        let handle = AttributeHandle(rawValue: handle)
        return GATT.Characteristic(
            uuid: uuid, handle: handle, valueHandle: handle, endHandle: handle, properties: properties)
    }

    static let detection = characteristic(FlockFinderUUID.detection, 2, [.read, .notify])
    static let command = characteristic(FlockFinderUUID.command, 3, .write)
    static let stream = characteristic(FlockFinderUUID.stream, 4, [.read, .notify])
    static let services = [
        GATT.Service(
            uuid: FlockFinderUUID.service, handle: 1, endHandle: 4,
            characteristics: [detection, command, stream])
    ]
    static let ring = Array(#"{"type":"Ring","rssi":-71,"confidence":0.85}"#.utf8)
}

/// A client with what it wants, split into what it tells and what it asks for.
final class ClientBench {
    var client: FlockFinderClient
    var events: [FlockFinderEvent] = []
    var requests: [(id: UInt32, request: ClientRequest)] = []
    var actions: [ClientAction] = []
    var isFinished = false

    init(
        target: DeviceLink.Target = .any, switchesStreamOn: Bool = false, sendsPings: Bool = true,
        reconnects: Bool = true
    ) {
        client = FlockFinderClient(
            options: .init(
                target: target, switchesStreamOn: switchesStreamOn, sendsPings: sendsPings,
                reconnects: reconnects))
    }

    func drain() {
        while let output = client.nextOutput() {
            switch output {
            case .event(let event): events.append(event)
            case .action(.request(let id, let request)): requests.append((id, request))
            case .action(let action): actions.append(action)
            case .finished: isFinished = true
            }
        }
    }

    func receive(_ input: ClientInput, _ milliseconds: UInt64 = 0) {
        client.receive(input, at: ClientFixture.at(milliseconds))
        drain()
    }

    func reach(_ milliseconds: UInt64) {
        client.deadlineReached(at: ClientFixture.at(milliseconds))
        drain()
    }

    /// Answers the oldest request.
    func answer(_ result: Result<[UInt8], GATTRequestError> = .success([]), _ milliseconds: UInt64 = 0) {
        guard !requests.isEmpty else {
            Issue.record("nothing was asked")
            return
        }
        receive(.completed(id: requests.removeFirst().id, result), milliseconds)
    }

    func find() {
        receive(.radio(.ready))
        receive(
            .advertisement(
                ClientAdvertisement(
                    peer: ClientFixture.peer, name: "FlockFinder-S3", services: [FlockFinderUUID.service])))
        receive(.connected(ClientFixture.peer, mtu: 23))
        receive(.discovered(ClientFixture.services))
    }

    func bringUp() {
        find()
        answer()
        answer()
        forget()
    }

    func forget() {
        events = []
        actions = []
    }
}
