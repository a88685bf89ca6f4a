// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import LEDBulb
import LEDBulbCompanion
import Nightlight
import SessionTesting
import Testing

private typealias BulbBench = JobBench<BulbJob, LEDBulbDevice>

extension JobBench where Machine == BulbJob, Device == LEDBulbDevice {
    /// A bulb that is connected to, unless it is to be started later.
    fileprivate convenience init(
        _ dialect: BulbDialect = .triones, state: BulbState = BulbState(),
        speaking chosen: BulbDialect? = nil, isStarted: Bool = true
    ) {
        var table = JobTable.fresh
        let job = table.beginBulb(.tested, speaking: chosen, at: .beginning)
        self.init(job, LEDBulbDevice(dialect, state: state))
        if isStarted { start() }
    }

    fileprivate var bulb: HubBulb { job.machine.bulb }
    fileprivate var isUnderWay: Bool { job.machine.isUnderWay }
    fileprivate var deviceState: BulbState { pair.device.state }

    /// What the bulb has shone, in order.
    fileprivate var shown: [BulbLight] {
        pair.deviceEvents.compactMap { if case .shines(let state) = $0 { state.light } else { nil } }
    }

    fileprivate func perform(_ command: BulbCommand) throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.perform(command, at: moment) }
    }

    fileprivate func startCycle(turn: Int) throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.startCycle(turn: turn, at: moment) }
    }

    fileprivate func stopCycle() throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.stopCycle(at: moment) }
    }
}

@Suite("A bulb at hand for a page")
struct BulbJobTests {
    private let violet = RGBColor(rgb: 0x7C6BFF)
    private let orange = RGBColor(rgb: 0xFF8800)

    @Test func itIsAskedWhatItDoesWhenItIsThere() {
        let bench = BulbBench(state: BulbState(light: .color(orange)))
        let bulb = bench.bulb
        #expect(bench.phase == .open && bulb.job == bench.job.job && bulb.job.name == "Triones-0B02")
        #expect(bulb.dialect == .triones && bulb.reportsState && !bulb.isDialectChosen)
        #expect(bulb.dialectReason == "Taken because the bulb has FFD9 in the service FFD5.")
        #expect(bulb.asked == nil && bulb.agrees == nil && !bulb.isBusy)
        #expect(bulb.said == BulbState(light: .color(orange)) && bulb.saidTime == Moment.beginning.time)
    }

    @Test func whatIsAskedAndWhatTheBulbSaysStandSideBySide() throws {
        let bench = BulbBench()
        bench.decideWrites(.carriedOut(afterMilliseconds: 50))
        try bench.perform(.color(violet))
        #expect(bench.isUnderWay && bench.bulb.isBusy && bench.bulb.asked?.light == .color(violet))
        bench.run(seconds: 3)
        let colored = bench.bulb
        #expect(!bench.isUnderWay && !colored.isBusy && colored.said?.light == .color(violet))
        #expect(colored.agrees == true && colored.asked?.isOn == true && colored.trouble == nil)
        #expect(colored.octets == [0x56, 0x7C, 0x6B, 0xFF, 0x00, 0xF0, 0xAA])

        try bench.perform(.white(percent: 40))
        bench.run(seconds: 3)
        #expect(bench.bulb.said?.light == .white(102) && bench.bulb.agrees == true)
        try bench.perform(.effect(BulbEffect(code: 0x26, speed: 5)))
        bench.run(seconds: 3)
        #expect(bench.bulb.said?.light == .effect(BulbEffect(code: 0x26, speed: 5)))
        #expect(bench.bulb.agrees == true && !bench.bulb.isBusy)
    }

    @Test func ofManyColoursTheNewestArrives() throws {
        let bench = BulbBench()
        bench.run(seconds: 3)
        bench.decideWrites(.carriedOut(afterMilliseconds: 50))
        for step in 0..<100 { try bench.perform(.color(RGBColor(hue: step * 10))) }
        bench.run(seconds: 3)
        // The first is written at once, and of those that wait the last.
        #expect(bench.shown == [.color(RGBColor(hue: 0)), .color(RGBColor(hue: 990))])
        #expect(bench.bulb.said?.light == .color(RGBColor(hue: 990)) && bench.bulb.agrees == true)
    }

    @Test func aLightSwitchesOnABulbThatIsOffAndASwitchAloneDoesNot() throws {
        let bench = BulbBench(state: BulbState(isOn: false))
        try bench.perform(.color(orange))
        bench.run(seconds: 3)
        #expect(bench.deviceState == BulbState(light: .color(orange)))
        #expect(bench.bulb.said?.isOn == true && bench.bulb.agrees == true && !bench.bulb.isBusy)
        try bench.perform(.power(false))
        bench.run(seconds: 3)
        #expect(bench.bulb.said?.isOn == false && bench.bulb.agrees == true)
        // Asked once more, one that is off stays off.
        let before = bench.bulb.saidTime
        try bench.perform(.requestState)
        bench.run(seconds: 3)
        #expect(bench.bulb.saidTime != before && bench.bulb.said?.isOn == false)
        #expect(!bench.deviceState.isOn)
    }

