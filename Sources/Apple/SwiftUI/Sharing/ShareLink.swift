// SPDX-License-Identifier: Apache-2.0

/// Shares something with other apps and people.
public struct ShareLink<Data, PreviewImage, PreviewIcon, Label>
where
    Data: RandomAccessCollection, PreviewImage: Transferable, PreviewIcon: Transferable, Label: View,
    Data.Element: Transferable
{
    let items: Data
    let subject: Text?
    let message: Text?
    let preview: ((Data.Element) -> SharePreview<PreviewImage, PreviewIcon>)?
    let label: Label

    init(
        _ items: Data, _ subject: Text?, _ message: Text?,
        _ preview: ((Data.Element) -> SharePreview<PreviewImage, PreviewIcon>)?, _ label: Label
    ) {
        self.items = items
        self.subject = subject
        self.message = message
        self.preview = preview
        self.label = label
    }
}

extension ShareLink: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension ShareLink: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let node = Node(.share, "", place.inside("label").nodes(of: label))
        let store = place.pass.store
        node.press = {
            store.done.shared.append(
                .init(
                    subject: subject?.written(in: place), message: message?.written(in: place),
                    items: items.map {
                        .init(
                            value: $0, preview: preview?($0).title.written(in: place), exports: $0.exports)
                    }))
        }
        node.isEnabled = place.environment.isEnabled
        return [node]
    }
}

extension ShareLink {
    /// Shares items, with a label.
    nonisolated public init(
        items: Data, subject: Text? = nil, message: Text? = nil,
        preview: @escaping (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>,
        @ViewBuilder label: () -> Label
    ) {
        self.init(items, subject, message, preview, label())
    }

    /// Shares one item, with a label.
    nonisolated public init<I>(
        item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>, @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<I>, I: Transferable {
        self.init(CollectionOfOne(item), subject, message, { _ in preview }, label())
    }
}

extension ShareLink where Label == DefaultShareLinkLabel {
    /// Shares items.
    nonisolated public init(
        items: Data, subject: Text? = nil, message: Text? = nil,
        preview: @escaping (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) {
        self.init(items, subject, message, preview, DefaultShareLinkLabel(title: nil))
    }

    /// Shares one item.
    nonisolated public init<I>(
        item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I>, I: Transferable {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview }, DefaultShareLinkLabel(title: nil))
    }

    /// Shares items, with a title of the catalogue.
    nonisolated public init(
        _ titleKey: LocalizedStringKey, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: @escaping (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) {
        self.init(items, subject, message, preview, DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares one item, with a title of the catalogue.
    nonisolated public init<I>(
        _ titleKey: LocalizedStringKey, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I>, I: Transferable {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview },
            DefaultShareLinkLabel(title: Text(titleKey)))
    }

    /// Shares items, with a title.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: @escaping (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) where S: StringProtocol {
        self.init(items, subject, message, preview, DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares one item, with a title.
    @_disfavoredOverload nonisolated public init<S, I>(
        _ title: S, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I>, I: Transferable, S: StringProtocol {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview },
            DefaultShareLinkLabel(title: Text(title)))
    }

    /// Shares items, with a title.
    nonisolated public init(
        _ title: Text, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: @escaping (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) {
        self.init(items, subject, message, preview, DefaultShareLinkLabel(title: title))
    }

    /// Shares one item, with a title.
    nonisolated public init<I>(
        _ title: Text, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I>, I: Transferable {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview }, DefaultShareLinkLabel(title: title))
    }
}
