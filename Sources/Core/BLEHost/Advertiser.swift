// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// What is wanted of advertising, and what the controller was told.
///
/// One thing is asked of the controller at a time; what is wanted may change meanwhile, and is seen to then.
///
/// ```
///            wanted          data are there, room        accepted
///   idle ──────────▶ setting ──────────────▶ enabling ──────────▶ on
///    ▲                  │ refused              ▲   │ refused       │ set ended
///    ├──────────────────┘                time, │   ▼               ▼
///    │                             a link gone └─ failing ◀────────┘
///    └──────────────── disabling ◀──────────────────────────────── on, not wanted so any more
/// ```
///
/// A central that connects ends advertising: `on` becomes `idle`, which goes on while there is room for another.
struct Advertiser: ~Copyable {
    /// The set that is used where there are sets.
    static let set = HCI.AdvertisingHandle(rawValue: 0)
    /// How long a refusal is waited out at most, in seconds.
    static let longestWait: UInt64 = 30

    /// What the controller has.
    struct Means: Equatable {
        var isExtended = false
        var hasRandomAddress = false
        var maximumCentrals = 1
    }

    enum Command: Equatable {
        case removeSet
        case configure(AdvertisingParameters)
        case setAddress
        case setData(HCI.AdvertisingDataOperation, [UInt8])
        case setResponse([UInt8])
        case enable
        case disable
    }

    enum Step: Equatable {
        /// The set may not be there; nobody minds.
        case remove
        case prepare
        case enable
        case disable
    }

    enum Output: Equatable {
        case command(Command, Step, run: UInt32)
        /// It is on the air, or will be as soon as there is room.
        case started
        /// It is not on the air.
        case failed(HCI.Status)
    }

    /// What the application knows of what it wants.
    enum Announced: Equatable { case nothing, started, failed }

    struct Target: Equatable {
        let number: UInt32
        let parameters: AdvertisingParameters
        var announced = Announced.nothing
    }

    /// What the controller was told; each with the number of the target it was for.
    enum State: Equatable {
        /// Off the air, and nothing is outstanding.
        case idle(loaded: UInt32?)
        case setting(target: UInt32, unanswered: Int, refusal: HCI.Status?)
        case enabling(target: UInt32, failures: UInt64)
        case on(target: UInt32)
        case disabling(target: UInt32)
        /// Off the air against the application's will; tried again then.
        case failing(target: UInt32, failures: UInt64, status: HCI.Status, retry: HostInstant)
    }

    let means: Means
    private(set) var state = State.idle(loaded: nil)
    private(set) var target: Target?
    private var lastTarget: UInt32 = 0
    private(set) var lastRun: UInt32 = 0
    private var centrals = 0
    /// Whether the next link may be of a run that was switched off: its event can cross the commands.
    private var mayHaveCrossed = false
    /// Whether it has to be off the air for a moment.
    private var isHeld = false
    private var outputs = FIFO<Output>()

    init(_ means: Means = Means()) { self.means = means }

    mutating func nextOutput() -> Output? { outputs.popFirst() }

    var nextDeadline: HostInstant? {
        guard case .failing(_, _, _, let retry) = state else { return nil }
        return retry
    }

    /// Whether nothing is wanted, on the air or outstanding.
    var isQuiet: Bool {
        guard case .idle = state else { return false }
        return target == nil
    }

    /// Whether nothing is on the air or outstanding.
    var isOffAir: Bool {
        if case .idle = state { return true }
        return false
    }

    /// Goes off the air for a moment, in which the address changes.
    mutating func hold(at now: HostInstant) {
        isHeld = true
        reconcile(at: now)
    }

    /// Goes on; a set, which has an address of its own, is made anew.
    mutating func release(at now: HostInstant) {
        isHeld = false
        if means.isExtended, let target {
            lastTarget &+= 1
            self.target = Target(
                number: lastTarget, parameters: target.parameters, announced: target.announced)
        }
        reconcile(at: now)
    }

    mutating func start(_ parameters: AdvertisingParameters, at now: HostInstant) {
        lastTarget &+= 1
        target = Target(number: lastTarget, parameters: parameters)
        reconcile(at: now)
    }

    mutating func stop(at now: HostInstant) {
        target = nil
        reconcile(at: now)
    }

    /// A central has connected, which has ended advertising.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.9 (of the race with switching it off).
    mutating func centralConnected(at now: HostInstant) {
        centrals += 1
        let isOfThisRun = !mayHaveCrossed
        mayHaveCrossed = false
        switch state {
        case .on(let number) where isOfThisRun: state = .idle(loaded: number)
        // It may still be on the air: ask again, or make it certain that it is not.
        case .on(let number) where hasRoom: enable(number, 0)
        case .on(let number): disable(number)
        // The controller may have begun and ended before it answers: ask again.
        case .enabling(let number, let failures) where hasRoom: enable(number, failures)
        case .idle, .setting, .enabling, .disabling, .failing: break
        }
        reconcile(at: now)
    }

    mutating func centralDisconnected(at now: HostInstant) {
        centrals -= 1
        // The link may have been what stood against it.
        if case .failing(let number, let failures, _, _) = state, target?.number == number {
            enable(number, failures)
        }
        reconcile(at: now)
    }

    /// The controller has ended the set by itself.
    mutating func setTerminated(_ status: HCI.Status, at now: HostInstant) {
        guard case .on(let number) = state else { return }
        fail(number, failures: 0, status, at: now)
        announceFailure(status)
        reconcile(at: now)
    }

    mutating func deadlineReached(at now: HostInstant) {
        guard case .failing(let number, let failures, _, let retry) = state, retry <= now else { return }
        enable(number, failures)
    }

