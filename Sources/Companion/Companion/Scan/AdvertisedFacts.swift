// SPDX-License-Identifier: Apache-2.0

package import BLEAdvertising
package import BLEWire

/// What a device says about itself in its advertisement and its scan response together.
package struct AdvertisedFacts: Hashable, Sendable {
    /// The name; one that is whole goes before a beginning, the advertisement before the scan response.
    package var name: String?
    /// Each service once.
    package var services: [BluetoothUUID] = []
    /// Data of companies; what both say alike is there once.
    package var manufacturerData: [ManufacturerData] = []
    /// Data of services; what both say alike is there once.
    package var serviceData: [ServiceData] = []
    /// The transmit power in dBm.
    package var txPower: Int8?
    /// The appearance.
    package var appearance: UInt16?

    /// Says nothing.
    package init() {}

    /// Takes both apart.
    ///
    /// - Parameters:
    ///   - advertisement: The octets of the advertisement, if there was one.
    ///   - scanResponse: The octets of the scan response, if there was one.
    package init(advertisement: [UInt8]?, scanResponse: [UInt8]?) {
        let parts = [advertisement, scanResponse].compactMap { $0.map(AdvertisingData.init) }
        let wholeNames = parts.compactMap { $0.first(.completeLocalName) }
        let beginnings = parts.compactMap { $0.first(.shortenedLocalName) }
        name = (wholeNames.first ?? beginnings.first).map { WireText(Array($0)).string }
        for part in parts {
            for uuid in part.services where !services.contains(uuid) { services.append(uuid) }
        }
        manufacturerData = Self.joined(parts.map(\.manufacturerData))
        serviceData = Self.joined(parts.map(\.serviceData))
        txPower = parts.lazy.compactMap(\.txPower).first
        appearance = parts.lazy.compactMap(\.appearance).first
    }

    private static func joined<Element: Equatable>(_ lists: [[Element]]) -> [Element] {
        guard let first = lists.first else { return [] }
        return first + lists.dropFirst().joined().filter { !first.contains($0) }
    }
}
