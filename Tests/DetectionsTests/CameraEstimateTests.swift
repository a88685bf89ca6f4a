// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Detections
import Foundation
import Testing

/// Invented drives past a camera whose place is known.
private struct Drive {
    enum Shape: CaseIterable {
        case straight, corner, block, passedTwice
    }

    static let latitude = 52.5
    static let longitude = 13.4
    static let metersPerDegree = 111_195.08

    var random: SplitMix64
    private(set) var sightings: [CameraEstimate.Sighting] = []
    private var fromRoad = 0.0

    /// - Parameters:
    ///   - shape: The way that is driven.
    ///   - seed: Another one each time.
    init(_ shape: Shape, seed: UInt64) {
        random = SplitMix64(seed: seed)
        // What the estimate does not know: how strong, how it fades, and how much houses scatter it.
        let strength = -38 + 6 * normal()
        let exponent = 2.3 + 0.8 * uniform()
        let scatter = 6.0
        fromRoad = (4 + 20 * uniform()) * (uniform() < 0.5 ? -1 : 1)
        for part in Self.way(shape) {
            var shadow = normal() * scatter
            var next = part.start
            for along in stride(from: part.start, through: part.end, by: 11) {
                let (east, north) = part.place(along)
                // Houses and cars scatter what is near each other alike: over about ten metres.
                shadow = 0.35 * shadow + (1 - 0.35 * 0.35).squareRoot() * normal() * scatter
                let distance = max(2, ((east * east) + (north - fromRoad) * (north - fromRoad)).squareRoot())
                let rssi = strength - 10 * exponent * log10(distance) + shadow + 2 * normal()
                guard rssi > -90, along >= next else { continue }
                next = along + (uniform() < 0.3 ? 33 : 0)
                sightings.append(
                    .init(
                        latitude: Self.latitude + (north + 3 * normal()) / Self.metersPerDegree,
                        longitude: Self.longitude + (east + 3 * normal())
                            / (Self.metersPerDegree * cos(Self.latitude * .pi / 180)),
                        accuracy: 4, rssi: Int(max(-127, min(20, rssi)).rounded())))
            }
        }
    }

    /// The way in straight parts; the camera stands near 0, 0, and a road goes from west to east there.
    private static func way(_ shape: Shape) -> [(
        start: Double, end: Double, place: (Double) -> (Double, Double)
    )] {
        let road: (Double) -> (Double, Double) = { ($0, 0) }
        let side: (Double) -> (Double, Double) = { (40, $0) }
        return switch shape {
        case .straight: [(-300, 300, road)]
        case .corner: [(-300, 40, road), (0, 300, side)]
        case .block: [(-300, 40, road), (0, 70, side), (-40, 300, { (-$0, 70) })]
        case .passedTwice: [(-300, 300, road), (-300, 300, { (-$0, 6) })]
        }
    }

    /// How far an estimate is from the truth, in metres.
    func error(latitude: Double, longitude: Double) -> Double {
        let north = (latitude - Self.latitude) * Self.metersPerDegree - fromRoad
        let east = (longitude - Self.longitude) * Self.metersPerDegree * cos(Self.latitude * .pi / 180)
        return (north * north + east * east).squareRoot()
    }

    private mutating func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    private mutating func normal() -> Double {
        (-2 * log(max(uniform(), 1e-300))).squareRoot() * cos(2 * .pi * uniform())
    }
}

@Suite("Where a camera stands")
struct CameraEstimateTests {
    @Test(arguments: Drive.Shape.allCases)
    fileprivate func theTruePlaceLiesWithinTheRadiusInSixtyEightOfAHundredDrives(_ shape: Drive.Shape) throws
    {
        var within = 0
        var errors: [Double] = []
        var plain: [Double] = []
        var radii: [Double] = []
        let count = 50
        for seed in 0..<count {
            let drive = Drive(shape, seed: UInt64(seed) &* 7919 &+ 3)
            guard let estimate = CameraEstimate(drive.sightings) else { continue }
            let error = drive.error(latitude: estimate.latitude, longitude: estimate.longitude)
            if error <= estimate.radius { within += 1 }
            errors.append(error)
            radii.append(estimate.radius)
            let strongest = try #require(drive.sightings.max { $0.rssi < $1.rssi })
            plain.append(drive.error(latitude: strongest.latitude, longitude: strongest.longitude))
        }
        errors.sort()
        plain.sort()
        radii.sort()
        let middle = errors.count / 2
        print(
            """
            \(shape): \(within) of \(errors.count) within the radius; median error \(Int(errors[middle])) m, \
            of the strongest sighting \(Int(plain[middle])) m; median radius \(Int(radii[middle])) m
            """)
        #expect(errors.count > count * 9 / 10)
        #expect(within * 100 >= errors.count * 68)
        // Not by saying that it may be anywhere.
        #expect(radii[middle] < 40)
    }

    @Test func oneSightingIsItsOwnPlaceWithAWideCircle() throws {
        let estimate = try #require(CameraEstimate([.init(latitude: 52.5, longitude: 13.4, rssi: -60)]))
        #expect(abs(estimate.latitude - 52.5) < 0.00001 && abs(estimate.longitude - 13.4) < 0.00001)
        #expect(estimate.radius > 20 && estimate.placeCount == 1)
        #expect(CameraEstimate([]) == nil)
        #expect(CameraEstimate([.init(latitude: .nan, longitude: 0, rssi: 0)]) == nil)
    }

    @Test func strongerIsNearer() throws {
        let radii = try [-45, -60, -75].map { rssi in
            try #require(CameraEstimate([.init(latitude: -33, longitude: 151, rssi: rssi)])).radius
        }
        #expect(radii[0] < radii[1] && radii[1] <= radii[2])
    }

    @Test func aWrongFixFarAwayChangesNothing() throws {
        let drive = Drive(.straight, seed: 11)
        let plain = try #require(CameraEstimate(drive.sightings))
        let far = CameraEstimate.Sighting(latitude: 48, longitude: 2, rssi: -80)
        #expect(CameraEstimate(drive.sightings + [far]) == plain)
        #expect(CameraEstimate((drive.sightings + [far]).reversed())?.radius ?? 1000 < plain.radius * 1.5)
    }

    @Test func whereverItIsItIsOnTheGlobe() throws {
        for (latitude, longitude) in [(90, 0), (-90, 5), (0, 180), (0, -180), (89.9999, 179.9999)]
            as [(Double, Double)]
        {
            let estimate = try #require(
                CameraEstimate([
                    .init(latitude: latitude, longitude: longitude, accuracy: .infinity, rssi: -60),
                    .init(latitude: latitude, longitude: -longitude, accuracy: -5, rssi: .min),
                    .init(latitude: latitude, longitude: longitude, accuracy: 1e300, rssi: .max),
                ]))
            #expect((-90...90).contains(estimate.latitude) && (-180...180).contains(estimate.longitude))
            #expect(estimate.radius.isFinite && estimate.radius > 0)
        }
    }
}
