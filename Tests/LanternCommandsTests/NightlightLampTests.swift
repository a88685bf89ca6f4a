// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import Nightlight
import NightlightCompanion
import NightlightDevices
import Testing

@testable import CommandIO
@testable import CommandOptions
@testable import LanternCommands
@testable import NightlightCommands

private let address = BluetoothAddress(0xC0FF_EEF1_1A4B, kind: .random)
private let host = ClockReading(
    time: LocalTime(CalendarDate(dayNumber: 20_778), MinuteOfDay(rawValue: 1200) ?? .midnight),
    zone: LocalTimeInformation(zone: 4, dst: .standard))

/// An air with a device that has some values, as hex.
private func lamp(_ values: [NightlightItem: String]) async throws -> TestAir {
    var characteristics: [GATT.Characteristic] = []
    var answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>] = [:]
    for (index, item) in values.keys.sorted(by: { $0.rawValue < $1.rawValue }).enumerated() {
        let handle = AttributeHandle(rawValue: UInt16(10 + 3 * index))
        characteristics.append(
            GATT.Characteristic(
                uuid: item.uuid, handle: AttributeHandle(rawValue: handle.rawValue - 1), valueHandle: handle,
                endHandle: handle, properties: [.read, .write]))
        answers[handle] = .success([UInt8](hexadecimal: values[item] ?? "") ?? [])
    }
    let service = GATT.Service(
        uuid: NightlightUUID.ledService, handle: 1, endHandle: 0xFFFF, characteristics: characteristics)
    return try await TestAir(TestDevice(address, services: [service], answers: answers))
}

/// Does something with such a device.
private func use<Value: Sendable>(
    _ air: TestAir, _ body: nonisolated(nonsending) (inout LampConnection) async throws -> Value
) async throws -> Value {
    let target = try #require(DeviceAddress(argument: "C0:FF:EE:F1:1A:4B/R"))
    return try await LampConnection.open(
        NightlightClient(options: .init(target: target.target, reconnects: false)), at: target,
        on: air.radio, phys: PHYOptions.all, showing: .none,
        wrongDevice: { missing, _ in NightlightText.wrongDevice(target.description, missing: missing) }, body)
}

/// What a client reads of such a device, against a clock.
private func read(_ values: [NightlightItem: String], fraction: Double = 0) async throws -> LampState {
    let state = try await use(try await lamp(values)) { try await $0.lamp() }
    return LampState(state.peer, state.values, host: host, hostFraction: fraction)
}

private func json(_ event: some Event) -> String { String(decoding: event.json(at: .noon), as: UTF8.self) }

private func dashboard(_ state: LampState) -> [String] {
    NightlightShowCommand.lines(state, on: .plain(columns: 130))
}

private let whole: [NightlightItem: String] = [
    .ledPower: "01", .ledLink: "00", .ledProof: "00", .led1: "ff8800", .led2: "ff8800", .led3: "ff8800",
    .led4: "ff8800", .buttonOnTime: "5a00", .buttonDailyUsage: "03", .buttonDeactivation: "c4048601",
    .buttonShake: "01", .buttonColor: "ffa040", .buttonEnabled: "01", .childName: "4d6961",
    .week: "0106536368 6f6f6c021f019204a401ff8800000060 01ce04e001201040015a".filter { $0 != " " },
    .day: "01020174048601102030 0000".filter { $0 != " " }, .activeSource: "02102030b202",
    .batteryLevel: "12",
    .batteryStatus: "022300 12".filter { $0 != " " }, .localTimeInformation: "0400",
    .timeWithDST: "00000000000000ff", .modelNumber: "534e2d34", .systemID: "0102030405060708",
    // 21 November 2026, 20:00:07.
    .currentTime: "ea070b15140007060000",
]

