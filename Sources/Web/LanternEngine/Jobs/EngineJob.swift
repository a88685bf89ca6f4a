// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText

/// What is done on the link of an ``EngineJob``: what a kind of device page adds.
class EngineWork {
    /// The engine that it belongs to; both end with the page.
    let engine: Engine
    /// Told to the pages when enough time has gone by since the last time.
    private var isUntold = false
    private var nextTelling = HostInstant.zero
    /// The pages that have the device in hand, where several may.
    var viewers = Viewers()

    init(_ engine: Engine) { self.engine = engine }

    // What it is, where a cast would need more than this Swift has.
    var wifi: WiFiWork? { nil }
    var bulb: BulbWork? { nil }
    var lamp: LampWork? { nil }
    var explorer: ExplorerWork? { nil }

    /// Whether something is under way that goes on without its page, and ends by itself.
    var isUnderWay: Bool { false }
    /// Whether the device sends by itself what somebody wants to see.
    var isWatching: Bool { false }
    /// When to call ``refresh()`` at the latest.
    var nextDeadline: HostInstant? { isUntold ? nextTelling : nil }

    /// Handles that the job has come further.
    func show(_ job: DeviceJob) {}
    /// Ends the link; the job is told when it is gone.
    func close() {}
    /// Counts a change.
    func count() {}
    /// Tells how it is now.
    func publish() {}

    /// Does what is due.
    func refresh() {
        guard isUntold, nextTelling <= engine.now else { return }
        isUntold = false
        tell()
    }

    /// Tells what was not told yet, for nothing comes after it.
    final func tellLast() {
        guard isUntold else { return }
        isUntold = false
        publish()
    }

    /// Tells how it is, at once if nothing was told just before, so that a device that talks without end fills nothing.
    final func tell() {
        count()
        guard nextTelling <= engine.now else { return isUntold = true }
        publish()
        isUntold = false
        nextTelling = engine.now.advanced(byMilliseconds: 100)
    }
}

/// A job on one device for a page: it holds the link for as long as the page asks for that, and no longer.
final class EngineJob {
    /// How long it goes on when no page says that it is there, and when nothing is asked of it, in seconds.
    static let lease: UInt64 = 30
    static let idleness: UInt64 = 900

    var job: DeviceJob
    let work: EngineWork
    /// Until when its page has asked for it, and until when it may be idle.
    private(set) var leaseEnd: HostInstant
    private(set) var idleEnd: HostInstant
    /// Why it is ended from here; the first reason counts.
    var ending: String??
    /// Requests that are answered when its link is gone.
    var waiting: [() -> Void] = []

    init(_ job: DeviceJob, _ work: EngineWork, at now: HostInstant) {
        self.job = job
        self.work = work
        leaseEnd = now.advanced(bySeconds: Self.lease)
        idleEnd = now.advanced(bySeconds: Self.idleness)
    }

    var isOver: Bool { job.phase == .ended }

    /// Handles that its page is there.
    func keep(at now: HostInstant) { leaseEnd = now.advanced(bySeconds: Self.lease) }

    /// Handles that something was asked of it.
    func use(at now: HostInstant) {
        keep(at: now)
        idleEnd = now.advanced(bySeconds: Self.idleness)
    }

    var nextDeadline: HostInstant? {
        .earliest(ending == nil ? min(leaseEnd, idleEnd) : nil, work.nextDeadline)
    }

    /// Lets it go when its page is gone, or nothing was asked of it for long; what is under way is done first.
    func watch(at now: HostInstant) {
        guard ending == nil, !isOver, min(leaseEnd, idleEnd) <= now else { return }
        if work.isUnderWay {
            let soon = now.advanced(bySeconds: 1)
            (leaseEnd, idleEnd) = (max(leaseEnd, soon), max(idleEnd, soon))
            return
        }
        end(leaseEnd <= now ? JobText.pageGone : JobText.idle(minutes: Int(Self.idleness / 60)))
    }

    /// Ends it.
    ///
    /// - Parameter reason: Why, in a sentence; `nil` when somebody wanted it so.
    func end(_ reason: String? = nil) {
        if ending == nil { ending = .some(reason) }
        work.close()
    }
}

/// The jobs of an engine: those that go on, and how the last ones have ended.
struct EngineJobs {
    private static let endedLimit = 8

    /// By the numbers of their devices: one device, one job.
    private(set) var running: [Int: EngineJob] = [:]
    private var ended: [EngineJob] = []
    private var lastID: Int64 = 0

    mutating func nextID(at time: Timestamp) -> Int64 {
        // Numbers begin with the time, so that those of an engine before are known for what they are.
        if lastID == 0 { lastID = min(max(0, time.milliseconds), 1 << 42) * 1000 }
        lastID += 1
        return lastID
    }

    mutating func add(_ job: EngineJob) { running[job.job.device] = job }

    mutating func end(_ job: EngineJob) {
        guard running[job.job.device] === job else { return }
        running.removeValue(forKey: job.job.device)
        ended.append(job)
        if ended.count > Self.endedLimit { ended.removeFirst() }
    }

    subscript(id: Int64) -> EngineJob? {
        running.values.first { $0.job.id == id } ?? ended.last { $0.job.id == id }
    }
}
