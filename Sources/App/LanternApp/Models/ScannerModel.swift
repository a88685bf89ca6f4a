// SPDX-License-Identifier: Apache-2.0

import CompanionCore
public import CompanionHub
public import Observation

/// What the screen Scanner shows: the FlockFinders and their links, and what was noticed last.
@MainActor @Observable public final class ScannerModel {
    /// How many of the last detections are shown.
    public static let latest = 50

    /// What was noticed last, the newest first.
    public private(set) var detections: [DetectionRecord] = []
    /// How many are stored in all.
    public private(set) var total = 0
    /// What could not be done, and what to do.
    public var trouble: String?
    /// What a device has answered to the last command.
    public private(set) var answer: String?

    @ObservationIgnored private let app: AppModel

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// Follows what is noticed, as long as the screen is there.
    public func run() async {
        let hub = app.hub
        await hub.follow(
            DetectionEvent.self, DetectionsDeleted.self, DetectionsRestored.self, SourceChanged.self
        ) {
            do throws(StoreError) {
                let latest = try await hub.store.records(page: DetectionPage(limit: Self.latest))
                // Both at once: a screen that shows one without the other contradicts itself.
                (total, detections) = (try await hub.store.count(), latest)
            } catch {
                trouble = error.description
            }
        }
    }

    /// The FlockFinders, those with a link first.
    public var finders: [HubDevice] {
        app.devices(of: .flockFinder).sorted { ($0.link != .none) && ($1.link == .none) }
    }

    /// Devices that were taken for FlockFinders and lack what those have, which they say as their reason.
    public var refused: [HubDevice] {
        app.devices.filter { $0.kind != .flockFinder && $0.link == .none && $0.reason != nil }
    }

    /// Whether any of them is connected.
    public var isConnected: Bool { finders.contains { $0.link == .connected } }

    /// Has the hub hold a link to a device, which is opened again when it is lost.
    public func connect(_ device: HubDevice) async {
        await tell { () async throws(HubError) in _ = try await self.app.hub.connect(device.id) }
    }

    /// Lets a device go.
    public func disconnect(_ device: HubDevice) async {
        await tell { () async throws(HubError) in _ = try await self.app.hub.disconnect(device.id) }
    }

    /// Whether a device is connected to by itself whenever it is heard.
    public func setConnectsByItself(_ device: HubDevice, _ isOn: Bool) async {
        await tell { () async throws(HubError) in
            _ = try await self.app.hub.change(device: device.id, DeviceChange(connectsByItself: isOn))
        }
    }

    /// Sends a command, as `PING`, and shows what the device answers.
    public func send(_ command: String, to device: HubDevice) async {
        answer = nil
        await tell { () async throws(HubError) in
            let answer = try await self.app.hub.send(command, to: device.id)
            self.answer = answer.text
        }
    }

    private func tell(_ body: () async throws(HubError) -> Void) async {
        do throws(HubError) {
            trouble = nil
            try await body()
        } catch {
            trouble = error.description
        }
    }
}