@Suite("What is said of a lamp", .manualTime, .timeLimit(.minutes(5)))
struct NightlightStateTests {
    @Test func theWholeLampIsOneObject() async throws {
        let state = try await read(whole)
        #expect(
            json(LampStateRead(state))
                == ##"{"event":"lamp_state","time":"2026-11-21T12:00:00.000Z","address":"C0:FF:EE:F1:1A:4B","address_kind":"random","name":"Mia","week":{"name":"School","groups":[{"days":["mon","tue","wed","thu","fri"],"periods":[{"on":"19:30","off":"07:00","color":"#ff8800","timeout_minutes":null}]},{"days":["sat","sun"],"periods":[{"on":"20:30","off":"08:00","color":"#201040","timeout_minutes":90}]}]},"tonight":{"periods":[{"on":"19:00","off":"06:30","color":"#102030","timeout_minutes":null}]},"tonight_days_left":2,"source":"day","color":"#102030","next_change_minutes":690,"planned":{"source":"day","color":"#102030","next_change_minutes":630},"differs":true,"today":[{"from":"2026-11-21T00:00:00+01:00","to":"2026-11-21T07:00:00+01:00","source":"week","color":"#ff8800"},{"from":"2026-11-21T07:00:00+01:00","to":"2026-11-21T19:00:00+01:00","source":"off","color":"#000000"},{"from":"2026-11-21T19:00:00+01:00","to":"2026-11-22T00:00:00+01:00","source":"day","color":"#102030"}],"button":{"enabled":true,"on_seconds":90,"daily_presses":3,"deactivation":{"from":"20:20","to":"06:30"},"shake":true,"color":"#ffa040","color_name":"Warm amber"},"leds":{"power":true,"linked":false,"colors":["#ff8800","#ff8800","#ff8800","#ff8800"]},"battery_percent":18,"charging":true,"clock":{"device":"2026-11-21T20:00:07","host":"2026-11-21T20:00:00","difference_seconds":7,"action":"set"},"device_information":{"model_number":"SN-4","serial_number":null,"hardware_revision":null,"firmware_revision":null,"software_revision":null,"system_id":"0102030405060708"}}"##
        )
    }

    @Test func aLampThatLacksNearlyAllStillHasEveryKey() async throws {
        let state = try await read([.led1: "000000"])
        #expect(
            json(LampStateRead(state))
                == ##"{"event":"lamp_state","time":"2026-11-21T12:00:00.000Z","address":"C0:FF:EE:F1:1A:4B","address_kind":"random","name":null,"week":null,"tonight":null,"tonight_days_left":null,"source":null,"color":null,"next_change_minutes":null,"planned":null,"differs":false,"today":[],"button":{"enabled":null,"on_seconds":null,"daily_presses":null,"deactivation":null,"shake":null,"color":null,"color_name":null},"leds":{"power":null,"linked":null,"colors":["#000000"]},"battery_percent":null,"charging":null,"clock":{"device":null,"host":"2026-11-21T20:00:00","difference_seconds":null,"action":"none"},"device_information":{"model_number":null,"serial_number":null,"hardware_revision":null,"firmware_revision":null,"software_revision":null,"system_id":null}}"##
        )
        #expect(dashboard(state).count == 10)
    }

    @Test func theDashboardSaysIt() async throws {
        let state = try await read(whole)
        let text = dashboard(state).joined(separator: "\n")
        for part in [
            "Mia’s nightlight", "#102030: tonight’s schedule; changes in 11 h 30 min", "week     “School”",
            "19:00–06:30; 2 days left",
            "on, 90 s a press, 3 a day, never 20:20–06:30, shaking turns the colours; #ffa040",
            "power on, each by itself; #ff8800 #ff8800 #ff8800 #ff8800", "18%, charging",
            "2026-11-21T20:00:07, 7 s fast", "model SN-4", "Saturday 2026-11-21",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    /// Its schedules go on in the dark, and it says how it would shine.
    @Test(arguments: ["02102030b202", "02000000b202"])
    func aLampWithoutPowerIsDarkWhateverIsDue(source: String) async throws {
        var values = whole
        values[.ledPower] = "00"
        values[.activeSource] = source
        let state = try await read(values)
        #expect(json(LampStateRead(state)).contains(#""differs":true"#))
        let lines = dashboard(state)
        #expect(lines.contains("  now      dark: the LEDs have no power"))
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "  but      the schedules say #102030: tonight’s schedule; a change in 10 h 30 min; ")
                    && $0.hasSuffix("`nightlight power on` lets it shine")
            })
        #expect(lines.contains { $0.contains("now, 20:00: dark, without power") })
    }

    @Test func aLampThatIsDarkWithPowerDiffersFromAPlanOfLight() async throws {
        var values = whole
        values[.activeSource] = "020000007602"
        #expect(json(LampStateRead(try await read(values))).contains(#""differs":true"#))
        values[.activeSource] = "021020307602"
        #expect(json(LampStateRead(try await read(values))).contains(#""differs":false"#))
    }

    /// A lamp counts whole minutes; its schedules have the times.
    @Test(arguments: [
        (
            "010201 2805 8101 ffa040 0000", "00 000000 7700", "Dark until 22:00",
            "Tonight’s own schedule. Then warm amber until 06:25."
        ),
        (
            "010201 7404 8601 102030 0000", "02 102030 7602", " until 06:30",
            "Tonight’s own schedule. Then dark"
        ),
        ("010100", "00 000000 bd05", " 20:30", "Dark for tonight. Then "),
    ])
    func whatIsSaidOfNowAgreesWithTonight(
        day: String, source: String, title: String, reason: String
    ) async throws {
        var values = whole
        values[.day] = day.filter { $0 != " " }
        values[.activeSource] = source.filter { $0 != " " }
        let state = try await read(values)
        let text = LampNowText(state, state.plan)
        #expect(text.title.hasSuffix(title), "\(text.title)")
        #expect(text.reason.hasPrefix(reason), "\(text.reason)")
    }

    @Test func aNameFromTheAirCannotSteerATerminal() async throws {
        var values = whole
        values[.childName] = "1b5b324a"
        let state = try await read(values)
        let text = dashboard(state).joined()
        #expect(!text.contains("\u{1B}"))
        #expect(!json(LampStateRead(state)).contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("ea070b15140000060000", 0.0, ClockAction.none, 0), ("ea070b151404 3b060000", 0.0, .set, 299),
            ("ea070b15140500060000", 0.0, .setAndReport, 300), ("ea070b15140500060000", 0.4, .set, 300),
            ("ea070b15141e00060000", 0.0, .setAndReport, 1800), ("ea070b15141e01060000", 0.0, .ask, 1801),
            ("ea070b15131e00060000", 0.0, .setAndReport, -1800), ("ea070b15131d3b060000", 0.0, .ask, -1801),
            ("ea070b151400008000", 0.0, .setAndReport, nil),
            ("00000000000000000000", 0.0, .setAndReport, nil),
        ] as [(String, Double, ClockAction, Int64?)])
    func theBordersOfTheClockPolicy(
        value: String, fraction: Double, action: ClockAction, difference: Int64?
    ) async throws {
        var values = whole
        values[.currentTime] = value.filter { $0 != " " }
        let state = try await read(values, fraction: fraction)
        #expect(state.action == action)
        #expect(state.difference == difference)
    }

    @Test func anotherZoneAloneIsSetAndTold() async throws {
        var values = whole
        values[.currentTime] = "ea070b15150000060000"
        values[.localTimeInformation] = "0800"
        #expect(try await read(values).action == .setAndReport)
        values[.localTimeInformation] = "0404"
        #expect(try await read(values).action == .setAndReport)
        values[.localTimeInformation] = "0400"
        #expect(try await read(values).action == .ask)
    }
}

