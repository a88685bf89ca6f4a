// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension LEDBulbClient {
    /// Begins the next request, when none is under way.
    ///
    /// - Returns: Whether there is one.
    mutating func requestNext(at now: HostInstant) -> Bool {
        guard isFree, let bulb else { return false }
        if let command = nextWaiting() {
            write(command, bulb)
            return true
        }
        if stepCycle(bulb, at: now) { return true }
        if settle(bulb, at: now) { return true }
        return askName(bulb, at: now)
    }

    private mutating func nextWaiting() -> BulbCommand? {
        // Switched off first and coloured then, or the other way round: the bulb ends up the same.
        if let command = waitingPower {
            waitingPower = nil
            return command
        }
        if let command = waitingLight {
            waitingLight = nil
            return command
        }
        // After the colour, which would be as bright as it says.
        defer { waitingBrightness = nil }
        return waitingBrightness
    }

    private mutating func write(_ command: BulbCommand, _ bulb: Bulb) {
        guard let octets = bulb.dialect.encode(command) else {
            core.report(.refused(command, .notInDialect(bulb.dialect)))
            return
        }
        core.request(.write(command, octets), writing(octets, bulb))
    }

    private func writing(_ octets: [UInt8], _ bulb: Bulb) -> ClientRequest {
        bulb.isAnswered
            ? .write(bulb.control.valueHandle, octets)
            : .writeWithoutResponse(bulb.control.valueHandle, octets)
    }

    /// Sends the next step of the cycle.
    ///
    /// - Returns: Whether something has changed; when not, there is nothing to do for the cycle now.
    private mutating func stepCycle(_ bulb: Bulb, at now: HostInstant) -> Bool {
        guard var running = cycle else { return false }
        let step = running.step(at: now)
        cycle = running
        switch step {
        case .wait: return false
        case .show(let color):
            guard let octets = bulb.dialect.encode(.color(color)) else { return false }
            core.request(.cycle(color), writing(octets, bulb))
        case .end(let turns):
            cycle = nil
            core.report(.cycleEnded(turns: turns))
        }
        return true
    }

    /// Finds out whether what was written has arrived, and the state.
    ///
    /// - Returns: Whether something has changed.
    private mutating func settle(_ bulb: Bulb, at now: HostInstant) -> Bool {
        guard bulb.asking == nil else { return false }
        let isUnsettled = bulb.isUnsettled && cycle == nil
        guard wantsState || isUnsettled else { return false }
        if bulb.reportsState {
            ask(try: 1, at: now)
            return true
        }
        if wantsState {
            stateFailed(
                bulb.dialect.reportsState
                    ? .noNotifications(bulb.dialect) : .notInDialect(bulb.dialect))
        } else if bulb.isAnswered || !asksName {
            settled()
        } else {
            // Whatever the answer is, the writes before it have arrived.
            readName(at: now)
        }
        return true
    }

    /// Asks for the name when somebody wants it.
    ///
    /// - Returns: Whether something has changed.
    private mutating func askName(_ bulb: Bulb, at now: HostInstant) -> Bool {
        guard wantsName, bulb.asking == nil, !bulb.isNaming else { return false }
        if asksName {
            readName(at: now)
        } else {
            wantsName = false
            core.report(.named(nil))
        }
        return true
    }

    private mutating func readName(at now: HostInstant) {
        bulb?.isNaming = true
        bulb?.namedUntil = now.advanced(bySeconds: Self.answerSeconds)
        core.readName()
    }

    /// Handles that the name has come, or that its time is over.
    mutating func named() {
        guard bulb?.namedUntil != nil else { return }
        bulb?.namedUntil = nil
        wantsName = false
        core.report(.named(core.name))
        settled()
    }

    mutating func ask(try number: Int, at now: HostInstant) {
        guard var bulb, let octets = bulb.dialect.encode(.requestState) else { return }
        // Before the request is completed: the answer may be there first.
        bulb.asking = (number, now.advanced(bySeconds: Self.answerSeconds))
        if number == 1 { bulb.notUnderstood = [] }
        bulb.notUnderstoodBefore = bulb.notUnderstood.count
        self.bulb = bulb
        core.request(.ask, writing(octets, bulb))
    }

    mutating func stateFailed(_ failure: BulbStateError) {
        wantsState = false
        bulb?.asking = nil
        core.report(.stateFailed(failure))
        if bulb?.reportsState == true { settled() }
    }

    mutating func settled() {
        guard bulb?.isUnsettled == true, cycle == nil else { return }
        bulb?.unsettledPower = nil
        bulb?.unsettledLight = nil
        bulb?.unsettledBrightness = nil
        core.report(.settled)
    }

    private static func joined(_ pieces: ArraySlice<[UInt8]>, _ last: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = []
        for piece in pieces { octets += piece }
        return octets + last
    }

    /// Handles what the bulb has notified.
    mutating func reported(_ value: [UInt8]) {
        guard let dialect = bulb?.dialect else { return }
        // Some say their state in pieces, and some of those after they were asked again.
        let pieces = bulb?.notUnderstood ?? []
        let before = bulb?.notUnderstoodBefore ?? 0
        let (answer, all) = (Self.joined(pieces.dropFirst(before), value), Self.joined(pieces[...], value))
        guard
            let state = dialect.decodeState(value) ?? dialect.decodeState(answer) ?? dialect.decodeState(all)
        else {
            if bulb?.asking != nil, !value.isEmpty, all.count <= Self.longestAnswer {
                bulb?.notUnderstood.append(value)
            }
            core.report(.unknown(value))
            return
        }
        bulb?.notUnderstood = []
        core.report(.stateReported(state))
        guard bulb?.asking != nil else { return }
        bulb?.asking = nil
        wantsState = false
        settled()
    }

    // MARK: Requests

    mutating func completed(
        _ request: Request, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant
    ) {
        var failure: GATTRequestError?
        if case .failure(let reason) = result { failure = reason }
        switch request {
        case .subscribe:
            // A bulb that does not let itself be subscribed to can be told things all the same.
            if failure != nil { bulb?.reports = nil }
            begin(at: now)
        case .write(let command, let octets):
            if let failure {
                core.report(.refused(command, .writeFailed(failure)))
            } else {
                wrote(command)
                core.report(.written(command, octets))
            }
        case .cycle(let color):
            if let failure {
                cycle = nil
                core.report(.refused(.color(color), .writeFailed(failure)))
            } else {
                wrote(.color(color))
                core.report(.shown(color))
            }
        case .ask: if let failure { stateFailed(.failed(failure)) }
        }
    }

    /// An answer that is still awaited may be older than what was just written.
    private mutating func wrote(_ command: BulbCommand) {
        switch command {
        case .power: bulb?.unsettledPower = command
        case .brightness: bulb?.unsettledBrightness = command
        default: bulb?.unsettledLight = command
        }
        bulb?.asking = nil
    }
}
