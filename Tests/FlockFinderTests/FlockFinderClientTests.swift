// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import FlockFinder
import Testing

private typealias F = ClientFixture
private typealias Bench = ClientBench
private let (peer, services, ring) = (F.peer, F.services, F.ring)
private let (detection, command, stream) = (F.detection, F.command, F.stream)
private let at = F.at

@Suite struct FlockFinderClientTests {
    // MARK: Setting up

    @Test func subscribesToTheStreamBeforeTheDetections() {
        let bench = Bench()
        bench.find()
        #expect(bench.actions == [.startScan, .stopScan, .connect(peer), .discover])
        #expect(bench.requests.map(\.request) == [.subscribe(stream, .notify)])
        #expect(bench.client.state == .discovering)
        bench.answer()
        #expect(bench.requests.map(\.request) == [.subscribe(detection, .notify)])
        bench.answer()
        #expect(bench.requests.isEmpty)
        #expect(
            bench.events == [
                .state(.init(.scanning)), .state(.init(.connecting, peer: peer)),
                .state(.init(.discovering, peer: peer)), .mtu(23),
                .state(.init(.connected, peer: peer)),
            ])
    }

    @Test func aDetectionThatOvertakesTheAnswerComesAfterConnected() {
        let bench = Bench()
        bench.find()
        bench.receive(.value(detection.valueHandle, [], .notify))
        #expect(bench.client.state == .discovering, "nothing was asked for yet")
        bench.answer()
        bench.forget()
        bench.receive(.value(detection.valueHandle, [], .notify))
        #expect(
            bench.events == [
                .state(.init(.connected, peer: peer)),
                .parseError(DetectionError(.empty, at: 0), raw: []),
            ])
        bench.forget()
        bench.answer()
        #expect(bench.events.isEmpty && bench.requests.isEmpty)
    }

    @Test func switchesTheStreamOnWhenAskedTo() {
        let bench = Bench(switchesStreamOn: true)
        bench.find()
        bench.answer()
        bench.answer()
        #expect(bench.requests.map(\.request) == [.write(command.valueHandle, Array("stream_on".utf8))])
        bench.forget()
        bench.answer()
        #expect(bench.events.isEmpty)
    }

    @Test func aRefusedSubscriptionIsToldAndTriedAgain() {
        let bench = Bench()
        bench.find()
        bench.forget()
        bench.answer(.failure(.refused(.insufficientAuthentication)))
        #expect(bench.actions == [.disconnect])
        bench.receive(.disconnected(.closedByUs), 5)
        #expect(bench.events.count == 2)
        #expect(bench.events.last == .advice(.notListening(.refused(.insufficientAuthentication))))
        let next = bench.client.nextDeadline
        #expect(next != nil)
    }

    @Test func usesIndicationsAndUnansweredWritesWhereThereIsNothingElse() {
        let indicated = F.characteristic(FlockFinderUUID.detection, 2, .indicate)
        let unanswered = F.characteristic(FlockFinderUUID.command, 3, .writeWithoutResponse)
        let bench = Bench(switchesStreamOn: true)
        bench.receive(.radio(.ready))
        bench.receive(.advertisement(ClientAdvertisement(peer: peer, name: "FLOCK")))
        bench.reach(3_000)
        bench.receive(.connected(peer, mtu: 23))
        bench.receive(
            .discovered([
                GATT.Service(
                    uuid: BluetoothUUID(1), handle: 1, endHandle: 9,
                    characteristics: [stream, unanswered, indicated])
            ]))
        bench.answer()
        #expect(bench.requests.map(\.request) == [.subscribe(indicated, .indicate)])
        bench.answer()
        #expect(
            bench.requests.map(\.request) == [
                .writeWithoutResponse(unanswered.valueHandle, Array("stream_on".utf8))
            ])
    }

    @Test("Another product with the same service is told by its name before a link is made")
    func aForeignNameComesLast() {
        let service = [FlockFinderUUID.service]
        let other = Peer(BluetoothAddress(0xC0FF_EEF1_0C02, kind: .random))
        let bench = Bench()
        bench.receive(.radio(.ready))
        bench.forget()
        // The name comes in the scan response, after the service.
        bench.receive(.advertisement(ClientAdvertisement(peer: other, services: service)))
        bench.receive(
            .advertisement(ClientAdvertisement(peer: other, name: "ESP32-WiFiSet", services: service)), 5)
        #expect(bench.actions.isEmpty)
        bench.receive(.advertisement(ClientAdvertisement(peer: peer, services: service)), 100)
        #expect(bench.actions.isEmpty)
        bench.receive(
            .advertisement(ClientAdvertisement(peer: peer, name: "FlockFinder-S3", services: service)), 105)
        #expect(bench.actions == [.stopScan, .connect(peer)])
    }

    @Test func aDeviceWithoutANameIsTakenAfterASecond() {
        let bench = Bench()
        bench.receive(.radio(.ready))
        bench.forget()
        bench.receive(
            .advertisement(ClientAdvertisement(peer: peer, services: [FlockFinderUUID.service])), 100)
        #expect(bench.actions.isEmpty)
        #expect(bench.client.nextDeadline == F.at(1_100))
        bench.reach(1_100)
        #expect(bench.actions == [.stopScan, .connect(peer)])
    }

    @Test func aForeignNameIsTriedWhenThereIsNothingElse() {
        let bench = Bench()
        bench.receive(.radio(.ready))
        bench.forget()
        bench.receive(
            .advertisement(
                ClientAdvertisement(peer: peer, name: "wifiset", services: [FlockFinderUUID.service])))
        bench.reach(3_000)
        #expect(bench.actions == [.stopScan, .connect(peer)])
    }

    @Test func aDeviceThatLacksSomethingIsNamedWithAdvice() {
        let bench = Bench(target: .peer(peer))
        bench.receive(.radio(.ready))
        bench.receive(.advertisement(ClientAdvertisement(peer: peer)))
        bench.receive(.connected(peer, mtu: 23))
        bench.receive(
            .discovered([
                GATT.Service(
                    uuid: FlockFinderUUID.service, handle: 1, endHandle: 2, characteristics: [detection])
            ]))
        bench.forget()
        bench.receive(.disconnected(.closedByUs))
        let missing = [FlockFinderUUID.command, FlockFinderUUID.stream]
        #expect(
            bench.events == [
                .state(.init(.disconnected, peer: peer, reason: .wrongDevice(missing: missing))),
                .advice(.characteristicsMissing(missing)),
            ])
        #expect(bench.isFinished)
        let sentence = FlockFinderAdvice.characteristicsMissing(missing).description
        #expect(sentence.contains("Command") && sentence.contains("Stream") && sentence.contains("firmware"))
    }

    @Test(
        "A radio that cannot be used is told with advice",
        arguments: [
            (RadioState.off, DeviceLink.State.bluetoothOff, FlockFinderAdvice.bluetoothOff),
            (.unauthorized, .unauthorized, .unauthorized),
        ])
    func radio(radio: RadioState, state: DeviceLink.State, advice: FlockFinderAdvice) {
        let bench = Bench()
        bench.receive(.radio(radio))
        #expect(bench.events == [.state(.init(state)), .advice(advice)])
        #expect(advice.description.contains(radio == .off ? "connect it again" : "settings"))
    }

    // MARK: Values

    @Test func detectionsComeAsTheyAre() throws {
        let bench = Bench()
        bench.bringUp()
        bench.receive(.value(detection.valueHandle, ring, .notify), 1_234)
        #expect(bench.events == [.detection(try Detection(decoding: ring))])
    }

    @Test func badDetectionsAreToldAndListeningGoesOn() {
        let bench = Bench()
        bench.bringUp()
        let bad = Array(#"{"type":"Ring","rssi":-71,"confidence":85}"#.utf8)
        for value in [bad, Array("garbage".utf8), [], ring] {
            bench.receive(.value(detection.valueHandle, value, .notify))
        }
        #expect(bench.events.count == 4)
        #expect(bench.events[0] == .parseError(DetectionError(.badConfidence, at: 39), raw: bad))
        #expect(bench.events[1] == .parseError(DetectionError(.notJSON, at: 0), raw: Array("garbage".utf8)))
        #expect(bench.events[2] == .parseError(DetectionError(.empty, at: 0), raw: []))
        guard case .detection = bench.events[3] else {
            Issue.record("the good one did not come through")
            return
        }
        #expect(bench.actions.isEmpty)
    }

    @Test func theTwoCharacteristicsArePutTogetherApart() {
        let bench = Bench()
        bench.bringUp()
        let status = Array(#"{"evt":"status","msg":"x","ts":1}"#.utf8)
        bench.receive(.value(detection.valueHandle, Array(ring[..<20]), .notify))
        bench.receive(.value(stream.valueHandle, Array(status[..<10]), .notify))
        bench.receive(.value(detection.valueHandle, Array(ring[20...]) + [0x0A], .notify))
        bench.receive(.value(stream.valueHandle, Array(status[10...]) + [0x0A], .notify))
        bench.receive(.value(AttributeHandle(rawValue: 99), ring, .notify))
        #expect(bench.events.count == 2)
        #expect(bench.events.last == .stream(status))
    }

    @Test func badObjectsOnTheStreamAreTold() {
        let bench = Bench()
        bench.bringUp()
        bench.receive(.value(stream.valueHandle, [0xFF], .notify))
        #expect(bench.events == [.parseError(DetectionError(.notJSON, at: 0), raw: [0xFF])])
    }

    @Test func aPieceWithoutItsRestIsToldAfterFiveSeconds() {
        let bench = Bench()
        bench.bringUp()
        bench.receive(.value(detection.valueHandle, [0x7B], .notify), 1_000)
        #expect(bench.client.nextDeadline == at(6_000))
        bench.reach(6_000)
        #expect(bench.events == [.parseError(DetectionError(.restMissing, at: 1), raw: [0x7B])])
    }

    @Test func piecesAreToldWhenTheLinkIsLost() {
        let bench = Bench()
        bench.bringUp()
        bench.receive(.value(detection.valueHandle, [0x7B], .notify), 1_000)
        bench.receive(.value(stream.valueHandle, [0x7B, 0x22], .notify), 1_000)
        bench.receive(.disconnected(.supervisionTimeout), 2_000)
        #expect(
            bench.events.prefix(2) == [
                .parseError(DetectionError(.linkClosed, at: 1), raw: [0x7B]),
                .parseError(DetectionError(.linkClosed, at: 2), raw: [0x7B, 0x22]),
            ])
    }

    @Test func theMTUIsTold() {
        let bench = Bench()
        bench.bringUp()
        bench.receive(.mtuChanged(247))
        #expect(bench.events == [.mtu(247)])
    }
}
