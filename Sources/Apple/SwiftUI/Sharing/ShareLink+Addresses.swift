// SPDX-License-Identifier: Apache-2.0

// Addresses and texts are shared without being told how they look.

extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Data.Element == URL {
    /// Shares addresses, with a label.
    nonisolated public init(
        items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) {
        self.init(items, subject, message, nil, label())
    }

    /// Shares an address, with a label.
    nonisolated public init(
        item: URL, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<URL> {
        self.init(CollectionOfOne(item), subject, message, nil, label())
    }
}

extension ShareLink
where
    PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel, Data.Element == URL
{
    /// Shares addresses.
    nonisolated public init(items: Data, subject: Text? = nil, message: Text? = nil) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: nil))
    }

    /// Shares an address.
    nonisolated public init(item: URL, subject: Text? = nil, message: Text? = nil)
    where Data == CollectionOfOne<URL> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: nil))
    }

    /// Shares addresses, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, items: Data, subject: Text? = nil, message: Text? = nil
    ) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares an address, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, item: URL, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<URL> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares addresses, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, items: Data, subject: Text? = nil, message: Text? = nil
    ) where S: StringProtocol {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares an address, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, item: URL, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<URL>, S: StringProtocol {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares addresses, with a title.
    nonisolated public init(
        _ title: Text, items: Data, subject: Text? = nil, message: Text? = nil
    ) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: title))
    }

    /// Shares an address, with a title.
    nonisolated public init(
        _ title: Text, item: URL, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<URL> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: title))
    }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Data.Element == String {
    /// Shares texts, with a label.
    nonisolated public init(
        items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) {
        self.init(items, subject, message, nil, label())
    }

    /// Shares a text, with a label.
    nonisolated public init(
        item: String, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<String> {
        self.init(CollectionOfOne(item), subject, message, nil, label())
    }
}

extension ShareLink
where
    PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel, Data.Element == String
{
    /// Shares texts.
    nonisolated public init(items: Data, subject: Text? = nil, message: Text? = nil) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: nil))
    }

    /// Shares a text.
    nonisolated public init(item: String, subject: Text? = nil, message: Text? = nil)
    where Data == CollectionOfOne<String> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: nil))
    }

    /// Shares texts, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, items: Data, subject: Text? = nil, message: Text? = nil
    ) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares a text, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, item: String, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<String> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares texts, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, items: Data, subject: Text? = nil, message: Text? = nil
    ) where S: StringProtocol {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares a text, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, item: String, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<String>, S: StringProtocol {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares texts, with a title.
    nonisolated public init(
        _ title: Text, items: Data, subject: Text? = nil, message: Text? = nil
    ) {
        self.init(items, subject, message, nil, DefaultShareLinkLabel(title: title))
    }

    /// Shares a text, with a title.
    nonisolated public init(
        _ title: Text, item: String, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<String> {
        self.init(CollectionOfOne(item), subject, message, nil, DefaultShareLinkLabel(title: title))
    }
}
