// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import BluetoothLE
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import LEDBulb
import LEDBulbCompanion
import LEDBulbDevices
import Testing

@testable import CommandIO
@testable import FlockFinderCommands
@testable import LEDBulbCommands

private let address = BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)
private let red = RGBColor(rgb: 0xFF0000)

/// Generic Access with a name, and services with one characteristic each that can be written without response.
private func services(_ places: [(UInt16, UInt16)]) -> [GATT.Service] {
    let name = GATT.Characteristic(
        uuid: BluetoothUUID(0x2A00), handle: 2, valueHandle: 3, endHandle: 3, properties: .read)
    return [GATT.Service(uuid: BluetoothUUID(0x1800), handle: 1, endHandle: 3, characteristics: [name])]
        + places.enumerated().map { index, place in
            let handle = AttributeHandle(rawValue: UInt16(0x10 * (index + 1)))
            let value = AttributeHandle(rawValue: UInt16(0x10 * (index + 1) + 2))
            return GATT.Service(
                uuid: BluetoothUUID(place.0), handle: handle, endHandle: value,
                characteristics: [
                    GATT.Characteristic(
                        uuid: BluetoothUUID(place.1), handle: AttributeHandle(rawValue: value.rawValue - 1),
                        valueHandle: value, endHandle: value,
                        properties: .writeWithoutResponse)
                ])
        }
}

private func device(_ places: [(UInt16, UInt16)]) -> TestDevice {
    TestDevice(
        address, services: services(places), answers: [3: .success(Array("Lamp\u{1B}".utf8))])
}

private func perform(
    _ command: BulbCommand, at air: TestAir, speaking dialect: BulbDialect? = nil
) async throws -> BulbCommanded {
    let target = try #require(DeviceAddress(argument: "F0:F1:F2:F3:F4:F5"))
    return try await BulbOptions.use(target, speaking: dialect, on: air.radio) { connection, bulb in
        try await connection.perform(command, at: bulb)
    }
}

private func json(_ event: some Event) -> String { String(decoding: event.json(at: .noon), as: UTF8.self) }

private let noon = #""time":"2026-11-21T12:00:00.000Z","#

private func bulb(_ dialect: BulbDialect, reportsState: Bool = false) -> FoundBulb {
    FoundBulb(peer: Peer(address), name: "Lamp\u{1B}", dialect: dialect, reportsState: reportsState)
}

@Suite(.manualTime, .timeLimit(.minutes(5))) struct BulbConnectionTests {
    @Test func aCommandIsWrittenAndKnownToHaveArrived() async throws {
        let device = device([(0xFFF0, 0xFFF3)])
        let air = try await TestAir(device)
        let result = try await perform(.color(red), at: air)
        #expect(
            try await air.log(of: device)
                == ["send 7e070503ff000000ef to 18", "read 3", "disconnect"])
        #expect(result.bulb == bulb(.elkBLEDOM) && result.state == nil)
        #expect(result.octets == [0x7E, 0x07, 0x05, 0x03, 0xFF, 0, 0, 0, 0xEF])
    }

    @Test func whatIsNoBulbIsNotWrittenTo() async throws {
        let device = device([(0x180F, 0x2A19)])
        let air = try await TestAir(device)
        let error = await #expect(throws: CommandError.self) { try await perform(.color(red), at: air) }
        #expect(error?.status == .failed)
        #expect(error?.sentence.contains("is not a bulb") == true)
        #expect(error?.sentence.contains("Nothing was written") == true)
        #expect(try await air.log(of: device) == ["disconnect"])
    }

    @Test func twoDialectsAskForTheOption() async throws {
        let both = device([(0xFFF0, 0xFFF3), (0xFFD5, 0xFFD9)])
        let air = try await TestAir(both)
        let error = await #expect(throws: CommandError.self) { try await perform(.power(true), at: air) }
        #expect(error?.sentence.contains("--dialect triones or --dialect elk-bledom") == true)
        #expect(try await air.log(of: both) == ["disconnect"])
        _ = try await perform(.power(true), at: air, speaking: .triones)
        #expect(try await air.log(of: both).contains("send cc2333 to 34"))
    }

    @Test func theWrongDialectSaysWhichToTry() async throws {
        let air = try await TestAir(device([(0xFFD5, 0xFFD9)]))
        let error = await #expect(throws: CommandError.self) {
            try await perform(.power(true), at: air, speaking: .magicBlue)
        }
        #expect(error?.sentence.contains("lacks ffe9 in ffe5") == true)
        #expect(error?.sentence.contains("try --dialect triones") == true)
    }
}

