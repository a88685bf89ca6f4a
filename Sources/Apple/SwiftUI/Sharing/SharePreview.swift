// SPDX-License-Identifier: Apache-2.0

internal import UniformTypeIdentifiers

/// How something looks that is shared.
public struct SharePreview<Image, Icon> where Image: Transferable, Icon: Transferable {
    let title: Text
    let image: Image?
    let icon: Icon?
}

extension SharePreview {
    /// A title of the catalogue, a picture and a symbol.
    public init(_ titleKey: LocalizedStringKey, image: Image, icon: Icon) {
        self.init(title: Text(titleKey), image: image, icon: icon)
    }

    /// A title, a picture and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, image: Image, icon: Icon) where S: StringProtocol {
        self.init(title: Text(title), image: image, icon: icon)
    }

    /// A title, a picture and a symbol.
    public init(_ title: Text, image: Image, icon: Icon) { self.init(title: title, image: image, icon: icon) }
}

extension SharePreview where Icon == Never {
    /// A title of the catalogue and a picture.
    public init(_ titleKey: LocalizedStringKey, image: Image) {
        self.init(title: Text(titleKey), image: image, icon: nil)
    }

    /// A title and a picture.
    @_disfavoredOverload public init<S>(_ title: S, image: Image) where S: StringProtocol {
        self.init(title: Text(title), image: image, icon: nil)
    }

    /// A title and a picture.
    public init(_ title: Text, image: Image) { self.init(title: title, image: image, icon: nil) }
}

extension SharePreview where Image == Never {
    /// A title of the catalogue and a symbol.
    public init(_ titleKey: LocalizedStringKey, icon: Icon) {
        self.init(title: Text(titleKey), image: nil, icon: icon)
    }

    /// A title and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, icon: Icon) where S: StringProtocol {
        self.init(title: Text(title), image: nil, icon: icon)
    }

    /// A title and a symbol.
    public init(_ title: Text, icon: Icon) { self.init(title: title, image: nil, icon: icon) }
}

extension SharePreview where Image == Never, Icon == Never {
    /// A title of the catalogue.
    public init(_ titleKey: LocalizedStringKey) { self.init(title: Text(titleKey), image: nil, icon: nil) }

    /// A title.
    @_disfavoredOverload public init<S>(_ title: S) where S: StringProtocol {
        self.init(title: Text(title), image: nil, icon: nil)
    }

    /// A title.
    public init(_ title: Text) { self.init(title: title, image: nil, icon: nil) }
}

extension Image: Transferable {
    /// The picture, which is not drawn here: its name.
    public static var transferRepresentation: DataRepresentation<Image> {
        DataRepresentation(exportedContentType: .png) { Data("\($0.storage)".utf8) }
    }
}

/// What a link is called that shares something.
public struct DefaultShareLinkLabel {
    let title: Text?
}

extension DefaultShareLinkLabel: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension DefaultShareLinkLabel: Evaluated {
    package func nodes(_ place: Place) -> [Node] { (title ?? Text(verbatim: "Share…")).nodes(place) }
}

extension Screen {
    /// Something that a person shares.
    package struct Shared {
        /// The subject of a letter, if the app says one.
        package let subject: String?
        /// What is written beside it, if the app says so.
        package let message: String?
        /// What is shared.
        package let items: [Item]

        /// One of the things that are shared.
        package struct Item {
            /// What it is.
            package let value: any Transferable
            /// What it is called before it is shared.
            package let preview: String?
            /// What somebody gets, the best first.
            package let exports: [Export]
        }
    }
}
