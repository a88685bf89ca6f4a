// SPDX-License-Identifier: Apache-2.0

public import UniformTypeIdentifiers

/// Gives something as octets.
public struct DataRepresentation<Item>: _WholeRepresentation where Item: Transferable {
    let type: UTType
    let write: (@Sendable (Item) async throws -> Data)?
    let read: (@Sendable (Data) async throws -> Item)?

    /// Gives and takes nothing.
    init() { (type, write, read) = (.data, nil, nil) }

    /// Gives and takes octets.
    public init(
        contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        (type, write, read) = (contentType, exporting, importing)
    }

    /// Gives octets.
    public init(
        exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data
    ) {
        (type, write, read) = (exportedContentType, exporting, nil)
    }

    /// Takes octets.
    public init(
        importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        (type, write, read) = (importedContentType, nil, importing)
    }
}

extension DataRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        guard let write, let item = item as? Item else { return [] }
        return [Export(type: type, file: nil) { try await write(item) }]
    }
}

/// Gives something as a file.
public struct FileRepresentation<Item>: _WholeRepresentation where Item: Transferable {
    let type: UTType
    let write: (@Sendable (Item) async throws -> SentTransferredFile)?
    let read: (@Sendable (ReceivedTransferredFile) async throws -> Item)?

    /// Gives and takes files.
    public init(
        contentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        (type, write, read) = (contentType, exporting, importing)
    }

    /// Gives files.
    public init(
        exportedContentType: UTType, shouldAllowToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
    ) {
        (type, write, read) = (exportedContentType, exporting, nil)
    }

    /// Takes files.
    public init(
        importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        (type, write, read) = (importedContentType, nil, importing)
    }
}

extension FileRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        guard let write, let item = item as? Item else { return [] }
        let file: @Sendable () async throws -> URL = { try await write(item).file }
        return [Export(type: type, file: file) { try await Data(contentsOf: file()) }]
    }
}

/// Gives something as JSON, or as another coder writes it.
public struct CodableRepresentation<Item>: _WholeRepresentation
where Item: Transferable, Item: Decodable, Item: Encodable {
    let type: UTType

    /// Gives and takes JSON.
    public init(for itemType: Item.Type = Item.self, contentType: UTType) { type = contentType }
}

extension CodableRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        guard let item = item as? Item else { return [] }
        return [Export(type: type, file: nil) { try JSONEncoder().encode(item) }]
    }
}

/// Gives something as something else.
public struct ProxyRepresentation<Item, ProxyRepresentation>: _WholeRepresentation
where Item: Transferable, ProxyRepresentation: Transferable {
    let write: (@Sendable (Item) throws -> ProxyRepresentation)?
    let read: (@Sendable (ProxyRepresentation) async throws -> Item)?

    /// Gives and takes something else.
    public init(
        exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation,
        importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item
    ) {
        (write, read) = (exporting, importing)
    }

    /// Gives something else.
    public init(exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation) {
        (write, read) = (exporting, nil)
    }

    /// Takes something else.
    public init(importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item) {
        (write, read) = (nil, importing)
    }
}

extension ProxyRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        guard let write, let item = item as? Item, let proxy = try? write(item) else { return [] }
        return proxy.exports
    }
}

/// A way with something changed.
struct ChangedRepresentation<Content: TransferRepresentation>: _WholeRepresentation {
    typealias Item = Content.Item
    let content: Content
    let change: @Sendable (Content.Item, [Export]) -> [Export]
}

extension ChangedRepresentation: Exporting {
    func exports(_ item: Any) -> [Export] {
        let exports = content.exported(item)
        return (item as? Content.Item).map { change($0, exports) } ?? exports
    }
}

extension TransferRepresentation {
    /// Says how a file of it is called.
    public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Self.Item> {
        suggestedFileName { _ in fileName }
    }

    /// Says how a file of it is called.
    public func suggestedFileName(
        _ fileName: @escaping @Sendable (Self.Item) -> String?
    ) -> some TransferRepresentation<Self.Item> {
        ChangedRepresentation(content: self) { item, exports in
            exports.map { export in
                var export = export
                export.name = fileName(item) ?? export.name
                return export
            }
        }
    }

    /// Gives it only where a condition holds.
    public func exportingCondition(
        _ condition: @escaping @Sendable (Self.Item) -> Bool
    ) -> some TransferRepresentation<Self.Item> {
        ChangedRepresentation(content: self) { item, exports in condition(item) ? exports : [] }
    }
}
