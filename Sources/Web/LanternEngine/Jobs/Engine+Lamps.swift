// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import Nightlight
import NightlightCompanion

/// Lamps: a job each, what is remembered of those that may be away, and the weeks that are kept for them.
extension Engine {
    /// Looks at a lamp for a page: over the link that another page has, if one has it.
    func beginLamp(_ request: EngineRequest, _ id: Int) throws(HubError) {
        let lamp: Job<LampJob>
        switch jobs.joinLamp(id, for: Self.page(request), at: moment) {
        case .leaving(let job): return begin(request, after: job)
        case .joined(let job): lamp = job
        case .none:
            lamp = jobs.beginLamp(try takeForJob(id), clock: zone, at: moment)
            run(lamp)
            lamp.look(Self.page(request), at: moment)
        }
        followJobs()
        answer(request.id) { lamp.machine.dashboard.write(into: &$0) }
    }

    func performLamp(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
        if id == nil { return try performMemory(request) }
        let isUsed = request.method != "GET" && verb != "keep" && verb != "leave"
        // What makes no sense is said of any lamp.
        let order = request.method == "PATCH" ? try LampChange.asked(request.body) : nil
        let trial = (request.method, verb) == ("POST", "proof") ? try ColorTrial(request.body) : nil
        guard let lamp = try job(id, isUsed: isUsed).lamp else { throw .noJob }
        let moment = moment
        switch (request.method, verb) {
        case ("GET", nil): break
        case ("PATCH", nil):
            try lamp.update { machine throws(HubError) in
                if let (change, seen) = order { try machine.change(change, ifChanges: seen, at: moment) }
            }
        case ("POST", "proof"):
            try lamp.update { machine throws(HubError) in
                if let trial { try machine.tryOut(trial.color, on: trial.leds, at: moment) }
            }
        case ("DELETE", "proof"):
            try lamp.update { machine throws(HubError) in try machine.endProof(at: moment) }
        case ("POST", "clock"):
            try lamp.update { machine throws(HubError) in try machine.setClock(at: moment) }
        case ("POST", "keep"): lamp.look(Self.page(request), at: moment)
        case ("POST", "leave"):
            lamp.leave(Self.page(request), at: moment)
            followJobs()
            return answer(request.id)
        default: throw .noJob
        }
        followJobs()
        answer(request.id) { lamp.machine.dashboard.write(into: &$0) }
    }

    // MARK: What is remembered

    private func performMemory(_ request: EngineRequest) throws(HubError) {
        let isWish = request.path.count > 1 && request.path[1] == "wishes"
        if request.method == "GET", request.path.count == 1 {
            return answerList(request.id, lamps.values.ordered { $0.setting < $1.setting })
        }
        guard let address = request.filterText("address").flatMap({ DeviceAddress($0) }) else {
            throw .badValue("Say which lamp, by its address.")
        }
        var memory = memory(of: address.likeliest)
        switch (request.method, isWish) {
        case ("POST", true):
            try memory.add(try LampChange.asked(request.body).change, at: time)
            try makeRoom(for: memory)
        case ("DELETE", true): try memory.takeBack(request.path.last.flatMap { Int($0) })
        case ("DELETE", false):
            guard lamps.removeValue(forKey: memory.setting) != nil else {
                throw .notFound("This page does not know this lamp.")
            }
            keep(setting: memory.setting, nil)
            publish(NightlightsChanged(RememberedLamp(memory.peer)))
            return answer(request.id)
        default: throw .noJob
        }
        keep(memory)
        answer(request.id) { memory.write(into: &$0) }
    }

    private func memory(of peer: Peer) -> RememberedLamp {
        let fresh = RememberedLamp(peer)
        return lamps[fresh.setting] ?? fresh
    }

    /// Makes room for a lamp that is not remembered yet.
    private func makeRoom(for memory: RememberedLamp) throws(HubError) {
        guard lamps[memory.setting] == nil,
            let leaving = try RememberedLamp.leaving(Array(lamps.values), for: memory)
        else { return }
        lamps.removeValue(forKey: leaving.setting)
        keep(setting: leaving.setting, nil)
    }

    private func keep(_ memory: RememberedLamp) {
        lamps[memory.setting] = memory
        keep(setting: memory.setting, memory.text)
        publish(NightlightsChanged(memory))
    }

