// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The ellipsoid of WGS 84, on which phones measure.
package enum Earth {
    private static let equatorial = 6_378_137.0
    private static let polar = 6_356_752.314245

    /// How far two places are apart along the ellipsoid, in metres.
    ///
    /// By Vincenty's inverse formula; of places that lie nearly opposite each other, where that finds no end, on a sphere.
    package static func distance(_ aLat: Double, _ aLon: Double, _ bLat: Double, _ bLon: Double) -> Double {
        if aLat == bLat, aLon == bLon { return 0 }
        let radians = Double.pi / 180
        let flattening = 1 - polar / equatorial
        let difference = (bLon - aLon) * radians
        let (u, v) = (
            atan((1 - flattening) * tan(aLat * radians)), atan((1 - flattening) * tan(bLat * radians))
        )
        var lambda = difference
        for _ in 0..<100 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let across = cos(v) * sinLambda
            let along = cos(u) * sin(v) - sin(u) * cos(v) * cosLambda
            let sinSigma = (across * across + along * along).squareRoot()
            if sinSigma == 0 { return 0 }
            let cosSigma = sin(u) * sin(v) + cos(u) * cos(v) * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cos(u) * cos(v) * sinLambda / sinSigma
            let cosSquared = 1 - sinAlpha * sinAlpha
            // On the equator there is no middle to correct for.
            let middle = cosSquared == 0 ? 0 : cosSigma - 2 * sin(u) * sin(v) / cosSquared
            let c = flattening / 16 * cosSquared * (4 + flattening * (4 - 3 * cosSquared))
            let before = lambda
            let inner = middle + c * cosSigma * (2 * middle * middle - 1)
            lambda = difference + (1 - c) * flattening * sinAlpha * (sigma + c * sinSigma * inner)
            guard abs(lambda - before) < 1e-12 else { continue }
            let square = cosSquared * (equatorial * equatorial / (polar * polar) - 1)
            let a = 1 + square / 16384 * (4096 + square * (square * (320 - 175 * square) - 768))
            let b = square / 1024 * (256 + square * (square * (74 - 47 * square) - 128))
            let cubic = b / 6 * middle * (4 * sinSigma * sinSigma - 3) * (4 * middle * middle - 3)
            let delta = b * sinSigma * (middle + b / 4 * (cosSigma * (2 * middle * middle - 1) - cubic))
            return polar * a * (sigma - delta)
        }
        return sphere(aLat * radians, bLat * radians, difference)
    }

    private static func sphere(_ a: Double, _ b: Double, _ difference: Double) -> Double {
        let (north, east) = (sin((b - a) / 2), sin(difference / 2))
        let half = north * north + cos(a) * cos(b) * east * east
        return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }

    /// Which way one sets out from a place to another, in degrees from north, 0 to 360.
    package static func course(_ aLat: Double, _ aLon: Double, _ bLat: Double, _ bLon: Double) -> Double {
        let radians = Double.pi / 180
        let (a, b, difference) = (aLat * radians, bLat * radians, (bLon - aLon) * radians)
        let angle = atan2(
            sin(difference) * cos(b), cos(a) * sin(b) - sin(a) * cos(b) * cos(difference))
        return (angle / radians + 360).truncatingRemainder(dividingBy: 360)
    }
}
