// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEWire
import BluetoothLE

/// Puts together what advertisers say in advertisements and scan responses.
struct AdvertiserMemory {
    /// Advertisers that are remembered; then the memory starts anew.
    static let limit = 1024

    private var known: [BluetoothAddress: ClientAdvertisement] = [:]

    mutating func merge(_ advertisement: Advertisement) -> ClientAdvertisement {
        if known.count >= Self.limit { known = [:] }
        let data = AdvertisingData(advertisement.data)
        var merged = known[advertisement.address] ?? ClientAdvertisement(peer: Peer(advertisement.address))
        if let name = data.localName { merged.name = name }
        // A scan response adds to the advertisement; a new advertisement does not take it back.
        for service in data.services where !merged.services.contains(service) && merged.services.count < 64 {
            merged.services.append(service)
        }
        merged.rssi = advertisement.rssi
        if let isConnectable = advertisement.isConnectable { merged.isConnectable = isConnectable }
        known[advertisement.address] = merged
        return merged
    }
}
