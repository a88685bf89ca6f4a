// SPDX-License-Identifier: Apache-2.0

import Foundation
import PhoneSurroundings
import Synchronization
import VirtualPhone

/// What a manager tells its app, while that may know and is awake.
final class ActivityUpdates: Sendable {
    private struct State {
        var last: (Surroundings.Activity, Date)?
        var isOver = false
        var listener: Listener?
    }

    private let app: VirtualPhone.App
    // Foundation on Linux does not say that a queue may be given work from anywhere, which it may.
    private let queue: Carried<OperationQueue>
    private let handler: Carried<CMMotionActivityHandler>
    private let state = Mutex(State())

    init(_ app: VirtualPhone.App, _ queue: OperationQueue, _ handler: Carried<CMMotionActivityHandler>) {
        (self.app, self.queue, self.handler) = (app, Carried(queue), handler)
        let listener = Listener(app) { [weak self] change in self?.look(change) }
        state.withLock { $0.listener = listener }
    }

    func stop() {
        let listener = state.withLock { state in
            state.isOver = true
            return state.listener
        }
        listener?.stop()
    }

    func look(_ change: Listener.Change) {
        if change == .ended { return stop() }
        let modes: VirtualPhone.App.BackgroundModes = [.central, .peripheral, .location]
        guard app.isAwake(for: modes), app.motionPermission == .allowed else { return }
        guard let felt = app.phone.surroundings.felt.last else { return }
        let isNew = state.withLock { state in
            guard !state.isOver, state.last.map({ $0 != (felt.activity, felt.since) }) ?? true else {
                return false
            }
            state.last = (felt.activity, felt.since)
            return true
        }
        guard isNew else { return }
        let uptime = app.phone.surroundings.uptime
        let body = app.telling { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            handler.value(CMMotionActivity(felt.activity, since: felt.since, timestamp: uptime))
        }
        queue.value.addOperation(body)
    }

    /// Says on the standard error that something cannot be had without a phone.
    static func missPhone(_ what: String) {
        FileHandle.standardError.write(
            Data(
                "[CoreMotion] \(what): no app of a VirtualPhone runs here, so nothing is felt. Use app.launch { … } or VirtualPhone.App.use(app).\n"
                    .utf8))
    }
}

/// A question for the past, which is answered as soon as a person has said whether it may be.
final class ActivityQuery: Sendable {
    private let app: VirtualPhone.App
    private let queue: Carried<OperationQueue>
    private let (start, end): (Date, Date)
    private let handler: Carried<CMMotionActivityQueryHandler>
    private let state = Mutex<(isOver: Bool, listener: Listener?)>((false, nil))

    init(
        _ app: VirtualPhone.App, _ queue: OperationQueue, from start: Date, to end: Date,
        _ handler: Carried<CMMotionActivityQueryHandler>
    ) {
        (self.app, self.queue, self.handler) = (app, Carried(queue), handler)
        (self.start, self.end) = (start, end)
        let listener = Listener(app) { [weak self] _ in self?.look() }
        state.withLock { $0.listener = listener }
    }

    deinit { state.withLock { $0.listener }?.stop() }

    var isOver: Bool { state.withLock { $0.isOver } }

    func look() {
        let permission = app.motionPermission
        guard permission != .notAsked else { return }
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        let (handler, surroundings) = (handler, app.phone.surroundings)
        let (felt, uptime, now) = (surroundings.felt, surroundings.uptime, surroundings.date)
        let (start, end) = (start, end)
        let body = app.telling {
            guard permission == .allowed else {
                return handler.value(nil, CMErrorMotionActivityNotAuthorized.error)
            }
            // Each lasts until the next; what began before the time and lasts into it is told, too.
            let ends = felt.dropFirst().map(\.since) + [.distantFuture]
            let told = zip(felt, ends).filter { $0.since <= end && $1 > start && $0.since <= now }.map(\.0)
            handler.value(
                told.map {
                    CMMotionActivity(
                        $0.activity, since: $0.since, timestamp: uptime - now.timeIntervalSince($0.since))
                }, nil)
        }
        queue.value.addOperation(body)
    }
}
