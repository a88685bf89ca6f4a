// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import CommandIO
import Companion
package import CompanionStore

/// `--database FILE`, and the place where the database lies when it is not given.
package struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database (default: \(DataFolder.abbreviated(DataFolder.database))).", valueName: "file"),
        completion: .file())
    package var database: String?

    package init() {}

    package func validate() throws { try Self.check(database) }

    /// Refuses a file without a name.
    package static func check(_ database: String?) throws {
        guard database != "" else {
            throw ValidationError("--database cannot be empty: write the name of a file.")
        }
    }

    /// Where the database lies.
    package var path: String { database ?? DataFolder.database }

    /// Opens the database, and makes it when there is none.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    package func openOrCreate() throws(CommandError) -> DetectionDatabase {
        if database == nil { try DataFolder.create(DataFolder.path) }
        return try open(createIfMissing: true)
    }

    /// Opens the database that there is; none is made.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    package func openExisting() throws(CommandError) -> DetectionDatabase { try open(createIfMissing: false) }

    /// Opens the database that there is, to read from it; it may lie on a disk that may not be written.
    ///
    /// - Returns: The database.
    /// - Throws: ``CommandError``.
    package func openForReading() throws(CommandError) -> DetectionDatabase {
        do throws(StoreError) {
            return try opened(DetectionDatabase(reading: path))
        } catch {
            throw CommandError.failed(error.description)
        }
    }

    private func open(createIfMissing: Bool) throws(CommandError) -> DetectionDatabase {
        do throws(StoreError) {
            return try opened(DetectionDatabase(path: path, createIfMissing: createIfMissing))
        } catch {
            throw CommandError.failed(error.description)
        }
    }

    /// Says what beside the database needs a person.
    private func opened(_ database: DetectionDatabase) -> DetectionDatabase {
        for fault in database.unusableFiles {
            try? Output.standardError().line("lantern: \(fault.description)")
        }
        database.tellOfUnusableRows {
            try? Output.standardError().line("lantern: \(PrintableText.escaped($0))")
        }
        return database
    }
}
