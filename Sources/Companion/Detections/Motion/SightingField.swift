// SPDX-License-Identifier: Apache-2.0

import Companion

/// Sightings of one source on a plane, those of one spot put together.
struct SightingField {
    /// One spot where it was received.
    struct Place {
        var point: LocalPlane.Point
        /// The mean strength, in dBm.
        var strength: Double
        /// One part in so many dB is how far the mean may be wrong.
        var precision = 0.0
        fileprivate var count = 1.0
        fileprivate var squaredAccuracy: Double
    }

    /// How many spots are looked at: those that are strongest tell most.
    static let maximumPlaces = 64
    /// Signals on fewer metres than these are scattered by the same houses and cars.
    private static let spot = 8.0

    let plane: LocalPlane
    let model: CameraEstimate.Model
    private(set) var places: [Place] = []
    // The same of all places beside each other. A build for tests, which is not optimised, spends most of its time with them:
    // there an array of numbers is read fast, one of places is not, and neither is a sequence.
    private var strengths: [Double] = []
    private var precisions: [Double] = []
    /// Around where it was strongest.
    private(set) var middle = LocalPlane.Point(east: 0, north: 0)
    /// How far from there it may stand, in metres.
    var reach: Double { model.range }
    /// What is weaker than this is not received, in dBm.
    private let weakest: Double

    init?(_ sightings: [CameraEstimate.Sighting], model: CameraEstimate.Model) {
        let known = sightings.filter {
            (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude)
        }
        guard let strongest = known.max(by: { $0.rssi < $1.rssi }) else { return nil }
        plane = LocalPlane(latitude: strongest.latitude, longitude: strongest.longitude)
        self.model = model
        weakest = min(-85, known.reduce(0) { min($0, Double($1.rssi)) })
        // The strongest first: the spots that are full do not grow any more.
        for sighting in known.sorted(by: { $0.rssi > $1.rssi }) { add(sighting) }
        settle()
    }

    private mutating func add(_ sighting: CameraEstimate.Sighting) {
        let point = plane.point(latitude: sighting.latitude, longitude: sighting.longitude)
        // It cannot be received from two places that are farther apart: a wrong fix, or a source that moves.
        guard point.squaredDistance(to: middle) <= 4 * model.range * model.range else { return }
        let accuracy = sighting.accuracy.map { $0 >= 0 ? min(1000, $0) : 5 } ?? 5
        let rssi = Double(max(-127, min(20, sighting.rssi)))
        let near = places.firstIndex { $0.point.squaredDistance(to: point) < Self.spot * Self.spot }
        guard let near else {
            guard places.count < Self.maximumPlaces else { return }
            places.append(
                Place(
                    point: point, strength: rssi,
                    squaredAccuracy: accuracy * accuracy))
            return
        }
        places[near].count += 1
        let share = 1 / places[near].count
        places[near].strength += (rssi - places[near].strength) * share
        places[near].point.east += (point.east - places[near].point.east) * share
        places[near].point.north += (point.north - places[near].point.north) * share
        places[near].squaredAccuracy += (accuracy * accuracy - places[near].squaredAccuracy) * share
    }

    private mutating func settle() {
        let scatter = model.scatter * model.scatter
        for index in places.indices {
            // A quarter of the scatter differs from packet to packet, the rest belongs to the spot.
            let own = scatter * (0.75 + 0.25 / places[index].count)
            // Metres of doubt are dB of doubt: most where it is near.
            let perMeter = 4.34 * model.exponent / 15
            let variance = own + places[index].squaredAccuracy * perMeter * perMeter
            // The width of a logistic distribution with this deviation.
            places[index].precision = Double.pi / (3 * variance).squareRoot()
        }
        var weights = 0.0
        var mean = LocalPlane.Point(east: 0, north: 0)
        for place in places {
            let weight = Trigonometry.exponential((place.strength - places[0].strength) / 10)
            weights += weight
            mean.east += (place.point.east - mean.east) * weight / weights
            mean.north += (place.point.north - mean.north) * weight / weights
        }
        middle = mean
        strengths = places.map { $0.strength }
        precisions = places.map { $0.precision }
    }