    /// Takes the answer to a command.
    mutating func completed(_ step: Step, run: UInt32, _ status: HCI.Status, at now: HostInstant) {
        guard run == lastRun else { return }
        switch (step, state) {
        case (.prepare, .setting(let number, let unanswered, let refusal)):
            prepared(number, unanswered - 1, refusal ?? (status == .success ? nil : status))
        case (.enable, .enabling(let number, let failures)):
            if status == .success {
                state = .on(target: number)
                if target?.number == number { announceStart() }
            } else {
                refused(number, failures, status, at: now)
            }
        // Switching off what is off already is no failure.
        case (.disable, .disabling(let number)): state = .idle(loaded: number)
        default: return
        }
        reconcile(at: now)
    }

    private var hasRoom: Bool { centrals < means.maximumCentrals }

    /// Sees to what is wanted, unless something is outstanding.
    private mutating func reconcile(at now: HostInstant) {
        switch state {
        case .setting, .enabling, .disabling: return
        case .on(let number):
            guard target?.number != number || isHeld else { return }
            mayHaveCrossed = true
            disable(number)
        case .failing(let number, _, _, _):
            guard target?.number != number || isHeld else { return }
            state = .idle(loaded: number)
            reconcile(at: now)
        case .idle(let loaded):
            guard let target, !isHeld else { return }
            if loaded != target.number {
                prepare(target)
            } else if hasRoom {
                enable(target.number, 0)
            } else {
                // It is switched on when a central leaves.
                announceStart()
            }
        }
    }

    private mutating func send(_ command: Command, _ step: Step) {
        lastRun &+= 1
        outputs.append(.command(command, step, run: lastRun))
    }

    private mutating func enable(_ number: UInt32, _ failures: UInt64) {
        state = .enabling(target: number, failures: failures)
        send(.enable, .enable)
    }

    private mutating func disable(_ number: UInt32) {
        state = .disabling(target: number)
        send(.disable, .disable)
    }

    private mutating func prepare(_ target: Target) {
        lastRun &+= 1
        let commands = AdvertisingPreparation.commands(for: target.parameters, means)
        // A controller refuses parameters that its old data do not fit.
        if means.isExtended, target.number > 1 {
            outputs.append(.command(.removeSet, .remove, run: lastRun))
        }
        for command in commands { outputs.append(.command(command, .prepare, run: lastRun)) }
        state = .setting(target: target.number, unanswered: commands.count, refusal: nil)
    }

    private mutating func prepared(_ number: UInt32, _ unanswered: Int, _ refusal: HCI.Status?) {
        guard unanswered == 0 else {
            state = .setting(target: number, unanswered: unanswered, refusal: refusal)
            return
        }
        guard let refusal else {
            state = .idle(loaded: number)
            return
        }
        state = .idle(loaded: nil)
        giveUp(number, refusal)
    }

    private mutating func refused(
        _ number: UInt32, _ failures: UInt64, _ status: HCI.Status, at now: HostInstant
    ) {
        guard let target, target.number == number else {
            state = .idle(loaded: number)
            return
        }
        if centrals > 0 {
            // Many controllers cannot advertise beside a link; it goes on when the link is gone.
            fail(number, failures: failures, status, at: now)
            if target.announced == .nothing { announceStart() }
        } else if target.announced == .nothing {
            state = .idle(loaded: number)
            giveUp(number, status)
        } else {
            fail(number, failures: failures, status, at: now)
            announceFailure(status)
        }
    }

    private mutating func fail(
        _ number: UInt32, failures: UInt64, _ status: HCI.Status, at now: HostInstant
    ) {
        let wait = min(Self.longestWait, 1 << min(failures, 5))
        state = .failing(
            target: number, failures: failures + 1, status: status, retry: now.advanced(bySeconds: wait))
    }

    /// What has never been on the air is not wanted any more once it was refused.
    private mutating func giveUp(_ number: UInt32, _ status: HCI.Status) {
        guard target?.number == number else { return }
        target = nil
        outputs.append(.failed(status))
    }

    private mutating func announceStart() {
        guard let announced = target?.announced, announced != .started else { return }
        target?.announced = .started
        outputs.append(.started)
    }

    private mutating func announceFailure(_ status: HCI.Status) {
        guard let announced = target?.announced, announced != .failed else { return }
        target?.announced = .failed
        outputs.append(.failed(status))
    }
}

/// What comes before advertising is switched on.
enum AdvertisingPreparation {
    static func commands(
        for parameters: AdvertisingParameters, _ means: Advertiser.Means
    ) -> [Advertiser.Command] {
        guard means.isExtended else {
            return [
                .configure(parameters), .setData(.complete, parameters.data),
                .setResponse(parameters.scanResponse),
            ]
        }
        var commands = [Advertiser.Command.configure(parameters)]
        if means.hasRandomAddress { commands.append(.setAddress) }
        let isLegacy = parameters.fitsLegacy
        commands += parts(isLegacy ? parameters.data : parameters.data + parameters.scanResponse)
        if isLegacy, !parameters.scanResponse.isEmpty {
            commands.append(.setResponse(parameters.scanResponse))
        }
        return commands
    }

    /// A set's data in parts, each as long as one command can carry.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.54.
    private static func parts(_ data: [UInt8]) -> [Advertiser.Command] {
        let limit = HCI.extendedAdvertisingFragmentLimit
        guard data.count > limit else { return data.isEmpty ? [] : [.setData(.complete, data)] }
        return stride(from: 0, to: data.count, by: limit).map { start in
            let end = min(start + limit, data.count)
            return .setData(
                start == 0 ? .first : end == data.count ? .last : .intermediate, Array(data[start..<end]))
        }
    }
}