@Suite struct BulbCommandTests {
    @Test(arguments: [
        ["color", "F0:F1:F2:F3:F4:F5"], ["color", "F0:F1:F2:F3:F4:F5", "toaster"],
        ["color", "F0:F1:F2", "red"],
        ["color"], ["color", "toaster"], ["white", "F0:F1:F2"],
        ["color", "F0:F1:F2:F3:F4:F5", "red", "--dialect", "toaster"],
        ["color", "F0:F1:F2:F3:F4:F5", "red", "--brightness", "101"],
        ["white", "F0:F1:F2:F3:F4:F5", "101"],
        ["white", "F0:F1:F2:F3:F4:F5", "1.5"], ["white", "F0:F1:F2:F3:F4:F5", "+5"],
        ["white", "F0:F1:F2:F3:F4:F5", "%"], ["cycle", "F0:F1:F2:F3:F4:F5", "--turns", "0"],
        ["cycle", "F0:F1:F2:F3:F4:F5", "--seconds", "0"], ["cycle", "F0:F1:F2:F3:F4:F5", "--turns", "x"],
        ["cycle", "F0:F1:F2:F3:F4:F5", "--seconds", "86401"], ["toast"],
    ])
    func whatCannotBeMeantIsWrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try LEDBulbCommand.parseAsRoot(arguments) }
        if let error { #expect(LEDBulbCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test func aMissingColorSaysThatTheSignNeedsQuotes() {
        let error = #expect(throws: (any Error).self) {
            _ = try BulbColorCommand.parse(["F0:F1:F2:F3:F4:F5"])
        }
        if let error { #expect(BulbColorCommand.fullMessage(for: error).contains("'#RRGGBB' in quotes")) }
    }

    @Test(arguments: [
        ("triones", BulbDialect.triones), ("Magic Blue", .magicBlue), ("magicblue", .magicBlue),
        ("ELK-BLEDOM", .elkBLEDOM), ("elk_bledom", .elkBLEDOM), ("colorific", .colorific),
    ])
    func aDialectIsUnderstoodHoweverItIsWritten(text: String, dialect: BulbDialect) throws {
        let command = try BulbShowCommand.parse(["F0:F1:F2:F3:F4:F5", "--dialect", text])
        #expect(command.options.dialect == dialect)
    }

    @Test func theHelpSaysHowLongATurnIs() {
        #expect(BulbCycleCommand.helpMessage().contains("(default: 5)"))
    }

    @Test func percentagesMayHaveTheirSign() throws {
        #expect(try BulbWhiteCommand.parse(["F0:F1:F2:F3:F4:F5", "50%"]).parsed().percent == 50)
        #expect(try BulbWhiteCommand.parse(["F0:F1:F2:F3:F4:F5", "100"]).parsed().percent == 100)
        #expect(try BulbWhiteCommand.parse(["F0:F1:F2:F3:F4:F5", "0"]).parsed().percent == 0)
        #expect(try BulbWhiteCommand.parse(["F0:F1:F2:F3:F4:F5"]).parsed().percent == 100)
    }
}

