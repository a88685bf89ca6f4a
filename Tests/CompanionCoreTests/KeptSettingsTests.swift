// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Detections
import HubModel
import Nightlight
import NightlightCompanion
import Testing

@Suite("What people have set, and what is remembered by name")
struct KeptSettingsTests {
    private static func node(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    /// A store in memory.
    private static func kept(_ values: [String: String] = [:], revision: Int64 = 7) -> KeptSettings {
        var kept = KeptSettings()
        let effect = kept.take(StoredSettings(revision: revision, values: values), isFirst: true)
        #expect(effect == .begins)
        return kept
    }

    // MARK: What is set

    @Test func whatIsSetIsStoredByItsNameAndTold() throws {
        var kept = Self.kept(["theme": "\"dark\""])
        #expect(kept.settings.theme == .dark)
        let new = try kept.merging(Self.node(#"{"units":"imperial","theme":"dark"}"#), seen: 7)
        // Nothing is another before the store has it.
        #expect(kept.settings.units == .metric)
        let changes = kept.changes(to: new)
        #expect(changes == [KeptSettings.Change("units", "\"imperial\"")])
        let effect = kept.take(changes)
        #expect(effect == .changed(linksBeginAnew: false))
        #expect(kept.settings.units == .imperial && kept.settings.theme == .dark)
        #expect(kept.event == SettingsChanged(kept.settings, revision: 8))
    }

    @Test func whatIsNoOtherChangesNothing() throws {
        var kept = Self.kept()
        let same = try kept.merging(Self.node(#"{"theme":"system"}"#), seen: nil)
        #expect(kept.changes(to: same).isEmpty)
        let effect = kept.take(kept.changes(to: same))
        #expect(effect == .none && kept.stored.revision == 7)
    }

    @Test func whoeverHasNotSeenTheLastIsRefused() throws {
        let kept = Self.kept()
        #expect(throws: HubError.changedMeanwhile) {
            try kept.merging(Self.node(#"{"theme":"dark"}"#), seen: 6)
        }
        #expect(throws: HubError.badValue("The theme must be one of system, light, dark.")) {
            try kept.merging(Self.node(#"{"theme":"blue"}"#), seen: nil)
        }
    }

    @Test func answersMayOvertakeEachOther() {
        var kept = Self.kept()
        let late = kept.take(StoredSettings(revision: 6, values: ["theme": "\"light\""]))
        let same = kept.take(StoredSettings(revision: 7, values: ["theme": "\"light\""]))
        #expect(late == .none && same == .none && kept.settings.theme == .system)
        // Another file counts, whatever was counted in the one before.
        let other = kept.take(
            StoredSettings(revision: 2, values: ["theme": "\"light\""]), isFirst: true)
        #expect(other == .begins && kept.settings.theme == .light && kept.stored.revision == 2)
    }

    @Test func linksBeginAnewWhenTheirEncryptionIsToBeAnother() throws {
        var kept = Self.kept()
        for (patch, isAnother) in [
            (#"{"encryption":{"flock":"required"}}"#, true), (#"{"encryption":{"wifi":"required"}}"#, false),
            (#"{"theme":"dark"}"#, false), (#"{"encryption":{"flock":"off"}}"#, true),
        ] {
            let effect = kept.take(kept.changes(to: try kept.merging(Self.node(patch), seen: nil)))
            #expect(effect == .changed(linksBeginAnew: isAnother), "\(patch)")
        }
    }

    @Test func devicesAreStoredWhenTheyAreOthers() throws {
        var kept = Self.kept()
        let device = try #require(
            KnownDevice.list(#"[{"address":"AA:BB:CC:DD:EE:01/P","kind":"bulb","auto_connect":false}]"#).first
        )
        let changes = kept.changes(remembering: [device])
        #expect(changes.map { $0.name } == [KnownDevice.setting])
        _ = kept.take(changes)
        #expect(kept.devices == [device] && kept.changes(remembering: [device]).isEmpty)
        let many = (0...KnownDevice.limit).map { _ in device }
        _ = kept.take(kept.changes(remembering: many))
        #expect(kept.devices.count == KnownDevice.limit)
    }

    // MARK: Lamps

    private static func lamp(_ number: UInt64) -> Peer { Peer(BluetoothAddress(number, kind: .public)) }

    private static func named(_ name: String) throws -> LampChange {
        try LampChange(node(#"{"name":"\#(name)"}"#))
    }

    /// Has a change wait.
    private static func add(
        _ name: String, of lamp: Peer, in kept: inout KeptSettings
    ) throws -> [KeptSettings.Change] {
        let change = try named(name)
        let changes = try kept.changes(ofLamp: lamp) { lamp throws(HubError) in
            try lamp.add(change, at: Moment.beginning.time)
        }
        _ = kept.take(changes)
        return changes
    }

    @Test func whatWaitsForALampIsStoredWithIt() throws {
        var kept = Self.kept()
        let lamp = Self.lamp(1)
        #expect(kept.lamps.isEmpty && kept.lamp(lamp) == RememberedLamp(lamp))
        #expect(throws: HubError.notFound("This lamp is not remembered.")) {
            try kept.changes(forgettingLamp: lamp)
        }
        let changes = try Self.add("Mia", of: lamp, in: &kept)
        #expect(changes.map { $0.name } == [RememberedLamp(lamp).setting])
        #expect(
            try kept.lamps == [kept.lamp(lamp)]
                && kept.lamp(lamp).pendingChanges.map { $0.change } == [Self.named("Mia")])
        #expect(throws: HubError.self) {
            try kept.changes(ofLamp: lamp) { lamp throws(HubError) in try lamp.takeBack(9) }
        }
        _ = kept.take(
            try kept.changes(ofLamp: lamp) { $0.sent(1, refusal: "no", nil, at: Moment.beginning.time) })
        #expect(kept.lamp(lamp).pendingChanges.isEmpty && kept.lamp(lamp).refusal == "no")
        _ = kept.take(try kept.changes(forgettingLamp: lamp))
        #expect(kept.lamps.isEmpty && kept.stored.values.isEmpty)
    }

    @Test func aLampThatIsNewTakesThePlaceOfTheOneThatWasSeenLongestAgo() throws {
        var values: [String: String] = [:]
        for number in 1...UInt64(RememberedLamp.limits.all) {
            var lamp = RememberedLamp(Self.lamp(number))
            lamp.seen = Timestamp(milliseconds: Int64(1_800_000_000_000 + abs(Int(number) - 9) * 1000))
            values[lamp.setting] = lamp.text
        }
        let kept = Self.kept(values)
        let changes = try kept.changes(ofLamp: Self.lamp(100)) { $0.seen = Moment.beginning.time }
        #expect(changes.last == KeptSettings.Change(RememberedLamp(Self.lamp(9)).setting, nil))
        // Those that are remembered have their room.
        #expect(try kept.changes(ofLamp: Self.lamp(1)) { $0.name = "Mia" }.count == 1)
    }

    @Test func noMoreLampsAreInventedThanMayWait() throws {
        var kept = Self.kept()
        for number in 1...RememberedLamp.limits.unseen {
            _ = try Self.add("Mia", of: Self.lamp(UInt64(number)), in: &kept)
        }
        #expect(throws: HubError.self) { try Self.add("Mia", of: Self.lamp(100), in: &kept) }
        #expect(kept.lamps.count == RememberedLamp.limits.unseen)
    }

    @Test func aLampIsTriedWhenItIsHeardAndSomethingWaits() throws {
        var kept = Self.kept()
        let start = Moment.beginning
        func after(_ seconds: UInt64) -> Moment {
            Moment(
                start.now.advanced(bySeconds: seconds),
                Timestamp(milliseconds: start.time.milliseconds + Int64(seconds) * 1000))
        }
        var device = HubDevice(id: 3, peer: Self.lamp(1))
        (device.kind, device.lastHeard) = (.nightlight, start.time)
        var isTried = kept.triesLamp(device, at: start)
        #expect(!isTried)
        _ = try Self.add("Mia", of: device.peer, in: &kept)
        for (change, isWanted) in [
            ({ $0.kind = .bulb }, false), ({ $0.lastHeard = nil }, false), ({ $0.link = .connecting }, false),
            ({ _ in }, true),
        ] as [((inout HubDevice) -> Void, Bool)] {
            var other = device
            change(&other)
            isTried = kept.triesLamp(other, at: start)
            #expect(isTried == isWanted)
        }
        for (seconds, isWanted) in [(0, false), (30, false), (31, true), (32, false)] as [(UInt64, Bool)] {
            device.lastHeard = after(seconds).time
            isTried = kept.triesLamp(device, at: after(seconds))
            #expect(isTried == isWanted, "\(seconds)")
        }
        // It is not heard any more.
        isTried = kept.triesLamp(device, at: after(100))
        #expect(!isTried)
    }

    // MARK: Weeks

    @Test func weeksHaveNumbersOfTheirOwn() throws {
        var kept = Self.kept()
        let days = #"["mon","tue","wed","thu","fri","sat","sun"]"#
        func week(_ name: String) throws -> JSONNode {
            try Self.node(#"{"name":"\#(name)","groups":[{"days":\#(days),"periods":[]}]}"#)
        }
        func keep(_ name: String, replacing id: Int? = nil) throws {
            let schedule = try kept.schedule(week(name), replacing: id, at: Moment.beginning.time)
            _ = kept.take([KeptSettings.Change(schedule.setting, schedule.text)])
        }
        for name in ["a", "b", "c"] { try keep(name) }
        try keep("d", replacing: 2)
        #expect(kept.schedules.map { "\($0.id)\($0.week.name)" } == ["1a", "2d", "3c"])
        #expect(throws: HubError.noSchedule) { try keep("e", replacing: 9) }
        #expect(throws: HubError.noSchedule) { try kept.changes(forgettingSchedule: nil) }
        _ = kept.take(try kept.changes(forgettingSchedule: 3))
        try keep("f")
        #expect(kept.schedules.map { $0.id } == [1, 2, 3])
        for _ in 4...KeptSchedule.limit { try keep("g") }
        #expect(throws: HubError.self) { try keep("h") }
        // There may be more, if another program has written them.
        _ = kept.take([
            KeptSettings.Change(
                "schedule.99", kept.stored.values["schedule.1"]?.replacing("\"id\":1,", with: "\"id\":99,"))
        ])
        #expect(kept.schedules.count == KeptSchedule.limit && kept.schedules.last?.id == KeptSchedule.limit)
    }

    @Test func whatCannotBeReadIsLeftOutAndCounted() {
        let kept = Self.kept([
            "theme": "\"blue\"", "lamp.AA:BB:CC:DD:EE:01/P": "{}", "schedule.1": "nonsense", "devices": "7",
        ])
        #expect(kept.settings == HubSettings() && kept.lamps.isEmpty && kept.schedules.isEmpty)
        #expect(kept.devices.isEmpty && kept.unreadable == 2)
    }
}
