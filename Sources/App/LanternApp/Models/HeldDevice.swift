// SPDX-License-Identifier: Apache-2.0

import CompanionDevices
public import CompanionHub
public import Observation
import SwiftUI

/// A device whose link is open as long as a screen shows it.
///
/// A screen calls ``run()`` in `.task(id: attempt)`: the link is let go when the screen goes, and opened anew with the next attempt.
@MainActor @Observable public final class HeldDevice<Device: ConnectedDevice> {
    /// How far the link is.
    public enum Link: Hashable, Sendable {
        /// It is being opened.
        case opening
        /// It is there.
        case open
        /// It is not, and why.
        case ended(String)
    }

    /// How far the link is.
    public private(set) var link = Link.opening
    /// How the device is; what was known last stays when the link ends.
    public private(set) var state: Device.State?
    /// What the device has not taken, or what could not be asked of it, and what to do.
    public var trouble: String?
    /// How often a person has asked for the link.
    public private(set) var attempt = 0
    /// How many things that were asked of the device go on.
    public private(set) var underWay = 0

    @ObservationIgnored private var device: Device?
    @ObservationIgnored private var holding: Task<Void, Never>?
    @ObservationIgnored private var leaving: Task<Void, Never>?
    @ObservationIgnored private var holders = 0
    @ObservationIgnored private var isGivenUp = false
    @ObservationIgnored private let job: (Device.State) -> DeviceJob
    @ObservationIgnored private let revision: (Device.State) -> Int
    @ObservationIgnored private let open:
        @MainActor (_ body: @MainActor (Device) async throws -> Void) async throws -> Void

    /// Makes it.
    ///
    /// - Parameters:
    ///   - job: What the hub says of the link, of a state.
    ///   - revision: How often a state has changed.
    ///   - open: Holds the device while the body runs, as ``Hub/withLamp(_:isolation:_:)`` does.
    init(
        job: @escaping (Device.State) -> DeviceJob, revision: @escaping (Device.State) -> Int,
        open: @escaping @MainActor (_ body: @MainActor (Device) async throws -> Void) async throws -> Void
    ) {
        (self.job, self.revision, self.open) = (job, revision, open)
    }

    /// Whether the device can be asked for something.
    public var isOpen: Bool { link == .open }

    /// Why there is no link; `nil` while there is one, or it is being opened.
    public var reason: String? {
        guard case .ended(let reason) = link else { return nil }
        return reason
    }

    /// Holds the device until the task is cancelled.
    ///
    /// Several screens may hold it at once. When the last one has gone, the link stays for a moment, so that the
    /// next page of the same device takes it over.
    public func run() async {
        holders += 1
        leaving?.cancel()
        if isGivenUp { await holding?.value }
        isGivenUp = false
        if holding == nil, !Task.isCancelled {
            holding = Task {
                await hold()
                holding = nil
            }
        }
        await Wait.untilCancelled()
        holders -= 1
        guard holders == 0 else { return }
        leaving = Task {
            do { try await Task.sleep(for: Self.grace) } catch { return }
            if holders == 0 { giveUp() }
        }
    }

    /// Has the screen open the link anew.
    public func tryAgain() {
        giveUp()
        attempt += 1
    }

    /// How long a link stays that no screen holds.
    private static var grace: Duration { .seconds(1) }

    private func giveUp() {
        guard let holding else { return }
        // Nothing more is asked over a link that goes.
        (isGivenUp, device, link) = (true, nil, .opening)
        holding.cancel()
    }

    private func hold() async {
        (link, trouble) = (.opening, nil)
        do {
            try await open { device in
                if !isGivenUp { (self.device, self.link) = (device, .open) }
                for await state in device.updates { take(state) }
            }
            end(state.map(job)?.reason ?? String(localized: "The connection has ended."))
        } catch let error as HubError {
            end(error.description)
        } catch {
            end("\(error)")
        }
    }

    private func end(_ reason: String) {
        device = nil
        if !isGivenUp { link = .ended(reason) }
    }

    /// Takes a state, unless a newer one of the same link was there before.
    func take(_ new: Device.State) {
        if let state, job(state).id == job(new).id, revision(state) > revision(new) { return }
        state = new
    }

    /// Asks the device for something; what it does not take is told in ``trouble``.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    func ask(_ body: (Device) async throws(HubError) -> Void) async -> Bool {
        guard let device else {
            trouble = String(localized: "The device is not connected. Try again when it is.")
            return false
        }
        underWay += 1
        defer { underWay -= 1 }
        do throws(HubError) {
            trouble = nil
            try await body(device)
            return true
        } catch {
            trouble = error.description
            return false
        }
    }

    /// Looks at what the hub has of the device, of which nobody is told when it is not there.
    func look(_ body: (Device) async throws(HubError) -> Void) async {
        guard let device else { return }
        do throws(HubError) { try await body(device) } catch {}
    }
}