@Suite struct BulbOutputTests {
    @Test func answersThatAreNotUnderstoodAreCounted() {
        func sentence(_ answers: [[UInt8]]) -> String {
            BulbText.sentence(BulbStateError.notUnderstood(answers), "F0:F1:F2:F3:F4:F5")
        }
        #expect(sentence([[1, 2]]).contains("not understood: 0102. "))
        #expect(sentence([[1, 2], [1, 2], [1, 2]]).contains("not understood: 0102 (3 times). "))
        #expect(sentence([[1, 2], [3], [1, 2]]).contains("not understood: 0102 (2 times), 03. "))
    }

    @Test func aResultIsALine() throws {
        let text = TextOutput()
        var result = BulbCommanded(
            bulb(.triones, reportsState: true), .color(red), octets: [0x56, 0xFF],
            state: BulbState(light: .color(red)))
        try result.show(to: text.output(), isJSON: false)
        result.state = nil
        try result.show(to: text.output(), isJSON: false)
        result.state = BulbState(isOn: false, light: .white(0x80))
        try result.show(to: text.output(), isJSON: false)
        #expect(
            text.lines == [
                #"Lamp\u{1b} shines #ff0000 (red)."#, #"Lamp\u{1b} got #ff0000 (red)."#,
                #"Lamp\u{1b} is switched off; on, it shines white at 50%."#,
            ])
    }

    @Test func onATerminalThereIsAPatchAndAdvice() throws {
        let color = Terminal(isInteractive: true, hasColor: true, columns: 80, rows: 24)
        let text = TextOutput()
        let result = BulbCommanded(bulb(.elkBLEDOM), .color(red), octets: [])
        try result.show(to: text.output(color), isJSON: false)
        #expect(text.text.contains("\u{1B}[48;2;255;0;0;97m    \u{1B}[0m"))
        #expect(text.text.contains("`lantern bulb on F0:F1:F2:F3:F4:F5`"))
        let plain = TextOutput()
        try result.show(to: plain.output(.plain(columns: 80)), isJSON: false)
        #expect(!plain.text.contains("\u{1B}"))
    }

    @Test func aResultIsOneObject() throws {
        let result = BulbCommanded(
            bulb(.triones, reportsState: true), .white(0x80), octets: [0x56, 0x0F],
            state: BulbState(light: .white(0x80)))
        #expect(
            json(result)
                == #"{"event":"bulb_command","# + noon
                + #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","name":"Lamp\u001b","dialect":"triones","#
                + #""command":"white","color":null,"white_percent":50,"brightness_percent":null,"octets":"560f","#
                + #""state":{"power":true,"mode":"white","color":null,"white_percent":50,"effect":null,"#
                + ##""speed":null,"shown":"#808080"}}"##)
        let silent = BulbCommanded(bulb(.colorific), .power(false), octets: [])
        #expect(
            json(silent).hasSuffix(
                #""command":"off","color":null,"white_percent":null,"brightness_percent":null,"octets":"","state":null}"#
            ))
    }

    @Test func aStateIsOneObject() {
        let effect = BulbState(isOn: false, light: .effect(BulbEffect(code: 0x25, speed: 3)))
        #expect(
            json(BulbStateRead(bulb(.magicBlue), effect)).hasSuffix(
                #""power":false,"mode":"effect","color":null,"white_percent":null,"effect":37,"speed":3,"#
                    + ##""shown":"#000000"}"##))
    }

    @Test func eachDialectIsALine() {
        let table = BulbDialectsCommand.table().lines(columns: .max).map(\.plain)
        #expect(table.count == 1 + BulbDialect.all.count)
        for (line, dialect) in zip(table.dropFirst(), BulbDialect.all) {
            #expect(line.hasPrefix(dialect.keyword.string))
            #expect(json(BulbDialectListed(dialect)).contains(#""dialect":"\#(dialect.keyword.string)""#))
        }
    }

    @Test func turnsAreLinesForScriptsAndOnePatchForAPerson() throws {
        let text = TextOutput()
        var printer = BulbCyclePrinter(
            output: text.output(), isJSON: true, turn: Seconds(.seconds(5)), turns: 2)
        try printer.begin(bulb(.triones))
        try printer.show(BulbHueShown(bulb(.triones), red), at: .noon)
        try printer.show(BulbCycleEnded(bulb(.triones), colors: 1, isDone: false), at: .noon)
        #expect(
            text.lines == [
                #"{"event":"bulb_hue","# + noon
                    + ##""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","color":"#ff0000"}"##,
                #"{"event":"bulb_cycle_end","# + noon
                    + #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","reason":"interrupted","colors":1}"#,
            ])
        let person = TextOutput()
        printer = BulbCyclePrinter(
            output: person.output(.plain(columns: 80)), isJSON: false, turn: Seconds(.seconds(5)), turns: nil)
        try printer.begin(bulb(.triones))
        try printer.show(BulbHueShown(bulb(.triones), red))
        try printer.show(BulbCycleEnded(bulb(.triones), colors: 1, isDone: true))
        #expect(
            person.text == "Lamp\\u{1b} goes through all hues, 5 s a turn; Control-C ends it.\n"
                + "\r#ff0000\u{1B}[K\nDone: 1 colour.\n")
    }

    @Test func whatHappensToOurBulbIsALineEach() throws {
        let link = LinkID(rawValue: 1)
        let handle = AttributeHandle(rawValue: 0x28)
        let events: [LEDBulbDevice.Event] = [
            .connected(link, Peer(address)), .subscribed(link, handle, .notify),
            .written(link, handle, [1, 2], nil), .written(link, handle, [], .color(red)),
            .shines(BulbState(light: .color(red))), .shines(BulbState(isOn: false)),
            .shines(BulbState(light: .effect(BulbEffect(code: 0x25)))), .stateSent(link, BulbState()),
            .disconnected(link),
        ]
        for isJSON in [true, false] {
            let text = TextOutput()
            let printer = EventPrinter(to: text.output(.plain(columns: 80)), isJSON: isJSON, now: { .noon })
            for event in events { try printer.show(event.event(of: .triones)) }
            #expect(text.lines.count == events.count)
            #expect(!text.text.contains("\u{1B}"))
            guard isJSON else { continue }
            #expect(
                text.lines[1] == #"{"event":"client_subscribed","# + noon
                    + #""link":1,"handle":40,"uuid":"ffd4","notify":true,"indicate":false}"#)
            #expect(
                text.lines[2] == #"{"event":"attribute_written","# + noon
                    + #""link":1,"handle":40,"uuid":"ffd9","octets":"0102","reason":"this bulb does not know it"}"#
            )
            #expect(
                text.lines[3] == #"{"event":"attribute_written","# + noon
                    + #""link":1,"handle":40,"uuid":"ffd9","octets":"","reason":null}"#)
            #expect(text.lines[4].hasSuffix(##""shown":"#ff0000"}"##))
            #expect(text.lines[5].hasSuffix(##""shown":"#000000"}"##))
            #expect(text.lines[6].hasSuffix(#""shown":null}"#))
        }
    }

    @Test func ourBulbShinesInTheTerminal() throws {
        let text = TextOutput()
        let color = Terminal(isInteractive: true, hasColor: true, columns: 80, rows: 24)
        let printer = EventPrinter(to: text.output(color), isJSON: false, now: { .noon })
        try printer.show(BulbShines(BulbState(light: .color(RGBColor(rgb: 0x102030)))))
        #expect(text.text.contains("\u{1B}[48;2;16;32;48;97m            \u{1B}[0m"))
    }

    @Test func aDialectIsForABulbOnly() {
        let error = #expect(throws: (any Error).self) {
            _ = try FlockFinderRunCommand.parse(["--dialect", "triones"])
        }
        if let error { #expect(FlockFinderRunCommand.exitCode(for: error) == .validationFailure) }
    }
}
