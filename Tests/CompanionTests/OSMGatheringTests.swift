// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Companion
@testable import Detections

/// What is kept of a file of OpenStreetMap until its end, however much there is of it.
@Suite struct OSMGatheringTests {
    private static let camera = ["man_made": "surveillance"]

    private static func way(nodes: Int, tags: [String: String] = camera) -> OSMGathering.Shape {
        var shape = OSMGathering.Shape(line: 1, kind: "way", id: 1)
        shape.tags = tags
        for number in 0..<nodes { shape.add(node: Int64(number), nil) }
        return shape
    }

    @Test func aMillionNodesOfWaysMayWaitAndNotOneMore() throws {
        #expect(OSMGathering.mostWaiting == 1_000_000)
        var gathering = OSMGathering()
        let most = OSMGathering.Shape.mostParts
        let shape = Self.way(nodes: most)
        for _ in 0..<(OSMGathering.mostWaiting / most) {
            let isLater = try gathering.take(shape) == nil
            #expect(isLater)
        }
        let one = Self.way(nodes: 1)
        let fault = #expect(throws: ImportError.self) { _ = try gathering.take(one) }
        #expect(fault?.reason == "it has more cameras that are ways than can be kept")
    }

    @Test func ofAWayNoMoreNodesAndMembersAreKeptThanItMayHave() {
        var shape = Self.way(nodes: 3 * OSMGathering.Shape.mostParts)
        #expect(shape.nodes.count == OSMGathering.Shape.mostParts)
        shape.add(way: 5)
        shape.add(node: nil, Position(latitude: 1, longitude: 1))
        #expect(shape.ways.isEmpty && shape.points.isEmpty)
    }

    /// What is no camera says where others are, as far as there is room.
    @Test func waysThatAreNoCamerasAreKeptAsFarAsThereIsRoom() throws {
        var gathering = OSMGathering()
        var way = Self.way(nodes: OSMGathering.Shape.mostParts, tags: [:])
        for number in 1...600 {
            way.id = Int64(number)
            let element = try gathering.take(way)
            #expect(element?.reference == nil)
        }
        // Their nodes come behind them, and so does what they belong to.
        for number in 0..<Int64(OSMGathering.Shape.mostParts) {
            gathering.keep(number, Position(latitude: 10, longitude: Double(number % 2)))
        }
        for (id, member) in [(Int64(1), Int64(1)), (2, 600)] {
            var relation = OSMGathering.Shape(line: 1, kind: "relation", id: id)
            relation.tags = Self.camera
            relation.add(way: member)
            let element = try gathering.take(relation)
            #expect(element?.reference == nil)
        }
        let (first, second, third) = (
            gathering.nextWaiting(), gathering.nextWaiting(), gathering.nextWaiting()
        )
        #expect(first?.reference == "relation/1" && first?.position != nil)
        #expect(second?.reference == "relation/2" && second?.position == nil)
        #expect(third?.reference == nil)
    }
}
