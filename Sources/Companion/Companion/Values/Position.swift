// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WireJSON

/// A place on Earth in degrees of WGS 84.
public struct Position: Hashable, Sendable {
    /// Degrees north, -90 to 90.
    public let latitude: Double
    /// Degrees east, -180 to 180.
    public let longitude: Double

    /// Makes a place, when both numbers are in range.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, -90 to 90.
    ///   - longitude: Degrees east, -180 to 180.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Makes a place of what a file or a receiver says, when both numbers are in range and it is one.
    ///
    /// Where the equator meets the meridian of Greenwich is what programs write that know no place.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, -90 to 90.
    ///   - longitude: Degrees east, -180 to 180.
    package init?(told latitude: Double, _ longitude: Double) {
        guard !Self.isNowhere(latitude, longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Whether a place is 0,0, to eleven metres: what programs write that know none.
    package static func isNowhere(_ latitude: Double, _ longitude: Double) -> Bool {
        latitude.magnitude < 0.0001 && longitude.magnitude < 0.0001
    }

    /// Reads `LAT,LON`, for example `52.5200,13.4050`.
    ///
    /// - Parameter text: The text; blanks around the numbers do no harm.
    /// - Throws: ``BadInput`` with a sentence that says what is wrong.
    public init(parsing text: String) throws(BadInput) {
        let numbers = numbers(in: text)
        guard let numbers, numbers.count == 2 else {
            throw BadInput(
                "\"\(text.shortened)\" is not a place; write LAT,LON, for example 52.52,13.405.")
        }
        self = try Self.checked(numbers[0], numbers[1])
    }

    /// The Earth's mean radius in metres.
    static let earthRadius = 6_371_008.8

    fileprivate static func checked(_ latitude: Double, _ longitude: Double) throws(BadInput) -> Position {
        guard (-90...90).contains(latitude) else {
            throw BadInput("The latitude \(latitude) is not between -90 and 90; the latitude comes first.")
        }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            throw BadInput("The longitude \(longitude) is not between -180 and 180.")
        }
        return position
    }
}

/// A circle on the map.
public struct Vicinity: Hashable, Sendable {
    /// The middle.
    public let center: Position
    /// How far it reaches, in metres.
    public let metres: Double

    /// Makes a circle, when the radius is a number and not negative.
    ///
    /// - Parameters:
    ///   - center: The middle.
    ///   - metres: How far it reaches, in metres.
    public init?(center: Position, metres: Double) {
        guard metres >= 0, metres.isFinite else { return nil }
        self.center = center
        self.metres = metres
    }

    /// Reads `LAT,LON,METRES`, for example `52.5200,13.4050,250`.
    ///
    /// - Parameter text: The text; blanks around the numbers do no harm.
    /// - Throws: ``BadInput`` with a sentence that says what is wrong.
    public init(parsing text: String) throws(BadInput) {
        let numbers = numbers(in: text)
        guard let numbers, numbers.count == 3 else {
            throw BadInput(
                "\"\(text.shortened)\" is not a circle; write LAT,LON,METRES, for example 52.52,13.405,250."
            )
        }
        let center = try Position.checked(numbers[0], numbers[1])
        guard let circle = Vicinity(center: center, metres: numbers[2]) else {
            throw BadInput("The radius \(numbers[2]) is negative; it is in metres.")
        }
        self = circle
    }

    /// A range of latitudes and longitudes.
    public struct Box: Hashable, Sendable {
        /// Degrees north.
        public let latitudes: ClosedRange<Double>
        /// Degrees east.
        public let longitudes: ClosedRange<Double>
    }
}

/// Reads finite numbers with commas between them.
private func numbers(in text: String) -> [Double]? {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Double(decimal: part.utf8) else { return nil }
        numbers.append(number)
    }
    return numbers
}

extension Double {
    /// Reads a finite number as people write it: `-33.5`, `+1`, `.5`, `1e3`; blanks around it do no harm.
    package init?(decimal text: some Collection<UInt8>) {
        var octets = Array(text)
        let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x09 }
        while let last = octets.last, isBlank(last) { octets.removeLast() }
        octets = Array(octets[(octets.firstIndex { !isBlank($0) } ?? octets.endIndex)...])
        // JSON wants no plus, and a digit on both sides of the point.
        if octets.first == UInt8(ascii: "+") {
            octets.removeFirst()
            if octets.first == UInt8(ascii: "-") { return nil }
        }
        if octets.last == UInt8(ascii: "."), octets.count > 1 { octets.removeLast() }
        let sign = octets.first == UInt8(ascii: "-") ? 1 : 0
        if octets.count > sign, octets[sign] == UInt8(ascii: ".") {
            octets.insert(UInt8(ascii: "0"), at: sign)
        }
        // Nor a zero before other digits.
        var zeros = 0
        while sign + zeros + 1 < octets.count, octets[sign + zeros] == 0x30,
            JSONScanner.isDigit(octets[sign + zeros + 1])
        {
            zeros += 1
        }
        octets.removeSubrange(sign..<(sign + zeros))
        var scanner = JSONScanner(position: 0)
        let token: JSONScanner.Token?
        do throws(JSONError) { token = try scanner.value(octets.octetSpan) } catch { token = nil }
        guard let token, token.kind == .number, token.start == 0, token.end == octets.count,
            let number = JSONNumber(token, in: octets.octetSpan).double
        else { return nil }
        self = number
    }
}
