// SPDX-License-Identifier: Apache-2.0

// How views look, which is not evaluated: nothing is drawn.

/// How large controls are.
public enum ControlSize: CaseIterable, Sendable {
    /// The smallest.
    case mini
    /// Small.
    case small
    /// As usual.
    case regular
    /// Large.
    case large
    /// The largest.
    case extraLarge
}

/// What a shape leaves out.
public struct FillStyle: Equatable, Sendable {
    /// Whether lines that cross leave holes.
    public var isEOFilled: Bool
    /// Whether edges are smooth.
    public var isAntialiased: Bool

    /// A way to fill.
    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}

extension View {
    /// Sets the font.
    nonisolated public func font(_ font: Font?) -> some View { surrounded { $0.font = font } }
    /// Sets how heavy letters are.
    nonisolated public func fontWeight(_ weight: Font.Weight?) -> some View { self }
    /// Sets what letters are like.
    nonisolated public func fontDesign(_ design: Font.Design?) -> some View { self }
    /// Makes text bold.
    nonisolated public func bold(_ isActive: Bool = true) -> some View { self }
    /// Makes text italic.
    nonisolated public func italic(_ isActive: Bool = true) -> some View { self }
    /// Gives all letters the same width.
    nonisolated public func monospaced(_ isActive: Bool = true) -> some View { self }
    /// Gives all digits the same width.
    nonisolated public func monospacedDigit() -> some View { self }
    /// Strikes text through.
    nonisolated public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View { self }
    /// Sets the letters’ case.
    nonisolated public func textCase(_ textCase: Text.Case?) -> some View { self }
    /// Sets the colour.
    nonisolated public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { self }
    /// Sets two colours.
    nonisolated public func foregroundStyle<S1, S2>(_ primary: S1, _ secondary: S2) -> some View
    where S1: ShapeStyle, S2: ShapeStyle { self }
    /// Sets the colour of what can be pressed.
    nonisolated public func tint<S>(_ tint: S?) -> some View where S: ShapeStyle { self }
    /// Sets the colour of what can be pressed.
    nonisolated public func tint(_ tint: Color?) -> some View { self }
    /// Leaves room around.
    nonisolated public func padding(_ insets: EdgeInsets) -> some View { self }
    /// Leaves room at sides.
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    /// Leaves room around.
    nonisolated public func padding(_ length: CGFloat) -> some View { self }
    /// Sets the size.
    nonisolated public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        surrounded { values in
            values.room.width = width ?? values.room.width
            values.room.height = height ?? values.room.height
        }
    }
    /// Sets bounds of the size.
    nonisolated public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { self }
    /// Keeps the size that the view likes.
    nonisolated public func fixedSize() -> some View { self }
    /// Keeps the size that the view likes, each way or not.
    nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    /// Sets what is behind.
    nonisolated public func background<S>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
        -> some View where S: ShapeStyle
    { self }
    /// Makes it clear.
    nonisolated public func opacity(_ opacity: Double) -> some View { self }
    /// Moves it.
    nonisolated public func offset(_ offset: CGSize) -> some View { self }
    /// Moves it.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Puts it somewhere.
    nonisolated public func position(_ position: CGPoint) -> some View { self }
    /// Puts it somewhere.
    nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Makes it larger.
    nonisolated public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View { self }
    /// Turns it.
    nonisolated public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { self }
    /// Keeps its proportions.
    nonisolated public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View
    { self }
    /// Keeps its proportions, and shows all of it.
    nonisolated public func scaledToFit() -> some View { self }
    /// Keeps its proportions, and fills the room.
    nonisolated public func scaledToFill() -> some View { self }
    /// Says who gets room first.
    nonisolated public func layoutPriority(_ value: Double) -> some View { self }
    /// Says what lies above.
    nonisolated public func zIndex(_ value: Double) -> some View { self }
    /// Sets how many lines there may be.
    nonisolated public func lineLimit(_ number: Int?) -> some View { surrounded { $0.lineLimit = number } }
    /// Sets how many lines there may be.
    nonisolated public func lineLimit(_ limit: ClosedRange<Int>) -> some View { self }
    /// Sets how many lines there may be, and whether room is left for them.
    nonisolated public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { self }
    /// Sets how far lines are apart.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }
    /// Sets how lines are aligned.
    nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    /// Sets how much smaller text may become.
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    /// Sets where text that is too long is cut.
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    /// Lets text become narrower.
    nonisolated public func allowsTightening(_ flag: Bool) -> some View { self }
    /// Lets people touch it, or not.
    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { self }
    /// Cuts what is outside.
    nonisolated public func clipped(antialiased: Bool = false) -> some View { self }
    /// Sets how large controls are.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View {
        surrounded { $0.controlSize = controlSize }
    }
    /// Sets how large symbols are.
    nonisolated public func imageScale(_ scale: Image.Scale) -> some View { self }
    /// Sets how many colours symbols have.
    nonisolated public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    /// Sets which form symbols have.
    nonisolated public func symbolVariant(_ variant: SymbolVariants) -> some View { self }
    /// Lets the view reach below bars.
    nonisolated public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all)
        -> some View
    { self }
    /// Sets light or dark.
    nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }
    /// Shows what is behind a list, or hides it.
    nonisolated public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
    /// Sets the size of text.
    nonisolated public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View {
        surrounded { $0.dynamicTypeSize = size }
    }
    /// Keeps the size of text within bounds.
    nonisolated public func dynamicTypeSize<T>(_ range: T) -> some View
    where T: RangeExpression, T.Bound == DynamicTypeSize {
        surrounded { values in
            let allowed = DynamicTypeSize.allCases.filter { range.contains($0) }
            guard let first = allowed.first, let last = allowed.last else { return }
            values.dynamicTypeSize = min(last, max(first, values.dynamicTypeSize))
        }
    }
    /// Keeps people from using controls.
    nonisolated public func disabled(_ disabled: Bool) -> some View {
        surrounded { if disabled { $0.isEnabled = false } }
    }
    /// Hides the view.
    nonisolated public func hidden() -> some View { altered { _, _ in [] } }
    /// Gives the view an identity.
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable {
        Made { place in
            place.pass.ids.insert(AnyHashable(id))
            return place.inside("#\(id)").nodes(of: self)
        }
    }
    /// Hides it where others look.
    nonisolated public func privacySensitive(_ sensitive: Bool = true) -> some View {
        altered { place, nodes in
            sensitive && place.environment.redactionReasons.contains(.privacy) ? [] : nodes
        }
    }
    /// Says why it is not shown as it is.
    nonisolated public func redacted(reason: RedactionReasons) -> some View {
        surrounded { $0.redactionReasons.formUnion(reason) }
    }
    /// Shows it as it is.
    nonisolated public func unredacted() -> some View { surrounded { $0.redactionReasons = [] } }
    /// Takes addresses that the system gives.
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        noted { $0.pass.openURL.append(action) }
    }
    /// Writes no correction.
    nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }

    /// Puts views behind.
    nonisolated public func background<V>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let back = content()
        return altered { place, nodes in place.inside("background").nodes(of: back) + nodes }
    }

    /// Puts views above.
    nonisolated public func overlay<V>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let front = content()
        return altered { place, nodes in nodes + place.inside("overlay").nodes(of: front) }
    }

    /// Puts views at a side, which stay when the rest is scrolled.
    nonisolated public func safeAreaInset<V>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let inset = content()
        return altered { place, nodes in
            let more = place.inside("inset").nodes(of: inset)
            return edge == .top ? more + nodes : nodes + more
        }
    }

    /// Puts views at the begin or end of lines, which stay when the rest is scrolled.
    nonisolated public func safeAreaInset<V>(
        edge: HorizontalEdge, alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let inset = content()
        return altered { place, nodes in
            let more = place.inside("inset").nodes(of: inset)
            return edge == .leading ? more + nodes : nodes + more
        }
    }
}

/// How something fills its room.
public enum ContentMode: Hashable, CaseIterable, Sendable {
    /// All of it is seen.
    case fit
    /// There is no room left.
    case fill
}

/// What covers the edges of the screen.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: UInt
    /// The set with a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Bars.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// Both.
    public static let all: SafeAreaRegions = [.container, .keyboard]
}
