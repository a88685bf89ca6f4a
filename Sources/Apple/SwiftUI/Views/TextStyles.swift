// SPDX-License-Identifier: Apache-2.0

// What changes a text and leaves it a text. None of it is heard.
extension Text {
    /// Sets the font.
    public func font(_ font: Font?) -> Text { self }
    /// Sets how heavy the letters are.
    public func fontWeight(_ weight: Font.Weight?) -> Text { self }
    /// Sets how wide the letters are.
    public func fontWidth(_ width: Font.Width?) -> Text { self }
    /// Sets the design of the letters.
    public func fontDesign(_ design: Font.Design?) -> Text { self }
    /// Sets the colour.
    public func foregroundStyle<S>(_ style: S) -> Text where S: ShapeStyle { self }
    /// Sets the colour.
    public func foregroundColor(_ color: Color?) -> Text { self }
    /// Makes it bold.
    public func bold() -> Text { self }
    /// Makes it bold, or not.
    public func bold(_ isActive: Bool) -> Text { self }
    /// Makes it italic.
    public func italic() -> Text { self }
    /// Makes it italic, or not.
    public func italic(_ isActive: Bool) -> Text { self }
    /// Gives all letters the same width.
    public func monospaced(_ isActive: Bool = true) -> Text { self }
    /// Gives all digits the same width.
    public func monospacedDigit() -> Text { self }
    /// Strikes it through.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    /// Strikes it through.
    public func strikethrough(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> Text { self }
    /// Underlines it.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    /// Underlines it.
    public func underline(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> Text { self }
    /// Sets the space between letters.
    public func kerning(_ kerning: CGFloat) -> Text { self }
    /// Sets the space between letters.
    public func tracking(_ tracking: CGFloat) -> Text { self }
    /// Moves it up or down.
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }
    /// Sets how it grows.
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> Text { self }

    /// What VoiceOver says instead.
    public func accessibilityLabel(_ label: Text) -> Text {
        var copy = self
        copy.label = label.storage
        return copy
    }

    /// What VoiceOver says instead.
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> Text {
        accessibilityLabel(Text(labelKey))
    }

    /// What VoiceOver says instead.
    @_disfavoredOverload public func accessibilityLabel<S>(_ label: S) -> Text where S: StringProtocol {
        accessibilityLabel(Text(label))
    }

    /// Makes it a heading for VoiceOver.
    public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> Text {
        var copy = self
        copy.isHeading = true
        return copy
    }

    /// How large text is beside other text.
    public struct Scale: Hashable, Sendable {
        let name: String
        /// As the rest.
        public static let `default` = Scale(name: "default")
        /// Smaller.
        public static let secondary = Scale(name: "secondary")
    }
}

extension Text.LineStyle {
    /// What a line under or through text is made of.
    public struct Pattern: Sendable {
        /// One stroke.
        public static let solid = Pattern()
        /// Dots.
        public static let dot = Pattern()
        /// Dashes.
        public static let dash = Pattern()
    }
}
