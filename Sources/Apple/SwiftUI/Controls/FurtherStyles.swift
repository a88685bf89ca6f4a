// SPDX-License-Identifier: Apache-2.0

// How further controls look, which is not evaluated: what they say and do is the same in each style.

/// How DatePicker is shown.
@MainActor @preconcurrency public protocol DatePickerStyle {}

/// A style of DatePicker: automatic.
public struct DefaultDatePickerStyle: DatePickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultDatePickerStyle { .init() }
}

/// A style of DatePicker: compact.
public struct CompactDatePickerStyle: DatePickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// The style compact.
    @MainActor @preconcurrency public static var compact: CompactDatePickerStyle { .init() }
}

/// A style of DatePicker: graphical.
public struct GraphicalDatePickerStyle: DatePickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// The style graphical.
    @MainActor @preconcurrency public static var graphical: GraphicalDatePickerStyle { .init() }
}

/// A style of DatePicker: wheel.
public struct WheelDatePickerStyle: DatePickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// The style wheel.
    @MainActor @preconcurrency public static var wheel: WheelDatePickerStyle { .init() }
}

/// How Gauge is shown.
@MainActor @preconcurrency public protocol GaugeStyle {}

/// A style of Gauge: automatic.
public struct DefaultGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == DefaultGaugeStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultGaugeStyle { .init() }
}

/// A style of Gauge: linearCapacity.
public struct LinearCapacityGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    /// The style linearCapacity.
    @MainActor @preconcurrency public static var linearCapacity: LinearCapacityGaugeStyle { .init() }
}

/// A style of Gauge: accessoryCircular.
public struct AccessoryCircularGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// The style accessoryCircular.
    @MainActor @preconcurrency public static var accessoryCircular: AccessoryCircularGaugeStyle { .init() }
}

/// A style of Gauge: accessoryCircularCapacity.
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// The style accessoryCircularCapacity.
    @MainActor @preconcurrency public static var accessoryCircularCapacity:
        AccessoryCircularCapacityGaugeStyle
    { .init() }
}

/// A style of Gauge: accessoryLinear.
public struct AccessoryLinearGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    /// The style accessoryLinear.
    @MainActor @preconcurrency public static var accessoryLinear: AccessoryLinearGaugeStyle { .init() }
}

/// A style of Gauge: accessoryLinearCapacity.
public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle {
    /// The style.
    nonisolated public init() {}
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    /// The style accessoryLinearCapacity.
    @MainActor @preconcurrency public static var accessoryLinearCapacity: AccessoryLinearCapacityGaugeStyle {
        .init()
    }
}

/// How ControlGroup is shown.
@MainActor @preconcurrency public protocol ControlGroupStyle {}

/// A style of ControlGroup: automatic.
public struct AutomaticControlGroupStyle: ControlGroupStyle {
    /// The style.
    nonisolated public init() {}
}

extension ControlGroupStyle where Self == AutomaticControlGroupStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: AutomaticControlGroupStyle { .init() }
}

/// A style of ControlGroup: navigation.
public struct NavigationControlGroupStyle: ControlGroupStyle {
    /// The style.
    nonisolated public init() {}
}

extension ControlGroupStyle where Self == NavigationControlGroupStyle {
    /// The style navigation.
    @MainActor @preconcurrency public static var navigation: NavigationControlGroupStyle { .init() }
}

/// A style of ControlGroup: menu.
public struct MenuControlGroupStyle: ControlGroupStyle {
    /// The style.
    nonisolated public init() {}
}

extension ControlGroupStyle where Self == MenuControlGroupStyle {
    /// The style menu.
    @MainActor @preconcurrency public static var menu: MenuControlGroupStyle { .init() }
}

/// A style of ControlGroup: compactMenu.
public struct CompactMenuControlGroupStyle: ControlGroupStyle {
    /// The style.
    nonisolated public init() {}
}

extension ControlGroupStyle where Self == CompactMenuControlGroupStyle {
    /// The style compactMenu.
    @MainActor @preconcurrency public static var compactMenu: CompactMenuControlGroupStyle { .init() }
}

/// A style of ControlGroup: palette.
public struct PaletteControlGroupStyle: ControlGroupStyle {
    /// The style.
    nonisolated public init() {}
}

extension ControlGroupStyle where Self == PaletteControlGroupStyle {
    /// The style palette.
    @MainActor @preconcurrency public static var palette: PaletteControlGroupStyle { .init() }
}

/// How GroupBox is shown.
@MainActor @preconcurrency public protocol GroupBoxStyle {}

/// A style of GroupBox: automatic.
public struct DefaultGroupBoxStyle: GroupBoxStyle {
    /// The style.
    nonisolated public init() {}
}

extension GroupBoxStyle where Self == DefaultGroupBoxStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultGroupBoxStyle { .init() }
}

/// How NavigationSplitView is shown.
@MainActor @preconcurrency public protocol NavigationSplitViewStyle {}

/// A style of NavigationSplitView: automatic.
public struct AutomaticNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension NavigationSplitViewStyle where Self == AutomaticNavigationSplitViewStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: AutomaticNavigationSplitViewStyle { .init() }
}

/// A style of NavigationSplitView: balanced.
public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle {
    /// The style balanced.
    @MainActor @preconcurrency public static var balanced: BalancedNavigationSplitViewStyle { .init() }
}

/// A style of NavigationSplitView: prominentDetail.
public struct ProminentDetailNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension NavigationSplitViewStyle where Self == ProminentDetailNavigationSplitViewStyle {
    /// The style prominentDetail.
    @MainActor @preconcurrency public static var prominentDetail: ProminentDetailNavigationSplitViewStyle {
        .init()
    }
}

extension View {
    /// Sets how DatePicker is shown.
    nonisolated public func datePickerStyle<S>(_ style: S) -> some View where S: DatePickerStyle { self }
    /// Sets how Gauge is shown.
    nonisolated public func gaugeStyle<S>(_ style: S) -> some View where S: GaugeStyle { self }
    /// Sets how ControlGroup is shown.
    nonisolated public func controlGroupStyle<S>(_ style: S) -> some View where S: ControlGroupStyle { self }
    /// Sets how GroupBox is shown.
    nonisolated public func groupBoxStyle<S>(_ style: S) -> some View where S: GroupBoxStyle { self }
    /// Sets how NavigationSplitView is shown.
    nonisolated public func navigationSplitViewStyle<S>(_ style: S) -> some View
    where S: NavigationSplitViewStyle { self }
}
