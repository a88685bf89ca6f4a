// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Nightlight
import SessionTesting
import Testing

@Suite("A client and a lamp together")
struct LampClientTests {
    private func pair(
        reconnects: Bool = false, missing: Set<NightlightItem> = [], losesAfter: Int? = nil
    ) throws -> LampPair {
        LampPair(
            NightlightSettings(childName: "Mia", week: try schoolWeek()),
            clock: try reading("2026-11-23 20:00"),
            reconnects: reconnects, missing: missing, losesAfter: losesAfter)
    }

    @Test("Everything is read once, in whatever service it stands")
    func readOnce() throws {
        let pair = try pair()
        #expect(pair.isReady)
        let values = pair.values
        #expect(values.childName == "Mia")
        #expect(values.week == (try schoolWeek()))
        #expect(values.day == nil)
        #expect(values.source == ActiveSource(.week, try color("#ff8800"), minutesToNextChange: 660))
        #expect(values.isPowered == true && values.isLinked == false && values.isProof == false)
        #expect((1...4).map { values.led($0)?.hex } == [String](repeating: "ff8800", count: 4))
        #expect(values.led(0) == nil && values.led(5) == nil)
        #expect(values.isButtonEnabled == true && values.isShakeOn == false)
        #expect(values.buttonOnSeconds == 600 && values.buttonDailyPresses == 255)
        #expect(values.buttonDeactivation?.isNone == true)
        #expect(values.batteryPercent == 100 && values.isCharging == false)
        #expect(values.currentTime?.time == (try local("2026-11-23 20:00")))
        #expect(values.localTimeInformation == LocalTimeInformation(zone: 4, dst: .standard))
        #expect(values.nextDSTChange == TimeWithDST.none)
        #expect(values.deviceInformation.modelNumber == "SN-4")
        #expect(values.deviceInformation.systemID?.count == 8)
        for item in NightlightItem.allCases {
            let reads = pair.asked.filter { $0 == .read(pair.handle(item)) }
            #expect(reads.count == 1, "\(item)")
        }
    }

    @Test("What the lamp tells is followed: source, colours, tonight, battery")
    func live() throws {
        let pair = try pair()
        pair.device.press(at: pair.now)
        pair.exchange()
        #expect(pair.values.source?.source == .button)
        #expect(pair.values.led(3)?.hex == "ffa040")
        pair.device.set(LampBattery(percent: 7, isCharging: true), at: pair.now)
        pair.exchange()
        #expect(pair.values.batteryPercent == 7 && pair.values.isCharging == true)
        pair.run(seconds: 600)
        #expect(pair.values.source?.source == .week)
        #expect(pair.values.led(3)?.hex == "ff8800")
        // Somebody else writes a schedule for tonight: the source says so.
        _ = pair.device.answerWrite(
            of: hex("01 02 01 7404 8601 102030 00 00"), to: pair.handle(.day), on: LinkID(rawValue: 9),
            at: pair.now)
        pair.exchange()
        #expect(pair.values.day?.daysLeft == 2)
        #expect(pair.values.source?.source == .day)
        let changed = pair.events.filter { if case .changed(.day, _) = $0 { true } else { false } }
        #expect(changed.count == 1)
    }

