// SPDX-License-Identifier: Apache-2.0

public import Companion

/// An import of one file, piece by piece; memory stays flat for a file of any size.
///
/// What was stored before a fault that ends the file stays.
public struct FileImport: Sendable {
    /// Rows of one commit.
    private static let batch = 500

    /// What became of the rows so far.
    public private(set) var counts = ImportSummary()
    /// Why the file cannot be read any further.
    public private(set) var broken: ImportFault?
    private let database: DetectionDatabase
    private let isTrial: Bool
    private var reader: DetectionFile
    private let run = ImportRun()
    private var waiting: [ImportedDetection] = []

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - database: Where the detections go.
    ///   - isTrial: Whether to store nothing and only count.
    public init(into database: DetectionDatabase, isTrial: Bool = false) {
        self.init(into: database, isTrial: isTrial, reader: DetectionFile())
    }

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - database: Where the detections go.
    ///   - isTrial: Whether to store nothing and only count.
    ///   - reader: What reads the file.
    init(into database: DetectionDatabase, isTrial: Bool, reader: DetectionFile) {
        self.database = database
        self.isTrial = isTrial
        self.reader = reader
    }

    /// Takes the next part of the file.
    ///
    /// - Parameter octets: The part; some 64 KB are right.
    /// - Returns: The rows of it that cannot be used.
    /// - Throws: ``StoreError``.
    public mutating func receive(_ octets: [UInt8]) async throws(StoreError) -> [ImportFault] {
        reader.receive(octets)
        return try await store()
    }

    /// Takes the end of the file.
    ///
    /// - Returns: The last rows that cannot be used.
    /// - Throws: ``StoreError``.
    public mutating func finish() async throws(StoreError) -> [ImportFault] {
        reader.finish()
        let faults = try await store()
        try await storeWaiting()
        return faults
    }

    /// Stores what was read of a file of which no more comes.
    ///
    /// - Throws: ``StoreError``.
    public mutating func stop() async throws(StoreError) { try await storeWaiting() }

    private mutating func store() async throws(StoreError) -> [ImportFault] {
        var faults: [ImportFault] = []
        while let row = reader.next() {
            switch row {
            case .detection(let row): waiting.append(row)
            case .drive(let drive):
                if try await database.importing(drive, isTrial: isTrial) {
                    counts.drives += 1
                } else {
                    counts.knownDrives += 1
                }
            case .passed: counts.passed += 1
            case .bad(let fault):
                counts.refused += 1
                faults.append(fault)
            case .broken(let fault): broken = fault
            }
            if waiting.count >= Self.batch { try await storeWaiting() }
        }
        return faults
    }

    private mutating func storeWaiting() async throws(StoreError) {
        let new = try await database.importing(waiting, after: run, isTrial: isTrial)
        counts.imported += new
        counts.known += waiting.count - new
        waiting = []
    }
}
