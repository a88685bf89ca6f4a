// SPDX-License-Identifier: Apache-2.0

public import BLEAdvertising
public import BLEWire

/// The contents of a device's advertisement and scan response together.
public struct AdvertisedFacts: Hashable, Sendable {
    /// The name; a complete one goes before a shortened one, the advertisement before the scan response.
    public var name: String?
    /// The services, each once.
    public var services: [BluetoothUUID] = []
    /// The manufacturer-specific data; what is in both is there once.
    public var manufacturerData: [ManufacturerData] = []
    /// The service data; what is in both is there once.
    public var serviceData: [ServiceData] = []
    /// The transmit power in dBm.
    public var txPower: Int8?
    /// The appearance.
    public var appearance: UInt16?

    /// Makes the contents of no advertisement.
    public init() {}

    /// Reads advertising data; structures that make no sense are passed over.
    ///
    /// - Parameters:
    ///   - advertisement: The octets of the advertisement, if there was one.
    ///   - scanResponse: The octets of the scan response, if there was one.
    public init(advertisement: [UInt8]?, scanResponse: [UInt8]?) {
        let parts = [advertisement, scanResponse].compactMap { $0.map(AdvertisingData.init) }
        func first(_ type: AdvertisingDataType) -> WireText? {
            parts.lazy.compactMap { $0.first(type) }.compactMap { WireText(name: Array($0)) }.first
        }
        name = (first(.completeLocalName) ?? first(.shortenedLocalName))?.string
        for part in parts {
            for uuid in part.services where !services.contains(uuid) { services.append(uuid) }
        }
        manufacturerData = Self.joined(parts.map { $0.manufacturerData })
        serviceData = Self.joined(parts.map { $0.serviceData })
        txPower = parts.lazy.compactMap { $0.txPower }.first
        appearance = parts.lazy.compactMap { $0.appearance }.first
    }

    private static func joined<Element: Equatable>(_ lists: [[Element]]) -> [Element] {
        guard let first = lists.first else { return [] }
        return first + lists.dropFirst().joined().filter { !first.contains($0) }
    }
}