    /// How well a point explains what was received: the logarithm of a probability, but for a constant.
    ///
    /// Strengths scatter by the logistic distribution: like the normal one, but one that is far off misleads less.
    ///
    /// What is too weak is not received: far away only what houses and cars have made stronger. So each strength is compared
    /// with those that could be received at all.
    ///
    /// - Parameters:
    ///   - point: The point.
    ///   - unfaded: Room for a number for each place.
    /// - Returns: The logarithm.
    func likelihood(of point: LocalPlane.Point, _ unfaded: inout [Double]) -> Double {
        let softening = softening
        var nearest = Double.infinity
        for (index, place) in places.enumerated() {
            let squared = point.squaredDistance(to: place.point)
            nearest = min(nearest, squared)
            unfaded[index] = loss(squaredDistance: squared)
        }
        // The logarithm of the sum of exponentials, of which the largest is 1: what came before is made smaller when a larger one comes.
        var weight = 0.0
        var best = -Double.infinity
        let (strengths, precisions, count, weakest) = (strengths, precisions, places.count, weakest)
        var step = 0
        while step < 9 {
            let deviation = Double(step - 4) / 2
            let strength = model.strength + deviation * model.strengthScatter
            var sum = -deviation * deviation / 2
            var index = 0
            while index < count {
                let expected = strength - unfaded[index]
                let off = (strengths[index] - expected).magnitude * precisions[index]
                let edge = (weakest - expected) * precisions[index]
                sum += softPlus(edge, softening) - off - 2 * softPlus(-off, softening)
                index += 1
            }
            if sum > best {
                weight = step == 0 ? 1 : weight * Trigonometry.exponential(best - sum) + 1
                best = sum
            } else {
                weight += Trigonometry.exponential(sum - best)
            }
            step += 1
        }
        return best + Trigonometry.logarithm(weight) - nearest / (2 * model.roadside * model.roadside)
    }

    /// dB lost on the way.
    private func loss(squaredDistance: Double) -> Double {
        // Nobody is nearer than some metres to a pole at the roadside.
        5 / 2.302585092994046 * model.exponent * Trigonometry.logarithm(squaredDistance + 9)
    }

    /// The logarithm of 1 + e to the power of a number.
    private func softPlus(_ value: Double, _ softening: [Double]) -> Double {
        let place = value.magnitude * 16
        let least = value > 0 ? value : 0
        guard place < 255 else { return least }
        let index = Int(place)
        let low = softening[index]
        return least + low + (softening[index + 1] - low) * (place - Double(index))
    }

    /// The logarithm of 1 + e to the power of 0, -1/16, -2/16 and so on.
    private let softening: [Double] = (0...256).map {
        Trigonometry.logarithm(1 + Trigonometry.exponential(Double(-$0) / 16))
    }
}

/// Squares of the ground, each with how well it explains what was received.
struct EstimateGrid {
    /// How many squares there are beside each other.
    private let side: Int

    private let corner: LocalPlane.Point
    /// How wide a square is, in metres.
    let step: Double
    private var weights: [Double]

    init(around middle: LocalPlane.Point, reach: Double, side: Int) {
        self.side = side
        step = 2 * reach / Double(side - 1)
        corner = LocalPlane.Point(east: middle.east - reach, north: middle.north - reach)
        weights = Array(repeating: 0, count: side * side)
    }

    private func point(_ index: Int) -> LocalPlane.Point {
        LocalPlane.Point(
            east: corner.east + Double(index % side) * step,
            north: corner.north + Double(index / side) * step)
    }

    mutating func weigh(_ field: SightingField) {
        var best = -Double.infinity
        var unfaded = Array(repeating: 0.0, count: field.places.count)
        for index in weights.indices {
            weights[index] = field.likelihood(of: point(index), &unfaded)
            best = max(best, weights[index])
        }
        var sum = 0.0
        for index in weights.indices {
            weights[index] = Trigonometry.exponential(weights[index] - best)
            sum += weights[index]
        }
        for index in weights.indices { weights[index] /= sum }
    }

    /// The mean, the radius that holds 68 % of the weight, and how far what has any weight lies from the mean.
    func summary() -> (mean: LocalPlane.Point, radius: Double, farthest: Double) {
        var mean = LocalPlane.Point(east: 0, north: 0)
        for index in weights.indices {
            let point = point(index)
            mean.east += point.east * weights[index]
            mean.north += point.north * weights[index]
        }
        var distances: [(squared: Double, weight: Double)] = []
        for index in weights.indices where weights[index] > 0 {
            distances.append((point(index).squaredDistance(to: mean), weights[index]))
        }
        distances.sort { $0.squared < $1.squared }
        var (held, radius, farthest) = (0.0, 0.0, 0.0)
        for (squared, weight) in distances {
            if held < 0.68 { radius = squared }
            if held < 0.999 { farthest = squared }
            held += weight
        }
        return (mean, radius.squareRoot(), farthest.squareRoot())
    }
}
