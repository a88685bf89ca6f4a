// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import Testing

@testable import Detections

@Suite("Functions of angles")
struct TrigonometryTests {
    @Test func theyAgreeWithTheSystemsOwn() {
        for tenth in -7300...7300 {
            let degrees = Double(tenth) / 10
            #expect(abs(Trigonometry.cosine(degrees) - cos(degrees * .pi / 180)) < 1e-13)
            #expect(abs(Trigonometry.sine(degrees) - sin(degrees * .pi / 180)) < 1e-13)
            let (east, north) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            let bearing = Trigonometry.bearing(east: east * 7, north: north * 7)
            let difference = abs((bearing - degrees).remainder(dividingBy: 360))
            #expect((0..<360).contains(bearing) && difference < 1e-11, "\(degrees)")
        }
        for exponent in stride(from: -40.0, through: 40, by: 0.01) {
            #expect(abs(Trigonometry.logarithm(exp(exponent)) - exponent) < 1e-13)
            guard exponent <= 0, exponent > -40 else { continue }
            #expect(abs(Trigonometry.exponential(exponent) / exp(exponent) - 1) < 1e-13, "\(exponent)")
        }
    }

    @Test func whatIsSmallKeepsItsDigits() {
        for exponent in -12...0 {
            let value = 0.7 * pow(10, Double(exponent))
            #expect(abs(Trigonometry.sine(value) / sin(value * .pi / 180) - 1) < 1e-13)
            #expect(abs(Trigonometry.arcSine(value) / (asin(value) * 180 / .pi) - 1) < 1e-13)
        }
        #expect(Trigonometry.sine(0) == 0 && Trigonometry.arcSine(0) == 0 && Trigonometry.arcSine(2) == 90)
    }

    @Test func powersOfTwoAreExactWhereTheyCanBe() {
        for whole in 0...60 { #expect(Trigonometry.powerOfTwo(Double(whole)) == pow(2, Double(whole))) }
        for value in stride(from: 0, to: 24, by: 0.013) {
            #expect(abs(Trigonometry.powerOfTwo(value) / pow(2, value) - 1) < 1e-13)
        }
        #expect(Trigonometry.powerOfTwo(-1) == 1 && Trigonometry.powerOfTwo(.infinity) == pow(2, 60))
    }

    @Test func whatIsNoNumberDoesNoHarm() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(Trigonometry.cosine(value) == 0)
            #expect(Trigonometry.logarithm(value) == 0)
        }
        #expect(Trigonometry.logarithm(0) == 0 && Trigonometry.logarithm(-1) == 0)
        #expect(Trigonometry.exponential(-41) == 0 && Trigonometry.exponential(1) == 1)
        #expect(Trigonometry.bearing(east: 0, north: 0) == 0)
        #expect(Trigonometry.bearing(east: -1e-300, north: 1) == 0)
    }

    @Test func aPlaneGivesItsPlacesBack() {
        for (latitude, longitude) in [(52.5, 13.4), (-33.9, 179.999), (0, -180), (89.99, 10), (90, 0)] {
            let plane = LocalPlane(latitude: latitude, longitude: longitude)
            let point = LocalPlane.Point(east: 120, north: -80)
            let place = plane.place(of: point)
            let again = plane.point(latitude: place.latitude, longitude: place.longitude)
            #expect(again.squaredDistance(to: point) < (latitude == 90 ? 1e9 : 1e-6), "\(latitude)")
            #expect((-180...180).contains(place.longitude) && (-90...90).contains(place.latitude))
        }
    }
}
