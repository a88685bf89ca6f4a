// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
package import Nightlight

/// A lamp that pages look at: what is known of it, in the words of a page.
package struct LampController: Sendable {
    /// A lamp follows its schedules again when nothing was written for so long, in milliseconds.
    private static let proofLength: Int64 = 60_000
    /// Requests that may wait for the link to take them.
    private static let requestLimit = 16

    /// How it is.
    package var dashboard: LampDashboard
    private var plan: LightPlan?
    /// What others than the clock and the light were.
    private var lastValues: [[UInt8]?] = []

    /// Makes a desk for a lamp that is not connected yet.
    ///
    /// - Parameter job: The job whose link it uses.
    package init(_ job: DeviceJob) { dashboard = LampDashboard(job) }

    /// The settings that make a lamp what somebody wants.
    ///
    /// - Parameters:
    ///   - change: What is to be others.
    ///   - changes: What ``LampDashboard/changes`` was when the person looked; `nil` for whatever it is.
    /// - Returns: The settings, in the order in which they are written.
    /// - Throws: ``HubError`` when somebody was faster, or there is nothing to change.
    package func settings(
        of change: LampChange, ifChanges changes: Int?
    ) throws(HubError) -> [NightlightSetting] {
        if let changes, changes != dashboard.changes {
            throw .notNow(
                "Somebody else has changed this lamp meanwhile. Look at what it has now, then decide.")
        }
        let settings = change.settings
        guard !settings.isEmpty else { throw .badValue("There is nothing to change.") }
        return settings
    }

    /// The LEDs that a lamp has of those that somebody names.
    ///
    /// - Parameter leds: Numbers, from 1.
    /// - Returns: Those that it has.
    /// - Throws: ``HubError`` when there is none.
    package static func known(_ leds: [Int]) throws(HubError) -> [Int] {
        let known = leds.filter { (1...NightlightLimit.leds).contains($0) }
        guard !known.isEmpty else { throw .badValue("Say which LEDs, from 1 to \(NightlightLimit.leds).") }
        return known
    }

    /// The settings that show a colour on LEDs: while they are linked the first one is all of them.
    package static func proof(of color: RGBColor, on leds: [Int], _ state: LampState) -> [NightlightSetting] {
        let needed = state.values.isLinked == true && leds.contains(1) ? [1] : leds
        return needed.map { .led($0, color) }
    }

    /// Takes a request that is going to wait for the lamp.
    ///
    /// - Parameters:
    ///   - link: What it is reached over, if there is a link.
    ///   - waiting: How many wait already.
    /// - Returns: The link.
    /// - Throws: ``HubError`` when there is none, or too many wait.
    package mutating func admit<Link>(_ link: Link?, waiting: Int) throws(HubError) -> Link {
        guard let link, dashboard.job.phase == .open else {
            throw .notNow("The lamp is not connected. Wait a moment, or start again.")
        }
        guard waiting < Self.requestLimit else {
            throw .notNow("The lamp has not done what it was asked for. Try again in a moment.")
        }
        dashboard.isWorking = true
        return link
    }

    /// Notes that a colour is shown, which ends by itself.
    package mutating func beginProof(at now: Timestamp) {
        dashboard.proofEnd = Timestamp(milliseconds: now.milliseconds + Self.proofLength)
    }

    /// Notes that the lamp has not taken something.
    ///
    /// - Parameter refusal: What, and why.
    package mutating func note(_ refusal: String) {
        dashboard.refusals += 1
        dashboard.refusal = refusal
    }

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - state: What was read.
    ///   - clockNote: What was done about the lamp's clock, where that is to be said.
    ///   - now: The moment.
    package mutating func take(_ state: LampState, clockNote: String? = nil, at now: Timestamp) {
        dashboard.read = now
        dashboard.state = state
        plan = state.plan ?? plan
        dashboard.night = plan.map { LampNight(state, $0) }
        let words = LampNowText(state, plan)
        dashboard.title = words.title
        dashboard.reason = words.reason
        if let clockNote { dashboard.clockNote = clockNote }
        if state.values.source?.source != .proof { dashboard.proofEnd = nil }
        let items: [NightlightItem] = [
            .childName, .week, .buttonOnTime, .buttonDailyUsage, .buttonDeactivation, .buttonShake,
            .buttonColor, .buttonEnabled,
        ]
        var values = items.map { state.values[$0] }
        // That its days count down is nobody's change.
        values.append(state.values.day.map { DaySchedule(daysLeft: 1, periods: $0.periods).encoded() })
        if !lastValues.isEmpty, values != lastValues { dashboard.changes += 1 }
        lastValues = values
    }
}

extension LampState {
    /// The same with other values, of which the clock is not newer.
    package func having(_ values: NightlightValues) -> LampState {
        LampState(peer, values, host: host, hostFraction: hostFraction)
    }
}
