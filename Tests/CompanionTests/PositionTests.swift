// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import Testing

@Suite struct PositionTests {
    @Test func isReadFromText() throws {
        #expect(try Position(parsing: "52.52,13.405") == Position(latitude: 52.52, longitude: 13.405))
        #expect(try Position(parsing: " -90 , 180 ") == Position(latitude: -90, longitude: 180))
    }

    @Test(arguments: [
        "", "52.52", "52.52,", "1,2,3", "a,b", "91,0", "-90.01,0", "0,180.1", "nan,0", "0,inf", "52,52 N",
    ])
    func refusesWhatIsNoPlace(text: String) {
        #expect(throws: BadInput.self) { try Position(parsing: text) }
    }

    @Test(arguments: ["", "1,2", "1,2,-1", "1,2,nan", "91,2,5", "1,2,3,4"])
    func refusesWhatIsNoCircle(text: String) {
        #expect(throws: BadInput.self) { try Vicinity(parsing: text) }
    }

    @Test func refusesNumbersOutOfRange() {
        #expect(Position(latitude: .nan, longitude: 0) == nil)
        #expect(Position(latitude: 90.000001, longitude: 0) == nil)
        #expect(Position(latitude: 0, longitude: -180.000001) == nil)
    }

    @Test func measuresDistances() throws {
        let berlin = try Position(parsing: "52.5200,13.4050")
        let paris = try Position(parsing: "48.8566,2.3522")
        #expect(abs(berlin.distance(to: paris) - 877_464) < 500)
        #expect(berlin.distance(to: berlin) == 0)
        let west = try Position(parsing: "0,-179.9995")
        let east = try Position(parsing: "0,179.9995")
        #expect(abs(west.distance(to: east) - 111.2) < 0.1)
        #expect(try Position(parsing: "90,0").distance(to: Position(parsing: "90,120")) < 1e-6)
    }

    @Test func boxesHoldEveryPlaceOfTheCircle() throws {
        var random = SplitMix64(seed: 7)
        var inside = 0
        for _ in 0..<5000 {
            let latitude =
                [Double.random(in: -90...90, using: &random), 89.99, -89.99, 90, 0]
                .randomElement(using: &random) ?? 0
            let longitude =
                [Double.random(in: -180...180, using: &random), 179.99, -180]
                .randomElement(using: &random) ?? 0
            let center = try #require(Position(latitude: latitude, longitude: longitude))
            let radii: [Double] = [0, 50, 5000, 2_000_000, 12_000_000]
            let metres = radii.randomElement(using: &random) ?? 0
            let circle = try #require(Vicinity(center: center, metres: metres))
            let spread = metres / 100_000
            let north = min(90, max(-90, latitude + Double.random(in: -spread...spread, using: &random)))
            let turned = longitude + Double.random(in: -spread * 3...spread * 3, using: &random)
            let east = turned - ((turned + 180) / 360).rounded(.down) * 360
            let place = try #require(Position(latitude: north, longitude: east))
            guard circle.contains(place) else { continue }
            inside += 1
            #expect(
                circle.boxes.contains {
                    $0.latitudes.contains(place.latitude) && $0.longitudes.contains(place.longitude)
                }, "\(circle) \(place)")
        }
        #expect(inside > 500)
    }
}
