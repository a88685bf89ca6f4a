// SPDX-License-Identifier: Apache-2.0

import Detections
import GRDB
import Testing

@testable import CompanionStore

@Suite("Squares that somebody has written into by hand")
struct MapUpkeepTests {
    private static let world = MapBox(west: -180, south: -85, east: 180, north: 85)

    @Test(arguments: ["sources", "numbers", "latitudes", "sightings"])
    func sumsThatAreTooLargeBeginTheMapAnew(column: String) async throws {
        let store = try DetectionDatabase()
        _ = try await store.save([.sample(1, ssid: "a", at: (52, 13)), .sample(2, ssid: "b", at: (52.1, 13))])
        try await store.mapAll()
        try await store.connections.write { database in
            try database.execute(sql: "UPDATE cell SET \(column) = \(Int64.max)")
        }
        let third = try await store.save(.sample(3, ssid: "c", at: (52.2, 13)))
        // Once until it is begun anew, and once until all is there again.
        for _ in 0..<2 { try await store.mapAll() }
        let view = try await store.map(Self.world, zoom: 3, withHeat: true)
        #expect(view.sources == 3 && view.progress == nil)
        #expect(view.heat.reduce(0) { $0 + $1.count } == 3)
        // Taking one away adds up, too.
        try await store.connections.write { database in
            try database.execute(sql: "UPDATE cell SET \(column) = \(Int64.min)")
        }
        _ = try await store.delete(ids: [third.id])
        for _ in 0..<2 { try await store.mapAll() }
        #expect(try await store.map(Self.world, zoom: 3).sources == 2)
    }
}
