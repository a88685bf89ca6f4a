// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionText
import HubModel

/// All that is heard, one device as an open book, and devices that are kept.
extension Engine {
    /// How long changes are told after a page has looked, in seconds.
    private static var lookLength: UInt64 { 60 }

    func performScan(_ request: EngineRequest) throws(HubError) {
        let number = request.path.last.flatMap { Int($0) }
        switch (request.method, request.path.count > 1 ? request.path[1] : nil, number) {
        case ("GET", "devices", nil):
            lookAtHeard()
            answer(request.id) { json in
                json.object { json in
                    json.key("items")
                    json.array { json in for device in devices.heard { device.write(into: &json) } }
                    json.field("limit", devices.deviceLimit)
                }
            }
        case ("POST", "keep", _):
            lookAtHeard()
            answer(request.id)
        case ("GET", "devices", let id?):
            guard let device = devices.heard(id) else { throw .noDevice }
            let detail = HeardDeviceDetail(
                device,
                AdvertisedStructure.all(
                    advertisement: device.seen.advertisement, scanResponse: device.seen.scanResponse))
            answer(request.id) { detail.write(into: &$0) }
        default: throw .noDevice
        }
    }

    private func lookAtHeard() {
        lookEnd = now.advanced(bySeconds: Self.lookLength)
        devices.setListed(true)
    }

    /// Tells those who look what has changed.
    func publishHeard() {
        if let end = lookEnd, end <= now {
            lookEnd = nil
            devices.setListed(false)
        }
        if let changes = devices.takeListChanges(at: time) { publish(changes) }
    }

    // MARK: One device

    func beginExplorer(_ request: EngineRequest, _ id: Int) throws(HubError) {
        let device = try takeForJob(id)
        let explorer = jobs.beginExplorer(device, mayWrite: writable.contains(device.peer), at: moment)
        run(explorer)
        followJobs()
        answer(request.id) { explorer.machine.explorer.write(into: &$0) }
    }

    func performExplorer(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
        // What makes no sense is said of any device.
        let octets = verb == "write" ? try ExplorerOrder(request.body).octets() : []
        guard let job = try job(id, isUsed: request.method == "POST").explorer else { throw .noJob }
        switch (request.method, verb) {
        case ("GET", nil):
            answer(request.id) { json in
                json.object { json in
                    json.key("explorer")
                    job.machine.explorer.write(into: &json)
                    json.key("tree")
                    if let tree = job.machine.tree {
                        tree.write(into: &json)
                    } else {
                        json.value(String?.none)
                    }
                }
            }
        case ("GET", "log") where request.path.last == "file":
            answer(
                request.id,
                job.machine.logFile(request.filterText("form"), of: request.integer("handle"), at: time))
        case ("GET", "log"):
            let values = job.machine.log.values(
                of: request.integer("handle"), before: request.integer("before"),
                limit: min(500, max(1, request.integer("limit") ?? 100)))
            answer(request.id) { json in
                json.object { json in
                    json.key("items")
                    json.array { json in for value in values { value.write(into: &json) } }
                    json.field("total", job.machine.log.total(of: request.integer("handle")))
                }
            }
        case ("POST", "read"):
            let handle = try ExplorerOrder(request.body).handle
            try ask(request, of: job) { machine, number, moment throws(HubError) in
                try machine.read(handle, for: number, at: moment)
            }
        case ("POST", "write"): try write(octets, request, job)
        case ("POST", "watch"):
            let order = try ExplorerOrder(request.body)
            try ask(request, of: job) { machine, number, moment throws(HubError) in
                try machine.watch(order.handle, isOn: order.isOn, for: number, at: moment)
            }
        case ("POST", "refresh"):
            try job.update { machine throws(HubError) in try machine.refresh() }
            followJobs()
            answer(request.id) { job.machine.explorer.write(into: &$0) }
        case ("POST", "save"):
            let file = try job.machine.file(devices.heard(job.job.device))
            try keep(file: file, as: request.text("name") ?? "", for: request.id)
        case ("POST", "pair"):
            throw .notNow("This radio cannot pair. Where the system pairs, do it in the system's settings.")
        default: throw .noJob
        }
    }

    /// Asks something of a device; the request is answered when it has answered.
    private func ask(
        _ request: EngineRequest, of job: Job<ExplorerJob>,
        _ body: (inout ExplorerJob, JobRequest, Moment) throws(HubError) -> Void
    ) throws(HubError) {
        let moment = moment
        try job.update { machine throws(HubError) in
            try body(&machine, JobRequest(id: request.id), moment)
        }
        pending[request.id] = .explore(job)
        followJobs()
    }

    private func write(
        _ octets: [UInt8], _ request: EngineRequest, _ job: Job<ExplorerJob>
    ) throws(HubError) {
        let order = try ExplorerOrder(request.body)
        try writable.confirm(job.job, order.isConfirmed)
        try job.update { machine throws(HubError) in machine.confirmWriting() }
        try ask(request, of: job) { machine, number, moment throws(HubError) in
            try machine.write(
                octets, to: order.handle, isAnswered: order.isAnswered, for: number, at: moment)
        }
    }
}