    @Test(
        "What is written is read back",
        arguments: [
            NightlightSetting.childName("Ida"), .childName(""), .power(false), .link(true),
            .buttonEnabled(false),
            .buttonOnTime(90), .buttonDailyPresses(3), .buttonShake(true), .day(nil),
            .day(DaySchedule(daysLeft: 3, periods: [])), .week(.factory), .nextDSTChange(.none),
            .zone(LocalTimeInformation(zone: 8, dst: .daylight)), .buttonColor(.white),
        ])
    func written(setting: NightlightSetting) throws {
        let pair = try pair()
        pair.set(setting)
        #expect(
            pair.events.last(where: { if case .written = $0 { true } else { false } })
                == .written(setting.item))
        #expect(pair.values[setting.item] == setting.octets)
        #expect(pair.asked.contains(.write(pair.handle(setting.item), setting.octets)))
    }

    @Test("Colours that are tried out are seen at once, and so is their end")
    func proof() throws {
        let pair = try pair()
        pair.set(.link(false))
        pair.set(.led(2, try color("#0000ff")))
        #expect(pair.values.source?.source == .proof)
        #expect(pair.values.isProof == true)
        #expect((1...4).map { pair.values.led($0)?.hex } == ["ff8800", "0000ff", "ff8800", "ff8800"])
        #expect(pair.events.contains(.written(.led2)))
        pair.run(seconds: 60)
        #expect(pair.values.isProof == false)
        #expect(pair.values.led(2)?.hex == "ff8800")
    }

    @Test("The clock is written, and goes on")
    func clock() throws {
        let pair = try pair()
        pair.set(.clock(CurrentTime(try local("2026-11-23 06:59"))))
        #expect(pair.events.contains(.written(.currentTime)))
        #expect(pair.values.currentTime?.time == (try local("2026-11-23 06:59")))
        #expect(pair.values.clockWasRead == pair.now)
        // On Monday morning Sunday's weekend night has long timed out.
        #expect(pair.values.source?.source == .off)
    }

    @Test("A refusal is told with its code, and the value stays")
    func refused() throws {
        let pair = try pair()
        let twice = WeekSchedule(groups: [DayGroup(.all), DayGroup(.weekend)])
        pair.set(.week(twice))
        #expect(pair.events.last == .refused(.week, .refused(ATT.ErrorCode(rawValue: 0x82))))
        #expect(pair.values.week == (try schoolWeek()))
        pair.set(.childName(WireText([UInt8](repeating: 0x61, count: 33))))
        #expect(pair.events.last == .refused(.childName, .refused(ATT.ErrorCode(rawValue: 0x81))))
        pair.set(.day(DaySchedule(daysLeft: 31, periods: [])))
        #expect(pair.events.last == .refused(.day, .refused(ATT.ErrorCode(rawValue: 0x84))))
    }

    @Test("A lamp that keeps something else than was written is found out")
    func notKept() throws {
        let pair = try pair()
        pair.answerReads(of: .childName, with: .success([0x4D]))
        pair.set(.childName("Ida"))
        #expect(pair.events.last == .notKept(.childName))
        #expect(pair.values.childName == "M")
    }

    @Test("A lamp of another make may lack much")
    func foreign() throws {
        let missing = Set(NightlightItem.allCases).subtracting([.led1, .ledPower, .buttonOnTime])
        let pair = try pair(missing: missing)
        #expect(pair.isReady)
        #expect(pair.values.week == nil && pair.values.source == nil && pair.values.batteryPercent == nil)
        #expect(pair.values.led(1)?.hex == "ff8800")
        #expect(pair.client.has(.led1) && !pair.client.has(.week))
        pair.set(.week(.factory))
        #expect(pair.events.last == .missing(.week))
    }

    @Test("A device without LED 1 is let go, and nothing is written to it")
    func otherDevice() throws {
        let pair = try pair(missing: [.led1])
        #expect(!pair.isReady)
        #expect(pair.asked.isEmpty)
        #expect(
            pair.events.contains {
                if case .state(let report) = $0 {
                    report.reason == .wrongDevice(missing: [NightlightItem.led1.uuid])
                } else {
                    false
                }
            })
    }

    @Test(
        "What makes no sense is told and is as if it were not there",
        arguments: [
            (NightlightItem.week, "02"), (.day, "01 00 00"), (.activeSource, "01"), (.currentTime, "ea07"),
            (.ledPower, "02"), (.batteryLevel, "65"), (.batteryStatus, "00"), (.buttonOnTime, "00"),
            (.buttonDeactivation, "ffff ffff"), (.led1, "00 00"), (.systemID, "00"),
            (.localTimeInformation, "04 01"),
            (.timeWithDST, ""),
        ])
    func malformed(item: NightlightItem, value: String) throws {
        let pair = try pair(reconnects: true)
        pair.answerReads(of: item, with: .success(hex(value)))
        // What the lamp has told at its start is past.
        pair.run(seconds: 3)
        pair.events = []
        pair.loseLink()
        pair.run(seconds: 5)
        #expect(pair.isReady)
        #expect(pair.events.contains(.malformed(item)))
        let values = pair.values
        let read: [Any?] = [
            item == .week ? values.week : nil, item == .day ? values.day : nil,
            item == .activeSource ? values.source : nil, item == .ledPower ? values.isPowered : nil,
            item == .batteryLevel ? values.batteryPercent : nil, item == .led1 ? values.led(1) : nil,
            item == .batteryStatus ? values.isCharging : nil,
            item == .buttonOnTime ? values.buttonOnSeconds : nil,
        ]
        #expect(read.allSatisfy { $0 == nil })
    }

    @Test("A value that cannot be read is told, and the rest is there")
    func unreadable() throws {
        let pair = try pair(reconnects: true)
        pair.answerReads(of: .serialNumber, with: .failure(.refused(.insufficientAuthentication)))
        pair.events = []
        pair.loseLink()
        pair.run(seconds: 5)
        #expect(pair.events.contains(.unreadable(.serialNumber, .refused(.insufficientAuthentication))))
        #expect(pair.isReady)
        #expect(pair.values.deviceInformation.serialNumber == nil)
        #expect(pair.values.deviceInformation.modelNumber == "SN-4")
    }

    @Test("A link that is lost at any step of the set-up is taken up again", arguments: 1...31)
    func lostInSetUp(step: Int) throws {
        let pair = try pair(reconnects: true, losesAfter: step)
        #expect(!pair.isReady)
        pair.run(seconds: 5)
        #expect(pair.isReady)
        #expect(pair.values.week == (try schoolWeek()))
        #expect(pair.client.state == .connected)
    }

    @Test("A link that is lost while something is written tells it once, and goes on", arguments: 1...2)
    func lostWhileWriting(step: Int) throws {
        let pair = try pair(reconnects: true)
        pair.loseLink(afterRequests: step)
        pair.set(.childName("Ida"))
        #expect(pair.events.filter { $0 == .refused(.childName, .disconnected) }.count == 1)
        pair.run(seconds: 5)
        // The second step is the reading back: then the lamp has it.
        #expect(pair.values.childName == (step == 1 ? "Mia" : "Ida"))
        #expect(!pair.events.contains(.written(.childName)))
    }

    @Test("What is written before there is a lamp is written when there is one, in order")
    func early() throws {
        var client = NightlightClient(options: .init(reconnects: false))
        client.set(.childName("Ida"), at: .zero)
        client.set(.power(false), at: .zero)
        #expect(client.nextOutput() == nil)
        client.receive(.radio(.off), at: .zero)
        client.close(at: .zero)
        var refused: [NightlightItem] = []
        var isFinished = false
        while let output = client.nextOutput() {
            if case .event(.refused(let item, .disconnected)) = output { refused.append(item) }
            if case .finished = output { isFinished = true }
        }
        #expect(refused == [.childName, .ledPower])
        #expect(isFinished)
        client.set(.power(true), at: .zero)
        #expect(client.nextOutput() != nil)
    }

    @Test("A lamp that falls silent is left and tried again")
    func silent() throws {
        let pair = try pair(reconnects: true)
        let handle = pair.handle(.week)
        var isSilent = true
        pair.fate = { request in
            guard isSilent, request == .read(handle) else { return .carriedOut() }
            isSilent = false
            return .answered(.failure(.timeout))
        }
        pair.events = []
        pair.loseLink()
        pair.run(seconds: 10)
        #expect(pair.isReady)
        #expect(
            pair.events.contains {
                if case .state(let report) = $0 { report.reason == .setUpFailed(.timeout) } else { false }
            })
    }

    @Test("A lamp that never answers is left and tried again, at each step", arguments: [1, 3, 4, 20, 32])
    func unanswered(step: Int) throws {
        let pair = try pair(reconnects: true)
        let last = pair.requests.count + step
        pair.fate = { [unowned pair] _ in pair.requests.count == last ? .unanswered : .carriedOut() }
        pair.events = []
        pair.loseLink()
        pair.run(seconds: 10)
        #expect(!pair.isReady)
        pair.run(seconds: 40)
        #expect(pair.isReady)
    }

    @Test("Each of too many settings ends, most of them at once")
    func tooMany() throws {
        let pair = try pair(reconnects: true)
        pair.fate = { _ in .carriedOut(afterMilliseconds: 1) }
        pair.events = []
        for number in 0..<1_000 {
            pair.client.set(.buttonOnTime(UInt16(number)), at: pair.now)
        }
        pair.run(seconds: 5)
        let written = pair.events.count { $0 == .written(.buttonOnTime) }
        let refused = pair.events.count { $0 == .refused(.buttonOnTime, .queueFull) }
        #expect(written > 0 && written <= 129 && written + refused == 1_000)
    }

    @Test("The table has every value once, in the services that a lamp offers")
    func table() {
        let items = NightlightItem.allCases
        #expect(Set(items.map(\.uuid)).count == items.count)
        #expect(Set(items.map { "\($0.keyword)" }).count == items.count)
        let offered = NightlightDevice().services.flatMap(\.characteristics)
        #expect(offered.count == items.count)
        for item in items {
            let characteristic = offered.first { $0.uuid == item.uuid }
            #expect(characteristic?.properties == item.properties, "\(item)")
        }
        #expect(items.last == .currentTime)
    }

    @Test("Closing ends everything")
    func close() throws {
        let pair = try pair()
        pair.client.close(at: pair.now)
        pair.exchange()
        #expect(pair.isFinished)
        #expect(!pair.isConnected)
    }
}
