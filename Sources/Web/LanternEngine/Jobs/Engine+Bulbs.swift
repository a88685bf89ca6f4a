// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import HubModel
import LEDBulb
import LEDBulbCompanion

extension Engine {
    /// Takes a bulb in hand for a page: over the link that another page has, if one has it.
    func beginBulb(_ request: EngineRequest, _ id: Int) throws(HubError) {
        guard let device = devices.device(id) else { throw .noDevice }
        let word = try HubError.word(
            "dialect", of: BulbDialect.all.map { $0.keyword.string }, in: request.body)
        let dialect = word.flatMap { BulbDialect.named(WireText($0)) }
        let findsOut = request.member("dialect") == .null
        let wanted = findsOut ? nil : dialect ?? kept.settings.bulbs.dialect(of: device.peer.plain)
        let bulb: Job<BulbJob>
        let (page, isChosen) = (Self.page(request), findsOut || dialect != nil)
        switch jobs.joinBulb(id, for: page, speaking: wanted, isChosen: isChosen, at: moment) {
        case .leaving(let job): return begin(request, after: job)
        case .joined(let job): bulb = job
        case .none:
            bulb = jobs.beginBulb(try takeForJob(id), speaking: wanted, at: moment)
            run(bulb)
            bulb.look(page, at: moment)
        }
        followJobs()
        answer(request.id) { bulb.machine.bulb.write(into: &$0) }
    }

    func performBulb(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
        let isUsed = verb == "commands" || verb == "cycle"
        // What makes no sense is said of any bulb.
        let command = verb == "commands" ? try BulbCommand(request.body) : nil
        guard let bulb = try job(id, isUsed: isUsed).bulb else { throw .noJob }
        let moment = moment
        switch (request.method, verb) {
        case ("GET", nil): break
        case ("POST", "commands"):
            try bulb.update { machine throws(HubError) in
                if let command { try machine.perform(command, at: moment) }
            }
        case ("POST", "cycle"):
            let turn = try BulbCommand.turn(request.body)
            try bulb.update { machine throws(HubError) in
                try machine.startCycle(turn: turn, at: moment)
            }
        case ("DELETE", "cycle"):
            try bulb.update { machine throws(HubError) in try machine.stopCycle(at: moment) }
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
}