@Suite("A connection to a lamp", .manualTime, .timeLimit(.minutes(5)))
struct LampConnectionTests {
    @Test func aDeviceThatIsNoLampIsNamed() async throws {
        let error = await #expect(throws: CommandError.self) { try await read([.batteryLevel: "50"]) }
        #expect(error?.status == .failed)
        #expect(error?.sentence.contains("not a Smart Nightlight") == true)
    }

    @Test(arguments: [false, true])
    func aRadioThatIsGoneEndsAConnectionAtOnce(returns: Bool) async throws {
        let air = try await lamp(whole)
        await #expect(throws: BluetoothError.disconnected(.radioLost)) {
            try await use(air) { connection in
                _ = try await connection.lamp()
                air.loseRadio(returns: returns)
                try await connection.wait(for: .seconds(3600))
            }
        }
    }

    @Test func aLampThatDiesEndsTheWaitingAtOnce() async throws {
        let air = try await lamp(whole)
        let error = await #expect(throws: CommandError.self) {
            try await use(air) { connection in
                _ = try await connection.lamp()
                await air.loseDevices()
                try await connection.wait(for: .seconds(3600))
            }
        }
        #expect(error?.status == .failed)
    }

    @Test func whatIsWrittenToALampThatLacksItFails() async throws {
        let error = await #expect(throws: LampError.self) {
            try await use(try await lamp([.led1: "000000"])) { connection in
                let state = try await connection.lamp()
                try await connection.set([.week(.factory)], of: state.peer)
            }
        }
        #expect(error == .missing(.week))
        #expect(error.map(NightlightText.sentence)?.contains("has no week") == true)
    }
}

