// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import CompanionHub
public import Observation

/// What the screen of a nightlight shows: what shines and why, tonight, the week, the button and the clock.
@MainActor @Observable public final class LampModel {
    /// The lamp and its link.
    @ObservationIgnored public let lamp: HeldDevice<ConnectedLamp>
    /// The week as it is being changed; `nil` while it is what the lamp has.
    public internal(set) var draft: WeekSchedule?
    /// What the week was before each change, the newest last.
    public internal(set) var earlier: [WeekSchedule?] = []
    /// What the lamp has taken last, in a sentence.
    public internal(set) var done: String?

    /// The time of light whose beginning or end a person has moved on the band of the night.
    var moved: MovedPeriod?
    /// Weeks that are saved in the phone, for any lamp.
    public internal(set) var savedWeeks: [SavedWeek] = []

    @ObservationIgnored let app: AppModel
    @ObservationIgnored private var nextTrial: (color: RGBColor, leds: [Int])?
    @ObservationIgnored private var isShowing = false

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The lamp's number.
    public init(_ app: AppModel, lamp id: HubDevice.ID) {
        self.app = app
        lamp = HeldDevice(job: \.job, revision: \.revision) { body in
            try await app.hub.withLamp(id) { try await body($0) }
        }
    }

    /// How the lamp is; `nil` before it was read.
    public var dashboard: LampDashboard? { lamp.state }

    /// What the lamp has.
    public var values: NightlightValues? { dashboard?.state?.values }

    /// Gives the lamp the name of its child; empty takes it away.
    ///
    /// - Returns: Whether the lamp has taken it.
    @discardableResult
    public func name(_ name: String) async -> Bool {
        var wanted = LampChange()
        wanted.name = name
        return await change(wanted)
    }

    /// Changes the lamp.
    ///
    /// - Parameters:
    ///   - change: What is to be others.
    ///   - done: What to say when the lamp has taken it.
    /// - Returns: Whether the lamp has taken it.
    @discardableResult
    public func change(_ change: LampChange, done: String? = nil) async -> Bool {
        self.done = nil
        let isTaken = await lamp.ask { lamp throws(HubError) in
            self.lamp.take(try await lamp.change(change))
        }
        if isTaken { self.done = done }
        return isTaken
    }

    /// Changes the child's button.
    public func changeButton(_ body: (inout LampChange.Button) -> Void) async {
        var button = LampChange.Button()
        body(&button)
        await change(LampChange(button: button))
    }

    /// Gives the LEDs power, or takes it away.
    public func setPowered(_ isOn: Bool) async {
        var wanted = LampChange()
        wanted.isPowered = isOn
        await change(wanted)
    }

    /// Lets LEDs 2 to 4 follow LED 1, or no more.
    public func setLinked(_ isOn: Bool) async {
        var wanted = LampChange()
        wanted.isLinked = isOn
        await change(wanted)
    }

    // MARK: A colour on the lamp

    /// Whether a colour is shown on the lamp that is tried out.
    public var isTrying: Bool { lamp.isOpen && dashboard?.proofEnd != nil }

    /// Whether a colour that is chosen now is to be seen on the lamp, which may not have said yet that it shows one.
    public var followsChoice: Bool { isTrying || isShowing }

    /// Whether each LED can have a colour of its own.
    public var hasSingleLEDs: Bool { values?.isLinked == false }

    /// Shows a colour on the lamp itself, which ends by itself; of several that come quickly the last one counts.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - led: On which LED, from 1; `nil` for all.
    public func tryOut(_ color: RGBColor, on led: Int? = nil) async {
        nextTrial = (color, led.map { [$0] } ?? [1, 2, 3, 4])
        guard !isShowing else { return }
        isShowing = true
        defer { isShowing = false }
        while let trial = nextTrial {
            nextTrial = nil
            await lamp.ask { lamp throws(HubError) in try await lamp.tryOut(trial.color, on: trial.leds) }
        }
    }

    /// Ends the colour that is tried out.
    public func endTrial() async { await lamp.ask { lamp throws(HubError) in try await lamp.endTrial() } }

    // MARK: The clock

    /// Sets the lamp's clock by the phone's.
    public func setClock() async { await lamp.ask { lamp throws(HubError) in try await lamp.setClock() } }

    /// Whether a person has to say whether the clock is to be set: it is far off, or was never set.
    public var isClockAsked: Bool {
        guard let state = dashboard?.state else { return false }
        return state.action == .ask || state.clock == nil && state.action != .none
    }
}
