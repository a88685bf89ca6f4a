// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import CompanionHub
public import Observation

/// What the screen of the Explorer shows of one device: its tree, its values, and what was read, written and sent.
@MainActor @Observable public final class ExplorerModel {
    /// How many values of a log are shown.
    public static let logged = 200

    /// The device and its link.
    @ObservationIgnored public let device: HeldDevice<ExploredDevice>
    /// What the device has; `nil` before that is known.
    public private(set) var tree: GATTTree?
    /// What was read, written and sent, the newest first.
    public private(set) var log: [ExplorerValue] = []
    /// Whether a person has confirmed that the device may be written to.
    public private(set) var mayWrite = false

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The device's number.
    public init(_ app: AppModel, device id: HubDevice.ID) {
        device = HeldDevice { body in try await app.hub.withExplorer(id) { try await body($0) } }
    }

    /// How far the exploration is; `nil` before the device is connected.
    public var explorer: HubExplorer? { device.state }

    /// Fetches what the device has and what it has said, whenever something has come.
    public func readValues() async {
        await device.ask { device throws(HubError) in
            log = try await device.values(limit: Self.logged)
            // Before it was found there is none, which is no trouble.
            tree = try? await device.tree
        }
    }

    /// Reads a value.
    public func read(_ handle: AttributeHandle) async {
        await device.ask { device throws(HubError) in _ = try await device.read(handle) }
        await readValues()
    }

    /// Writes a value; a person must have confirmed once that the device may be written to.
    public func write(_ octets: [UInt8], to handle: AttributeHandle) async {
        let isConfirmed = mayWrite
        await device.ask { device throws(HubError) in
            _ = try await device.write(octets, to: handle, isConfirmed: isConfirmed)
        }
        await readValues()
    }

    /// Confirms that the device may be written to.
    public func confirmWriting() { mayWrite = true }

    /// Subscribes to a value, or no longer.
    public func watch(_ handle: AttributeHandle, isOn: Bool) async {
        await device.ask { device throws(HubError) in try await device.watch(handle, isOn: isOn) }
    }

    /// Finds and reads everything once more.
    public func refresh() async {
        await device.ask { device throws(HubError) in tree = try await device.refresh() }
        await readValues()
    }

    /// Whether a value is subscribed to.
    public func isWatched(_ handle: AttributeHandle) -> Bool {
        explorer?.watched.contains(Int(handle.rawValue)) ?? false
    }
}
