// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
import CompanionCore

/// Any device that an app explores, over a link that a hub holds for it.
public struct ExploredDevice: ConnectedDevice {
    let connection: AppConnection<ExplorerJob>
    let hub: Hub

    /// How far the device is known, and what its link is like.
    public var state: HubExplorer { get async throws(HubError) { try await connection.job.shown } }

    /// How far the device is known, now and whenever that changes.
    public var updates: DeviceStates<HubExplorer> { connection.states(\.revision) }

    /// What the device has, with the values that were read.
    public var tree: GATTTree {
        get async throws(HubError) {
            guard let tree = try await connection.job.state.tree else {
                throw .notNow("The device has not said yet what it has.")
            }
            return tree
        }
    }

    /// Reads a value.
    ///
    /// - Parameter handle: The handle of the value or descriptor.
    /// - Returns: The value or its first part, or why the device refuses it.
    /// - Throws: ``HubError`` when the device could not be asked.
    @discardableResult
    public func read(_ handle: AttributeHandle) async throws(HubError) -> ExplorerValue {
        try await connection.job.read(handle)
    }

    /// Writes a value; the first one of a device only when a person has confirmed that it may be written to.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - handle: The handle of the value or descriptor.
    ///   - expectsResponse: Whether the device is to answer.
    ///   - isConfirmed: Whether a person has confirmed it, now or before.
    /// - Returns: The value, or why the device refuses it.
    /// - Throws: ``HubError`` when the device could not be asked, or nobody has confirmed it.
    @discardableResult
    public func write(
        _ octets: [UInt8], to handle: AttributeHandle, expectsResponse: Bool = true, isConfirmed: Bool
    ) async throws(HubError) -> ExplorerValue {
        try await hub.write(
            octets, to: handle, job: connection.job.id, isAnswered: expectsResponse, isConfirmed: isConfirmed)
    }

    /// Subscribes to a value, or no longer.
    ///
    /// - Parameters:
    ///   - handle: The handle of the value.
    ///   - isOn: Whether it is wanted.
    /// - Throws: ``HubError`` when the device refuses, or sends nothing by itself.
    public func watch(_ handle: AttributeHandle, isOn: Bool = true) async throws(HubError) {
        try await connection.job.watch(handle, isOn: isOn)
    }

    /// What was read, written and sent since the device was connected.
    ///
    /// - Parameters:
    ///   - handle: Of which value; `nil` for all.
    ///   - limit: How many at most.
    /// - Returns: The newest, the newest first.
    /// - Throws: ``HubError/notFound(_:)``.
    public func values(
        of handle: AttributeHandle? = nil, limit: Int = .max
    ) async throws(HubError) -> [ExplorerValue] {
        try await connection.job.logged(of: handle.map { Int($0.rawValue) }, limit: limit).values
    }

    /// Finds and reads everything once more, and waits until that is done.
    ///
    /// - Returns: What the device has.
    /// - Throws: ``HubError`` when the device is not connected.
    @discardableResult
    public func refresh() async throws(HubError) -> GATTTree {
        try await connection.job.refresh()
        _ = try await connection.until { $0.step == .ready }
        return try await tree
    }

    /// Pairs with the device; what is to be shown or asked meanwhile the hub's feed tells.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    public func pair() async throws(HubError) { try await connection.job.pair() }
}

extension Hub {
    /// Connects to a device and explores it, over the link that somebody else has, if anybody explores it, and lets it go in the end.
    ///
    /// - Parameters:
    ///   - device: The device's number.
    ///   - isolation: Where the body runs: where this was called.
    ///   - body: What to do; it is called when the device is connected, while it is asked what it has: ``ExploredDevice/updates``
    ///     says how far that is, and ``ExploredDevice/refresh()`` waits for all of it.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``HubError`` that says why the device cannot be reached.
    @discardableResult
    public func withExplorer<Value>(
        _ device: HubDevice.ID, isolation: isolated (any Actor)? = #isolation,
        _ body: (ExploredDevice) async throws -> Value
    ) async throws -> Value {
        let begun = try await beginExplorer(device: device)
        let held = ExploredDevice(connection: connection(begun.job.id), hub: self)
        return try await held.connection.hold(as: Self.viewer(), isolation: isolation, until: { _ in true }) {
            try await body(held)
        }
    }
}
