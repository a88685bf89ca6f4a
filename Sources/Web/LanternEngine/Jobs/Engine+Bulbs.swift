// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionText
import LEDBulb

extension Engine {
    /// Takes a bulb in hand for a page: over the link that another page has, if one has it.
    func beginBulb(_ request: EngineRequest, _ id: Int) throws(HubFault) {
        guard let device = devices.device(id) else { throw .noDevice }
        let dialect = request.text("dialect").flatMap { BulbDialect.named(WireText($0)) }
        let findsOut = request.member("dialect") == .null
        let wanted = findsOut ? nil : dialect ?? settings.bulbs.dialect(of: device.peer.plain)
        let bulb: Job<BulbJob>
        let (page, isChosen) = (Self.page(request), findsOut || dialect != nil)
        switch jobs.joinBulb(id, for: page, speaking: wanted, isChosen: isChosen, at: moment) {
        case .leaving(let job): return begin(request, after: job)
        case .joined(let job): bulb = job
        case .none:
            bulb = jobs.beginBulb(try deviceForJob(id), speaking: wanted, at: moment)
            run(bulb)
            bulb.look(page, at: moment)
        }
        followJobs()
        answer(request.id) { bulb.machine.bulb.write(into: &$0) }
    }

    func performBulb(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubFault) {
        let isUsed = verb == "commands" || verb == "cycle"
        guard let bulb = try job(id, isUsed: isUsed).bulb else { throw .noJob }
        let moment = moment
        switch (request.method, verb) {
        case ("GET", nil): break
        case ("POST", "commands"):
            let command = try Self.bulbCommand(request)
            try bulb.update { machine throws(HubFault) in try machine.perform(command, at: moment) }
        case ("POST", "cycle"):
            guard case .number(let turn)? = request.member("turn"), (500...3_600_000).contains(turn) else {
                throw .badValue("A turn takes 500 to 3600000 milliseconds.")
            }
            try bulb.update { machine throws(HubFault) in
                try machine.startCycle(turn: Int(turn), at: moment)
            }
        case ("DELETE", "cycle"):
            try bulb.update { machine throws(HubFault) in try machine.stopCycle(at: moment) }
        case ("POST", "keep"): bulb.look(Self.page(request), at: moment)
        case ("POST", "leave"):
            bulb.leave(Self.page(request), at: moment)
            followJobs()
            return answer(request.id)
        default: throw .noJob
        }
        followJobs()
        answer(request.id) { bulb.machine.bulb.write(into: &$0) }
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
