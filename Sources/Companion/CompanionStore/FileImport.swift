// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import FlockFinderCompanion
import Foundation

/// An import of one file, piece by piece; memory stays flat for a file of any size.
///
/// It is stored in commits of some hundred rows: what was stored before a fault that ends the file, or before the task is
/// cancelled, stays. Another import of the file brings the rest.
public struct FileImport: Sendable {
    /// Rows of one commit.
    private static let batch = 500

    /// What became of the file so far.
    public private(set) var report = ImportReport()
    /// Detections and drives that were read so far, stored or not.
    public private(set) var found = 0
    private var database: DetectionDatabase?
    private let isTrial: Bool
    private var reader: DetectionFile
    private let run = ImportSession()
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
    init(into database: DetectionDatabase?, isTrial: Bool, reader: DetectionFile) {
        self.database = database
        self.isTrial = isTrial
        self.reader = reader
    }

    /// Whether something was read that has no database to go to: ``use(_:)`` wants one before more is read.
    public var needsDatabase: Bool { database == nil && reader.hasUse }

    /// What became of the rows so far.
    public var counts: ImportSummary { report.counts }
    /// The rows that cannot be used, each kind once.
    public var faults: [ImportFaults.Kind] { report.faults }
    /// What a person should know of rows that were taken, each kind once.
    public var notes: [ImportError] { report.notes }
    /// Why the file cannot be read any further.
    public var broken: ImportError? { report.broken }

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
    /// - Throws: ``StoreError``; ``StoreError/cancelled`` when the task was cancelled.
    public mutating func receive(_ octets: [UInt8]) async throws(StoreError) {
        if Task.isCancelled { throw .cancelled }
        reader.receive(octets)
        try await store()
    }

    /// Ends the file where it cannot be read any further.
    ///
    /// - Parameter fault: Why; its line is that up to which the file was read, if that is a later one.
    public mutating func end(_ fault: ImportError) {
        let line = max(fault.line, reader.lineReached)
        report.end(ImportError(line, column: fault.column, fault.reason))
    }

    /// Takes the end of the file.
    ///
    /// - Throws: ``StoreError``; ``StoreError/cancelled`` when the task was cancelled.
    public mutating func finish() async throws(StoreError) {
        if Task.isCancelled { throw .cancelled }
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
            case .detection(let row):
                found += 1
                waiting.append(row)
            case .drive(let drive):
                found += 1
                let isNew = try await database?.importing(drive, isTrial: isTrial) == true
                report.addDrive(isNew: isNew)
            case .passed: report.pass()
            case .noted(let note): report.add(note)
            case .bad(let fault): report.refuse(fault)
            case .broken(let fault): report.end(fault)
            }
            guard waiting.count >= Self.batch else { continue }
            try await storeWaiting()
            if Task.isCancelled { throw .cancelled }
        }
    }

    private mutating func storeWaiting() async throws(StoreError) {
        guard let database else { return }
        let new = try await database.importing(waiting, after: run, isTrial: isTrial)
        report.addDetections(new: new, known: waiting.count - new)
        waiting = []
    }
}
