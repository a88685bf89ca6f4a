// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
public import Foundation
import Synchronization
public import VirtualPhone

/// What is around a phone, and the person who holds it: where it is, how it is moved, and what is pressed on its screen.
///
/// The modules `CoreLocation`, `CoreMotion` and `UserNotifications` for Linux ask it; apps never name it, their tests do:
///
/// ```
/// phone.surroundings.place = .init(52.52, 13.405)
/// let app = phone.app()
/// let model = app.launch { MapModel() }                      // asks where it is
/// try await phone.surroundings.prompt(.location).answer(.allow)
/// phone.surroundings.follow(.init(through: street, at: 14))  // a car drives off
/// ```
///
/// Time is that of the phone's radio: in a `TestAir` it jumps, on a real radio it passes.
public final class Surroundings: Sendable {
    private struct State {
        var place: Place?
        var isLocationOn = true
        var hasMotionSensor = true
        var activity = Activity.unknown
        var felt: [Felt] = []
        var answers: [Prompt.Subject: Prompt.Answer] = [:]
        var prompts: [Prompt] = []
        var waiters: [Int: (subject: Prompt.Subject, waiter: CheckedContinuation<Prompt?, Never>)] = [:]
        var lastWaiter = 0
        var listeners: [Listening] = []
        /// Apps that are started when the phone has moved far.
        var farMovers: [AppRecord] = []
        var journey: Task<Void, Never>?
        /// When the clock of the radio began.
        var start: Date
    }

    private struct Listening {
        weak var listener: Listener?
    }

    /// An activity, and since when.
    package struct Felt: Sendable {
        package let activity: Activity
        package let since: Date
    }

    private let clock: any RadioClock
    let executor: (any TaskExecutor)?
    let notices = Notices()
    private let state: Mutex<State>

    init(_ phone: VirtualPhone) {
        clock = phone.radio.backend.clock
        executor = phone.radio.executor
        let passed = TimeInterval(clock.now.microseconds) / 1e6
        state = Mutex(State(start: Date().addingTimeInterval(-passed)))
        state.withLock { $0.felt = [Felt(activity: .unknown, since: now(&$0))] }
    }

    // MARK: Time

    /// What the phone's clock shows; it may be set, and goes on from there.
    public var date: Date {
        get { state.withLock { now(&$0) } }
        set {
            let passed = TimeInterval(clock.now.microseconds) / 1e6
            state.withLock { $0.start = newValue.addingTimeInterval(-passed) }
        }
    }

    /// How long the phone has run, in seconds.
    package var uptime: TimeInterval { TimeInterval(clock.now.microseconds) / 1e6 }

    private func now(_ state: inout State) -> Date {
        state.start.addingTimeInterval(TimeInterval(clock.now.microseconds) / 1e6)
    }

    /// Does something after a time of the phone's clock, unless it is cancelled before.
    package func after(_ seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let deadline = clock.now.advanced(byMicroseconds: UInt64(max(0, min(seconds, 1e9)) * 1e6))
        return Task(executorPreference: executor) { [clock] in
            // It throws when it is cancelled, and nothing is to be done then.
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            body()
        }
    }

    // MARK: Where it is

    /// Where the phone is; `nil` while it cannot find out.
    public var place: Place? {
        get { state.withLock { $0.place } }
        set { go(to: newValue) }
    }

    private func go(to place: Place?) {
        let movers = state.withLock { state in
            state.place = place
            return state.farMovers
        }
        tell(.place)
        for mover in movers { mover.moved() }
    }

    /// Whether Location Services are switched on in the phone's settings.
    public var isLocationOn: Bool {
        get { state.withLock { $0.isLocationOn } }
        set {
            state.withLock { $0.isLocationOn = newValue }
            tell(.permission)
        }
    }

    /// Sends the phone along a route, instead of one that it is on; it goes by the phone's clock.
    ///
    /// - Parameter route: The route.
    /// - Returns: Ends when the phone has got to its end or was stopped; there is no need to keep it.
    @discardableResult
    public func follow(_ route: Route) -> Task<Void, Never> {
        let start = clock.now
        let journey = Task(executorPreference: executor) { [weak self, clock] in
            var due = start
            for step in route.steps {
                let (seconds, rest) = step.after.components
                due = due.advanced(
                    byMicroseconds: UInt64(max(0, seconds)) * 1_000_000 + UInt64(max(0, rest))
                        / 1_000_000_000_000)
                if clock.now < due {
                    // It throws when the phone was stopped.
                    guard (try? await clock.sleep(until: due)) != nil else { return }
                }
                guard !Task.isCancelled else { return }
                self?.go(to: step.place)
            }
        }
        let before = state.withLock { state in
            defer { state.journey = journey }
            return state.journey
        }
        before?.cancel()
        return journey
    }

