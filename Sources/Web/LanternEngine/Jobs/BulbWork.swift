// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText
import LEDBulb

/// Has a bulb at hand for pages: gives it what they ask for, the newest only, and tells what it says.
final class BulbWork: EngineWork {
    private var hand: BulbHand
    private var run: DeviceRun<LEDBulbClient>?
    private var misfit: BulbMisfit?

    init(_ engine: Engine, _ job: DeviceJob, speaking dialect: BulbDialect?) {
        hand = BulbHand(job, speaking: dialect)
        super.init(engine)
        let options = LEDBulbClient.Options(
            target: .peer(job.peer), dialect: dialect, reconnects: false, asksName: false,
            seed: engine.random.next())
        let run = DeviceRun(LEDBulbClient(options: options), at: engine.now) { [self] event in
            receive(event)
        } ended: { [self] end in
            self.run = nil
            engine.ended(self, misfit.map { BulbText.pageSentence($0) } ?? end.sentence)
        }
        self.run = run
        engine.radio.run(run, at: engine.now)
    }

    /// How it is.
    var state: HubBulb { hand.bulb }
    /// What it speaks, if somebody has chosen that.
    var chosen: BulbDialect? { hand.chosen }

    override var bulb: BulbWork? { self }
    override var isUnderWay: Bool { hand.isUnderWay }
    override func close() { run?.close(at: engine.now) }
    override func count() { hand.bulb.revision += 1 }
    override func publish() { engine.publish(BulbChanged(hand.bulb)) }

    override func show(_ job: DeviceJob) {
        hand.show(job)
        tell()
    }

    private func receive(_ event: LEDBulbEvent) {
        switch event {
        case .unfit(let found):
            misfit = found
            hand.note(found)
            close()
        case .ready(_, let name, let dialect, let reportsState):
            hand.begin(dialect, reportsState: reportsState)
            engine.opened(self, name: name?.string)
            if reportsState { try? hand.perform(.requestState, at: engine.time) }
            pass()
        default:
            guard hand.receive(event, at: engine.time) else { return }
            pass()
        }
    }

    /// Gives the link what it is asked for, and tells how it is.
    private func pass() {
        while let run, let request = hand.nextRequest() {
            run.update { client in
                switch request {
                case .perform(let command): client.perform(command, at: engine.now)
                case .startCycle(let turn): client.startCycle(turnMilliseconds: turn, at: engine.now)
                case .stopCycle: client.stopCycle(at: engine.now)
                }
            }
        }
        tell()
    }

    // MARK: What pages ask for

    func perform(_ command: BulbCommand) throws(HubFault) {
        try hand.perform(command, at: engine.time)
        pass()
    }

    func startCycle(turn: Int) throws(HubFault) {
        try hand.startCycle(turn: turn)
        pass()
    }

    func stopCycle() throws(HubFault) {
        try hand.stopCycle(at: engine.time)
        pass()
    }
}

extension Engine {
    /// Takes a bulb in hand for a page: over the link that another page has, if one has it.
    func beginBulb(_ request: EngineRequest, _ id: Int) throws(HubFault) {
        guard let device = devices.device(id) else { throw .noDevice }
        let dialect = request.text("dialect").flatMap { BulbDialect.named(WireText($0)) }
        let findsOut = request.member("dialect") == .null
        let wanted = findsOut ? nil : dialect ?? settings.bulbs.dialect(of: device.peer.plain)
        if let job = jobs.running[id], let running = job.work.bulb {
            // Who says how to speak to it wants just that; everybody else takes it as it is.
            let isOther = (findsOut || dialect != nil) && running.chosen != wanted
            guard job.ending != nil || running.viewers.isLeft || isOther else {
                job.use(at: now)
                look(request, at: running)
                return answer(request.id) { running.state.write(into: &$0) }
            }
            // Another one begins when the link of this one is gone.
            job.waiting.append { [self] in
                do throws(HubFault) { try openBulb(request, id, wanted) } catch {
                    refuse(request.id, EngineProblem(error))
                }
            }
            return job.end()
        }
        try openBulb(request, id, wanted)
    }

    private func openBulb(
        _ request: EngineRequest, _ id: Int, _ dialect: BulbDialect?
    ) throws(HubFault) {
        let work = try begin(.bulb, with: id) { BulbWork(self, $0, speaking: dialect) }
        look(request, at: work)
        answer(request.id) { work.state.write(into: &$0) }
    }

    func performBulb(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        let isUsed = verb == "commands" || verb == "cycle"
        guard let work = try job(id, isUsed: isUsed).work.bulb else { throw .noJob }
        switch (request.method, verb) {
        case ("GET", nil): break
        case ("POST", "commands"): try work.perform(Self.bulbCommand(request))
        case ("POST", "cycle"):
            guard case .number(let turn)? = request.member("turn"), (500...3_600_000).contains(turn) else {
                throw .badValue("A turn takes 500 to 3600000 milliseconds.")
            }
            try work.startCycle(turn: Int(turn))
        case ("DELETE", "cycle"): try work.stopCycle()
        case ("POST", "keep"): look(request, at: work)
        case ("POST", "leave"): return leave(request, work)
        default: throw .noJob
        }
        answer(request.id) { work.state.write(into: &$0) }
    }

    private static func bulbCommand(_ request: EngineRequest) throws(HubFault) -> BulbCommand {
        func number(_ name: String) throws(HubFault) -> UInt8 {
            guard case .number(let number)? = request.member(name), let octet = UInt8(exactly: number) else {
                throw .badValue("\(name) is missing: the command needs it.")
            }
            return octet
        }
        switch request.text("command") {
        case "on": return .power(true)
        case "off": return .power(false)
        case "state": return .requestState
        case "white":
            let percent = try number("white_percent")
            guard percent <= 100 else { throw .badValue("white_percent is at most 100.") }
            return .white(percent: percent)
        case "effect":
            let speed = request.member("speed") == nil ? 1 : try number("speed")
            return .effect(BulbEffect(code: try number("effect"), speed: max(1, speed)))
        case "color":
            guard let color = request.text("color").flatMap({ RGBColor($0) }) else {
                throw .badValue("color must be a colour such as #ff8800: the command needs it.")
            }
            return .color(color)
        default: throw .badValue("Say what the bulb is to do.")
        }
    }
}
