// SPDX-License-Identifier: Apache-2.0

public import Companion
import Foundation

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
    private var database: DetectionDatabase?
    private let isTrial: Bool
    private var reader: DetectionFile
    private let run = ImportRun()
    private var waiting: [ImportedDetection] = []

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - database: Where the detections go; `nil` until ``needsDatabase`` says that there are some.
    ///   - isTrial: Whether to store nothing and only count.
    public init(into database: DetectionDatabase?, isTrial: Bool = false) {
        self.init(into: database, isTrial: isTrial, reader: DetectionFile(at: Timestamp(Date())))
    }

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - database: Where the detections go.
    ///   - isTrial: Whether to store nothing and only count.
    ///   - reader: What reads the file.
    init(into database: DetectionDatabase?, isTrial: Bool, reader: DetectionFile) {
        self.database = database
        self.isTrial = isTrial
        self.reader = reader
    }

    /// Whether something was read that has no database to go to: ``use(_:)`` wants one before more is read.
    public var needsDatabase: Bool { database == nil && reader.hasUse }

    /// What a person should know of rows that were taken.
    public private(set) var notes: [ImportFault] = []

    /// The rows that cannot be used: of each kind the first one, and how many there are.
    public private(set) var faults: [(fault: ImportFault, count: Int)] = []
    /// How many kinds of faults are kept.
    public static let keptFaults = 20

    /// Takes the database that was missing.
    ///
    /// - Parameter database: Where the detections go.
    /// - Throws: ``StoreError``.
    public mutating func use(_ database: DetectionDatabase) async throws(StoreError) {
        self.database = database
        try await store()
    }

    /// Takes the next part of the file.
    ///
    /// - Parameter octets: The part; some 64 KB are right.
    /// - Throws: ``StoreError``.
    public mutating func receive(_ octets: [UInt8]) async throws(StoreError) {
        reader.receive(octets)
        try await store()
    }

    /// Ends the file where it cannot be read any further.
    ///
    /// - Parameter fault: Why; its line is that up to which the file was read, if that is a later one.
    public mutating func end(_ fault: ImportFault) {
        let line = max(fault.line, reader.lineReached)
        broken = broken ?? ImportFault(line, column: fault.column, fault.reason)
    }

    /// Takes the end of the file.
    ///
    /// - Throws: ``StoreError``.
    public mutating func finish() async throws(StoreError) {
        reader.finish()
        try await store()
        try await storeWaiting()
    }

    /// Stores what was read of a file of which no more comes.
    ///
    /// - Throws: ``StoreError``.
    public mutating func stop() async throws(StoreError) {
        reader.stop()
        try await store()
        try await storeWaiting()
    }

    private mutating func store() async throws(StoreError) {
        guard !needsDatabase else { return }
        while let row = reader.next() {
            switch row {
            case .detection(let row): waiting.append(row)
            case .drive(let drive):
                if try await database?.importing(drive, isTrial: isTrial) == true {
                    counts.drives += 1
                } else {
                    counts.knownDrives += 1
                }
            case .passed: counts.passed += 1
            case .noted(let note): if notes.count < Self.keptFaults { notes.append(note) }
            case .bad(let fault):
                counts.refused += 1
                keep(fault)
            case .broken(let fault): broken = fault
            }
            if waiting.count >= Self.batch { try await storeWaiting() }
        }
    }

    private mutating func keep(_ fault: ImportFault) {
        if let index = faults.firstIndex(where: { $0.fault.kind == fault.kind }) {
            faults[index].count += 1
        } else if faults.count < Self.keptFaults {
            faults.append((fault, 1))
        }
    }

    private mutating func storeWaiting() async throws(StoreError) {
        guard let database else { return }
        let new = try await database.importing(waiting, after: run, isTrial: isTrial)
        counts.imported += new
        counts.known += waiting.count - new
        waiting = []
    }
}
