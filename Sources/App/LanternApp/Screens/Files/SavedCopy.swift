// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import UniformTypeIdentifiers

/// A copy of a file that the app has written, for the place that a person chooses.
struct SavedCopy: FileDocument {
    static var readableContentTypes: [UTType] { [] }
    static var writableContentTypes: [UTType] {
        ["csv", "json", "geojson", "gpx", "kml", "sqlite"].compactMap { UTType(filenameExtension: $0) }
            + [.data]
    }

    private let file: URL

    init(of file: URL) { self.file = file }

    init(configuration: ReadConfiguration) throws {
        // It is only written.
        throw CocoaError(.fileReadUnsupportedScheme)
    }

    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper { try FileWrapper(url: file) }

    /// What sort of file it is.
    static func type(of file: URL?) -> UTType {
        file.flatMap { UTType(filenameExtension: $0.pathExtension) } ?? .data
    }
}