    @Test func whatSomebodyElseDoesWithItIsSeen() throws {
        let bench = BulbBench()
        try bench.perform(.color(violet))
        bench.run(seconds: 3)
        bench.pair.updateDevice { device, _ in device.perform(.power(false)) }
        try bench.perform(.requestState)
        bench.run(seconds: 3)
        #expect(bench.bulb.said?.isOn == false && bench.bulb.asked?.isOn == true)
        #expect(bench.bulb.agrees == false && !bench.deviceState.isOn)
    }

    @Test func allHuesUntilSomethingElseIsAsked() throws {
        let bench = BulbBench()
        try bench.startCycle(turn: 2000)
        bench.run(milliseconds: 700)
        let turning = bench.bulb
        #expect(turning.turn == 2000 && turning.hue != nil && turning.asked == nil)
        // It ends with its page.
        #expect(!bench.isUnderWay)
        try bench.stopCycle()
        bench.run(seconds: 3)
        let stopped = bench.bulb
        #expect(stopped.turn == nil && stopped.hue == nil && !stopped.isBusy && stopped.agrees == true)
        #expect(stopped.asked?.light == bench.deviceState.light)
        for command in [BulbCommand.power(false), .color(violet)] {
            try bench.startCycle(turn: 2000)
            bench.run(milliseconds: 700)
            #expect(bench.bulb.hue != nil)
            try bench.perform(command)
            bench.run(seconds: 3)
            #expect(bench.bulb.turn == nil && bench.bulb.hue == nil && bench.bulb.agrees == true)
        }
    }

    @Test func aTurnLightsUpABulbThatIsOff() throws {
        let bench = BulbBench(state: BulbState(isOn: false))
        bench.run(seconds: 3)
        try bench.startCycle(turn: 2000)
        bench.run(seconds: 1)
        #expect(bench.deviceState.isOn && bench.bulb.hue != nil)
    }

    @Test func oneThatSaysNothingIsToldAllTheSame() throws {
        let bench = BulbBench(.elkBLEDOM)
        #expect(bench.phase == .open && !bench.bulb.reportsState && bench.bulb.said == nil)
        #expect(bench.bulb.dialectReason?.contains("bulbs have the same.") == true)
        try bench.perform(.color(violet))
        bench.run(seconds: 3)
        #expect(!bench.bulb.isBusy && bench.bulb.agrees == nil && bench.bulb.trouble == nil)
        #expect(bench.deviceState.light == .color(violet))
        #expect(throws: HubError.badValue("ELK-BLEDOM bulbs cannot do this.")) {
            try bench.perform(.effect(BulbEffect(code: 0x25)))
        }
    }

    @Test func whatTheBulbRefusesIsSaid() throws {
        let bench = BulbBench()
        bench.run(seconds: 3)
        bench.decideWrites(.answered(.failure(.refused(.writeNotPermitted))))
        try bench.perform(.color(violet))
        bench.run(seconds: 3)
        #expect(bench.bulb.trouble?.hasPrefix("The bulb did not accept it: ") == true)
        #expect(!bench.bulb.isBusy && !bench.isUnderWay && bench.phase == .open)
        bench.decideWrites(.carriedOut())
        try bench.perform(.color(violet))
        bench.run(seconds: 3)
        #expect(bench.bulb.trouble == nil && bench.bulb.agrees == true)
    }

    @Test func withoutALinkNothingIsAskedOfIt() throws {
        let words = "The bulb is not connected. Wait a moment, or connect to it again."
        let bench = BulbBench(isStarted: false)
        #expect(throws: HubError.notNow(words)) { try bench.perform(.power(true)) }
        bench.start()
        try bench.perform(.power(true))
        bench.end()
        #expect(bench.phases == [.open, .ended] && bench.reason == nil)
        #expect(throws: HubError.notNow(words)) { try bench.perform(.power(true)) }
        #expect(throws: HubError.notNow(words)) { try bench.startCycle(turn: 1000) }
    }

    @Test func aDialectThatItDoesNotSpeakIsRefusedWithWhatItSpeaks() {
        let bench = BulbBench(.magicBlue, speaking: .triones)
        #expect(bench.phases == [.ended] && bench.bulb.fitting == [.magicBlue] && bench.bulb.isDialectChosen)
        #expect(
            bench.reason
                == "It does not speak Triones: it lacks FFD9 in the service FFD5. Nothing was written. It has what Magic Blue bulbs have."
        )
        #expect(bench.writes.isEmpty)
    }

    @Test func whatIsNoBulbIsNotWrittenTo() {
        var table = JobTable.fresh
        let job = table.beginBulb(.tested, speaking: nil, at: .beginning)
        let bench = JobBench(job, NightlightDevice())
        bench.start()
        #expect(bench.phases == [.ended])
        #expect(bench.reason?.hasPrefix("This is not a bulb that Lantern can speak to") == true)
        #expect(bench.writes.isEmpty)
    }

    @Test func oneThatGoesAwayEndsItWithAReason() throws {
        let bench = BulbBench()
        bench.decideWrites(.carriedOut(afterMilliseconds: 1000))
        try bench.perform(.color(violet))
        bench.pair.loseLink()
        #expect(bench.phase == .ended && !bench.bulb.isBusy && bench.bulb.job.phase == .ended)
        #expect(bench.reason == "The link to the device was lost. Bring it near and try again.")
    }
}
