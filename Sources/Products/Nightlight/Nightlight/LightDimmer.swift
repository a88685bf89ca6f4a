// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A dimmer: scales a colour, and remembers it, so that it comes back with the same hue.
///
/// Red, green and blue grow together until one of them is 255, and shrink together until all are 0; above
/// 0 percent something always shines.
///
/// Spec: Documentation/Protocols/nightlight.md, LEDs.
public struct LightDimmer: Hashable, Sendable {
    /// The colour at 100 percent.
    public let original: RGBColor
    /// How bright it is, in percent of the original; 0 to ``maximum``.
    public private(set) var percent: Int

    /// Starts at 100 percent.
    public init(_ original: RGBColor) {
        self.original = original
        percent = 100
    }

    /// The percentage at which one component has reached 255; black has no brighter.
    public var maximum: Int {
        let brightest = Int(original.brightest)
        guard brightest > 0 else { return 100 }
        return (25500 + brightest - 1) / brightest
    }

    /// Sets the percentage, within its range.
    ///
    /// - Parameter percent: How bright, in percent of the original.
    public mutating func set(percent: Int) { self.percent = max(0, min(percent, maximum)) }

    /// Makes it brighter or darker.
    ///
    /// - Parameter percent: How much, in percent of the original; negative is darker.
    public mutating func change(byPercent percent: Int) {
        let (sum, overflow) = self.percent.addingReportingOverflow(percent)
        set(percent: overflow ? (percent < 0 ? 0 : maximum) : sum)
    }

    /// What shines.
    public var color: RGBColor {
        let brightest = Int(original.brightest)
        guard percent > 0, brightest > 0 else { return .black }
        // The brightest component decides: it is at most 255, and at least 1.
        let top = max(1, min(255, (brightest * percent + 50) / 100))
        guard top < 255 else { return scaled(to: 255, of: brightest) }
        guard brightest * percent >= 50 else { return scaled(to: 1, of: brightest) }
        return RGBColor(
            red: part(original.red, percent, 100), green: part(original.green, percent, 100),
            blue: part(original.blue, percent, 100))
    }

    private func scaled(to top: Int, of brightest: Int) -> RGBColor {
        RGBColor(
            red: part(original.red, top, brightest), green: part(original.green, top, brightest),
            blue: part(original.blue, top, brightest))
    }

    private func part(_ component: UInt8, _ numerator: Int, _ denominator: Int) -> UInt8 {
        UInt8((Int(component) * numerator + denominator / 2) / denominator)
    }
}
