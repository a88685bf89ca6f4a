// SPDX-License-Identifier: Apache-2.0

/// Why a store could not do what it was asked.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no file.
    case missing(path: String)
    /// It is a folder, a device or a pipe, none of which can hold a database.
    case notAFile(path: String, isFolder: Bool)
    /// The file cannot be opened or made.
    case cannotOpen(path: String, reason: String)
    /// The file is not an SQLite database.
    case notADatabase(path: String)
    /// The file is a database of another program.
    case foreign(path: String)
    /// Something that holds no rows has the name of a table of ours: a view, which may be endless, or a virtual table.
    case altered(path: String, table: String)
    /// The file was written by a newer version.
    case newer(path: String)
    /// Another process holds the file for too long.
    case busy(path: String)
    /// The file may not be written.
    case readOnly(path: String)
    /// The disk is full.
    case full(path: String)
    /// The disk could not be read or written.
    case diskFailed(path: String, reason: String)
    /// The file is damaged.
    case damaged(path: String)
    /// The file was deleted or replaced while it was in use.
    case gone(path: String)
    /// The file, or its log, was written over or cut while it was in use, by something else than SQLite.
    case overwritten(path: String)
    /// So many rows could not be stored before the end, nor kept elsewhere.
    case lost(path: String, rows: Int, reason: String)
    /// So many rows could not be stored before the end, and are in files of their own until the database is opened next.
    case setAside(path: String, rows: Int, reason: String)
    /// A file of such rows cannot be stored.
    case unusable(file: String, reason: String)
    /// The file cannot be restored, for what is in it.
    case unfit(reason: String)
    /// The file cannot be used as a map.
    case unfitMap(path: String, reason: String)
    /// The row breaks a rule of the store.
    case refused(reason: String)
    /// A text has the character U+0000.
    case zeroCharacter(in: String)
    /// More is asked for at once than the store gives or takes.
    case tooMuch(reason: String)
    /// Somebody else has changed it meanwhile.
    case conflict
    /// The store was closed.
    case closed
    /// The task that asked was cancelled.
    case cancelled
    /// Anything else.
    case failed(path: String, reason: String)

    /// One sentence that says what happened, and one that says what to do.
    public var description: String {
        switch self {
        case .missing(let path):
            "There is no database at \(path). Check the path, or record into it with lantern flock watch."
        case .notAFile(let path, isFolder: true):
            "\(path) is a folder. Name a file in it for the database."
        case .notAFile(let path, isFolder: false):
            "\(path) is not a file that can hold a database. Choose another one."
        case .cannotOpen(let path, let reason):
            "The database \(path) cannot be opened (\(reason)). Check that its folder exists and may be written."
        case .notADatabase(let path):
            "\(path) is not a database. Choose another file."
        case .foreign(let path):
            "\(path) is a database of another program. Choose another file."
        case .altered(let path, let table):
            "The database \(path) was changed by hand: \(table) is not a table in it. Make it one again, or use a backup."
        case .newer(let path):
            "The database \(path) was written by a newer version of Lantern. Update Lantern to use it."
        case .busy(let path):
            "Another program has locked the database \(path). Try again when it is done."
        case .readOnly(let path):
            "The database \(path) may not be written. Check the permissions of the file and of its folder."
        case .full(let path):
            "There is no room left on the disk of \(path). Free some and try again."
        case .diskFailed(let path, let reason):
            "The disk of \(path) failed (\(reason)). Check the disk and its cable."
        case .damaged(let path):
            "The database \(path) is damaged. Save what is left with sqlite3 \(path) .recover, or use a backup."
        case .gone(let path):
            "The database \(path) was deleted or replaced while it was in use. What comes is kept until there is one again."
        case .overwritten(let path):
            "The database \(path) was written over while it was in use, so that what was stored last may be missing. Look "
                + "whether all is there; to put a copy in its place, use lantern hub restore."
        case .lost(let path, let rows, let reason):
            "The database \(path) could not be written: \(reason). \(rows == 1 ? "1 row was" : "\(rows) rows were") not stored, "
                + "and could not be kept beside it either."
        case .setAside(let path, let rows, let reason):
            "The database \(path) could not be written: \(reason). \(rows == 1 ? "1 row is" : "\(rows) rows are") kept beside "
                + "it, in \(path).unsaved-…, to be stored when it is opened next."
        case .unusable(let file, let reason):
            "What could not be stored earlier is in \(file), and cannot be stored now: \(reason). Move the file away to "
                + "hear no more of it."
        case .unfit(let reason):
            "The copy cannot be used: \(reason). Use another one."
        case .unfitMap(let path, let reason):
            "\(path.shortenedPath) cannot be used as a map: \(reason). Choose another MBTiles file."
        case .refused(let reason):
            "The detection was not stored: \(reason)."
        case .zeroCharacter(let name):
            "\(name) has the character U+0000, which no text may have here. Leave it out."
        case .tooMuch(let reason):
            "That is too much at once: \(reason). Ask for less."
        case .conflict:
            "Somebody else has changed this meanwhile. Look at it again, then change it."
        case .closed:
            "The database is closed. Open it again."
        case .cancelled:
            "The work was cancelled. Start it again if it is still wanted."
        case .failed(let path, let reason):
            "The database \(path) failed (\(reason)). Try again; if it stays so, please report it."
        }
    }

    /// Whether what was to be stored is kept elsewhere for now.
    public var isSetAside: Bool { if case .setAside = self { true } else { false } }

    /// Whether the store could not take something before its end: it is kept elsewhere, or counted as lost.
    public var isOfTheEnd: Bool { if case .lost = self { true } else { isSetAside } }

    /// Whether it may be over after a while with nothing lost, so that trying again makes sense.
    public var isPassing: Bool {
        switch self {
        case .busy, .full, .diskFailed, .readOnly, .gone, .overwritten: true
        default: false
        }
    }

    /// Whether the file is not what it has to be.
    public var isDamage: Bool {
        switch self {
        case .damaged, .notADatabase: true
        default: false
        }
    }
}
