// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CoreBluetooth
import Testing
import VirtualPhone

@Suite("What a phone does with an app", .timeLimit(.minutes(5)))
struct PhoneTests {
    private static var service: CBUUID { CBUUID(Device.service) }
    private static var ticks: CBUUID { CBUUID(Device.ticks) }

    private static func phone(on air: TestAir, _ address: BluetoothAddress = "C0:AA:00:00:00:01") async throws
        -> VirtualPhone
    { VirtualPhone(name: "\(address)", radio: try await air.radio(address)) }

    /// An app that is connected and has subscribed.
    private static func connected(_ app: VirtualPhone.App, restoring: String? = nil) async throws -> Recorder
    {
        let recorder = app.launch { Recorder(restoring: restoring) }
        try await recorder.log.next("state poweredOn")
        recorder.central.scanForPeripherals(withServices: [service])
        try await recorder.log.next("notify")
        recorder.central.stopScan()
        return recorder
    }

    // MARK: Switches and permissions

    @Test func whatIsConnectedIsGoneWhenBluetoothIsSwitchedOff() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let phone = try await Self.phone(on: air)
            let recorder = try await Self.connected(phone.app())
            phone.isBluetoothOn = false
            try await recorder.log.next("state poweredOff")
            #expect(recorder.found[0].state == .disconnected)
            #expect(recorder.found[0].services == nil)
            #expect(!recorder.central.isScanning)
            try await device.log.next("disconnected")
            recorder.central.scanForPeripherals(withServices: nil)  // API MISUSE
            #expect(!recorder.central.isScanning)
            phone.isBluetoothOn = true
            try await recorder.log.next("state poweredOn")
            recorder.central.connect(recorder.found[0])
            try await recorder.log.next("notify FFF1 true")
        }
    }

    @Test func anAppWaitsForThePermission() async throws {
        try await TestAir.run { air in
            let app = try await Self.phone(on: air).app("org.example.asks", permission: .notAsked)
            let recorder = app.launch { Recorder() }
            try await air.advance(by: .seconds(1))
            #expect(recorder.log.lines.isEmpty)
            #expect(app.launch { CBCentralManager.authorization } == .notDetermined)
            app.permission = .allowed
            try await recorder.log.next("state poweredOn")
            app.permission = .denied
            try await recorder.log.next("state unauthorized")
            #expect(app.launch { CBCentralManager.authorization } == .denied)
        }
    }

    @Test func withoutAPhoneThereIsNoBluetooth() async throws {
        let recorder = Recorder()
        try await recorder.log.next("state unsupported")
    }

    // MARK: Scanning

    @Test func repetitionsAreToldToThoseAloneThatWantThem() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let phone = try await Self.phone(on: air)
            let (once, often) = (
                phone.app("org.example.once").launch { Recorder() },
                phone.app("org.example.often").launch { Recorder() }
            )
            for recorder in [once, often] {
                recorder.connects = false
                try await recorder.log.next("state poweredOn")
            }
            once.central.scanForPeripherals(withServices: nil)
            often.central.scanForPeripherals(
                withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
            try await air.advance(by: .seconds(5))
            let count = { (recorder: Recorder) in recorder.log.lines.filter { $0.hasPrefix("discover") }.count
            }
            // The advertisement, and the scan response.
            #expect((1...2).contains(count(once)))
            #expect(count(often) > 20)
            #expect(once.log.lines.last == "discover Device")
            // Both know one device by one identifier, and another phone by another.
            #expect(once.found.map(\.identifier) == often.found.map(\.identifier))
            let other = try await Self.phone(on: air, "C0:AA:00:00:00:02").app().launch { Recorder() }
            other.connects = false
            try await other.log.next("state poweredOn")
            other.central.scanForPeripherals(withServices: [Self.service])
            try await other.log.next("discover")
            #expect(other.found[0].identifier != once.found[0].identifier)
            _ = device
        }
    }

    @Test func anAppInTheBackgroundFindsOnlyWhatItNames() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let phone = try await Self.phone(on: air)
            let (all, named) = (phone.app("org.example.all"), phone.app("org.example.named"))
            let recorders = [all.launch { Recorder() }, named.launch { Recorder() }]
            for recorder in recorders {
                recorder.connects = false
                try await recorder.log.next("state poweredOn")
            }
            (all.isInForeground, named.isInForeground) = (false, false)
            recorders[0].central.scanForPeripherals(withServices: nil)
            recorders[1].central.scanForPeripherals(
                withServices: [Self.service], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
            try await air.advance(by: .seconds(5))
            #expect(recorders[0].found.isEmpty)
            #expect((1...2).contains(recorders[1].log.lines.filter { $0.hasPrefix("discover") }.count))
            all.isInForeground = true
            try await recorders[0].log.next("discover")
            _ = device
        }
    }

    // MARK: Links

    @Test func twoAppsShareOneLink() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let phone = try await Self.phone(on: air)
            let one = try await Self.connected(phone.app("org.example.one"))
            let two = try await Self.connected(phone.app("org.example.two"))
            #expect(device.log.lines.filter { $0 == "connected" }.count == 1)
            #expect(two.central.retrieveConnectedPeripherals(withServices: [Self.service]) == two.found)
            one.central.cancelPeripheralConnection(one.found[0])
            try await one.log.next("disconnect well")
            two.found[0].readValue(for: two.characteristic(CBUUID(Device.asked))!)
            try await two.log.next("value FFF3 42")
            let client = try #require(device.server.clients.first)
            try await device.send(7, to: client)
            try await two.log.next("value FFF1 7")
            #expect(!one.log.lines.contains("value FFF1 7"))
            two.central.cancelPeripheralConnection(two.found[0])
            try await two.log.next("disconnect well")
            try await device.log.next("disconnected")
        }
    }

    @Test func aConnectionIsWaitedForAsLongAsItTakes() async throws {
        try await TestAir.run(within: .seconds(3000)) { air in
            let device = try await Device(on: air)
            let recorder = try await Self.connected(try await Self.phone(on: air).app())
            try await air.move("C0:AA:00:00:00:10", to: .init(x: 9000))
            try await recorder.log.next("disconnect connectionTimeout")
            recorder.central.connect(recorder.found[0])
            try await air.advance(by: .seconds(120))
            #expect(recorder.found[0].state == .connecting)
            try await air.move("C0:AA:00:00:00:10", to: .init(x: 1))
            try await recorder.log.next("connect true")
            // Given up at once, and asked for again.
            recorder.central.cancelPeripheralConnection(recorder.found[0])
            try await recorder.log.next("disconnect well")
            recorder.central.connect(recorder.found[0])
            recorder.central.cancelPeripheralConnection(recorder.found[0])
            recorder.central.connect(recorder.found[0])
            try await recorder.log.next("disconnect well")
            try await recorder.log.next("connect true")
            _ = device
        }
    }

    @Test func anAppThatLetsGoOfAPeripheralLetsGoOfItsLink() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let recorder = try await Self.connected(try await Self.phone(on: air).app())
            recorder.forget()
            try await device.log.next("disconnected")
        }
    }

    @Test func aLostLinkIsOpenedAgainWhereTheAppWantsThat() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let recorder = try await Self.phone(on: air).app().launch { Recorder() }
            recorder.connectOptions = [CBConnectPeripheralOptionEnableAutoReconnect: true]
            try await recorder.log.next("state poweredOn")
            recorder.central.scanForPeripherals(withServices: [Self.service])
            try await recorder.log.next("notify")
            try await air.move("C0:AA:00:00:00:10", to: .init(x: 9000))
            try await recorder.log.next("disconnect reconnecting connectionTimeout")
            #expect(recorder.found[0].state == .connecting)
            try await air.move("C0:AA:00:00:00:10", to: .init(x: 1))
            try await recorder.log.next("connect true")
            recorder.central.cancelPeripheralConnection(recorder.found[0])
            try await recorder.log.next("disconnect well")
            try await device.log.next("disconnected")
        }
    }

    @Test func commandsAreHeldBackAndKeepTheirOrder() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let recorder = try await Self.connected(try await Self.phone(on: air).app())
            let (peripheral, note) = (recorder.found[0], recorder.characteristic(CBUUID(Device.note))!)
            var (next, refusals): (UInt8, Int) = (0, 0)
            while next < 200 {
                if peripheral.canSendWriteWithoutResponse {
                    peripheral.writeValue(Data([next]), for: note, type: .withoutResponse)
                    next += 1
                } else {
                    refusals += 1
                    try await recorder.log.next("ready")
                }
            }
            try await device.log.next("written [199]")
            #expect(
                device.log.lines.filter { $0.hasPrefix("written") } == (0..<200).map { "written [\($0)]" })
            #expect(refusals > 0)
        }
    }

    @Test func servicesThatChangeAreTold() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let recorder = try await Self.connected(try await Self.phone(on: air).app())
            recorder.explores = false
            let added = try await device.server.add(
                GATT.ServiceDefinition(BluetoothUUID(0xFFE0), characteristics: []))
            try await recorder.log.next("modified")
            recorder.found[0].discoverServices(nil)
            try await recorder.log.next("services [\"FFF0\", \"FFE0\"] well")
            try await device.server.removeService(at: added.start)
            try await recorder.log.next("modified [\"FFE0\"]")
            #expect(recorder.found[0].services?.map(\.uuid.uuidString) == ["FFF0"])
        }
    }

    @Test func descriptorsRSSIAndNames() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air, name: "Named")
            let recorder = try await Self.connected(try await Self.phone(on: air).app())
            let (peripheral, ticks) = (recorder.found[0], recorder.characteristic(Self.ticks)!)
            peripheral.discoverDescriptors(for: ticks)
            try await recorder.log.next("descriptors")
            let description = try #require(ticks.descriptors?.first { $0.uuid == CBUUID(string: "2901") })
            peripheral.readValue(for: description)
            try await recorder.log.next("descriptor 2901 ticks well")
            peripheral.readRSSI()
            try await recorder.log.next("rssi true well")
            #expect(peripheral.name == "Named")
            #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
            #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) > 20)
            _ = device
        }
    }

    // MARK: The end of an app

    @Test func whatTheSystemEndsItStartsAgain() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let app = try await Self.phone(on: air).app()
            let recorder = try await Self.connected(app, restoring: "central")
            recorder.central.scanForPeripherals(withServices: [CBUUID(string: "180D")])
            let again = Again()
            app.endBySystem { again.recorder = Recorder(restoring: "central", queue: .main) }
            #expect(!app.isRunning)
            try await air.advance(by: .seconds(60))
            #expect(again.recorder == nil)
            let client = try #require(device.server.clients.first)
            try await device.send(8, to: client)
            try await device.send(9, to: client)
            while again.recorder == nil { try await air.advance(by: .milliseconds(10)) }
            let restored = try #require(again.recorder)
            try await restored.log.next("value FFF1 9")
            #expect(
                restored.log.lines == [
                    "restored [\"connected\"] [\"180D\"]", "state poweredOn", "value FFF1 8", "value FFF1 9",
                ])
            #expect(restored.central.isScanning)
            restored.found[0].readValue(for: restored.characteristic(CBUUID(Device.asked))!)
            try await restored.log.next("value FFF3 42")
            #expect(!recorder.log.lines.contains("value FFF1 8"))
            #expect(!device.log.lines.contains("disconnected"))
        }
    }

    @Test func whatAPersonEndsDoesNotGoOn() async throws {
        try await TestAir.run { air in
            let device = try await Device(on: air)
            let app = try await Self.phone(on: air).app()
            let recorder = try await Self.connected(app, restoring: "central")
            app.endByPerson()
            try await device.log.next("disconnected")
            let again = app.launch { Recorder(restoring: "central") }
            try await again.log.next("state poweredOn")
            #expect(again.log.lines == ["state poweredOn"])
            _ = recorder
        }
    }

    private final class Again: @unchecked Sendable {
        var recorder: Recorder?
    }
}