@Suite("The nightlight's commands")
struct NightlightCommandTests {
    @Test(arguments: [
        ["show", "C0:FF:EE"], ["show", "Mia", "Max"], ["name"], ["power"], ["color", "red"],
        ["name", "C0:FF:EE:F1:1A:4B"], ["power", "C0:FF:EE:F1:1A:4B", "maybe"],
        ["power", "on", "off"], ["link", "C0:FF:EE:F1:1A:4B"],
        ["clock", "C0:FF:EE:F1:1A:4B", "--yes", "--no"],
        ["name", "C0:FF:EE:F1:1A:4B", "123456789012345678901234567890123"],
        ["color", "C0:FF:EE:F1:1A:4B", "5", "#ff8800"], ["color", "C0:FF:EE:F1:1A:4B", "1", "#ff880"],
        ["color", "C0:FF:EE:F1:1A:4B", "1", "#ff8800", "--brightness", "-1"],
        ["button", "set", "C0:FF:EE:F1:1A:4B"], ["button", "set", "C0:FF:EE:F1:1A:4B", "--daily", "256"],
        ["button", "set", "C0:FF:EE:F1:1A:4B", "--deactivate", "20:00"],
        ["button", "set", "C0:FF:EE:F1:1A:4B", "--deactivate", "20:00-20:00"],
        ["button", "set", "C0:FF:EE:F1:1A:4B", "--on-seconds", "65536"],
        ["tonight", "set", "C0:FF:EE:F1:1A:4B", "f", "--days", "31"],
        ["tonight", "set", "C0:FF:EE:F1:1A:4B"],
        ["week", "set", "C0:FF:EE:F1:1A:4B"],
    ])
    func wrongUsageIsRefusedBeforeAnythingIsSent(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            try LanternCommand.parseAsRoot(["nightlight"] + arguments)
        }
        if let error { #expect(LanternCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test(arguments: [["C0:FF:EE:F1:1A:4B", "off"], ["off", "C0:FF:EE:F1:1A:4B"]])
    func onAndOffStandBeforeOrAfterTheAddress(arguments: [String]) throws {
        let parsed = try SwitchArguments.parse(arguments).parsed()
        #expect(parsed.lamp == DeviceChoice(argument: "C0:FF:EE:F1:1A:4B"))
        #expect(!parsed.isOn)
    }

    @Test func theButtonsOptionsBecomeSettings() throws {
        let command = try NightlightButtonSetCommand.parse([
            "C0:FF:EE:F1:1A:4B", "--enabled", "off", "--on-seconds", "90", "--daily", "unlimited",
            "--deactivate",
            "none", "--shake", "on", "--color", "112233",
        ])
        #expect(
            command.settings == [
                .buttonOnTime(90), .buttonDailyPresses(255), .buttonDeactivation(.none), .buttonShake(true),
                .buttonColor(RGBColor(red: 0x11, green: 0x22, blue: 0x33)), .buttonEnabled(false),
            ])
    }

