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

    @ObservationIgnored private let app: AppModel
    /// Of when the tree is.
    @ObservationIgnored private var known: (step: HubExplorer.Step, tree: Int)?

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - id: The device's number.
    public init(_ app: AppModel, device id: HubDevice.ID) {
        self.app = app
        device = HeldDevice(job: \.job, revision: \.revision) { body in
            try await app.hub.withExplorer(id) { try await body($0) }
        }
    }

    /// How far the exploration is; `nil` before the device is connected.
    public var explorer: HubExplorer? { device.state }

    /// Follows what the device has and what it says, as long as the screen is there.
    public func follow() async {
        await app.hub.follow(ExplorerChanged.self, ExplorerValuesCame.self) { await readValues() }
    }

    /// Fetches what the device has and what it has said.
    public func readValues() async {
        await device.look { device throws(HubError) in
            let explorer = try await device.state
            log = try await device.values(limit: Self.logged)
            // While values are read one after the other, the tree is another one each time.
            if let known, known == (explorer.step, explorer.treeRevision), explorer.step == .ready { return }
            tree = try await device.tree
            known = (explorer.step, explorer.treeRevision)
        }
    }

    /// Reads a value.
    public func read(_ handle: AttributeHandle) async {
        await device.ask { device throws(HubError) in
            let value = try await device.read(handle)
            if let error = value.error { throw HubError.notNow(error) }
        }
        await readValues()
    }

    /// Writes a value; a person must have confirmed once that the device may be written to.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - handle: The handle of the value.
    ///   - expectsResponse: Whether the device is to answer.
    /// - Returns: Whether the device has taken it.
    @discardableResult
    public func write(
        _ octets: [UInt8], to handle: AttributeHandle, expectsResponse: Bool = true
    ) async -> Bool {
        let isConfirmed = isConfirmed
        let isTaken = await device.ask { device throws(HubError) in
            let value = try await device.write(
                octets, to: handle, expectsResponse: expectsResponse, isConfirmed: isConfirmed)
            if let error = value.error { throw HubError.notNow(error) }
        }
        await readValues()
        return isTaken
    }

    /// Whether a person has confirmed, now or before, that the device may be written to.
    public var isConfirmed: Bool { mayWrite || explorer?.mayWrite == true }

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

    /// The values of an attribute, the newest first.
    public func log(of handle: AttributeHandle) -> [ExplorerValue] {
        log.filter { $0.attribute.handle == handle }
    }

    /// What a value is now: the newest that was read, written or sent, else what was read first.
    public func octets(of handle: AttributeHandle) -> [UInt8]? {
        if let newest = log.first(where: { $0.attribute.handle == handle && $0.octets != nil }) {
            return newest.octets
        }
        switch tree?[handle] {
        case .value(let octets), .firstPart(let octets, _): return octets
        default: return nil
        }
    }

    /// Something that a value says, where a standard or the device lays it out.
    public struct Field: Hashable, Sendable {
        /// What it is.
        public let name: String
        /// How much or which, with its unit.
        public let text: String
    }

    /// What a value says, field by field, as the hub tells pages.
    public func fields(of characteristic: GATT.Characteristic) -> [Field] {
        guard let tree, let octets = octets(of: characteristic.valueHandle) else { return [] }
        let target = AttributeTarget.value(characteristic, tree.readings)
        let value = ExplorerValue(
            number: 1, count: 1, time: Timestamp(milliseconds: 0), AttributeJSON(target), .read,
            octets: octets)
        var json = JSONWriter()
        value.write(into: &json)
        do throws(JSONDecodingError) {
            return try JSONReader.read(json.octets).list("fields").map { node throws(JSONDecodingError) in
                Field(
                    name: try node.needed("name").text("name"),
                    text: try node.needed("value").text("value"))
            }
        } catch {
            return []
        }
    }
}