    /// Remembers what a lamp had when its link ended.
    func remember(_ dashboard: LampDashboard) {
        guard let state = dashboard.state else { return }
        var memory = memory(of: state.peer)
        memory.take(state, at: dashboard.read ?? time)
        // When nothing may leave, this look is not remembered.
        do throws(HubError) { try makeRoom(for: memory) } catch { return }
        keep(memory)
    }

    /// Sends what waits for a lamp, oldest first.
    func sendChanges(to lamp: Job<LampJob>) {
        let moment = moment
        for wish in memory(of: lamp.job.peer).pendingChanges {
            // When the link has ended, they wait on.
            try? lamp.update { machine throws(HubError) in
                try machine.change(wish.change, waited: wish.id, at: moment)
            }
        }
        try? lamp.update { machine throws(HubError) in machine.noMoreChanges(at: moment) }
    }

    /// Handles that what waited for a lamp was written, or refused.
    func changeSent(_ id: Int, _ refusal: String?, _ dashboard: LampDashboard) {
        var memory = memory(of: dashboard.job.peer)
        memory.sent(id, refusal: refusal, dashboard.state, at: time)
        keep(memory)
    }

    /// Connects to a lamp that is back and has wishes.
    func connectForPendingChanges(_ device: HubDevice) {
        let wait = lampTries[device.id].map { moment.ticks - $0 }
        guard !connections.isBusy(device.id),
            memory(of: device.peer).wantsLink(device, triedBefore: wait, at: time)
        else { return }
        lampTries[device.id] = moment.ticks
        // When it cannot be now, it is tried again.
        guard let device = try? takeForJob(device.id) else { return }
        run(jobs.beginLamp(device, clock: zone, isForChanges: true, at: moment))
        followJobs()
    }

    // MARK: Weeks

    func performSchedule(_ request: EngineRequest, _ id: Int64?) throws(HubError) {
        let kept = id.flatMap { Int(exactly: $0) }
        switch (request.method, kept) {
        case ("GET", nil): answerList(request.id, schedules)
        case ("POST", nil), ("PUT", .some):
            guard case .object(let members)? = request.body?.value,
                let node = members.first(where: { $0.key == "week" })?.node
            else { throw .badValue("Say which week.") }
            let week = try KeptSchedule.week(node)
            let number = try KeptSchedule.number(replacing: kept, among: schedules)
            let schedule = KeptSchedule(id: number, week, kept: time)
            schedules.removeAll { $0.id == number }
            schedules.append(schedule)
            schedules.order { $0.id < $1.id }
            keep(setting: schedule.setting, schedule.text)
            answer(request.id) { schedule.write(into: &$0) }
        case ("DELETE", let id?):
            guard let index = schedules.firstIndex(where: { $0.id == id }) else { throw .noSchedule }
            keep(setting: schedules.remove(at: index).setting, nil)
            answer(request.id)
        default: throw .noSchedule
        }
    }

    func previewLight(_ request: EngineRequest) throws(HubError) {
        guard let body = request.body else { throw .badValue("Say which schedules.") }
        let moment = UnixTime(seconds: time.milliseconds / 1000)
        let preview = try LightPreview(body, now: moment) { [self] name, _ in
            name == nil || name == zone.name ? zone.wall : nil
        }
        answer(request.id) { preview.write(into: &$0) }
    }

    // MARK: The clock of the page

    /// Takes the time zone of the page: its name, the offset now, that of winter, and the changes of its clocks.
    func takeZone(_ request: EngineRequest) throws(HubError) {
        guard case .number(let offset)? = request.member("offset"), let first = Int32(exactly: offset),
            case .number(let winter)? = request.member("standard_offset"),
            let standard = Int32(exactly: winter), case .array(let nodes)? = request.member("changes")
        else { throw .badValue("Say what time zone this is.") }
        var changes: [WallClock.Change] = []
        for node in nodes {
            guard case .array(let parts) = node.value, parts.count == 2,
                case .number(let at) = parts[0].value, case .number(let offset) = parts[1].value,
                let seconds = Int64(exactly: at), let later = Int32(exactly: offset)
            else { throw .badValue("Say what time zone this is.") }
            changes.append(WallClock.Change(at: UnixTime(seconds: seconds), offset: later))
        }
        zone = LocalClock(
            name: request.text("name"), WallClock(offset: first, changes: changes), standardOffset: standard)
        answer(request.id)
    }
}
