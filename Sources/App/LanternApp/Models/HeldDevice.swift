// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Observation

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
    @ObservationIgnored private let open:
        @MainActor (_ body: @MainActor (Device) async throws -> Void) async throws -> Void

    /// Makes it.
    ///
    /// - Parameter open: Holds the device while the body runs, as ``Hub/withLamp(_:isolation:_:)`` does.
    init(open: @escaping @MainActor (_ body: @MainActor (Device) async throws -> Void) async throws -> Void) {
        self.open = open
    }

    /// Whether the device can be asked for something.
    public var isOpen: Bool { link == .open }

    /// Holds the device until its link ends or the task is cancelled.
    public func run() async {
        (link, trouble) = (.opening, nil)
        do {
            try await open { device in
                (self.device, self.link) = (device, .open)
                for await state in device.updates { self.state = state }
            }
            link = .ended("The connection has ended.")
        } catch let error as HubError {
            link = .ended(error.description)
        } catch {
            link = .ended("\(error)")
        }
        device = nil
    }

    /// Has the screen open the link anew.
    public func tryAgain() { attempt += 1 }

    /// Asks the device for something; what it does not take is told in ``trouble``.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    func ask(_ body: (Device) async throws(HubError) -> Void) async -> Bool {
        guard let device else {
            trouble = "The device is not connected. Try again when it is."
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
}
