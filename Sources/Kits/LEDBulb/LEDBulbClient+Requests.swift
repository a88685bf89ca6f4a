// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension LEDBulbClient {
    /// Begins the next request, when none is under way.
    mutating func advance(at now: HostInstant) {
        while bulb?.isFree == true {
            if let command = takeWaiting() {
                write(command)
            } else if !stepCycle(at: now) {
                return settle(at: now)
            }
        }
    }

    private mutating func takeWaiting() -> BulbCommand? {
        // Switched off first and coloured then, or the other way round: the bulb ends up the same.
        if let command = waitingPower {
            waitingPower = nil
            return command
        }
        defer { waitingLight = nil }
        return waitingLight
    }

    private mutating func write(_ command: BulbCommand) {
        guard let bulb else { return }
        guard let octets = bulb.dialect.encode(command) else {
            outputs.append(.event(.refused(command, .notInDialect(bulb.dialect))))
            return
        }
        request(.write(command), writing(octets, bulb), octets)
    }

    private func writing(_ octets: [UInt8], _ bulb: Bulb) -> ClientRequest {
        bulb.isAnswered
            ? .write(bulb.control.valueHandle, octets)
            : .writeWithoutResponse(bulb.control.valueHandle, octets)
    }

    /// Takes the cycle a step further.
    ///
    /// - Returns: Whether something has changed; when not, there is nothing to do for the cycle now.
    private mutating func stepCycle(at now: HostInstant) -> Bool {
        guard var running = cycle, let bulb else { return false }
        let step = running.step(at: now)
        cycle = running
        switch step {
        case .wait: return false
        case .show(let color):
            guard let octets = bulb.dialect.encode(.color(color)) else { return false }
            request(.cycle(color), writing(octets, bulb))
        case .end(let turns):
            cycle = nil
            outputs.append(.event(.cycleEnded(turns: turns)))
        }
        return true
    }

    /// Finds out whether what was written has arrived, and the state.
    private mutating func settle(at now: HostInstant) {
        guard let bulb, bulb.asking == nil else { return }
        let isUnsettled = bulb.isUnsettled && cycle == nil
        guard wantsState || isUnsettled else { return }
        if bulb.tellsState {
            ask(try: 1, at: now)
            return
        }
        if wantsState {
            stateFailed(
                bulb.dialect.tellsState
                    ? .noNotifications(bulb.dialect) : .notInDialect(bulb.dialect))
        }
        guard isUnsettled else { return }
        if !bulb.isAnswered, let action = readNameAction() {
            request(.settle, action)
        } else {
            settled()
        }
    }

    mutating func ask(try number: Int, at now: HostInstant) {
        guard let bulb, let octets = bulb.dialect.encode(.requestState) else { return }
        // Before the request is completed: the answer may be there first.
        self.bulb?.asking = (number, now.advanced(bySeconds: Self.answerTime))
        request(.ask, writing(octets, bulb))
    }

    mutating func stateFailed(_ failure: BulbStateFailure) {
        wantsState = false
        bulb?.asking = nil
        outputs.append(.event(.stateFailed(failure)))
        if bulb?.tellsState == true { settled() }
    }

    private mutating func settled() {
        guard bulb?.isUnsettled == true, cycle == nil else { return }
        bulb?.isUnsettled = false
        outputs.append(.event(.settled))
    }

    /// Takes in what the bulb has notified.
    mutating func reported(_ value: [UInt8], at now: HostInstant) {
        guard let dialect = bulb?.dialect else { return }
        guard let state = dialect.decodeState(value) else {
            outputs.append(.event(.unknown(value)))
            return
        }
        outputs.append(.event(.told(state)))
        guard bulb?.asking != nil else { return }
        bulb?.asking = nil
        wantsState = false
        settled()
        advance(at: now)
    }

    // MARK: Requests

    mutating func request(_ request: Request, _ action: ClientRequest, _ octets: [UInt8] = []) {
        nextRequest &+= 1
        bulb?.pending = Pending(id: nextRequest, request: request, octets: octets)
        outputs.append(.action(.request(id: nextRequest, action)))
    }

    mutating func completed(
        _ id: UInt32, _ result: Result<[UInt8], RequestFailure>, at now: HostInstant
    ) {
        guard bulb?.pending?.id == id else { return }
        var failure: RequestFailure?
        if case .failure(let reason) = result { failure = reason }
        // The loss of the link follows at once, and says what becomes of it.
        guard failure != .disconnected else { return }
        guard let current = bulb?.takePending() else { return }
        switch current.request {
        case .subscribe:
            // A bulb that does not let itself be subscribed to can be told things all the same.
            if failure != nil { bulb?.reports = nil }
            readName(at: now)
            return
        case .readName:
            if case .success(let octets) = result { bulb?.name = WireText(octets) }
            begin(at: now)
            return
        case .write(let command):
            if let failure {
                outputs.append(.event(.refused(command, .writeFailed(failure))))
            } else {
                wrote()
                outputs.append(.event(.written(command, current.octets)))
            }
        case .cycle(let color):
            if let failure {
                cycle = nil
                outputs.append(.event(.refused(.color(color), .writeFailed(failure))))
            } else {
                wrote()
                outputs.append(.event(.shown(color)))
            }
        case .ask: if let failure { stateFailed(.failed(failure)) }
        // Whatever the answer is, the writes before it have arrived.
        case .settle: settled()
        }
        advance(at: now)
    }

    /// An answer that is still awaited may be older than what was just written.
    private mutating func wrote() {
        bulb?.isUnsettled = true
        bulb?.asking = nil
    }
}
