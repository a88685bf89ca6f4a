// SPDX-License-Identifier: Apache-2.0

public import UniformTypeIdentifiers

/// A file, or a folder of files, in memory; Apple's Foundation has it, that of Linux not.
open class FileWrapper: @unchecked Sendable {
    /// What the file holds, unless it is a folder.
    public let regularFileContents: Data?
    /// What the folder holds by name, if it is one.
    public let fileWrappers: [String: FileWrapper]?
    /// How it should be called.
    open var preferredFilename: String?
    /// How it is called.
    open var filename: String?

    /// A file with a content.
    public init(regularFileWithContents contents: Data) {
        regularFileContents = contents
        fileWrappers = nil
    }

    /// A folder with files by name.
    public init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
        regularFileContents = nil
        fileWrappers = childrenByPreferredName
    }

    /// The file or folder at an address.
    public convenience init(url: URL) throws {
        let files = FileManager.default
        var isFolder = ObjCBool(false)
        if files.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            let names = try files.contentsOfDirectory(atPath: url.path)
            let all = try names.map { ($0, try FileWrapper(url: url.appendingPathComponent($0))) }
            self.init(directoryWithFileWrappers: Dictionary(uniqueKeysWithValues: all))
        } else {
            self.init(regularFileWithContents: try Data(contentsOf: url))
        }
        filename = url.lastPathComponent
    }

    /// Whether it is a file.
    open var isRegularFile: Bool { regularFileContents != nil }
    /// Whether it is a folder.
    open var isDirectory: Bool { fileWrappers != nil }

    /// Writes it to an address.
    func write(to url: URL) throws {
        if let regularFileContents {
            try regularFileContents.write(to: url)
            return
        }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, file) in fileWrappers ?? [:] { try file.write(to: url.appendingPathComponent(name)) }
    }
}

/// What a document is read from.
public struct FileDocumentReadConfiguration {
    /// The sort of file.
    public let contentType: UTType
    /// The file.
    public let file: FileWrapper
}

/// What a document is written for.
public struct FileDocumentWriteConfiguration {
    /// The sort of file.
    public let contentType: UTType
    /// The file that was there before, if there was one.
    public let existingFile: FileWrapper?
}

/// A value that is kept in a file.
@preconcurrency public protocol FileDocument: Sendable {
    /// The sorts of files that it can be read from.
    static var readableContentTypes: [UTType] { get }
    /// The sorts of files that it can be written to.
    static var writableContentTypes: [UTType] { get }
    /// Reads it.
    init(configuration: Self.ReadConfiguration) throws
    /// Writes it.
    func fileWrapper(configuration: Self.WriteConfiguration) throws -> FileWrapper
    /// What it is read from.
    typealias ReadConfiguration = FileDocumentReadConfiguration
    /// What it is written for.
    typealias WriteConfiguration = FileDocumentWriteConfiguration
}

extension FileDocument {
    /// Those that it can be read from.
    public static var writableContentTypes: [UTType] { readableContentTypes }
}

/// Something that is written into a folder that a person chooses.
struct SavedFile: Sendable {
    let name: String
    let write: @Sendable (URL) async throws -> Void

    /// Writes it, and says where it is.
    func save(in folder: URL) async throws -> URL {
        let url = folder.appendingPathComponent(name)
        try await write(url)
        return url
    }

    /// The name for a file, with the ending of its sort.
    static func name(_ wanted: String?, _ type: UTType) -> String {
        let name = wanted ?? "Untitled"
        guard let ending = type.preferredFilenameExtension, !name.lowercased().hasSuffix("." + ending) else {
            return name
        }
        return name + "." + ending
    }

    init<D: FileDocument>(_ document: D, _ type: UTType, _ name: String?) {
        self.name = Self.name(name, type)
        write = { url in
            let configuration = FileDocumentWriteConfiguration(contentType: type, existingFile: nil)
            try document.fileWrapper(configuration: configuration).write(to: url)
        }
    }

    /// The best of what an item gives that is of one of some sorts, or of any where there are none.
    init?(_ item: some Transferable, _ types: [UTType], _ name: String?) {
        let exports = item.exports
        guard let export = exports.first(where: { types.isEmpty || types.contains($0.type) }) else {
            return nil
        }
        self.name = Self.name(name ?? export.name, export.type)
        let data = export.data
        write = { url in try await data().write(to: url) }
    }
}
