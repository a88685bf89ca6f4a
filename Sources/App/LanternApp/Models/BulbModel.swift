// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import CompanionHub
public import Observation

/// What the screen of a bulb shows: what was asked of it beside what it says, and what it can be asked for.
@MainActor @Observable public final class BulbModel {
    /// The bulb and its link.
    @ObservationIgnored public let bulb: HeldDevice<ConnectedBulb>

    @ObservationIgnored private let app: AppModel
    @ObservationIgnored private let id: HubDevice.ID
    @ObservationIgnored private var next: BulbCommand?
    @ObservationIgnored private var isSending = false
    private var mixed: ColorChoice?

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The bulb's number.
    public init(_ app: AppModel, bulb id: HubDevice.ID) {
        (self.app, self.id) = (app, id)
        bulb = HeldDevice(job: \.job, revision: \.revision) { body in
            try await app.hub.withBulb(id) { try await body($0) }
        }
    }

    /// What a person has chosen that it speaks; `nil` for what it shows.
    public var dialect: BulbDialect? {
        device.flatMap { app.settings.bulbs.dialect(of: $0.peer.plain) }
    }

    private var device: HubDevice? { app.devices.first { $0.id == id } }

    /// How the bulb is; `nil` before it is connected.
    public var state: HubBulb? { bulb.state }

    /// What it does, as far as anybody knows: what was asked counts until it says otherwise.
    public var light: BulbState? {
        guard let state else { return nil }
        guard let said = state.said else { return state.asked }
        return state.asked == nil || state.agrees == false && !state.isBusy ? said : state.asked
    }

    /// The colour as it is mixed; who sets it has the bulb shine so.
    public var choice: ColorChoice {
        get {
            if let mixed { return mixed }
            guard let light, case .color(let color) = light.light else { return ColorChoice(.white) }
            return ColorChoice(color)
        }
        set {
            mixed = newValue
            send(.color(newValue.color))
        }
    }

    /// Has the bulb do something; of what comes quickly the last counts.
    public func send(_ command: BulbCommand) {
        next = command
        guard !isSending else { return }
        isSending = true
        Task {
            while let command = next {
                next = nil
                await perform(command)
            }
            isSending = false
        }
    }

    /// Gives the bulb a command.
    public func perform(_ command: BulbCommand) async {
        if case .color(let color) = command, mixed?.color != color { mixed = ColorChoice(color) }
        await bulb.ask { bulb throws(HubError) in self.bulb.take(try await bulb.perform(command)) }
    }

    /// Lets the bulb go through all hues, or no more.
    public func setCycles(_ isOn: Bool) async {
        await bulb.ask { bulb throws(HubError) in
            if isOn { try await bulb.startCycle(turn: .seconds(10)) } else { try await bulb.stopCycle() }
        }
    }

    /// Chooses what the bulb speaks, for now and later, and connects to it anew; `nil` for what it shows.
    public func choose(_ dialect: BulbDialect?) async {
        guard let address = device?.peer.plain else { return }
        do throws(HubError) {
            app.take(
                try await app.hub.changeSettings { settings in
                    settings.bulbs.dialects.removeAll { $0.address == address }
                    guard let dialect else { return }
                    settings.bulbs.dialects.append(.init(address: address, dialect: dialect))
                })
            bulb.tryAgain()
        } catch {
            bulb.trouble = error.description
        }
    }

    // MARK: Favourites

    /// Colours that are kept at hand.
    public var favourites: [RGBColor] { app.settings.bulbs.favourites }

    /// Keeps the colour that is mixed at hand, or no more.
    public func setFavourite(_ color: RGBColor, _ isOn: Bool) async {
        do throws(HubError) {
            app.take(
                try await app.hub.changeSettings { settings in
                    settings.bulbs.favourites.removeAll { $0 == color }
                    if isOn { settings.bulbs.favourites.append(color) }
                })
        } catch {
            bulb.trouble = error.description
        }
    }
}
