// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESimulation
import BLESystemRadio
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import RadioChoosing
import Testing

@testable import BLETransport
@testable import CommandIO
@testable import CommandOptions
@testable import LanternCommands

@Suite struct ArgumentTests {
    @Test func anAddressMayNameItsKind() throws {
        let plain = try #require(DeviceAddress(argument: "c0:ff:ee:f1:0c:01"))
        #expect(plain.description == "C0:FF:EE:F1:0C:01")
        #expect(plain.complete == nil)
        let random = Peer(BluetoothAddress(0xC0FF_EEF1_0C01, kind: .random))
        let `public` = Peer(BluetoothAddress(0xC0FF_EEF1_0C01, kind: .public))
        #expect(plain.matches(random) && plain.matches(`public`))
        #expect(!plain.matches(Peer(BluetoothAddress(0xC0FF_EEF1_0C01, kind: .anonymous))))
        #expect(!plain.matches(Peer(BluetoothAddress(0xC0FF_EEF1_0C02, kind: .random))))
        #expect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/R")?.complete == random)
        #expect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/P")?.complete == `public`)
        #expect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/P")?.matches(random) == false)
    }

    @Test func aPlatformsIdentifierNamesADevice() throws {
        let peer = Peer(identifier: "7a5a0001-d04b-48eb-b3fa-32eb4f0ffac4")
        let device = try #require(DeviceAddress(argument: "7A5A0001-D04B-48EB-B3FA-32EB4F0FFAC4"))
        #expect(device.complete == peer && device == DeviceAddress(peer))
        #expect(device.candidates == [peer] && device.matches(peer))
        #expect(device.target == .peer(peer))
        #expect(device.description == "7a5a0001-d04b-48eb-b3fa-32eb4f0ffac4")
    }

    @Test(arguments: ["", " "])
    func noRadioIsNamedByNothing(text: String) {
        let error = #expect(throws: RadioChoiceError.self) { try RadioChoice(text) }
        #expect(error?.description.hasPrefix("Name a radio: hci:N, ") == true)
    }

    @Test(arguments: [
        "", "1234", "not-an-address", "C0:FF:EE:F1:0C", "C0:FF:EE:F1:0C:01:02", "C0:FF:EE:F1:0C:0G",
        "C0FFEEF10C0", "C0FFEEF10C0G", "C0FFEEF10C0102",
        "C0:FF:EE:F1:0C:01/X", "C0:FF:EE:F1:0C:01/", "/R",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(DeviceAddress(argument: text) == nil)
    }

    @Test(arguments: [
        "C0FFEEF10C01", "c0ffeef10c01", "C0:FF:EE:F1:0C:01", "c0-ff-ee-f1-0c-01", "C0 FF EE F1 0C 01",
        "0xC0FFEEF10C01", "C0FF.EEF1.0C01", "C0_FF_EE_F1_0C_01",
    ])
    func anAddressIsUnderstoodAsItIsWritten(text: String) {
        let address = BluetoothAddress(0xC0FF_EEF1_0C01, kind: .public)
        #expect(DeviceAddress(argument: text + "/P") == DeviceAddress(Peer(address)))
        #expect(DeviceAddress(argument: text)?.candidates.contains(Peer(address)) == true)
    }

    @Test(arguments: [
        ("2a19", AttributeReference.uuid(BluetoothUUID(0x2A19))),
        ("00002A19-0000-1000-8000-00805F9B34FB", .uuid(BluetoothUUID(0x2A19))),
        ("12345678", .uuid(BluetoothUUID(short32: 0x1234_5678))),
        ("0x2a19", .handle(0x2A19)),
        ("0X1", .handle(1)),
        ("0xFFFF", .handle(0xFFFF)),
        ("0x00002a19", .uuid(BluetoothUUID(0x2A19))),
        ("{00002A19-0000-1000-8000-00805F9B34FB}", .uuid(BluetoothUUID(0x2A19))),
        ("urn:uuid:00002a19-0000-1000-8000-00805f9b34fb", .uuid(BluetoothUUID(0x2A19))),
        ("battery-level", .name("battery-level")),
    ])
    func anAttributeIsNamedByUUIDOrHandle(text: String, reference: AttributeReference) {
        #expect(AttributeReference(argument: text) == reference)
    }

    @Test(arguments: ["", "0x", "0x0", "0x0000", "0xG", "0x+1", "0x12345", "2a1", "-1"])
    func whatIsNeitherIsRefused(text: String) {
        #expect(AttributeReference(argument: text) == nil)
    }

    @Test func handlesAreWrittenWithFourDigits() {
        #expect(AttributeReference.handle(0x1F).description == "0x001f")
        #expect(AttributeReference.uuid(BluetoothUUID(0x2A19)).description == "2a19")
    }

    @Test(arguments: [
        ("10", Duration.seconds(10)), ("0.5", .milliseconds(500)), ("0", .zero), ("1e2", .seconds(100)),
    ])
    func secondsMayHaveAFraction(text: String, duration: Duration) {
        #expect(Seconds(argument: text)?.duration == duration)
    }

    @Test(arguments: ["", "-1", "nan", "inf", "ten", "1e99"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(Seconds(argument: text) == nil)
    }

    @Test func aRadioIsChosenByItsMoniker() throws {
        #expect(try RadioChoice("sim") == .simulation)
        #expect(try RadioChoice("tcp:127.0.0.1:6402") == .hci(.tcp(host: "127.0.0.1", port: 6402)))
        #expect(
            try RadioChoice("serial:/dev/ttyUSB0,115200")
                == .hci(.serial(path: "/dev/ttyUSB0", baud: 115_200)))
        #expect(try RadioChoice("hci:12") == .hci(.adapter(12)))
        #expect(try RadioChoice("hci") == .hci(.adapter(nil)))
        #expect(try RadioChoice("bluez") == .bluez(nil))
        #expect(try RadioChoice("bluez:hci1") == .bluez("hci1"))
        #expect(try RadioChoice("corebluetooth") == .coreBluetooth(over: nil))
        #if os(Linux)
        #expect(
            try RadioChoice("corebluetooth:tcp:127.0.0.1:6402")
                == .coreBluetooth(over: .tcp(host: "127.0.0.1", port: 6402)))
        #endif
    }

