// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

/// What the screen of a bulb shows: what was asked of it beside what it says, and what it can be asked for.
@MainActor @Observable public final class BulbModel {
    /// The bulb and its link.
    @ObservationIgnored public let bulb: HeldDevice<ConnectedBulb>

    @ObservationIgnored private let choice: Choice

    /// What a person has chosen, for each time that the link is opened.
    @MainActor @Observable fileprivate final class Choice {
        var dialect: BulbDialect?
    }

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The bulb's number.
    public init(_ app: AppModel, bulb id: HubDevice.ID) {
        let choice = Choice()
        self.choice = choice
        bulb = HeldDevice { body in
            try await app.hub.withBulb(id, speaking: choice.dialect) { try await body($0) }
        }
    }

    /// What a person has chosen that it speaks; `nil` for what it shows.
    public var dialect: BulbDialect? { choice.dialect }

    /// How the bulb is; `nil` before it is connected.
    public var state: HubBulb? { bulb.state }

    /// Gives the bulb a command.
    public func perform(_ command: BulbCommand) async {
        await bulb.ask { bulb throws(HubError) in try await bulb.perform(command) }
    }

    /// Lets the bulb go through all hues, or no more.
    public func setCycles(_ isOn: Bool) async {
        await bulb.ask { bulb throws(HubError) in
            if isOn { try await bulb.startCycle(turn: .seconds(10)) } else { try await bulb.stopCycle() }
        }
    }

    /// Chooses what the bulb speaks, and connects to it anew.
    public func choose(_ dialect: BulbDialect) {
        choice.dialect = dialect
        bulb.tryAgain()
    }
}
