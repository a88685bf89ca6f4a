// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEAdvertising
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import Testing

@testable import CommandIO
@testable import LanternCommands

private let alice = BluetoothAddress(0xC300_0000_0001, kind: .random)
private let bob = BluetoothAddress(0x0011_2233_4455, kind: .public)

private func report(
    _ hex: String, from address: BluetoothAddress = alice, rssi: Int8? = -50, isConnectable: Bool? = true
) throws -> Advertisement {
    Advertisement(
        peer: Peer(address), rssi: rssi, isConnectable: isConnectable, isScanResponse: false,
        data: AdvertisingData(try #require([UInt8](hexadecimal: hex))))
}

private func response(_ hex: String, from address: BluetoothAddress = alice, rssi: Int8? = -50) throws
    -> Advertisement
{
    Advertisement(
        peer: Peer(address), rssi: rssi, isConnectable: nil, isScanResponse: true,
        data: AdvertisingData(try #require([UInt8](hexadecimal: hex))))
}

private let thermo = "0709546865726d6f"  // Complete name "Thermo".
private let short = "0308546865"  // Its beginning "The" lacks an octet: a fault.
private let beginning = "0408546865"  // Its beginning "The".
private let heartRate = "03030d18"
private let time = Timestamp(milliseconds: 1_800_000_000_000)

private func json(_ device: SeenDevice) -> String {
    String(decoding: AdvertisementHeard(device).json(at: time), as: UTF8.self)
}

@Suite struct ScanMergingTests {
    @Test func aScanResponseAddsToTheAdvertisement() throws {
        var device = SeenDevice(AdvertisementReport(try report("020106" + heartRate)), at: time)
        #expect(device.advertised.name == nil)
        #expect(try device.receive(AdvertisementReport(response(thermo + "020af4" + "0319c103")), at: time))
        #expect(device.advertised.name == "Thermo")
        #expect(device.advertised.services == [BluetoothUUID(0x180D)])
        #expect(device.advertised.txPower == -12)
        #expect(device.advertised.appearance == 0x03C1)
        #expect(device.isConnectable == true)
    }

    @Test func aWholeNameGoesBeforeItsBeginning() throws {
        var device = SeenDevice(AdvertisementReport(try report(beginning)), at: time)
        #expect(device.advertised.name == "The")
        try device.receive(AdvertisementReport(response(thermo)), at: time)
        #expect(device.advertised.name == "Thermo")
        var other = SeenDevice(AdvertisementReport(try report(short)), at: time)
        try other.receive(AdvertisementReport(report("0309" + "4162")), at: time)
        #expect(other.advertised.name == "Ab")
    }

    @Test func whatBothSayAlikeIsThereOnce() throws {
        let data = "04ff4c0001" + "04160f1864" + heartRate
        var device = SeenDevice(AdvertisementReport(try report(data)), at: time)
        try device.receive(AdvertisementReport(response(data + "04ff4c0002")), at: time)
        #expect(device.advertised.manufacturerData.map(\.data) == [[1], [2]])
        #expect(device.advertised.serviceData.map(\.data) == [[0x64]])
        #expect(device.advertised.services.count == 1)
    }

    @Test func thePowerOfAnExtendedHeaderCountsWhereTheDataSayNone() throws {
        var first = try report(thermo)
        first.isExtended = true
        first.txPower = 4
        let device = SeenDevice(AdvertisementReport(first), at: time)
        #expect(json(device).contains(#""tx_power":4,"#))
        #expect(Terminal.none.drawn(TextTable([device], at: nil))[1].hasSuffix("Thermo  sent with 4 dBm"))
        first.data = AdvertisingData(first.data.octets + [2, 0x0A, 0xF4])
        #expect(SeenDevice(AdvertisementReport(first), at: time).txPower == -12)
    }

    @Test func anInvalidNameIsMadeReadable() throws {
        let device = SeenDevice(AdvertisementReport(try report("040941ff42")), at: time)
        #expect(device.advertised.name == "A\u{FFFD}B")
    }

    @Test func strengthIsNoNews() throws {
        var device = SeenDevice(AdvertisementReport(try report(thermo, rssi: -50)), at: time)
        #expect(try !device.receive(AdvertisementReport(report(thermo, rssi: -60)), at: time))
        #expect(device.rssi == -60)
        #expect(device.strength == -52)
        #expect(try !device.receive(AdvertisementReport(report(thermo, rssi: nil)), at: time))
        #expect(device.rssi == -60)
    }

    @Test func octetsAndConnectabilityAreNews() throws {
        var device = SeenDevice(AdvertisementReport(try report(thermo)), at: time)
        #expect(try device.receive(AdvertisementReport(report(thermo + "00")), at: time))
        #expect(
            try device.receive(AdvertisementReport(report(thermo + "00", isConnectable: false)), at: time))
        #expect(try device.receive(AdvertisementReport(response("")), at: time))
        #expect(try !device.receive(AdvertisementReport(response("")), at: time))
    }

    @Test func theEventHasItsKeysInOrder() throws {
        var device = SeenDevice(
            AdvertisementReport(
                try report("020106" + heartRate + "06ff4c00021500" + "04160f1864", from: bob, rssi: -61)),
            at: time)
        #expect(
            json(device)
                == #"{"event":"advertisement","time":"2027-01-15T08:00:00.000Z","address":"00:11:22:33:44:55","address_kind":"public","rssi":-61,"#
                + #""connectable":true,"name":null,"services":["180d"],"service_names":["Heart Rate"],"#
                + #""manufacturer_data":[{"company":"004c","name":"Apple, Inc.","octets":"021500"}],"#
                + #""service_data":[{"uuid":"180f","name":"Battery","octets":"64"}],"tx_power":null,"appearance":null,"appearance_name":null,"#
                + #""octets":"02010603030d1806ff4c0002150004160f1864","scan_response_octets":null}"#)
        try device.receive(
            AdvertisementReport(response("05094122071b" + "020a00" + "03190003", from: bob, rssi: nil)),
            at: time)
        #expect(
            json(device)
                == #"{"event":"advertisement","time":"2027-01-15T08:00:00.000Z","address":"00:11:22:33:44:55","address_kind":"public","rssi":-61,"#
                + #""connectable":true,"name":"A\"\u0007\u001b","services":["180d"],"service_names":["Heart Rate"],"#
                + #""manufacturer_data":[{"company":"004c","name":"Apple, Inc.","octets":"021500"}],"#
                + #""service_data":[{"uuid":"180f","name":"Battery","octets":"64"}],"tx_power":0,"appearance":768,"appearance_name":"Thermometer","#
                + #""octets":"02010603030d1806ff4c0002150004160f1864","scan_response_octets":"05094122071b020a0003190003"}"#
        )
    }

    @Test func anAnonymousAdvertiserHasNoAddress() throws {
        let device = SeenDevice(
            AdvertisementReport(
                try report("", from: BluetoothAddress(0, kind: .anonymous), rssi: nil, isConnectable: false)),
            at: time)
        #expect(
            json(device)
                == #"{"event":"advertisement","time":"2027-01-15T08:00:00.000Z","address":null,"address_kind":"anonymous","rssi":null,"#
                + #""connectable":false,"name":null,"services":[],"service_names":[],"manufacturer_data":[],"service_data":[],"#
                + #""tx_power":null,"appearance":null,"appearance_name":null,"octets":"","scan_response_octets":null}"#
        )
    }
}

@Suite struct ScanResultsTests {
    @Test func onlyNewsIsTold() throws {
        var board = ScanResults(filter: ScanFilter(), showsAll: false)
        #expect(board.receive(try report(thermo), at: time) != nil)
        #expect(board.receive(try report(thermo), at: time) == nil)
        #expect(board.receive(try report(heartRate), at: time) != nil)
        #expect(board.receive(try report(thermo, from: bob), at: time) != nil)
        #expect(board.heardCount == 2)
    }

    @Test func everythingIsToldWhenThatIsWanted() throws {
        var board = ScanResults(filter: ScanFilter(), showsAll: true)
        for _ in 0..<3 { #expect(board.receive(try report(thermo), at: time) != nil) }
    }

    @Test func aDeviceThatBeginsToFitIsToldThen() throws {
        var board = ScanResults(filter: ScanFilter(name: "HERM", rssi: -60), showsAll: false)
        #expect(board.receive(try report(heartRate), at: time) == nil)
        #expect(board.receive(try response(thermo, rssi: -61), at: time) == nil)
        #expect(board.receive(try report(heartRate, rssi: -60), at: time) != nil)
        #expect(board.receive(try report(heartRate, rssi: -59), at: time) == nil)
        #expect(board.summary == "1 of 1 device fit")
    }

    @Test(arguments: [
        (ScanFilter(), true),
        (ScanFilter(services: [BluetoothUUID(0x180D)]), true),
        (ScanFilter(services: [BluetoothUUID(0x1234), BluetoothUUID(0x180D)]), true),
        (ScanFilter(services: [BluetoothUUID(0x180F)]), false),
        (ScanFilter(name: "tHeR"), true),
        (ScanFilter(name: "mox"), false),
        (ScanFilter(rssi: -50), true),
        (ScanFilter(rssi: -49), false),
        (ScanFilter(services: [BluetoothUUID(0x180D)], name: "kitchen"), false),
    ])
    func aFilterAsksForAllOfItsParts(filter: ScanFilter, isAdmitted: Bool) throws {
        let device = SeenDevice(AdvertisementReport(try report(heartRate + thermo)), at: time)
        #expect(filter.admits(device) == isAdmitted)
    }

    @Test func whatIsUnknownFitsNoFilter() throws {
        let device = SeenDevice(AdvertisementReport(try report("", rssi: nil)), at: time)
        #expect(!ScanFilter(name: "").admits(device))
        #expect(!ScanFilter(rssi: -127).admits(device))
    }

    @Test func anonymousAdvertisersDifferByWhatTheySay() throws {
        var board = ScanResults(filter: ScanFilter(), showsAll: false)
        let nobody = BluetoothAddress(0, kind: .anonymous)
        #expect(board.receive(try report(thermo, from: nobody), at: time) != nil)
        #expect(board.receive(try report(heartRate, from: nobody), at: time) != nil)
        #expect(board.receive(try report(thermo, from: nobody), at: time) == nil)
    }

    @Test func theStrongestStandsFirst() throws {
        var board = ScanResults(filter: ScanFilter(), showsAll: false)
        let addresses = (1...4).map { BluetoothAddress($0, kind: .random) }
        for (address, rssi) in zip(addresses, [-80, nil, -40, -60] as [Int8?]) {
            _ = board.receive(try report(thermo, from: address, rssi: rssi), at: time)
        }
        #expect(board.shown.map(\.peer.address?.value) == [3, 4, 1, 2])
    }

    @Test func whoWasSilentLongestIsForgottenOneByOne() throws {
        var board = ScanResults(filter: ScanFilter(), showsAll: false)
        func hear(_ number: Int) throws -> Bool {
            board.receive(try report("", from: BluetoothAddress(UInt64(number), kind: .random)), at: time)
                != nil
        }
        for number in 0..<ScanResults.limit { #expect(try hear(number)) }
        #expect(board.heardCount == ScanResults.limit)
        // The first one was heard again, so the second one makes room.
        #expect(try !hear(0))
        #expect(try hear(ScanResults.limit))
        #expect(board.heardCount == ScanResults.limit)
        for number in 2...ScanResults.limit { #expect(try !hear(number)) }
        #expect(try hear(1))
        #expect(board.shown.count == ScanResults.limit)
    }
}

@Suite struct ScanTableTests {
    private func devices() throws -> [SeenDevice] {
        var hostile = SeenDevice(
            AdvertisementReport(try report(heartRate + "04ff4c0001", rssi: -42)), at: time)
        try hostile.receive(AdvertisementReport(response("0609" + "411b5b324a", rssi: -42)), at: time)
        let nameless = try report("05fffefe0102", from: bob, rssi: nil, isConnectable: false)
        return [hostile, SeenDevice(AdvertisementReport(nameless), at: time)]
    }

    @Test func aTableOfPlainTextIsWhole() throws {
        #expect(
            Terminal.none.drawn(TextTable(try devices(), at: nil)) == [
                "dBm  ADDRESS              NAME        SERVICES AND MAKERS",
                "-42  C3:00:00:00:00:01/R  A\\u{1b}[2J  Heart Rate, Apple, Inc.",
                "  ?  00:11:22:33:44:55/P              company fefe, no connections",
            ])
    }

    @Test(arguments: [1, 5, 6, 20, 27, 28, 30, 40, 60, 80])
    func noLineIsWiderThanTheTerminal(columns: Int) throws {
        let terminal = Terminal(isInteractive: true, hasColor: false, columns: columns, rows: 24)
        for line in terminal.drawn(TextTable(try devices(), at: time)) {
            #expect(FixedWidthText.width(line) <= columns)
        }
    }

    @Test func whoIsSilentIsDimmed() throws {
        let terminal = Terminal(isInteractive: true, hasColor: true, columns: 80, rows: 24)
        let device = SeenDevice(AdvertisementReport(try report(thermo)), at: time)
        let soon = Timestamp(milliseconds: time.milliseconds + 10_000)
        let late = Timestamp(milliseconds: time.milliseconds + 10_001)
        #expect(terminal.drawn(TextTable([device], at: soon))[1].hasPrefix("\u{1B}[32m-50"))
        #expect(terminal.drawn(TextTable([device], at: late))[1].hasPrefix("\u{1B}[2m-50"))
    }

    @Test func aBlockIsDrawnOverItself() {
        var block = ScreenBlock()
        #expect(block.frame(["a", "b"], columns: 80) == "a\u{1B}[K\nb\u{1B}[K\n\u{1B}[J")
        #expect(block.frame(["c"], columns: 90) == "\r\u{1B}[2Ac\u{1B}[K\n\u{1B}[J")
        #expect(block.frame(["d"], columns: 40) == "\u{1B}[H\u{1B}[2Jd\u{1B}[K\n\u{1B}[J")
        #expect(block.frame([], columns: 40) == "\r\u{1B}[1A\u{1B}[J")
    }
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct ScanCommandTests {
    private func run(_ arguments: [String], on air: TestAir, _ recorder: Recorder) async throws {
        let command = try ScanCommand.parse(arguments)
        try await command.perform(on: air.radio, to: recorder.output, now: FakeClock().now)
    }

    private func device(_ data: String, scanResponse: String = "") throws -> TestDevice {
        TestDevice(
            alice,
            advertising: [
                .init(
                    data: try #require([UInt8](hexadecimal: data)),
                    scanResponse: try #require([UInt8](hexadecimal: scanResponse)))
            ])
    }

    @Test func linesComeUntilTheTaskIsCancelled() async throws {
        let recorder = Recorder()
        let air = try await TestAir(try device(thermo, scanResponse: heartRate))
        let scan = begin { try await run(["--json"], on: air, recorder) }
        await recorder.wait(for: 2)
        // What is heard again is not told again.
        try await ManualTime.pass(milliseconds: 5000)
        scan.cancel()
        try await scan.value
        let lines = recorder.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix(#""scan_response_octets":null}"#) == true)
        #expect(lines.last?.hasSuffix(#""scan_response_octets":"03030d18"}"#) == true)
    }

    @Test func aRadioThatIsLostFailsTheScan() async throws {
        let recorder = Recorder()
        let air = try await TestAir(try device(thermo))
        let scan = begin { try await run(["--json"], on: air, recorder) }
        await recorder.wait(for: 2)
        air.loseRadio(returns: false)
        await #expect(throws: BluetoothError.radioUnavailable("the connection to it was lost")) {
            try await scan.value
        }
        #expect(recorder.text.split(separator: "\n").count == 2)
    }

    @Test(arguments: [([], "No device was heard"), (["x"], "One device was heard, but")])
    func nothingThatFitsEndsWithStatus2(names: [String], sentence: String) async throws {
        let recorder = Recorder()
        let air =
            try await names.isEmpty ? TestAir() : TestAir(try device(heartRate))
        let error = await #expect(throws: CommandError.self) {
            try await run(["--duration", "10", "--json", "--name", "Bath"], on: air, recorder)
        }
        #expect(error?.status == .nothingFound)
        #expect(error?.sentence.hasPrefix(sentence) == true)
        #expect(recorder.text == "")
    }

    @Test func negativeLimitsAreArguments() throws {
        #expect(try ScanCommand.parse(["--rssi", "-60"]).rssi == -60)
        #expect(
            try ScanCommand.parse(["--service", "180D", "--service", "180f"]).services
                == [BluetoothUUID(0x180D), BluetoothUUID(0x180F)])
        #expect(throws: (any Error).self) { try ScanCommand.parse(["--service", "18"]) }
    }
}