    @Test(arguments: ["bluez:", "bluez:a/b"])
    func whatIsNoNameOfAnAdapterIsRefused(text: String) {
        let error = #expect(throws: RadioChoiceError.self) { try RadioChoice(text) }
        #expect(error?.description == "The radio bluez is written bluez or bluez:NAME, as in bluez:hci0.")
    }

    @Test func withoutAWordBlueZComesBeforeTheKernelsAdapters() throws {
        let adapter = Adapter(number: 0, product: nil, address: nil, fault: nil)
        let off = SystemAdapter("bluez:hci0", obstacle: "it is switched off")
        let on = SystemAdapter("bluez:hci1")
        #expect(try RadioChoice.standard(system: [off, on], kernel: [adapter]) == .bluez(nil))
        #expect(try RadioChoice.standard(system: [off], kernel: [adapter]) == .hci(.adapter(nil)))
        #expect(throws: RadioChoiceError.missing) {
            try RadioChoice.standard(system: [off], kernel: [])
        }
        // A program that names one gets that one, or none.
        #expect(SystemRadio.standard(named: "hci1", of: [off, on], kernel: [adapter]) == .bluez("hci1"))
        #expect(SystemRadio.standard(named: "hci0", of: [off, on], kernel: [adapter]) == .adapter(0))
        #expect(SystemRadio.standard(named: "hci2", of: [off, on], kernel: [adapter]) == nil)
        // Where there is Core Bluetooth, it is the only one.
        let apple = SystemAdapter("corebluetooth")
        #expect(SystemRadio.standard(of: [apple], kernel: []) == .coreBluetooth)
        #expect(SystemRadio.standard(named: "hci0", of: [apple], kernel: []) == nil)
        #expect(SystemRadio.awaited(named: "hci0", of: [off, on]) == .bluez("hci0"))
        #expect(SystemRadio.awaited(of: [off]) == .bluez(nil))
        #expect(SystemRadio.awaited(named: "hci2", of: [off, on]) == .adapter(2))
        #expect(SystemRadio.awaited(of: [SystemAdapter("bluez", obstacle: "no")]) == .adapter(nil))
        #expect(SystemRadio.awaited(named: "other", of: []) == nil)
        let offers = RadiosCommand.offers(system: [off, on], adapters: [adapter], ports: [])
        #expect(offers.map(\.radio) == ["bluez:hci0", "bluez:hci1", "hci:0", "sim"])
        #expect(offers.map(\.isDefault) == [false, true, false, false])
        #expect(offers.map(\.isUsable) == [false, true, true, true])
    }

    @Test(arguments: ["hci:", "hci:x", "hci:-1", "hci:65535", "hci:0:1"])
    func whatIsNoNumberOfAnAdapterIsRefused(text: String) {
        let error = #expect(throws: RadioChoiceError.self) { try RadioChoice(text) }
        #expect(error?.description == "Write the adapter as hci:N, such as hci:0, or hci for the first one.")
    }

    @Test(arguments: [
        (nil, CommandError.Status.failed), ("", .wrongUsage), ("sim:x", .wrongUsage),
        ("usb", .wrongUsage), ("tcp:localhost", .wrongUsage), ("corebluetooth:tcp:localhost", .wrongUsage),
    ])
    func aRadioThatIsNotThereNamesTheChoices(text: String?, status: CommandError.Status) async {
        // Where there is an adapter, it is chosen without being named.
        guard text != nil || Adapter.all().isEmpty else { return }
        let error = await #expect(throws: CommandError.self) {
            try await RadioOptions.parse(text.map { ["--radio", $0] } ?? []).choice()
        }
        #expect(error?.status == status)
        #expect(error?.sentence.contains("tcp:HOST:PORT") == true)
    }

    @Test func modulationsAreChosenByName() throws {
        #expect(PHYChoice(argument: "1m")?.phys == [.le1M])
        #expect(PHYChoice(argument: "Coded,1M")?.phys == [.le1M, .leCoded])
        for text in ["", "2m", "1m,", "coded;1m"] { #expect(PHYChoice(argument: text) == nil) }
        #expect(try ScanCommand.parse([]).phyOptions.phys == [.le1M, .leCoded])
        #expect(
            try GATTReadCommand.parse(["F0:F1:F2:F3:F4:F5", "2a19", "--phy", "coded"]).device.phyOptions.phys
                == [.leCoded])
    }

    @Test(.manualTime, .timeLimit(.minutes(5))) func codedAloneNeedsARadioThatHasIt() async throws {
        let radio = try await TestAir(generation: .legacy).radio
        await #expect(throws: BluetoothError.unsupported(.codedPHY)) {
            try await PHYOptions.parse(["--phy", "coded"]).check(radio)
        }
        try await PHYOptions.parse(["--phy", "1m,coded"]).check(radio)
    }
}
