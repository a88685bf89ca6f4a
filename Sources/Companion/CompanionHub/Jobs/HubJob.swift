// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText

/// What is done on the link of a ``HubJob``: what a kind of device page adds.
package protocol JobWork: Sendable {
    /// Whether something is under way that goes on without its page, and ends by itself.
    var isUnderWay: Bool { get async }

    /// Handles that the job has come further.
    func show(_ job: DeviceJob) async

    /// Connects to the device, does what it is asked for, and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - opened: To be called when the device listens, with its name if it has said one.
    /// - Throws: Why it has ended, and `CancellationError` once its task is cancelled.
    func run(on radio: Radio, opened: @escaping @Sendable (String?) async -> Void) async throws
}

/// Why the work of a job has ended, in words of its own.
package struct JobFailure: Error, Hashable, Sendable {
    /// A sentence or two.
    package let sentence: String

    /// Makes a failure.
    package init(_ sentence: String) { self.sentence = sentence }
}

/// A job on one device for a page: it holds the link for as long as the page asks for that, and no longer.
///
/// ```
/// connecting ─► open ─► ended: cancelled, failed, its page is gone, or nothing was asked of it for long
/// ```
///
/// A page that is there says so with ``keep()``; when it does not, what is under way is still done, then the link is
/// closed. Each job has a task of its own, so that a device that hangs delays no other.
package actor HubJob {
    /// How long it waits for what.
    package struct Patience: Hashable, Sendable {
        /// How long it goes on when no page says that it is there, in whole seconds.
        package var lease = Duration.seconds(30)
        /// How long it goes on when nothing is asked of it.
        package var idleness = Duration.seconds(900)
        /// How often what is under way without a page is looked at.
        package var look = Duration.seconds(1)

        /// Makes the usual patience.
        package init() {}
    }

    package nonisolated let id: Int64
    package nonisolated let device: Int
    package nonisolated let work: any JobWork
    /// How it is.
    package private(set) var job: DeviceJob
    private let clock: HubClock
    private let patience: Patience
    /// Until when its page has asked for it, and until when it may be idle, by a clock that nobody sets.
    private var leaseEnd: Duration
    private var idleEnd: Duration
    private var task: Task<Void, Never>?
    /// Why it is ended from outside; the first reason counts.
    private var ending: String??

    /// Makes a job that does nothing yet.
    package init(_ job: DeviceJob, _ work: any JobWork, clock: HubClock, patience: Patience) {
        id = job.id
        device = job.device
        self.job = job
        self.work = work
        self.clock = clock
        self.patience = patience
        leaseEnd = clock.elapsed() + patience.lease
        idleEnd = clock.elapsed() + patience.idleness
    }

    /// Begins it.
    ///
    /// - Parameters:
    ///   - radio: Waits for the radio; `nil` when the hub ends.
    ///   - changed: Called when it has come further, also at its end.
    package func begin(
        on radio: @escaping @Sendable () async -> Radio?,
        changed: @escaping @Sendable (DeviceJob) async -> Void
    ) {
        guard task == nil else { return }
        task = Task { await self.run(radio, changed) }
        // Ended before it has begun: it ends as all do.
        if ending != nil { task?.cancel() }
    }

    /// Handles that its page is there.
    ///
    /// - Returns: How it is.
    package func keep() -> DeviceJob {
        leaseEnd = clock.elapsed() + patience.lease
        return job
    }

    /// Handles that something was asked of it.
    package func use() {
        _ = keep()
        idleEnd = clock.elapsed() + patience.idleness
    }

    /// Ends it, and waits until the link is closed.
    ///
    /// - Parameter reason: Why, in a sentence; `nil` when somebody wanted it so.
    package func end(_ reason: String? = nil) async {
        if ending == nil { ending = .some(reason) }
        task?.cancel()
        await task?.value
    }

    private func run(
        _ radio: @escaping @Sendable () async -> Radio?,
        _ changed: @escaping @Sendable (DeviceJob) async -> Void
    ) async {
        await work.show(job)
        let failure = await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask { [work] in
                guard let radio = await radio() else { return CancellationError() }
                do {
                    // Where octets arrive, as everything that is done on a link.
                    try await withTaskExecutorPreference(radio.executor) {
                        try await work.run(on: radio) { await self.opened($0, changed) }
                    }
                    return nil
                } catch {
                    return error
                }
            }
            // What it returns is of no interest: it has said why.
            group.addTask {
                await self.watch()
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            let second = await group.next()
            return first.flatMap { $0 } ?? second.flatMap { $0 }
        }
        job.phase = .ended
        job.reason = ending ?? failure.flatMap { Self.sentence($0) }
        await work.show(job)
        await changed(job)
    }

    private func opened(_ name: String?, _ changed: @Sendable (DeviceJob) async -> Void) async {
        job.phase = .open
        job.name = job.name ?? name
        await work.show(job)
        await changed(job)
    }

    /// Waits until its page is gone, or nothing was asked of it for long.
    private func watch() async {
        while !Task.isCancelled {
            let now = clock.elapsed()
            var wait = min(leaseEnd, idleEnd) - now
            if wait <= .zero {
                guard await work.isUnderWay else { break }
                wait = patience.look
            }
            // An error says that it is over.
            do { try await clock.sleep(wait) } catch { return }
        }
        guard ending == nil, !Task.isCancelled else { return }
        ending =
            leaseEnd <= clock.elapsed()
            ? JobText.pageGone
            : JobText.idle(minutes: Int(patience.idleness.components.seconds / 60))
    }

    /// What an error means to a person; `nil` for what somebody has wanted.
    private static func sentence(_ error: any Error) -> String? {
        switch error {
        case ConnectionFailure.notFound: JobText.notHeard
        case ConnectionFailure.wrongDevice: JobText.wrongDevice
        case ConnectionFailure.failed(let reason): JobText.failed(reason)
        case ConnectionFailure.linkLost: JobText.linkLost
        case ConnectionFailure.timeLimit: "It was not done in time. Try again."
        case is CancellationError: nil
        case let error as JobFailure: error.sentence
        case let error as BluetoothError where error.isAboutPairing: "\(error)"
        case let error as BluetoothError: "\(error) Try again when the radio is back."
        default: "It did not work: \(error)."
        }
    }
}

extension BluetoothError {
    /// Whether it says what to do about pairing.
    fileprivate var isAboutPairing: Bool {
        switch self {
        case .pairing, .bonds: true
        default: false
        }
    }
}
