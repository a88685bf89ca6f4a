// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import WiFiSet

/// A conversation with a WiFiSet device.
typealias WiFiConversation = DeviceConversation<WiFiSetClient>

extension WiFiSetClient: ConversableSession {
    static func report(in event: WiFiSetEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    static func wrongDevice(_ target: DeviceAddress, missing: [BluetoothUUID]) -> String {
        let names = missing.map(\.description).joined(separator: ", ")
        return
            "\(target) is not a WiFiSet device: it lacks \(names). Nothing was written. FlockFinder devices share "
            + "the service; if this is a WiFiSet device, update its firmware."
    }
}

extension DeviceConversation where Session == WiFiSetClient {
    /// The device, as far as it has said who it is.
    struct Device: Hashable, Sendable {
        /// Its address.
        var address: BluetoothAddress
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
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the time is over, and what the body throws.
    static func hold<Value: Sendable>(
        with target: DeviceAddress, on radio: any Radio, limit: Seconds? = nil,
        _ body: (inout WiFiConversation) async throws -> Value
    ) async throws -> Value {
        let options = WiFiSetClient.Options(
            target: target.target, retries: false, seed: .random(in: 0 ... .max))
        return try await hold(
            WiFiSetClient(options: options), with: target, on: radio, limit: limit, body)
    }

    /// Waits until the device is there and fits.
    ///
    /// - Parameter observe: Called for each event until then.
    /// - Returns: The device.
    /// - Throws: ``CommandError`` when it is not there or is another kind of device.
    mutating func ready(_ observe: (WiFiSetEvent) throws -> Void = { _ in }) async throws -> Device {
        while true {
            let event = try await next()
            try observe(event)
            if case .ready(let address, let name, let mtu) = event {
                return Device(address: address, name: name, mtu: mtu)
            }
        }
    }
}
