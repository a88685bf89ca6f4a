// SPDX-License-Identifier: Apache-2.0

public import UniformTypeIdentifiers

extension View {
    /// Lets a person choose files, or a folder to save them in.
    nonisolated private func browsing(
        _ isPresented: Binding<Bool>, onCancellation: @escaping () -> Void,
        _ change: @escaping (Node, _ close: @escaping () -> Void) -> Void
    ) -> some View {
        noted { place in
            guard isPresented.wrappedValue else { return }
            let close = { isPresented.wrappedValue = false }
            let cancel = {
                close()
                onCancellation()
            }
            place.present(.files, dismiss: cancel) { _ in
                let browser = Node(.group)
                change(browser, close)
                let leave = Node(.button, "Cancel")
                leave.role = .cancel
                leave.press = cancel
                return [browser, leave]
            }
        }
    }

    nonisolated private func importing(
        _ isPresented: Binding<Bool>, _ types: [UTType], _ allowsMultiple: Bool,
        _ onCompletion: @escaping (Result<[URL], any Error>) -> Void, _ onCancellation: @escaping () -> Void
    ) -> some View {
        browsing(isPresented, onCancellation: onCancellation) { browser, close in
            browser.takeFiles = { urls in
                if urls.count > 1, !allowsMultiple { return "Only one file can be chosen." }
                for url in urls {
                    let type = UTType(filenameExtension: url.pathExtension) ?? .data
                    guard types.contains(where: { type.conforms(to: $0) }) else {
                        return "A file “\(url.lastPathComponent)” cannot be chosen."
                    }
                }
                close()
                onCompletion(.success(urls))
                return nil
            }
        }
    }

    nonisolated private func exporting(
        _ isPresented: Binding<Bool>, _ files: [SavedFile],
        _ onCompletion: @escaping (Result<[URL], any Error>) -> Void, _ onCancellation: @escaping () -> Void
    ) -> some View {
        browsing(isPresented, onCancellation: onCancellation) { browser, close in
            browser.saveFiles = { folder in
                do {
                    var saved: [URL] = []
                    for file in files { saved.append(try await file.save(in: folder)) }
                    close()
                    onCompletion(.success(saved))
                    return saved
                } catch {
                    close()
                    onCompletion(.failure(error))
                    return []
                }
            }
        }
    }

    /// Lets a person choose a file.
    nonisolated public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void
    ) -> some View {
        importing(isPresented, allowedContentTypes, false, { onCompletion($0.map { $0[0] }) }, {})
    }

    /// Lets a person choose one file, or several.
    nonisolated public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping (_ result: Result<[URL], any Error>) -> Void
    ) -> some View {
        importing(isPresented, allowedContentTypes, allowsMultipleSelection, onCompletion, {})
    }

    /// Lets a person choose one file, or several, or none.
    nonisolated public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping (_ result: Result<[URL], any Error>) -> Void,
        onCancellation: @escaping () -> Void
    ) -> some View {
        importing(isPresented, allowedContentTypes, allowsMultipleSelection, onCompletion, onCancellation)
    }

    /// Lets a person save a document.
    nonisolated public func fileExporter<D>(
        isPresented: Binding<Bool>, document: D?, contentType: UTType, defaultFilename: String? = nil,
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void
    ) -> some View where D: FileDocument {
        fileExporter(
            isPresented: isPresented, document: document, contentTypes: [contentType],
            defaultFilename: defaultFilename, onCompletion: onCompletion)
    }

    /// Lets a person save a document, or not.
    nonisolated public func fileExporter<D>(
        isPresented: Binding<Bool>, document: D?, contentTypes: [UTType] = [],
        defaultFilename: String? = nil,
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void,
        onCancellation: @escaping () -> Void = {}
    ) -> some View where D: FileDocument {
        let type = contentTypes.first ?? D.writableContentTypes.first ?? .data
        let files = document.map { [SavedFile($0, type, defaultFilename)] } ?? []
        return exporting(
            .showing(isPresented, files), files, { onCompletion($0.map { $0[0] }) }, onCancellation)
    }

    /// Lets a person save an item, or not.
    nonisolated public func fileExporter<T>(
        isPresented: Binding<Bool>, item: T?, contentTypes: [UTType] = [], defaultFilename: String? = nil,
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void,
        onCancellation: @escaping () -> Void = {}
    ) -> some View where T: Transferable {
        let files = item.flatMap { SavedFile($0, contentTypes, defaultFilename) }.map { [$0] } ?? []
        return exporting(
            .showing(isPresented, files), files, { onCompletion($0.map { $0[0] }) }, onCancellation)
    }

    /// Lets a person save items, or not.
    nonisolated public func fileExporter<C, T>(
        isPresented: Binding<Bool>, items: C, contentTypes: [UTType] = [],
        onCompletion: @escaping (_ result: Result<[URL], any Error>) -> Void,
        onCancellation: @escaping () -> Void = {}
    ) -> some View where C: Collection, T: Transferable, T == C.Element {
        let files = items.compactMap { SavedFile($0, contentTypes, nil) }
        return exporting(.showing(isPresented, files), files, onCompletion, onCancellation)
    }
}

extension Binding where Value == Bool {
    /// Whether something is shown that has files to show.
    fileprivate static func showing(_ isPresented: Binding<Bool>, _ files: [SavedFile]) -> Binding<Bool> {
        Binding(
            read: { isPresented.wrappedValue && !files.isEmpty }, write: { isPresented.wrappedValue = $0 })
    }
}
