// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Puts together what would be drawn over each other.
package enum MapMerging {
    /// Puts groups together that are nearer than a distance, the largest first.
    ///
    /// - Parameters:
    ///   - groups: What there is.
    ///   - distance: How near, as a part of the width of the map.
    ///   - between: How near two sources are that stand alone, which take less room.
    /// - Returns: What is left, the largest first.
    package static func merge(
        _ groups: [MapGroup], within distance: Double, sources between: Double
    ) -> [MapGroup] {
        struct Square: Hashable {
            var x: Int
            var y: Int
        }
        func square(_ group: MapGroup) -> Square {
            Square(x: Int((group.x / distance).rounded(.down)), y: Int((group.y / distance).rounded(.down)))
        }
        // The order among equals must not change while the map is moved: by place.
        let sorted = groups.ordered { ($1.count, $0.y, $0.x) < ($0.count, $1.y, $1.x) }
        var result: [MapGroup] = []
        var inSquare: [Square: [Int]] = [:]
        for group in sorted {
            let own = square(group)
            var nearest: (index: Int, squared: Double)?
            for y in (own.y - 1)...(own.y + 1) {
                for x in (own.x - 1)...(own.x + 1) {
                    for index in inSquare[Square(x: x, y: y)] ?? [] {
                        let (dx, dy) = (result[index].x - group.x, result[index].y - group.y)
                        let squared = dx * dx + dy * dy
                        let limit = group.source != nil && result[index].source != nil ? between : distance
                        if squared < limit * limit, squared < nearest?.squared ?? .infinity {
                            nearest = (index, squared)
                        }
                    }
                }
            }
            if let nearest {
                result[nearest.index].absorb(group)
            } else {
                inSquare[own, default: []].append(result.count)
                result.append(group)
            }
        }
        return result.ordered { ($1.count, $0.y, $0.x) < ($0.count, $1.y, $1.x) }
    }
}

extension MapGroup {
    /// Takes another one in; the middle of both is weighed by their numbers.
    fileprivate mutating func absorb(_ other: MapGroup) {
        let share = Double(other.count) / Double(count + other.count)
        x += (other.x - x) * share
        y += (other.y - y) * share
        count += other.count
        kinds.add(other.kinds)
        source = nil
        box = MapBox(
            west: min(box.west, other.box.west), south: min(box.south, other.box.south),
            east: max(box.east, other.box.east), north: max(box.north, other.box.north))
    }
}
