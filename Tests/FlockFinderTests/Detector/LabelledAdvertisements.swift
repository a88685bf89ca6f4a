// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import FlockFinder
import Foundation

/// An advertiser of `Fixtures/advertisements.json`, made from what is known of cameras: with what it is, and what is to be said.
struct LabelledAdvertiser: Decodable {
    /// Who it is, for people.
    let what: String
    /// What it really is: a kind's word, or `none`.
    let `is`: String
    /// What the detector is to say: a kind's word, or `none`.
    let says: String
    private let address: String
    private let kind: String
    private let name: String?
    private let services: [String]?
    private let makers: [String]?

    /// All of them.
    static func all() throws -> [LabelledAdvertiser] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(components: "Fixtures", "advertisements.json")
        return try JSONDecoder().decode([LabelledAdvertiser].self, from: Data(contentsOf: file))
    }

    var sender: BluetoothAddress {
        let value = UInt64(address.filter { $0 != ":" }, radix: 16) ?? 0
        return BluetoothAddress(value, kind: kind == "public" ? .public : .random)
    }

    /// Its advertisement and its scan response, which has the name, as such devices do.
    func data() throws -> [AdvertisingData] {
        var data = AdvertisingDataBuilder(limit: AdvertisingDataBuilder.chainedLimit)
        try data.appendFlags()
        try data.appendServices((services ?? []).compactMap { BluetoothUUID($0) })
        for maker in makers ?? [] {
            try data.append(ManufacturerData(company: UInt16(maker, radix: 16) ?? 0, data: [1, 2]))
        }
        var response = AdvertisingDataBuilder()
        if let name { try response.append(.completeLocalName, Array(name.utf8)) }
        return [AdvertisingData(data.octets), AdvertisingData(response.octets)]
    }
}
