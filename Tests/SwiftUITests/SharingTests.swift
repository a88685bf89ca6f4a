// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftUI
import Testing
import UniformTypeIdentifiers

private struct Note: Codable, Transferable {
    let text: String

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(exportedContentType: .json) { (note: Note) in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try JSONEncoder().encode(note).write(to: file)
            return SentTransferredFile(file)
        }
        .suggestedFileName { $0.text }
        DataRepresentation(exportedContentType: .commaSeparatedText) { Data("text\n\($0.text)\n".utf8) }
        ProxyRepresentation(exporting: \.text)
    }
}

private struct Page: FileDocument {
    static let readableContentTypes = [UTType.plainText]
    var text = ""

    init(text: String) { self.text = text }

    init(configuration: ReadConfiguration) throws {
        text = String(decoding: configuration.file.regularFileContents ?? Data(), as: UTF8.self)
    }

    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
        FileWrapper(regularFileWithContents: Data(text.utf8))
    }
}

@MainActor @Observable private final class Exchange {
    var isChoosing = false
    var isSaving = false
    var chosen: [URL] = []
    var log: [String] = []
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct SharingTests {
    private let exchange = Exchange()

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test("what is shared can be read in each form that it has") func share() async throws {
        let screen = Screen {
            ShareLink(
                "Note", item: Note(text: "hello"), message: Text("Look"), preview: SharePreview("A note"))
            ShareLink(item: "words", subject: Text("About"))
            ShareLink(items: [URL(filePath: "/tmp/a.csv"), URL(filePath: "/tmp/b.json")]) { Text("Files") }
        }
        try screen.press("Note")
        try screen.press("Share…")
        try screen.press("Files")
        let note = try #require(screen.shared.first)
        #expect(note.message == "Look" && note.subject == nil && note.items[0].preview == "A note")
        let exports = note.items[0].exports
        #expect(exports.map(\.type) == [.json, .commaSeparatedText, .utf8PlainText])
        #expect(exports[0].name == "hello")
        let file = try #require(try await exports[0].file?())
        #expect(try Data(contentsOf: file) == Data(#"{"text":"hello"}"#.utf8))
        #expect(try await exports[1].data() == Data("text\nhello\n".utf8))
        #expect(try await exports[2].data() == Data("hello".utf8))
        #expect(screen.shared[1].subject == "About" && screen.shared[1].items[0].value as? String == "words")
        #expect(screen.shared[2].items.flatMap(\.exports).map(\.type) == [.commaSeparatedText, .json])
    }

    @Test("a person chooses files of the sorts that the app takes, or none") func choose() throws {
        @Bindable var exchange = exchange
        let (model, isChoosing) = (exchange, $exchange.isChoosing)
        let screen = Screen {
            Button("Choose") { model.isChoosing = true }
                .fileImporter(
                    isPresented: isChoosing, allowedContentTypes: [.text], allowsMultipleSelection: false
                ) {
                    model.chosen = (try? $0.get()) ?? []
                } onCancellation: {
                    model.log.append("cancelled")
                }
        }
        let csv = URL(filePath: "/tmp/a.csv")
        #expect(throws: Screen.Failure.self) { try screen.choose(files: [csv]) }
        try screen.press("Choose")
        #expect(throws: Screen.Failure.self) { try screen.choose(files: [csv, csv]) }
        #expect(throws: Screen.Failure.self) { try screen.choose(files: [URL(filePath: "/tmp/a.png")]) }
        try screen.choose(files: [csv])
        #expect(exchange.chosen == [csv] && !exchange.isChoosing && exchange.log.isEmpty)
        try screen.press("Choose")
        try screen.press("Cancel")
        #expect(exchange.log == ["cancelled"] && !exchange.isChoosing)
    }

    @Test("documents and items are saved in the folder that a person chooses") func save() async throws {
        @Bindable var exchange = exchange
        let (model, isSaving) = (exchange, $exchange.isSaving)
        let document = Screen {
            Button("Save") { model.isSaving = true }
                .fileExporter(
                    isPresented: isSaving, document: Page(text: "page"), contentType: .plainText,
                    defaultFilename: "Page"
                ) { model.log.append((try? $0.get().lastPathComponent) ?? "failed") }
        }
        try document.press("Save")
        let folder = try folder()
        let saved = try #require(try await document.save(in: folder))
        #expect(try String(contentsOf: saved, encoding: .utf8) == "page")
        #expect(exchange.log == ["Page.txt"] && document.presented.isEmpty)
        let item = Screen {
            Button("Save") { model.isSaving = true }
                .fileExporter(
                    isPresented: isSaving, item: Note(text: "x"), contentTypes: [.commaSeparatedText]
                ) { model.log.append((try? $0.get().lastPathComponent) ?? "failed") }
        }
        try item.press("Save")
        let table = try #require(try await item.save(in: folder))
        #expect(try String(contentsOf: table, encoding: .utf8) == "text\nx\n")
        try item.press("Save")
        #expect(try await item.save(in: folder.appendingPathComponent("missing")) == nil)
        #expect(exchange.log == ["Page.txt", "Untitled.csv", "failed"])
        try FileManager.default.removeItem(at: folder)
    }
}
