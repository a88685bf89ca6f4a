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
        let isPending = request.path.count > 1 && request.path[1] == "pending"
        if request.method == "GET", request.path.count == 1 { return answerList(request.id, kept.lamps) }
        guard let address = request.filterText("address").flatMap({ DeviceAddress($0) }) else {
            throw .badValue("Say which lamp, by its address.")
        }
        let peer = address.likeliest
        let lamp: RememberedLamp
        switch (request.method, isPending) {
        case ("POST", true):
            let change = try LampChange.asked(request.body).change
            lamp = try update(lamp: peer) { lamp throws(HubError) in try lamp.add(change, at: time) }
        case ("DELETE", true):
            let id = request.path.last.flatMap { Int($0) }
            lamp = try update(lamp: peer) { lamp throws(HubError) in try lamp.takeBack(id) }
        case ("DELETE", false):
            _ = keep(lamp: peer, try kept.changes(forgettingLamp: peer))
            return answer(request.id)
        default: throw .noJob
        }
        answer(request.id) { lamp.write(into: &$0) }
    }

    private func update(
        lamp peer: Peer, _ body: (inout RememberedLamp) throws(HubError) -> Void
    ) throws(HubError) -> RememberedLamp {
        keep(lamp: peer, try kept.changes(ofLamp: peer, body))
    }

    /// Changes what is remembered of a lamp, and tells it.
    private func keep(lamp peer: Peer, _ changes: [KeptSettings.Change]) -> RememberedLamp {
        keep(changes)
        let lamp = kept.lamp(peer)
        publish(NightlightsChanged(lamp))
        return lamp
    }

    /// Remembers what a lamp had when its link ended.
    func remember(_ dashboard: LampDashboard) {
        // When nothing may leave for it, this look is not remembered.
        guard dashboard.state != nil, let changes = try? kept.changes(after: dashboard, at: time) else {
            return
        }
        _ = keep(lamp: dashboard.job.peer, changes)
    }

    /// Sends what waits for a lamp, oldest first.
    func sendChanges(to lamp: Job<LampJob>) {
        let moment = moment
        for pending in kept.lamp(lamp.job.peer).pendingChanges {
            // When the link has ended, they wait on.
            try? lamp.update { machine throws(HubError) in
                try machine.change(pending.change, waited: pending.id, at: moment)
            }
        }
        try? lamp.update { machine throws(HubError) in machine.noMoreChanges(at: moment) }
    }

    /// Handles that what waited for a lamp was written, or refused.
    func changeSent(_ id: Int, _ refusal: String?, _ dashboard: LampDashboard) {
        _ = try? update(lamp: dashboard.job.peer) { $0.sent(id, refusal: refusal, dashboard.state, at: time) }
    }

    /// Connects to a lamp that is back and for which changes wait.
    func connectForPendingChanges(_ device: HubDevice) {
        guard !connections.isBusy(device.id), kept.triesLamp(device, at: moment) else { return }
        // When it cannot be now, it is tried again.
        guard let device = try? takeForJob(device.id) else { return }
        run(jobs.beginLamp(device, clock: zone, isForChanges: true, at: moment))
        followJobs()
    }

    // MARK: Weeks

    func performSchedule(_ request: EngineRequest, _ id: Int64?) throws(HubError) {
        let number = id.flatMap { Int(exactly: $0) }
        switch (request.method, number) {
        case ("GET", nil): answerList(request.id, kept.schedules)
        case ("POST", nil), ("PUT", .some):
            guard case .object(let members)? = request.body?.value,
                let node = members.first(where: { $0.key == "week" })?.node
            else { throw .badValue("Say which week.") }
            let schedule = try kept.schedule(node, replacing: number, at: time)
            keep([KeptSettings.Change(schedule.setting, schedule.text)])
            answer(request.id) { schedule.write(into: &$0) }
        case ("DELETE", .some):
            keep(try kept.changes(forgettingSchedule: number))
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
