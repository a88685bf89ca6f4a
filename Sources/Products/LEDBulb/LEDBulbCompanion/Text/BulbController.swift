// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
package import LEDBulb

/// A bulb that pages have in hand: what they have asked of it and its link has not taken yet, of each kind the newest.
package struct BulbController: Sendable {
    /// What the link is asked for.
    package enum Request: Hashable, Sendable {
        /// To carry out a command.
        case perform(BulbCommand)
        /// To go through all hues; how long a turn takes, in milliseconds.
        case startCycle(turn: UInt64)
        /// To stay at a hue.
        case stopCycle
    }

    /// What it speaks, if somebody has chosen that.
    package let chosen: BulbDialect?
    /// How it is.
    package var bulb: HubBulb
    private var power: BulbCommand?
    private var light: BulbCommand?
    private var wantsState = false
    private var cycle: Request?
    /// Whether a light was asked for, so that a bulb that is off has to be switched on.
    private var isToShine = false

    /// Makes a bulb that is not connected yet.
    ///
    /// - Parameters:
    ///   - job: The job whose link it uses.
    ///   - dialect: What it speaks, if somebody has chosen that.
    package init(_ job: DeviceJob, speaking dialect: BulbDialect?) {
        chosen = dialect
        bulb = HubBulb(job, isDialectChosen: dialect != nil)
    }

    /// Whether something is on its way to the bulb; a turn through the hues ends with its page.
    package var isUnderWay: Bool { bulb.isBusy && bulb.turn == nil }

    // MARK: What pages ask for

    /// Asks for a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - now: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func perform(_ command: BulbCommand, at now: Timestamp) throws(HubError) {
        let dialect = try dialect()
        guard dialect.encode(command) != nil else {
            throw .badValue(BulbText.pageSentence(BulbCommandError.notInDialect(dialect)))
        }
        switch command {
        case .requestState: wantsState = true
        case .power(let isOn):
            power = command
            isToShine = false
            if !isOn, bulb.turn != nil { endCycle(at: now) }
        case .color, .white, .brightness, .effect:
            light = command
            isToShine = true
            (bulb.turn, bulb.hue, cycle) = (nil, nil, nil)
        }
        if command != .requestState { ask(command, at: now) }
    }

    /// Lets the bulb go through all hues until something else is asked of it, or the page is gone.
    ///
    /// - Parameter turn: How long a turn takes, in milliseconds.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func startCycle(turn: Int) throws(HubError) {
        _ = try dialect()
        light = nil
        cycle = .startCycle(turn: UInt64(max(1, turn)))
        isToShine = false
        (bulb.turn, bulb.asked, bulb.trouble) = (turn, nil, nil)
        if bulb.said?.isOn == false { lightUp() }
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Parameter now: The moment.
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func stopCycle(at now: Timestamp) throws(HubError) {
        _ = try dialect()
        endCycle(at: now)
    }

    private mutating func endCycle(at now: Timestamp) {
        cycle = .stopCycle
        // Written once more: what a page is told last may not be what was written last.
        if let hue = bulb.hue {
            light = .color(hue)
            ask(.color(hue), at: now)
        }
        (bulb.turn, bulb.hue) = (nil, nil)
    }

    private mutating func ask(_ command: BulbCommand, at now: Timestamp) {
        var asked = bulb.asked ?? bulb.said ?? BulbState()
        asked.apply(command)
        // A light that is asked for is to be seen.
        if isToShine { asked.isOn = true }
        (bulb.asked, bulb.askedTime, bulb.isBusy, bulb.trouble) = (asked, now, true, nil)
    }

    private mutating func lightUp() {
        isToShine = false
        power = .power(true)
        bulb.isBusy = true
    }

    private func dialect() throws(HubError) -> BulbDialect {
        guard let dialect = bulb.dialect, bulb.job.phase == .open else {
            throw .notNow("The bulb is not connected. Wait a moment, or connect to it again.")
        }
        return dialect
    }

    // MARK: The link

    /// Handles that the job has come further.
    package mutating func show(_ job: DeviceJob) {
        bulb.job = job
        if job.phase == .ended { (bulb.isBusy, bulb.turn, bulb.hue) = (false, nil, nil) }
    }

    /// Handles that the bulb is there and its dialect is known.
    package mutating func begin(_ dialect: BulbDialect, reportsState: Bool) {
        (bulb.dialect, bulb.reportsState) = (dialect, reportsState)
        bulb.dialectReason = BulbText.reason(dialect, isChosen: chosen != nil)
    }

    /// Handles that the device cannot be used as a bulb.
    package mutating func note(_ misfit: BulbIncompatibility) {
        bulb.fitting =
            switch misfit {
            case .notABulb: []
            case .ambiguous(let dialects), .lacks(_, let dialects): dialects
            }
    }

    /// What to ask of the link next.
    ///
    /// - Returns: The request; `nil` when there is none.
    package mutating func nextRequest() -> Request? {
        if let request = cycle {
            cycle = nil
            return request
        }
        if let command = power {
            power = nil
            return .perform(command)
        }
        if let command = light {
            light = nil
            return .perform(command)
        }
        guard wantsState else { return nil }
        wantsState = false
        return .perform(.requestState)
    }

    /// Learns from what the link reports.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: The moment.
    /// - Returns: Whether pages are to be told.
    package mutating func receive(_ event: LEDBulbEvent, at now: Timestamp) -> Bool {
        switch event {
        case .written(_, let octets): bulb.octets = octets
        case .settled:
            bulb.isBusy = power != nil || light != nil
            if !bulb.isBusy { isToShine = false }
        case .stateReported(let state):
            (bulb.said, bulb.saidTime) = (state, now)
            if !state.isOn, isToShine, light == nil { lightUp() }
        case .refused(_, let refusal):
            bulb.trouble = BulbText.pageSentence(refusal)
            (bulb.isBusy, bulb.turn, bulb.hue) = (false, nil, nil)
        case .stateFailed(let failure):
            bulb.trouble = BulbText.pageSentence(failure)
            bulb.isBusy = false
        case .shown(let color): if bulb.turn != nil { bulb.hue = color }
        case .cycleEnded: (bulb.turn, bulb.hue) = (nil, nil)
        case .state, .unfit, .ready, .configurationMissing, .named, .unknown: return false
        }
        return true
    }
}
