// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionCore
import FlockFinder
import Testing

@testable import CompanionHub
@testable import HubModel

@Suite("The devices around a hub")
struct DeviceRegistryTests {
    private func report(
        _ address: UInt64, kind: BluetoothAddress.Kind = .public, name: String? = nil,
        services: [BluetoothUUID] = [], rssi: Int8 = -60
    ) throws -> Advertisement {
        var builder = AdvertisingDataBuilder(limit: 255)
        if !services.isEmpty { try builder.appendServices(services) }
        if let name { try builder.appendName(WireText(name)) }
        return Advertisement(
            peer: Peer(BluetoothAddress(address, kind: kind)), rssi: rssi, isConnectable: true,
            isScanResponse: false, data: AdvertisingData(builder.octets))
    }

    private func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: Int64(seconds * 1000)) }

    @Test(arguments: [
        ("FlockFinder-S3", [FlockFinderUUID.service], HubDevice.Kind.flockFinder),
        ("ESP32-WiFiSet", [FlockFinderUUID.service], .wifiSet), ("Nightlight", [], .nightlight),
        ("Triones-A10103", [], .bulb), ("ESP32-Feather", [], .other), ("FLOCKFINDER", [], .flockFinder),
    ])
    func whatADeviceSaysTellsWhatItIs(name: String, services: [BluetoothUUID], kind: HubDevice.Kind) throws {
        let board = DeviceRegistry()
        board.receive(try report(1, name: name, services: services), at: at(0))
        #expect(board.devices.map(\.kind) == [kind])
        #expect(board.devices.map(\.name) == [name])
    }

    @Test func aNameThatTellsProductsApartIsWaitedFor() throws {
        let board = DeviceRegistry()
        board.receive(try report(1, services: [FlockFinderUUID.service]), at: at(0))
        #expect(board.takeChanges(at: at(1)).changed.isEmpty)
        #expect(board.takeChanges(at: at(2)).changed.map(\.kind) == [.flockFinder])
    }

    @Test func whatIsOnlyHeardAgainIsToldNowAndThenAndNewsAtOnce() throws {
        let board = DeviceRegistry()
        board.receive(try report(1, name: "Soundbar", rssi: -60), at: at(0))
        #expect(board.takeChanges(at: at(0)).changed.count == 1)
        board.receive(try report(1, name: "Soundbar", rssi: -70), at: at(1))
        #expect(board.takeChanges(at: at(1)).changed.isEmpty)
        #expect(board.takeChanges(at: at(10)).changed.map(\.rssi) == [-70])
        board.receive(try report(1, name: "Soundbar 2"), at: at(11))
        #expect(board.takeChanges(at: at(11)).changed.map(\.name) == ["Soundbar 2"])
    }

    @Test func aDeviceThatIsSilentGoesUnlessItIsKnownOrLinked() throws {
        let board = DeviceRegistry()
        for address in 1...3 { board.receive(try report(UInt64(address)), at: at(0)) }
        #expect(board.takeChanges(at: at(0)).changed.map(\.id) == [1, 2, 3])
        board.links { $0.devices.setKnown(1, true) }
        board.update(2) { $0.link = .connecting }
        #expect(board.takeChanges(at: at(121)).gone == [3])
        #expect(board.devices.map(\.id) == [1, 2])
        board.update(2) { $0.link = .none }
        #expect(board.takeChanges(at: at(122)).gone == [2])
        // A number is not used again.
        board.receive(try report(3), at: at(123))
        #expect(board.devices.map(\.id) == [1, 4])
    }

    @Test func whatWasNeverToldNeedsNoEnd() throws {
        let board = DeviceRegistry()
        board.receive(try report(1), at: at(0))
        #expect(board.takeChanges(at: at(121)).gone.isEmpty)
        #expect(board.devices.isEmpty)
    }

    @Test func aFloodOfAddressesForgetsThoseThatWereSilentLongest() throws {
        var limits = DiscoveredDevices.Limits()
        (limits.devices, limits.changes) = (20, 5)
        let board = DeviceRegistry(limits: limits)
        board.receive(try report(1), at: at(0))
        board.links { $0.devices.setKnown(1, true) }
        for address in 2...1000 { board.receive(try report(UInt64(address)), at: at(Double(address) / 1000)) }
        #expect(board.devices.count <= 20)
        #expect(board.device(1) != nil && board.device(1000) != nil)
        #expect(board.takeChanges(at: at(3)).changed.count == 5)
        #expect(board.reportCount == 1000 && board.reportsPerMinute(at: at(3)) == 1000)
        #expect(board.reportsPerMinute(at: at(62)) == 0)
    }

    @Test func whatIsKnownOfADeviceStaysWhateverItSays() throws {
        let board = DeviceRegistry()
        let text =
            #"[{"address":"00:00:00:00:00:05/P","name":"Old","own_name":"Car","kind":"flockfinder","auto_connect":true},"#
            + #"{"address":"nonsense","kind":"other"}]"#
        let known = KnownDevice.list(text)
        #expect(known.count == 1)
        board.know(try #require(known.first), at: at(0))
        #expect(board.devices.map(\.lastHeard) == [nil])
        board.receive(try report(5, name: "ESP32-Feather"), at: at(1))
        let device = try #require(board.devices.first)
        #expect(device.kind == .flockFinder && device.ownName == "Car" && device.name == "ESP32-Feather")
        #expect(KnownDevice.list(KnownDevice.text(board.known)) == board.known)
        board.links { _ = $0.prove(device.id, isFlockFinder: false) }
        board.receive(try report(5, services: [FlockFinderUUID.service]), at: at(2))
        #expect(board.device(device.id)?.kind == .other)
        // What offers the service that the two share, and is not the one, may be the other.
        #expect(board.device(device.id)?.mayBeWiFiSet == false)
        board.links { _ = $0.prove(device.id, isFlockFinder: false) }
        #expect(board.device(device.id)?.mayBeWiFiSet == true)
        board.links { _ = $0.prove(device.id, isFlockFinder: true) }
        #expect(board.device(device.id)?.mayBeWiFiSet == false)
    }
}
