// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText
import Testing

@testable import CompanionCore

@Suite("The jobs of pages")
struct JobTableTests {
    /// A table whose devices answer at once, and have nothing.
    private final class Host {
        var table = JobTable.fresh
        private(set) var now = HostInstant.zero
        private(set) var outputs: [JobOutput] = []
        /// Whether links that are to be closed stay until ``release()``.
        var holdsLinks = false
        private var held: [any RunningJob] = []

        var moment: Moment { .at(now) }

        static func device(_ id: Int) -> HubDevice {
            HubDevice(id: id, peer: Peer(BluetoothAddress(UInt64(id), kind: .public)))
        }

        /// Begins to explore a device.
        func begin(_ device: Int) -> DeviceJob {
            let job = table.beginExplorer(Self.device(device), mayWrite: false, at: moment)
            job.receive(.radio(.ready), at: moment)
            turn()
            return job.job
        }

        func end(_ job: DeviceJob, _ reason: String? = nil, for request: Int64? = nil) {
            table.end(job, reason, for: request.map { JobRequest(id: $0) }, at: moment)
            turn()
        }

        func release() {
            for job in held { job.receive(.disconnected(.closedByUs), at: moment) }
            held = []
            turn()
        }

        func run(seconds: UInt64) {
            let end = now.advanced(bySeconds: seconds)
            while let due = table.nextDeadline, due <= end {
                now = max(now, due)
                table.deadlineReached(at: moment)
                turn()
            }
            now = end
        }

        private func turn() {
            for job in table.running.values { carry(job.running) }
            while let output = table.nextOutput() { outputs.append(output) }
        }

        private func carry(_ job: any RunningJob) {
            while let action = job.nextAction(at: moment) {
                switch action {
                case .connect(let peer): job.receive(.connected(peer, mtu: 23), at: moment)
                case .discover: job.receive(.discovered([]), at: moment)
                case .disconnect where holdsLinks: held.append(job)
                case .disconnect: job.receive(.disconnected(.closedByUs), at: moment)
                case .startScan, .stopScan, .request: break
                }
            }
        }

        /// The requests that were answered, in order.
        var completed: [Int64] {
            outputs.compactMap { output in
                if case .completed(let request, .success(.done)) = output { request.id } else { nil }
            }
        }

        /// The numbers of the jobs of which the host was told that they have ended.
        var ended: [Int64] {
            outputs.compactMap { output in
                if case .changed(let job) = output, job.phase == .ended { job.id } else { nil }
            }
        }
    }

    private let host = Host()

    @Test func numbersBeginWithTheTimeAndNeverRepeat() {
        let start = Moment.beginning.time.milliseconds * 1000
        let first = host.begin(1)
        let second = host.begin(2)
        host.end(first)
        let third = host.begin(1)
        #expect([first, second, third].map(\.id) == [start + 1, start + 2, start + 3])
        // Those of an engine that begins a second later are others.
        var later = JobTable(seed: 1, at: Timestamp(milliseconds: Moment.beginning.time.milliseconds + 1000))
        let job = later.beginExplorer(Host.device(1), mayWrite: false, at: .beginning)
        #expect(job.job.id > third.id && host.table[job.job.id] == nil)
    }

    @Test func aClockThatIsWrongMakesNumbersAllTheSame() {
        for milliseconds in [Int64.min, -1, .max] {
            var table = JobTable(seed: 1, at: Timestamp(milliseconds: milliseconds))
            let job = table.beginExplorer(Host.device(1), mayWrite: false, at: .beginning)
            #expect(job.job.id > 0)
        }
    }

    @Test func thereIsOneJobADevice() throws {
        let first = host.begin(1)
        let second = host.begin(2)
        #expect(host.table.current.map(\.id) == [first.id, second.id])
        #expect(host.table.running[1]?.running.job.id == first.id && host.table.running[3] == nil)
        let found = try #require(host.table[second.id])
        #expect(found.explorer != nil && found.lamp == nil && found.bulb == nil && found.wifi == nil)
        #expect(found.running.job.phase == .open && found.running.job.lease == 30)
        host.end(first)
        #expect(host.table.running[1] == nil && host.table.current.map(\.id) == [second.id])
        let third = host.begin(1)
        #expect(host.table.running[1]?.running.job.id == third.id)
        #expect(host.table.current.map(\.id) == [second.id, third.id])
    }

    @Test func eachKindIsFoundByItsNumber() {
        let moment = host.moment
        let wifi = host.table.beginWiFi(Host.device(1), services: [], at: moment)
        let lamp = host.table.beginLamp(Host.device(2), clock: LocalClock(), at: moment)
        let bulb = host.table.beginBulb(Host.device(3), speaking: nil, at: moment)
        #expect(wifi.job.kind == .wifi && lamp.job.kind == .nightlight && bulb.job.kind == .bulb)
        #expect(host.table[wifi.job.id]?.wifi === wifi && host.table[lamp.job.id]?.lamp === lamp)
        #expect(host.table[bulb.job.id]?.bulb === bulb && host.table[bulb.job.id]?.explorer == nil)
    }

    @Test func eightThatHaveEndedAreRemembered() {
        let jobs = (1...9).map { number in
            let job = host.begin(number)
            host.end(job, "It was number \(number).")
            return job
        }
        #expect(host.table[jobs[0].id] == nil)
        for number in 2...9 {
            let job = host.table[jobs[number - 1].id]?.running.job
            #expect(job?.phase == .ended && job?.reason == "It was number \(number).")
        }
        #expect(host.table.current.isEmpty && host.ended == jobs.map(\.id))
    }

    @Test func whoWaitsForAnEndIsAnsweredWhenTheLinkIsGone() throws {
        let job = host.begin(1)
        host.holdsLinks = true
        host.end(job, for: 5)
        host.end(job, "Too late to say why.", for: 6)
        #expect(host.completed.isEmpty && host.ended.isEmpty)
        #expect(host.table.running[1]?.running.isLeaving == true)
        host.release()
        #expect(host.completed == [5, 6] && host.ended == [job.id])
        let ended = try #require(host.table[job.id]).running.job
        #expect(ended.phase == .ended && ended.reason == nil)
        // The end is told first, so that the next one can begin.
        let last = try #require(host.outputs.lastIndex { if case .changed = $0 { true } else { false } })
        #expect(last == host.outputs.count - 3)
    }

    @Test func whatHasEndedIsAnsweredAtOnceAndStaysSo() {
        let job = host.begin(1)
        host.end(job)
        let next = host.begin(1)
        host.end(job, "Once more.", for: 5)
        #expect(host.completed == [5] && host.table[job.id]?.running.job.reason == nil)
        // The one that goes on has nothing to do with it.
        #expect(host.table.running[1]?.running.job.id == next.id)
        #expect(host.table.running[1]?.running.isLeaving == false)
    }

    @Test func theEarliestDeadlineIsThatOfTheTable() {
        let first = host.begin(1)
        host.run(seconds: 10)
        let second = host.begin(2)
        host.run(seconds: 19)
        #expect(host.table.nextDeadline == HostInstant.zero.advanced(bySeconds: 30))
        #expect(host.table.current.count == 2)
        host.run(seconds: 1)
        #expect(host.table.current.map(\.id) == [second.id])
        #expect(host.table[first.id]?.running.job.reason == JobText.pageGone)
        host.run(seconds: 10)
        #expect(host.table.current.isEmpty && host.table.nextDeadline == nil)
    }
}
