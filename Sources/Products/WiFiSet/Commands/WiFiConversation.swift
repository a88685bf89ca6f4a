// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import FlockFinder
import WiFiSet

/// A conversation with a WiFiSet device.
typealias WiFiConversation = DeviceConversation<WiFiSetClient>

extension WiFiSetClient: ConversableSession {
    static func report(in event: WiFiSetEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    static func characteristics(in event: WiFiSetEvent) -> [BluetoothUUID]? {
        if case .characteristics(let uuids) = event { uuids } else { nil }
    }

    static func fault(in event: WiFiSetEvent) -> String? {
        if case .fault(let error) = event { error.description } else { nil }
    }

    static func wrongDevice(_ target: DeviceAddress, missing: [BluetoothUUID]) -> String {
        let names = missing.map { "\(WiFiText.name(ofCharacteristic: $0)) (\($0))" }.joined(separator: ", ")
        return
            "\(target) is not a WiFiSet device: it lacks \(names). Nothing was written to it. If it is one, "
            + "update its firmware; `lantern gatt tree \(target)` shows what it has."
    }

    static func wrongDevice(
        _ target: DeviceAddress, missing: [BluetoothUUID], having: [BluetoothUUID]
    ) -> String {
        let flock = [FlockFinderUUID.detection, FlockFinderUUID.command, FlockFinderUUID.stream]
        guard having.contains(where: flock.contains) else { return wrongDevice(target, missing: missing) }
        return
            "\(target) is a FlockFinder device, not a WiFiSet device: the two share a service, but it has the "
            + "characteristics of a FlockFinder. Nothing was written to it. Listen to it with "
            + "`lantern flock watch --address \(target)`."
    }
}

extension DeviceConversation where Session == WiFiSetClient {
    /// The device, as far as it has said who it is.
    struct Device: Hashable, Sendable {
        /// How its radio names it.
        var peer: Peer
        /// Its name.
        var name: WireText?
        /// The MTU of the link, in octets.
        var mtu: Int
    }

    /// Finds the device, holds the conversation and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - target: The device.
    ///   - radio: On what.
    ///   - phys: On what to look for it and to connect.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - progress: Where to say how far it is.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the time is over, and what the body throws.
    static func hold<Value: Sendable>(
        with target: DeviceAddress, on radio: Radio, phys: Set<PHY>, limit: Seconds? = nil,
        showing progress: Progress,
        _ body: (inout WiFiConversation) async throws -> Value
    ) async throws -> Value {
        let options = WiFiSetClient.Options(
            target: target.target, reconnects: false, seed: .random(in: 0 ... .max))
        return try await hold(
            WiFiSetClient(options: options), with: target, on: radio, phys: phys, limit: limit,
            showing: progress, body)
    }

    /// Waits until the device is there and fits.
    ///
    /// - Returns: The device.
    /// - Throws: ``CommandError`` when it is not there or is another kind of device.
    mutating func ready() async throws -> Device {
        while true {
            if case .ready(let peer, let name, let mtu) = try await next() {
                return Device(peer: peer, name: name, mtu: mtu)
            }
        }
    }
}
