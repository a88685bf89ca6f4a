// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE

/// Puts together what advertisers say in advertisements and scan responses.
struct AdvertisementMerger {
    /// Advertisers that are remembered; then the one that was heard longest ago is forgotten.
    static let limit = 1024

    private var known = RecencyDictionary<Peer, ClientAdvertisement>(limit: limit)

    mutating func merge(_ advertisement: Advertisement) -> ClientAdvertisement {
        known.use(advertisement.peer, default: ClientAdvertisement(peer: advertisement.peer)) { merged in
            Self.add(advertisement, to: &merged)
            return merged
        }
    }

    private static func add(_ advertisement: Advertisement, to merged: inout ClientAdvertisement) {
        let data = advertisement.data
        if let name = data.name { merged.name = name }
        // A scan response adds to the advertisement; a new advertisement does not take it back.
        for service in data.services where !merged.services.contains(service) && merged.services.count < 64 {
            merged.services.append(service)
        }
        merged.rssi = advertisement.rssi
        if let isConnectable = advertisement.isConnectable { merged.isConnectable = isConnectable }
    }
}
