// SPDX-License-Identifier: Apache-2.0

/// A title with a picture.
public struct Label<Title, Icon> where Title: View, Icon: View {
    package let title: Title
    let icon: Icon

    /// A title with a picture.
    nonisolated public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
}

extension Label: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Label: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        // The picture says nothing that the title does not.
        let titles = place.inside("title").nodes(of: title)
        let icons = place.inside("icon").nodes(of: icon).filter { $0.kind != .image || $0.label != nil }
        return icons.isEmpty ? titles : [Node(.group, "", icons + titles)]
    }
}

extension Label where Title == Text, Icon == Image {
    /// A title of the catalogue with a symbol.
    nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }

    /// A title of the catalogue with a symbol.
    @_disfavoredOverload nonisolated public init(
        _ titleResource: LocalizedStringResource, systemImage name: String
    ) {
        self.init {
            Text(titleResource)
        } icon: {
            Image(systemName: name)
        }
    }

    /// A title with a symbol.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, systemImage name: String)
    where S: StringProtocol {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }

    /// A title of the catalogue with a picture of the app.
    nonisolated public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(decorative: name)
        }
    }

    /// A title with a picture of the app.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, image name: String) where S: StringProtocol {
        self.init {
            Text(title)
        } icon: {
            Image(decorative: name)
        }
    }
}

/// How a label is shown.
@MainActor @preconcurrency public protocol LabelStyle {}

/// As its surroundings like.
public struct DefaultLabelStyle: LabelStyle {
    /// The style.
    nonisolated public init() {}
}

/// The picture only.
public struct IconOnlyLabelStyle: LabelStyle {
    /// The style.
    nonisolated public init() {}
}

/// The title only.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// The style.
    nonisolated public init() {}
}

/// Both.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// The style.
    nonisolated public init() {}
}

extension LabelStyle where Self == DefaultLabelStyle {
    /// As its surroundings like.
    @MainActor @preconcurrency public static var automatic: DefaultLabelStyle { .init() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The picture only.
    @MainActor @preconcurrency public static var iconOnly: IconOnlyLabelStyle { .init() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The title only.
    @MainActor @preconcurrency public static var titleOnly: TitleOnlyLabelStyle { .init() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// Both.
    @MainActor @preconcurrency public static var titleAndIcon: TitleAndIconLabelStyle { .init() }
}

extension View {
    /// Sets how labels are shown; VoiceOver says the title in each.
    nonisolated public func labelStyle<S>(_ style: S) -> some View where S: LabelStyle { self }

    /// Hides the labels of controls, which VoiceOver says all the same.
    nonisolated public func labelsHidden() -> some View { surrounded { $0.areLabelsHidden = true } }
}