    @Test func dimmingScalesTheColour() throws {
        let command = try NightlightColorCommand.parse([
            "C0:FF:EE:F1:1A:4B", "all", "#c86400", "--brightness", "50",
        ])
        let parsed = try command.parsed()
        #expect(command.dimmed(parsed.color) == RGBColor(red: 0x64, green: 0x32, blue: 0))
        #expect(parsed.leds.numbers == [1, 2, 3, 4])
    }

    @Test(
        arguments: [
            (0x80, "version"), (0x81, "length"), (0x82, "each day of the week"), (0x83, "overlap"),
            (0x84, "range"),
            (0x0D, "size"),
        ] as [(UInt8, String)])
    func aRefusalIsToldInAParentsWords(code: UInt8, words: String) {
        let sentence = NightlightText.refusal(.week, .refused(ATT.ErrorCode(rawValue: code)))
        #expect(sentence.hasPrefix("The lamp refused the week and keeps the old one: "))
        #expect(sentence.contains(words))
    }

    @Test(arguments: [
        ("press", LampInput.press), (" shake ", .shake), ("battery 0", .battery(0)),
        ("battery 100", .battery(100)),
        ("charge on", .charge(true)), ("charge off", .charge(false)),
    ])
    func whatAPersonDoesToALamp(line: String, input: LampInput) {
        #expect(LampInput(line) == input)
    }

    @Test(arguments: [
        "", "pres", "press 2", "battery", "battery 101", "battery x", "charge", "charge maybe", "time",
        "time 25:00", "time 7",
    ])
    func whatNobodyCanDoToALamp(line: String) { #expect(LampInput(line) == nil) }

    @Test func aTimeMayHaveADate() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 29))
        let time = try #require(LocalTime(date, hour: 1, minute: 59, second: 50))
        #expect(LampInput("time 2026-03-29T01:59:50") == .time(time, hasDate: true))
        #expect(LampInput("time 2026-03-29 01:59:50") == .time(time, hasDate: true))
        guard case .time(let clock, hasDate: false)? = LampInput("time 07:30") else {
            Issue.record("no time")
            return
        }
        #expect(clock.minuteOfDay.description == "07:30")
    }

    @Test func whatHappensAtALampIsALineEach() throws {
        let link = LinkID(rawValue: 1)
        let display = LampDisplay(source: .week, colors: [RGBColor](repeating: .white, count: 4))
        let events: [NightlightDeviceEvent] = [
            .connected(link, Peer(address)), .shows(display), .pressed(.lit(pressesLeft: 2)),
            .pressed(.usedUp), .shaken(turnsColors: true),
            .battery(LampBattery(percent: 7, isCharging: true)), .clock(host.time),
            .written(link, .childName, [0x4D]), .refused(link, .week, .overlap), .disconnected(link),
            .settings(.factory),
        ]
        for isJSON in [true, false] {
            let text = TextOutput()
            let printer = EventPrinter(
                to: text.output(.plain(columns: 80)), isJSON: isJSON, now: { .noon })
            for event in events.compactMap(\.event) { try printer.show(event) }
            // What a lamp keeps is nothing to look at.
            #expect(text.lines.count == events.count - 1)
            #expect(!text.text.contains("\u{1B}"))
        }
        #expect(
            json(LampShows(display))
                == ##"{"event":"lamp_shows","time":"2026-11-21T12:00:00.000Z","source":"week","colors":["#ffffff","#ffffff","#ffffff","#ffffff"]}"##
        )
    }
}
