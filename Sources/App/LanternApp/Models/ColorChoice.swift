// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import CompanionHub
import Foundation

/// A colour as a person mixes it: a hue, how much white is in it, and how strong it is.
public struct ColorChoice: Hashable, Sendable {
    /// The hue in degrees, from red over green and blue, 0 to 360.
    public var hue: Double { didSet { exact = nil } }
    /// How much white is in it, 0 to 1.
    public var white: Double { didSet { exact = nil } }
    /// How strong it is, 0 to 1.
    public var strength: Double { didSet { exact = nil } }

    /// The colour that it began with, as long as nothing was changed.
    private var exact: RGBColor?

    /// Begins with a colour.
    public init(_ color: RGBColor) {
        let brightest = Double(color.brightest)
        let faintest = Double(min(color.red, color.green, color.blue))
        hue = Double(color.hue) * 360 / Double(RGBColor.hues)
        white = brightest > 0 ? faintest / brightest : 0
        strength = brightest / 255
        exact = color
    }

    /// The same at full strength.
    public var full: RGBColor {
        let pure = RGBColor(hue: Int((hue * Double(RGBColor.hues) / 360).rounded()))
        func part(_ octet: UInt8) -> UInt8 {
            UInt8((Double(octet) + (255 - Double(octet)) * min(1, max(0, white))).rounded())
        }
        return RGBColor(red: part(pure.red), green: part(pure.green), blue: part(pure.blue))
    }

    /// The colour; above a strength of nothing something always shines.
    public var color: RGBColor {
        if let exact { return exact }
        var dimmer = LightDimmer(full)
        dimmer.set(percent: Int((strength * 100).rounded()))
        return dimmer.color
    }

    // MARK: The wheel

    /// Where it is on a wheel whose middle is white, from there to the east and to the south.
    func place(radius: Double) -> (east: Double, south: Double) {
        let (angle, distance) = (hue * .pi / 180, (1 - white) * radius)
        return (distance * cos(angle), distance * sin(angle))
    }

    /// Chooses hue and white by a place on the wheel, or what is nearest to it.
    mutating func choose(east: Double, south: Double, radius: Double) {
        let distance = (east * east + south * south).squareRoot()
        white = 1 - min(1, distance / radius)
        // The middle has no hue: it stays.
        guard distance > 0 else { return }
        let angle = atan2(south, east) * 180 / .pi
        hue = angle < 0 ? angle + 360 : angle
    }

    /// Goes around the wheel.
    mutating func turn(by degrees: Double) {
        let turned = (hue + degrees).truncatingRemainder(dividingBy: 360)
        hue = turned < 0 ? turned + 360 : turned
    }

    /// Makes it stronger, or weaker.
    mutating func dim(by share: Double) { strength = min(1, max(0, strength + share)) }
}
