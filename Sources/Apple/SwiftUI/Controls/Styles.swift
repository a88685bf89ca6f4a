// SPDX-License-Identifier: Apache-2.0

// How controls look, which is not evaluated: what they say and do is the same in each style.

/// How Button is shown.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

/// A style of Button: automatic.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
    /// The style.
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultButtonStyle { .init() }
}

/// A style of Button: plain.
public struct PlainButtonStyle: PrimitiveButtonStyle {
    /// The style.
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// The style plain.
    @MainActor @preconcurrency public static var plain: PlainButtonStyle { .init() }
}

/// A style of Button: bordered.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
    /// The style.
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// The style bordered.
    @MainActor @preconcurrency public static var bordered: BorderedButtonStyle { .init() }
}

/// A style of Button: borderedProminent.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    /// The style.
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// The style borderedProminent.
    @MainActor @preconcurrency public static var borderedProminent: BorderedProminentButtonStyle { .init() }
}

/// A style of Button: borderless.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    /// The style.
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// The style borderless.
    @MainActor @preconcurrency public static var borderless: BorderlessButtonStyle { .init() }
}

/// How Toggle is shown.
@MainActor @preconcurrency public protocol ToggleStyle {}

/// A style of Toggle: automatic.
public struct DefaultToggleStyle: ToggleStyle {
    /// The style.
    nonisolated public init() {}
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultToggleStyle { .init() }
}

/// A style of Toggle: switch.
public struct SwitchToggleStyle: ToggleStyle {
    /// The style.
    nonisolated public init() {}
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style switch.
    @MainActor @preconcurrency public static var `switch`: SwitchToggleStyle { .init() }
}

/// A style of Toggle: button.
public struct ButtonToggleStyle: ToggleStyle {
    /// The style.
    nonisolated public init() {}
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style button.
    @MainActor @preconcurrency public static var button: ButtonToggleStyle { .init() }
}

/// How Picker is shown.
@MainActor @preconcurrency public protocol PickerStyle {}

/// A style of Picker: automatic.
public struct DefaultPickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == DefaultPickerStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultPickerStyle { .init() }
}

/// A style of Picker: segmented.
public struct SegmentedPickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == SegmentedPickerStyle {
    /// The style segmented.
    @MainActor @preconcurrency public static var segmented: SegmentedPickerStyle { .init() }
}

/// A style of Picker: menu.
public struct MenuPickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == MenuPickerStyle {
    /// The style menu.
    @MainActor @preconcurrency public static var menu: MenuPickerStyle { .init() }
}

/// A style of Picker: inline.
public struct InlinePickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == InlinePickerStyle {
    /// The style inline.
    @MainActor @preconcurrency public static var inline: InlinePickerStyle { .init() }
}

/// A style of Picker: navigationLink.
public struct NavigationLinkPickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == NavigationLinkPickerStyle {
    /// The style navigationLink.
    @MainActor @preconcurrency public static var navigationLink: NavigationLinkPickerStyle { .init() }
}

/// A style of Picker: wheel.
public struct WheelPickerStyle: PickerStyle {
    /// The style.
    nonisolated public init() {}
}

extension PickerStyle where Self == WheelPickerStyle {
    /// The style wheel.
    @MainActor @preconcurrency public static var wheel: WheelPickerStyle { .init() }
}

/// How List is shown.
@MainActor @preconcurrency public protocol ListStyle {}

/// A style of List: automatic.
public struct DefaultListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultListStyle { .init() }
}

/// A style of List: plain.
public struct PlainListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// The style plain.
    @MainActor @preconcurrency public static var plain: PlainListStyle { .init() }
}

/// A style of List: insetGrouped.
public struct InsetGroupedListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// The style insetGrouped.
    @MainActor @preconcurrency public static var insetGrouped: InsetGroupedListStyle { .init() }
}

/// A style of List: grouped.
public struct GroupedListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// The style grouped.
    @MainActor @preconcurrency public static var grouped: GroupedListStyle { .init() }
}

/// A style of List: inset.
public struct InsetListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// The style inset.
    @MainActor @preconcurrency public static var inset: InsetListStyle { .init() }
}

/// A style of List: sidebar.
public struct SidebarListStyle: ListStyle {
    /// The style.
    nonisolated public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// The style sidebar.
    @MainActor @preconcurrency public static var sidebar: SidebarListStyle { .init() }
}

/// How TextField is shown.
@MainActor @preconcurrency public protocol TextFieldStyle {}

/// A style of TextField: automatic.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// The style.
    nonisolated public init() {}
}

extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultTextFieldStyle { .init() }
}

/// A style of TextField: plain.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// The style.
    nonisolated public init() {}
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The style plain.
    @MainActor @preconcurrency public static var plain: PlainTextFieldStyle { .init() }
}

/// A style of TextField: roundedBorder.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// The style.
    nonisolated public init() {}
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// The style roundedBorder.
    @MainActor @preconcurrency public static var roundedBorder: RoundedBorderTextFieldStyle { .init() }
}

/// How Form is shown.
@MainActor @preconcurrency public protocol FormStyle {}

/// A style of Form: automatic.
public struct AutomaticFormStyle: FormStyle {
    /// The style.
    nonisolated public init() {}
}

extension FormStyle where Self == AutomaticFormStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: AutomaticFormStyle { .init() }
}

/// A style of Form: grouped.
public struct GroupedFormStyle: FormStyle {
    /// The style.
    nonisolated public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
    /// The style grouped.
    @MainActor @preconcurrency public static var grouped: GroupedFormStyle { .init() }
}

/// A style of Form: columns.
public struct ColumnsFormStyle: FormStyle {
    /// The style.
    nonisolated public init() {}
}

extension FormStyle where Self == ColumnsFormStyle {
    /// The style columns.
    @MainActor @preconcurrency public static var columns: ColumnsFormStyle { .init() }
}

/// How ProgressView is shown.
@MainActor @preconcurrency public protocol ProgressViewStyle {}

/// A style of ProgressView: automatic.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The style automatic.
    @MainActor @preconcurrency public static var automatic: DefaultProgressViewStyle { .init() }
}

/// A style of ProgressView: circular.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style circular.
    @MainActor @preconcurrency public static var circular: CircularProgressViewStyle { .init() }
}

/// A style of ProgressView: linear.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// The style.
    nonisolated public init() {}
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style linear.
    @MainActor @preconcurrency public static var linear: LinearProgressViewStyle { .init() }
}

extension View {
    /// Sets how Button is shown.
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle { self }
    /// Sets how Toggle is shown.
    nonisolated public func toggleStyle<S>(_ style: S) -> some View where S: ToggleStyle { self }
    /// Sets how Picker is shown.
    nonisolated public func pickerStyle<S>(_ style: S) -> some View where S: PickerStyle { self }
    /// Sets how List is shown.
    nonisolated public func listStyle<S>(_ style: S) -> some View where S: ListStyle { self }
    /// Sets how TextField is shown.
    nonisolated public func textFieldStyle<S>(_ style: S) -> some View where S: TextFieldStyle { self }
    /// Sets how Form is shown.
    nonisolated public func formStyle<S>(_ style: S) -> some View where S: FormStyle { self }
    /// Sets how ProgressView is shown.
    nonisolated public func progressViewStyle<S>(_ style: S) -> some View where S: ProgressViewStyle { self }
}
