// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import Foundation
import GRDB
import Testing

@testable import CompanionStore

@Suite struct KnownTests {
    private static func file(_ places: [(Double, Double)], first: Int = 0) -> [ListedCamera] {
        let features = places.enumerated().map { index, place in
            #"{"id":"node/\#(first + index)","properties":{"man_made":"surveillance","name":"C\#(first + index)","#
                + #""direction":"90"},"geometry":{"type":"Point","coordinates":[\#(place.1),\#(place.0)]}}"#
        }
        var file = KnownCameraFile()
        file.receive(Array("{\"features\":[\(features.joined(separator: ","))]}".utf8))
        file.finish()
        return file.cameras
    }

    private static func set(_ name: String, version: String = "") -> ReferenceCameras {
        ReferenceCameras(
            name: name, cameras: 0, origin: "test", version: version, imported: Timestamp(milliseconds: 5))
    }

    @Test func aSetIsReplacedAsAWholeAndRemoved() async throws {
        let store = try DetectionDatabase()
        #expect(try await store.knownSets() == [])
        #expect(
            try await store.replace(known: Self.set("a"), with: Self.file([(1, 1), (2, 2), (3, 3)])) == nil)
        #expect(try await store.replace(known: Self.set("b"), with: Self.file([(1, 1)])) == nil)
        let again = Self.set("a", version: "2")
        #expect(try await store.replace(known: again, with: Self.file([(2, 2), (4, 4)], first: 1)) == 3)
        let sets = try await store.knownSets()
        #expect(sets.map(\.name) == ["a", "b"] && sets.map(\.cameras) == [2, 1])
        #expect(sets.map(\.version) == ["2", ""])
        let everywhere = MapBox(west: -180, south: -90, east: 180, north: 90)
        let found = try await store.knownCameras(in: everywhere)
        #expect(found.cameras.map(\.reference) == ["node/0", "node/1", "node/2"] && !found.more)
        #expect(found.cameras.map(\.set) == ["b", "a", "a"] && found.cameras[0].directions == [90])
        #expect(try await store.remove(known: "c") == nil)
        #expect(try await store.remove(known: "a") == 2)
        #expect(try await store.knownCameras(in: everywhere).cameras.map(\.name) == ["C0"])
        let left = try await store.read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM known_camera_area")
        }
        #expect(left == 1, "The R*Tree keeps nothing of what is gone.")
    }

    @Test func aSetWhoseTaskIsCancelledChangesNothing() async throws {
        let store = try DetectionDatabase()
        _ = try await store.replace(known: Self.set("a"), with: Self.file([(1, 1)]))
        let (set, cameras) = (Self.set("a", version: "2"), Self.file([(2, 2), (3, 3)]))
        let failure = await Task { () -> StoreError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(StoreError) {
                _ = try await store.replace(known: set, with: cameras)
                return nil
            } catch {
                return error
            }
        }.value
        #expect(failure == .cancelled)
        let sets = try await store.knownSets()
        #expect(sets.map(\.cameras) == [1] && sets.map(\.version) == [""])
        #expect(try await store.replace(known: set, with: cameras) == 1)
    }

    @Test func aBoxHasWhatIsInIt() async throws {
        let store = try DetectionDatabase()
        let places = [(10.0, 179.9), (10, -179.9), (10, 0), (-90, 0), (90, 180)]
        _ = try await store.replace(known: Self.set("a"), with: Self.file(places))
        func names(_ box: MapBox, limit: Int = 500) async throws -> ([String], Bool) {
            let found = try await store.knownCameras(in: box, limit: limit)
            return (found.cameras.map(\.name), found.more)
        }
        #expect(try await names(MapBox(west: 179, south: 0, east: -179, north: 20)) == (["C0", "C1"], false))
        #expect(try await names(MapBox(west: -1, south: 10, east: 1, north: 10)) == (["C2"], false))
        #expect(try await names(MapBox(west: -1, south: 10.001, east: 1, north: 11)) == ([], false))
        #expect(
            try await names(MapBox(west: -180, south: -90, east: 180, north: 90), limit: 2) == (
                ["C0", "C1"], true
            ))
        #expect(try await names(MapBox(west: -180, south: -90, east: 180, north: 90), limit: 5).1 == false)
    }

    @Test func theNearestWithinAHundredMetresIsFound() async throws {
        let store = try DetectionDatabase()
        // 0.0009 degrees of latitude are 100.08 m.
        _ = try await store.replace(
            known: Self.set("a"), with: Self.file([(10, 180), (10.0004, 180), (20, 5), (50, 5.0009)]))
        func near(_ latitude: Double, _ longitude: Double) async throws -> String? {
            let place = try #require(Position(latitude: latitude, longitude: longitude))
            return try await store.knownCamera(near: place).map { "\($0.camera.name) \(Int($0.metres))" }
        }
        #expect(try await near(10, 180) == "C0 0")
        #expect(try await near(10.0003, -180) == "C1 11", "across the date line")
        #expect(try await near(20.00089, 5) == "C2 98")
        #expect(try await near(20.00091, 5) == nil)
        #expect(try await near(50, 5) == "C3 64", "a degree of longitude is shorter here")
        #expect(try await near(90, 0) == nil)
        #expect(try await near(20.0007, 5.0007) == nil, "within the box, and beyond the circle")
    }
}