    /// Ends the route that the phone is on; it stays where it is.
    public func stop() {
        let journey = state.withLock { state in
            defer { state.journey = nil }
            return state.journey
        }
        journey?.cancel()
    }

    // MARK: How it is moved

    /// How the phone is moved.
    public var activity: Activity {
        get { state.withLock { $0.activity } }
        set {
            state.withLock { state in
                state.activity = newValue
                state.felt.append(Felt(activity: newValue, since: now(&state)))
                if state.felt.count > 1000 { state.felt.removeFirst(500) }
            }
            tell(.activity)
        }
    }

    /// What it has felt so far, and since when.
    package var felt: [Felt] { state.withLock { $0.felt } }

    /// Whether the phone can feel how it is moved.
    public var hasMotionSensor: Bool {
        get { state.withLock { $0.hasMotionSensor } }
        set { state.withLock { $0.hasMotionSensor = newValue } }
    }

    // MARK: What is asked

    /// What is pressed at once when an app asks; a prompt without an answer here stays open until the test answers it.
    public var answers: [Prompt.Subject: Prompt.Answer] {
        get { state.withLock { $0.answers } }
        set { state.withLock { $0.answers = newValue } }
    }

    /// The prompts that are open, the first of which is on the screen.
    public var prompts: [Prompt] { state.withLock { $0.prompts } }

    /// Waits until an app asks for something.
    ///
    /// - Parameter subject: What it wants.
    /// - Returns: The prompt, which is open.
    /// - Throws: `CancellationError` when the task is cancelled before.
    public nonisolated(nonsending) func prompt(_ subject: Prompt.Subject) async throws -> Prompt {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let prompt = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isOver, prompt) = state.withLock { state -> (Bool, Prompt?) in
                    let open = state.prompts.first { $0.subject == subject }
                    if open != nil || Task.isCancelled { return (true, open) }
                    state.waiters[number] = (subject, waiter)
                    return (false, nil)
                }
                if isOver { waiter.resume(returning: prompt) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.waiter.resume(returning: nil)
        }
        guard let prompt else { throw CancellationError() }
        return prompt
    }

    /// Asks the person, unless the app has a prompt open for the same.
    package func ask(
        _ subject: Prompt.Subject, for app: VirtualPhone.App,
        answered: @escaping @Sendable (Prompt.Answer) -> Void
    ) {
        let prompt = Prompt(app, subject, self, answered: answered)
        let (isNew, answer, waiters) = state.withLock { state in
            let isOpen = state.prompts.contains { $0.subject == subject && $0.app === app }
            let none: [CheckedContinuation<Prompt?, Never>] = []
            guard !isOpen else { return (false, Prompt.Answer?.none, none) }
            state.prompts.append(prompt)
            let answer = state.answers[subject]
            guard answer == nil else { return (true, answer, none) }
            let waiting = state.waiters.filter { $0.value.subject == subject }
            for key in waiting.keys { state.waiters[key] = nil }
            return (true, nil, waiting.values.map(\.waiter))
        }
        guard isNew else { return }
        tell(.permission)
        for waiter in waiters { waiter.resume(returning: prompt) }
        if let answer { prompt.answer(answer) }
    }

    func close(_ prompt: Prompt) { state.withLock { $0.prompts.removeAll { $0 === prompt } } }

    /// Whether an app has asked for something and has no answer yet.
    package func isAsking(_ subjects: Set<Prompt.Subject>, _ app: VirtualPhone.App) -> Bool {
        state.withLock { $0.prompts.contains { $0.app === app && subjects.contains($0.subject) } }
    }

    // MARK: Who follows

    package func add(_ listener: Listener) {
        state.withLock { state in
            state.listeners.removeAll { $0.listener == nil }
            state.listeners.append(Listening(listener: listener))
        }
    }

    /// Tells of each place what is kept of an app, or no more.
    func follow(_ record: AppRecord, _ isWanted: Bool) {
        state.withLock { state in
            state.farMovers.removeAll { $0 === record }
            if isWanted { state.farMovers.append(record) }
        }
    }

    package func tell(_ change: Listener.Change) {
        for listener in state.withLock({ $0.listeners.compactMap(\.listener) }) { listener.tell(change) }
    }
}

extension VirtualPhone {
    /// What is around it, and the person who holds it.
    public var surroundings: Surroundings { parts.part { Surroundings(self) } }
}
