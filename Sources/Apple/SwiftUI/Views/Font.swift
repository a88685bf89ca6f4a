// SPDX-License-Identifier: Apache-2.0

/// How letters look.
public struct Font: Hashable, Sendable {
    /// What text is for.
    public enum TextStyle: CaseIterable, Hashable, Sendable {
        /// The largest titles.
        case largeTitle
        /// Titles.
        case title
        /// Titles below those.
        case title2
        /// Titles below those again.
        case title3
        /// Headings.
        case headline
        /// Headings below those.
        case subheadline
        /// What is read.
        case body
        /// What stands out a little.
        case callout
        /// Notes.
        case footnote
        /// What stands under pictures.
        case caption
        /// What stands under those.
        case caption2
    }

    /// How heavy letters are.
    public struct Weight: Hashable, Sendable {
        let value: Int
        /// The lightest.
        public static let ultraLight = Weight(value: 100)
        /// Thin.
        public static let thin = Weight(value: 200)
        /// Light.
        public static let light = Weight(value: 300)
        /// As usual.
        public static let regular = Weight(value: 400)
        /// A little heavier.
        public static let medium = Weight(value: 500)
        /// Half bold.
        public static let semibold = Weight(value: 600)
        /// Bold.
        public static let bold = Weight(value: 700)
        /// Heavy.
        public static let heavy = Weight(value: 800)
        /// The heaviest.
        public static let black = Weight(value: 900)
    }

    /// How wide letters are.
    public struct Width: Hashable, Sendable {
        /// The number for it.
        public var value: CGFloat
        /// A width by its number.
        public init(_ value: CGFloat) { self.value = value }
        /// Narrower than condensed.
        public static let compressed = Width(-0.3)
        /// Narrow.
        public static let condensed = Width(-0.2)
        /// As usual.
        public static let standard = Width(0)
        /// Wide.
        public static let expanded = Width(0.2)
    }

    /// What letters are like.
    public enum Design: Hashable, Sendable {
        /// As usual.
        case `default`
        /// With feet.
        case serif
        /// Round.
        case rounded
        /// All of one width.
        case monospaced
    }

    /// How far apart lines are.
    public enum Leading: Hashable, Sendable {
        /// As usual.
        case standard
        /// Nearer.
        case tight
        /// Farther.
        case loose
    }

    let style: TextStyle?
    var size: CGFloat?
    var weight: Weight?
    var design: Design?

    private init(_ style: TextStyle?, size: CGFloat? = nil, weight: Weight? = nil, design: Design? = nil) {
        (self.style, self.size, self.weight, self.design) = (style, size, weight, design)
    }

    /// The largest titles.
    public static let largeTitle = Font(.largeTitle)
    /// Titles.
    public static let title = Font(.title)
    /// Titles below those.
    public static let title2 = Font(.title2)
    /// Titles below those again.
    public static let title3 = Font(.title3)
    /// Headings.
    public static let headline = Font(.headline)
    /// Headings below those.
    public static let subheadline = Font(.subheadline)
    /// What is read.
    public static let body = Font(.body)
    /// What stands out a little.
    public static let callout = Font(.callout)
    /// Notes.
    public static let footnote = Font(.footnote)
    /// What stands under pictures.
    public static let caption = Font(.caption)
    /// What stands under those.
    public static let caption2 = Font(.caption2)

    /// The font of the system for a style.
    public static func system(
        _ style: Font.TextStyle, design: Font.Design? = nil, weight: Font.Weight? = nil
    ) -> Font {
        Font(style, weight: weight, design: design)
    }

    /// The font of the system at a size.
    public static func system(
        size: CGFloat, weight: Font.Weight? = nil, design: Font.Design? = nil
    ) -> Font {
        Font(nil, size: size, weight: weight, design: design)
    }

    /// A font of the app, which grows with the size of text.
    public static func custom(_ name: String, size: CGFloat) -> Font { Font(nil, size: size) }

    /// The font, of a weight.
    public func weight(_ weight: Font.Weight) -> Font {
        var copy = self
        copy.weight = weight
        return copy
    }

    /// The font, of a width.
    public func width(_ width: Font.Width) -> Font { self }

    /// The font, bold.
    public func bold() -> Font { weight(.bold) }

    /// The font, italic.
    public func italic() -> Font { self }

    /// The font, all letters of one width.
    public func monospaced() -> Font {
        var copy = self
        copy.design = .monospaced
        return copy
    }

    /// The font, all digits of one width.
    public func monospacedDigit() -> Font { self }

    /// The font, with small capitals.
    public func smallCaps() -> Font { self }

    /// The font, with other distances of lines.
    public func leading(_ leading: Font.Leading) -> Font { self }
}
