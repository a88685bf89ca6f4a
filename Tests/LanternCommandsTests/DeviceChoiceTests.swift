// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import Nightlight
import NightlightCompanion
import RadioChoosing
import Testing

@testable import CommandIO
@testable import CommandOptions
@testable import LEDBulbCommands
@testable import NightlightCommands

@Suite("The only lamp or bulb, and those that are named", .manualTime, .timeLimit(.minutes(5)))
struct DeviceChoiceTests {
    private static let first = BluetoothAddress(0xC0FF_EEF1_1A4B, kind: .random)
    private static let second = BluetoothAddress(0xC0FF_EEF1_1A4C, kind: .random)

    /// A device that says what it is called, and nothing else.
    private func device(
        _ address: BluetoothAddress, called name: String, services: [GATT.Service] = [],
        answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>] = [:], rssi: Int8 = -50
    ) -> TestDevice {
        let octets = Array(name.utf8)
        return TestDevice(
            address,
            advertising: [
                TestDevice.Advertisement(
                    data: [2, 1, 6, UInt8(octets.count + 1), 9] + octets, isConnectable: true, rssi: rssi)
            ], services: services, answers: answers)
    }

    /// A lamp of a child.
    private func lamp(_ address: BluetoothAddress, of child: String, rssi: Int8 = -50) -> TestDevice {
        let (name, led) = (AttributeHandle(rawValue: 12), AttributeHandle(rawValue: 14))
        let service = GATT.Service(
            uuid: NightlightUUID.ledService, handle: 10, endHandle: 20,
            characteristics: [
                GATT.Characteristic(
                    uuid: NightlightItem.childName.uuid, handle: 11, valueHandle: name, endHandle: name,
                    properties: [.read, .write]),
                GATT.Characteristic(
                    uuid: NightlightItem.led1.uuid, handle: 13, valueHandle: led, endHandle: led,
                    properties: [.read, .write]),
            ])
        return device(
            address, called: "Nightlight", services: [service],
            answers: [name: .success(Array(child.utf8)), led: .success([0, 0, 0])], rssi: rssi)
    }

    private func search(_ air: TestAir) -> LampSearch { LampSearch(radio: air.radio) }

    @Test func theOnlyLampNeedNotBeNamed() async throws {
        let air = try await TestAir(
            lamp(Self.first, of: "Mia"), device(Self.second, called: "Kettle"))
        #expect(try await search(air).find(nil) == DeviceAddress(Peer(Self.first)))
    }

    @Test func ofTwoLampsOneHasToBeNamed() async throws {
        let air = try await TestAir(lamp(Self.first, of: "Mia"), lamp(Self.second, of: "Max", rssi: -60))
        let error = await #expect(throws: CommandError.self) { try await search(air).find(nil) }
        #expect(error?.status == .wrongUsage)
        #expect(
            error?.sentence
                == "2 nightlights are near: Nightlight (C0:FF:EE:F1:1A:4B), Nightlight (C0:FF:EE:F1:1A:4C). "
                + "Name one of them by its address.")
    }

    @Test(arguments: ["Max", " max ", "MAX"])
    func aLampIsFoundByTheNameOfItsChild(name: String) async throws {
        let air = try await TestAir(lamp(Self.first, of: "Mia"), lamp(Self.second, of: "Max\0\0"))
        let choice = try #require(DeviceChoice(argument: name))
        #expect(try await search(air).find(choice) == DeviceAddress(Peer(Self.second)))
    }

    @Test func twoChildrenOfOneNameAreSaid() async throws {
        let air = try await TestAir(lamp(Self.first, of: "Mia"), lamp(Self.second, of: "Mia"))
        let error = await #expect(throws: CommandError.self) {
            try await search(air).find(DeviceChoice.name("Mia"))
        }
        #expect(
            error?.status == .wrongUsage
                && error?.sentence.hasPrefix("Two devices are called “Mia”: ") == true)
    }

    @Test func aChildThatNoLampIsForIsSaidWithThoseThatAreNear() async throws {
        let air = try await TestAir(lamp(Self.first, of: "Mia"), device(Self.second, called: "Nightlight"))
        let error = await #expect(throws: CommandError.self) {
            try await search(air).find(DeviceChoice.name("Max"))
        }
        #expect(error?.status == .nothingFound)
        #expect(error?.sentence.hasPrefix("No nightlight here is for “Max”. Nearby: “Mia” (") == true)
        #expect(error?.sentence.contains("C0:FF:EE:F1:1A:4C, which cannot be read") == true)
    }

    @Test func whereNoneIsNearThatIsSaid() async throws {
        let air = try await TestAir(device(Self.second, called: "Kettle"))
        for choice in [nil, DeviceChoice.name("Mia")] {
            let error = await #expect(throws: CommandError.self) { try await search(air).find(choice) }
            #expect(
                error?.status == .nothingFound
                    && error?.sentence.hasPrefix("No nightlight was heard.") == true)
        }
    }

    @Test func lampsAreListedAndThoseThatCannotBeReadAreTold() async throws {
        let air = try await TestAir(
            lamp(Self.first, of: "Mia"), device(Self.second, called: "Nightlight", rssi: -70))
        var states: [LampState] = []
        var failed: [DeviceAddress] = []
        try await search(air).all {
            states.append($0)
        } failed: { address, _ in
            failed.append(address)
        }
        #expect(states.map(\.childName) == ["Mia"])
        #expect(failed == [DeviceAddress(Peer(Self.second))])
        let lines = NightlightListCommand.lines(states, on: .plain(columns: 80))
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("CHILD") && lines[1].hasPrefix("Mia"))
        #expect(lines[1].contains("C0:FF:EE:F1:1A:4B"))
    }

    @Test func bulbsAreFoundInTheSameWay() async throws {
        let air = try await TestAir(
            device(Self.first, called: "Triones-0B02"), device(Self.second, called: "ELK-BLEDOM"))
        let find = { (choice: DeviceChoice?) in
            try await choice.find(.bulb, .bulb, on: air.radio, phys: PHYOptions.all, showing: .none)
        }
        #expect(try await find(.name("triones-0b02")) == DeviceAddress(Peer(Self.first)))
        let several = await #expect(throws: CommandError.self) { try await find(nil) }
        #expect(several?.sentence.hasPrefix("2 bulbs are near: ") == true)
        let none = await #expect(throws: CommandError.self) { try await find(.name("Lamp")) }
        #expect(none?.status == .nothingFound && none?.sentence.contains("Triones-0B02") == true)
    }

    @Test func whatStandsBehindADeviceIsReadWithAndWithoutIt() throws {
        let address = try #require(DeviceChoice(argument: "C0:FF:EE:F1:1A:4B"))
        #expect(try NightlightNameCommand.parse(["Mia"]).parsed() == (nil, "Mia"))
        #expect(try NightlightNameCommand.parse(["Mia", "Max"]).parsed() == (.name("Mia"), "Max"))
        #expect(try NightlightNameCommand.parse(["C0:FF:EE:F1:1A:4B", ""]).parsed() == (address, ""))
        #expect(try LampAndFile.parse(["week.json"]).parsed() == (nil, "week.json"))
        #expect(try SwitchArguments.parse(["on"]).parsed() == (nil, true))
        #expect(try SwitchArguments.parse(["off", "Mia"]).parsed() == (.name("Mia"), false))
        #expect(try BulbColorCommand.parse(["red"]).parsed().bulb == nil)
        #expect(try BulbColorCommand.parse(["Triones-0B02", "red"]).parsed().bulb == .name("Triones-0B02"))
        #expect(try BulbWhiteCommand.parse([]).parsed() == (nil, 100))
        #expect(try BulbWhiteCommand.parse(["50%"]).parsed() == (nil, 50))
        #expect(try BulbWhiteCommand.parse(["C0:FF:EE:F1:1A:4B", "50"]).parsed() == (address, 50))
        #expect(try BulbBrightnessCommand.parse(["30%"]).parsed() == (nil, 30))
        #expect(try BulbBrightnessCommand.parse(["Triones-0B02", "30"]).parsed().percent == 30)
        #expect(throws: (any Error).self) { try BulbBrightnessCommand.parse([]) }
        let color = try NightlightColorCommand.parse(["all", "red"]).parsed()
        #expect(color.lamp == nil && color.leds.numbers == [1, 2, 3, 4])
    }

    @Test func withoutBluetoothNothingWasWrittenWrongly() async throws {
        // Whether this machine has an adapter is another matter.
        let error = await #expect(throws: CommandError.self) {
            _ = try await RadioOptions.parse(["--radio", "toaster"]).choice()
        }
        #expect(error?.status == .wrongUsage)
        #expect(RadioOptions.error(.missing).status == .failed)
    }
}
