// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// What the screen of a nightlight shows: what shines and why, tonight, the week, the button and the clock.
@MainActor @Observable public final class LampModel {
    /// The lamp and its link.
    @ObservationIgnored public let lamp: HeldDevice<ConnectedLamp>
    /// The week as it is being changed; `nil` while it is what the lamp has.
    public var draft: WeekSchedule?

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The lamp's number.
    public init(_ app: AppModel, lamp id: HubDevice.ID) {
        lamp = HeldDevice { body in try await app.hub.withLamp(id) { try await body($0) } }
    }

    /// How the lamp is; `nil` before it was read.
    public var dashboard: LampDashboard? { lamp.state }

    /// What the lamp has.
    public var values: NightlightValues? { dashboard?.state?.values }

    /// The week that is shown: the one that is being changed, else the lamp's.
    public var week: WeekSchedule? { draft ?? values?.week }

    /// What of the week that is being changed contradicts itself, so that it cannot be sent.
    public var conflicts: [LampConflict] { draft?.faults.map { NightlightText.conflict($0) } ?? [] }

    /// Gives the lamp the name of its child; empty takes it away.
    public func name(_ name: String) async {
        var wanted = LampChange()
        wanted.name = name
        await change(wanted)
    }

    /// Changes the lamp.
    ///
    /// - Returns: Whether the lamp has taken it.
    @discardableResult
    public func change(_ change: LampChange) async -> Bool {
        await lamp.ask { lamp throws(HubError) in try await lamp.change(change) }
    }

    /// Sends the week that is being changed; it stays as it is where the lamp has not taken it.
    public func sendWeek() async {
        guard let draft, conflicts.isEmpty else { return }
        var wanted = LampChange()
        wanted.week = draft
        if await change(wanted) { self.draft = nil }
    }

    /// Shows a colour on the lamp itself, which ends by itself.
    public func tryOut(_ color: RGBColor) async {
        await lamp.ask { lamp throws(HubError) in try await lamp.tryOut(color) }
    }

    /// Ends the colour that is tried out.
    public func endTrial() async { await lamp.ask { lamp throws(HubError) in try await lamp.endTrial() } }

    /// Sets the lamp's clock by the phone's.
    public func setClock() async { await lamp.ask { lamp throws(HubError) in try await lamp.setClock() } }
}
