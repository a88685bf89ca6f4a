// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLESimulation
import BLEWire
import CompanionHub
import FlockFinderSimulated
import Foundation
import SwiftUI
import Testing
import VirtualPhone

@testable import LanternApp

/// The connection flow and the table of errors of FlockFinder's document, row by row.
@Suite("A FlockFinder's link, and what can go wrong with it", .timeLimit(.minutes(5)), .serialized)
@MainActor struct FlockFinderFlowTests {
    @Test func bluetoothThatIsOffIsSaidOnceWithTheWayToSettingsAndComesBackByItself() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        #expect(await screen.wait(seconds: 30) { screen.says("Connected") })
        bench.phone.isBluetoothOn = false
        #expect(await screen.wait(seconds: 30) { screen.shows("OK") && screen.shows("Open Settings") })
        try await screen.press("OK")
        #expect(
            await screen.wait(seconds: 30) {
                screen.says("Bluetooth is switched off; switch it on in Settings")
            },
            "\(screen.description)")
        // The words have changed since, and nobody is interrupted for that.
        #expect(!screen.shows("OK") && screen.shows("Open Settings") && !screen.says("Connected"))
        bench.phone.isBluetoothOn = true
        #expect(await screen.wait(seconds: 60) { screen.says("Connected") && !screen.shows("Open Settings") })
        try await bench.noticed(try await bench.app.hub.store.count() + 1)
        screen.close()
        try await bench.end()
    }

    @Test func whoMayNotUseBluetoothIsToldSoAndGoesOnOnceItIsAllowed() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        bench.handle.permission = .denied
        #expect(await screen.wait(seconds: 30) { screen.shows("OK") && screen.shows("Open Settings") })
        try await screen.press("OK")
        #expect(
            await screen.wait(seconds: 30) {
                screen.says("Bluetooth is not allowed")
                    && screen.says("allow it in Settings, under Privacy & Security, Bluetooth")
            }, "\(screen.description)")
        #expect(bench.app.obstacle?.isForbidden == true && screen.unnamed.isEmpty)
        bench.handle.permission = .allowed
        #expect(await screen.wait(seconds: 60) { screen.says("Connected") }, "\(screen.description)")
        screen.close()
        try await bench.end()
    }

    @Test func aFlockFinderThatGoesAwayIsTriedAgainUntilItIsBack() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let screen = Screen { RootView(bench.app) }
        #expect(screen.shows("No FlockFinder in reach"))
        #expect(await screen.wait(seconds: 30) { screen.says("Connected") })
        try await bench.carry(SimulatedFlockFinder.address, away: true)
        #expect(await screen.wait(seconds: 60) { screen.says("Lost, tried again by itself") })
        #expect(
            await screen.wait(seconds: 60) {
                screen.says("It is not heard. Bring it near and switch it on.")
            },
            "\(screen.description)")
        let stored = try await bench.app.hub.store.count()
        try await bench.carry(SimulatedFlockFinder.address, away: false)
        #expect(await screen.wait(seconds: 60) { screen.says("Connected") })
        try await bench.noticed(stored + 1)
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }

    @Test func howLongItIsUntilTheNextTryCountsDown() async throws {
        let bench = try await AppBench { [] }
        let next = Timestamp(milliseconds: 1_800_000_000_000)
        var device = HubDevice(id: 1, peer: Peer(SimulatedFlockFinder.address))
        device.link = .lost
        (device.reason, device.nextTry) = ("The link was lost.", next)
        let lost = device
        let screen = Screen { List { FinderRow(device: lost, model: ScannerModel(bench.app)) } }
        screen.set(time: next.date.addingTimeInterval(-12))
        #expect(screen.says("The link was lost.", "Next try in 0:12"), "\(screen.description)")
        screen.set(time: next.date.addingTimeInterval(-3))
        #expect(screen.says("Next try in 0:03"))
        screen.close()
        try await bench.end()
    }

    @Test func oneWithoutTheServiceSaysWhatItLacksAndThatItsFirmwareIsToBeUpdated() async throws {
        let bench = try await AppBench {
            [
                SimulatedDevice(
                    kind: "flockfinder", OldFirmware(), address: SimulatedFlockFinder.address,
                    position: VirtualAir.Position(x: 2))
            ]
        }
        let screen = Screen { RootView(bench.app) }
        #expect(
            await screen.wait(seconds: 60) {
                screen.says("FlockFinder-S3", "The device lacks characteristics of a FlockFinder")
                    && screen.says("update its firmware")
            }, "\(screen.description)")
        #expect(!screen.shows("No FlockFinder in reach") && screen.unnamed.isEmpty)
        screen.close()
        try await bench.end()
    }

    @Test func whatCannotBeReadIsCountedAndWrittenDownAndListeningGoesOn() async throws {
        let rubbish = Array(#"{"evt":"detection","rssi":"loud"}"#.utf8)
        let good = Array(
            #"{"type":"ring_doorbell","mac":"aa:bb:cc:dd:ee:ff","rssi":-60,"confidence":0.9,"ts":1}"#.utf8)
        // Rubbish again and again, with one good line in it.
        var lines = Array(
            repeating: DetectionScript.Line(afterMilliseconds: 500, octets: rubbish), count: 400)
        lines[1].octets = good
        let script = DetectionScript(lines: lines)
        let bench = try await AppBench { [SimulatedFlockFinder.make(source: .script(script))] }
        let screen = Screen { RootView(bench.app) }
        #expect(
            await screen.wait(seconds: 60) {
                screen.says("Connected", "1 received") && !screen.says("1 received, 0 refused")
            }, "\(screen.description)")
        try await screen.press("Debug")
        #expect(
            await screen.wait(seconds: 30) { screen.says("flock_parse_error") }, "\(screen.description)")
        #expect(try await bench.app.hub.store.count() == 1)
        screen.close()
        try await bench.end()
    }
}

/// A device with the service of a FlockFinder and nothing in it.
private struct OldFirmware: DeviceSession {
    typealias Event = Never

    var services: [GATT.ServiceDefinition] {
        [GATT.ServiceDefinition(FlockFinderUUID.service, characteristics: [])]
    }
    var name: WireText { "FlockFinder-S3" }
    var appearance: UInt16 { 0 }
    var nextDeadline: HostInstant? { nil }

    var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(FlockFinderUUID.service, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {}
    mutating func receive(_ input: DeviceInput, at now: HostInstant) {}

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { throw .readNotPermitted }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> DeviceOutput<Never>? { nil }
}
