// SPDX-License-Identifier: Apache-2.0

package import UniformTypeIdentifiers

/// Something that can be given to other apps.
@preconcurrency public protocol Transferable: Sendable {
    /// How it is given.
    associatedtype Representation: TransferRepresentation
    /// How it is given, the best way first.
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Self.Representation { get }
}

/// A way in which something is given to other apps.
public protocol TransferRepresentation<Item>: Sendable {
    /// What is given.
    associatedtype Item: Transferable
    /// What the way is made of.
    associatedtype Body: TransferRepresentation
    /// What the way is made of.
    @TransferRepresentationBuilder<Self.Item> var body: Self.Body { get }
}

/// A way that is not made of others.
public protocol _WholeRepresentation: TransferRepresentation where Body == Self {}

extension _WholeRepresentation {
    /// Itself.
    public var body: Self { self }
}

/// Makes one way of several.
@resultBuilder public struct TransferRepresentationBuilder<Item> where Item: Transferable {
    /// A way as it is.
    public static func buildExpression<Content>(_ content: Content) -> Content
    where Item == Content.Item, Content: TransferRepresentation { content }

    /// One way.
    public static func buildBlock<Content>(_ content: Content) -> Content
    where Item == Content.Item, Content: TransferRepresentation { content }

    /// Several ways, the best first.
    public static func buildBlock<C1, C2>(
        _ c1: C1, _ c2: C2
    ) -> TupleTransferRepresentation<Item, (C1, C2)>
    where
        C1: TransferRepresentation, C2: TransferRepresentation,
        Item == C1.Item, Item == C2.Item
    { .init(ways: [c1, c2]) }

    /// Several ways, the best first.
    public static func buildBlock<C1, C2, C3>(
        _ c1: C1, _ c2: C2, _ c3: C3
    ) -> TupleTransferRepresentation<Item, (C1, C2, C3)>
    where
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
        Item == C1.Item, Item == C2.Item, Item == C3.Item
    { .init(ways: [c1, c2, c3]) }

    /// Several ways, the best first.
    public static func buildBlock<C1, C2, C3, C4>(
        _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4
    ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4)>
    where
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
        C4: TransferRepresentation,
        Item == C1.Item, Item == C2.Item, Item == C3.Item, Item == C4.Item
    { .init(ways: [c1, c2, c3, c4]) }

    /// Several ways, the best first.
    public static func buildBlock<C1, C2, C3, C4, C5>(
        _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5
    ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5)>
    where
        C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
        C4: TransferRepresentation, C5: TransferRepresentation,
        Item == C1.Item, Item == C2.Item, Item == C3.Item, Item == C4.Item, Item == C5.Item
    { .init(ways: [c1, c2, c3, c4, c5]) }
}

/// Several ways, the best first.
public struct TupleTransferRepresentation<Item, Value>: _WholeRepresentation where Item: Transferable {
    let ways: [any TransferRepresentation]
}

extension TupleTransferRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] { ways.flatMap { $0.exported(item) } }
}

/// A file that is given.
public struct SentTransferredFile: Sendable {
    /// Where it is.
    public let file: URL
    /// Whether others may have this one, and not a copy.
    public let allowAccessingOriginalFile: Bool

    /// A file that is given.
    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        self.file = file
        self.allowAccessingOriginalFile = allowAccessingOriginalFile
    }
}

/// A file that was given.
public struct ReceivedTransferredFile: Sendable {
    /// Where it is.
    public let file: URL
    /// Whether it is the giver's own.
    public let isOriginalFile: Bool
}

/// What somebody gets of an item.
package struct Export: Sendable {
    /// The sort of content.
    package let type: UTType
    /// How a file of it is called, if the item says so.
    package var name: String?
    /// The file, if the item makes one.
    package let file: (@Sendable () async throws -> URL)?
    /// The content.
    package let data: @Sendable () async throws -> Data
}

/// A way that is evaluated by itself.
protocol Exporting {
    func exports(_ item: Any) -> [Export]
}

extension TransferRepresentation {
    /// What somebody gets of an item.
    func exported(_ item: Any) -> [Export] {
        if let exporting = self as? any Exporting { return exporting.exports(item) }
        return body.exported(item)
    }
}

extension Transferable {
    /// What somebody gets of it, the best first.
    var exports: [Export] { Self.transferRepresentation.exported(self) }
}

extension Never: Transferable {
    /// Nothing is given.
    public static var transferRepresentation: DataRepresentation<Never> { DataRepresentation() }
}

extension String: Transferable {
    /// Text in UTF-8.
    public static var transferRepresentation: DataRepresentation<String> {
        DataRepresentation(contentType: .utf8PlainText) { text in
            Data(text.utf8)
        } importing: { data in
            String(decoding: data, as: UTF8.self)
        }
    }
}

extension URL: Transferable {
    /// The file that is there, or the address.
    public static var transferRepresentation: _LocationRepresentation { _LocationRepresentation() }
}

extension Data: Transferable {
    /// The octets.
    public static var transferRepresentation: DataRepresentation<Data> {
        DataRepresentation(contentType: .data) {
            $0
        } importing: {
            $0
        }
    }
}

/// How an address is given: a file with its content.
public struct _LocationRepresentation: _WholeRepresentation {
    /// An address.
    public typealias Item = URL
}

extension _LocationRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        guard let url = item as? URL else { return [] }
        guard url.isFileURL else { return [Export(type: .url, file: nil) { Data(url.absoluteString.utf8) }] }
        let type = UTType(filenameExtension: url.pathExtension) ?? .data
        return [Export(type: type, name: url.lastPathComponent, file: { url }) { try Data(contentsOf: url) }]
    }
}
