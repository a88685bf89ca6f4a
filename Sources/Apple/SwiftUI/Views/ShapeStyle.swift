// SPDX-License-Identifier: Apache-2.0

/// What something is painted with.
public protocol ShapeStyle: Sendable {}

extension Color: ShapeStyle {}

/// One of the strengths of the colour that text has.
public struct HierarchicalShapeStyle: ShapeStyle {
    /// The strongest.
    public static let primary = HierarchicalShapeStyle()
    /// The second.
    public static let secondary = HierarchicalShapeStyle()
    /// The third.
    public static let tertiary = HierarchicalShapeStyle()
    /// The fourth.
    public static let quaternary = HierarchicalShapeStyle()
    /// The fifth.
    public static let quinary = HierarchicalShapeStyle()
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The strongest.
    public static var primary: HierarchicalShapeStyle { .init() }
    /// The second.
    public static var secondary: HierarchicalShapeStyle { .init() }
    /// The third.
    public static var tertiary: HierarchicalShapeStyle { .init() }
    /// The fourth.
    public static var quaternary: HierarchicalShapeStyle { .init() }
    /// The fifth.
    public static var quinary: HierarchicalShapeStyle { .init() }
}

/// The colour of what can be pressed.
public struct TintShapeStyle: ShapeStyle {
    /// The style.
    public init() {}
}

extension ShapeStyle where Self == TintShapeStyle {
    /// The colour of what can be pressed.
    public static var tint: TintShapeStyle { .init() }
}

/// The colour of text.
public struct ForegroundStyle: ShapeStyle {
    /// The style.
    public init() {}
}

extension ShapeStyle where Self == ForegroundStyle {
    /// The colour of text.
    public static var foreground: ForegroundStyle { .init() }
}

/// The colour behind all.
public struct BackgroundStyle: ShapeStyle {
    /// The style.
    public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The colour behind all.
    public static var background: BackgroundStyle { .init() }
}

/// The colour of lines between things.
public struct SeparatorShapeStyle: ShapeStyle {
    /// The style.
    public init() {}
}

extension ShapeStyle where Self == SeparatorShapeStyle {
    /// The colour of lines between things.
    public static var separator: SeparatorShapeStyle { .init() }
}

/// The colour behind controls.
public struct FillShapeStyle: ShapeStyle {
    /// The style.
    public init() {}
}

extension ShapeStyle where Self == FillShapeStyle {
    /// The colour behind controls.
    public static var fill: FillShapeStyle { .init() }
}

/// A pane through which colours are seen.
public struct Material: Sendable, ShapeStyle {
    /// Nearly clear.
    public static let ultraThin = Material()
    /// Clear.
    public static let thin = Material()
    /// Neither.
    public static let regular = Material()
    /// Dim.
    public static let thick = Material()
    /// Nearly opaque.
    public static let ultraThick = Material()
    /// As bars have it.
    public static let bar = Material()
}

extension ShapeStyle where Self == Material {
    /// Nearly clear.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// Clear.
    public static var thinMaterial: Material { .thin }
    /// Neither.
    public static var regularMaterial: Material { .regular }
    /// Dim.
    public static var thickMaterial: Material { .thick }
    /// Nearly opaque.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// As bars have it.
    public static var bar: Material { .bar }
}

/// Any style.
public struct AnyShapeStyle: ShapeStyle {
    let style: any ShapeStyle

    /// A style whose type is hidden.
    public init<S>(_ style: S) where S: ShapeStyle { self.style = style }
}

/// A style, seen through.
public struct _OpacityShapeStyle<Style>: ShapeStyle where Style: ShapeStyle {
    let style: Style
    let opacity: Double
}

extension ShapeStyle {
    /// The style, seen through.
    public func opacity(_ opacity: Double) -> some ShapeStyle {
        _OpacityShapeStyle(style: self, opacity: opacity)
    }
}

extension ShapeStyle where Self == Color {
    /// Red, as the system has it.
    public static var red: Color { .red }
    /// Orange, as the system has it.
    public static var orange: Color { .orange }
    /// Yellow, as the system has it.
    public static var yellow: Color { .yellow }
    /// Green, as the system has it.
    public static var green: Color { .green }
    /// Mint, as the system has it.
    public static var mint: Color { .mint }
    /// Teal, as the system has it.
    public static var teal: Color { .teal }
    /// Cyan, as the system has it.
    public static var cyan: Color { .cyan }
    /// Blue, as the system has it.
    public static var blue: Color { .blue }
    /// Indigo, as the system has it.
    public static var indigo: Color { .indigo }
    /// Purple, as the system has it.
    public static var purple: Color { .purple }
    /// Pink, as the system has it.
    public static var pink: Color { .pink }
    /// Brown, as the system has it.
    public static var brown: Color { .brown }
    /// White.
    public static var white: Color { .white }
    /// Grey, as the system has it.
    public static var gray: Color { .gray }
    /// Black.
    public static var black: Color { .black }
    /// Nothing.
    public static var clear: Color { .clear }
}
