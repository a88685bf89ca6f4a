// SPDX-License-Identifier: Apache-2.0

import CompanionCore
public import CompanionHub
public import Observation

/// The app: its hub, which runs in the phone as it would in a house, and what all screens show of it.
///
/// Screens have models of their own, which ask the hub and follow what happens in it; none of them decides anything.
@MainActor @Observable public final class AppModel {
    /// The hub in this phone.
    @ObservationIgnored public let hub: Hub
    /// The devices that it hears or knows, in the order in which they were heard first.
    public private(set) var devices: [HubDevice] = []
    /// How the hub is: its radio, its place, what it stores; `nil` before it has said so.
    public private(set) var state: HubState?
    /// What people have set.
    public private(set) var settings = HubSettings() { didSet { applySettings() } }
    /// Where the phone is.
    @ObservationIgnored public let place: PhonePlace
    /// The drive that is recorded now.
    @ObservationIgnored public let drive = PhoneDrive()
    /// The notifications of the hub's alerts.
    @ObservationIgnored public let alerts: PhoneAlerts
    /// The number of the source that a person wants to see; a screen that has shown it sets `nil`.
    public var wantedSource: Int64?
    /// Whose the lamps are that were read, now or before: children's names.
    public private(set) var lampNames: [Peer: String] = [:]

    /// Makes the app.
    ///
    /// - Parameters:
    ///   - path: The file of its database, which is made where there is none.
    ///   - name: What the phone is called.
    ///   - source: Where its radio comes from.
    /// - Throws: ``StoreError`` when the database cannot be used.
    public init(
        database path: String, name: String, radio source: any HubRadioSource
    ) throws(StoreError) {
        let alerts = PhoneAlerts()
        var options = Hub.Options(name: name, captureFile: path + ".btsnoop")
        options.alerts = alerts
        let hub = Hub(
            options, store: try DetectionDatabase(path: path, createIfMissing: true), radio: source)
        (self.hub, self.alerts) = (hub, alerts)
        // What comes just when another source was chosen is refused, and nothing is lost by it.
        place = PhonePlace { fix in _ = try? hub.receive(fix) }
    }

    /// Works until the task is cancelled; then links are closed, and what has come is stored.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [hub] in await hub.run() }
            group.addTask { await self.place.run() }
            group.addTask { await self.alerts.run { [weak self] in await self?.take($0) } }
            group.addTask { [hub] in await self.drive.run(on: hub) }
            group.addTask { await self.followDevices() }
            group.addTask { await self.followState() }
            group.addTask { await self.followLamps() }
        }
    }

    /// The devices of a kind.
    public func devices(of kind: HubDevice.Kind) -> [HubDevice] { devices.filter { $0.kind == kind } }

    /// Takes settings that this app has written, before the hub tells all of them.
    func take(_ settings: HubSettings) { self.settings = settings }

    private func applySettings() {
        place.want(settings.location.source == .browser)
        alerts.isHeard = settings.alerts.sound != .off
    }

    /// Does what a person wants who has answered a notification.
    private func take(_ answer: PhoneAlerts.Answer) async {
        switch answer {
        case .open(let source): wantedSource = source
        case .mark(let source, let mark):
            // A source that was deleted meanwhile needs no mark.
            _ = try? await hub.mark(source: source, as: mark)
        }
    }

    /// Why nothing can be heard or connected now; `nil` when nothing is in the way.
    public var obstacle: RadioObstacle? { state.flatMap { RadioObstacle($0.radio) } }

    private func followDevices() async {
        for await devices in hub.deviceUpdates { self.devices = devices }
    }

    private func followLamps() async {
        await hub.follow(NightlightsChanged.self) {
            lampNames = [:]
            for lamp in await hub.kept.lamps { lampNames[lamp.peer] = lamp.name }
        }
    }

    private func followState() async {
        await hub.follow(HubChanged.self, SettingsChanged.self) {
            state = await hub.state()
            settings = await hub.settings
        }
    }
}

/// What is in the way of Bluetooth, as a person is told.
public struct RadioObstacle: Hashable, Sendable {
    /// What it is, in some words.
    public let title: String
    /// What it means and what to do.
    public let text: String
    /// Whether a person has not allowed the app to use Bluetooth, so that only the system's settings help.
    public let isForbidden: Bool

    init?(_ radio: HubRadioState) {
        // While it is being opened there is nothing to be told yet.
        guard radio.condition == .missing || radio.condition == .forbidden, !radio.isBeingOpened else {
            return nil
        }
        (title, text, isForbidden) = (radio.title, radio.text, radio.condition == .forbidden)
    }
}

extension Hub {
    /// Calls at once, and again whenever one of some events has happened, until the task is cancelled or the hub ends.
    ///
    /// Events that come while the body runs are one call more.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - body: What is done.
    @MainActor func follow(_ events: any Event.Type..., do body: @MainActor () async -> Void) async {
        let names = Set(events.map { "\($0.name)" } + ["\(EventsLost.name)"])
        let changes = feed.subscribe()
        await body()
        while let items = await changes.next() {
            if items.contains(where: { names.contains($0.name) }) { await body() }
        }
    }
}
