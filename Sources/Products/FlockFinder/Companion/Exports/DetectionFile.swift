// SPDX-License-Identifier: Apache-2.0

/// What cannot be used in a file that is imported, and where.
public struct ImportFault: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, where it is known.
    public let column: Int?
    /// What is wrong, as part of a sentence.
    public let reason: String

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - line: The line, from 1.
    ///   - column: The column, from 1, where it is known.
    ///   - reason: What is wrong, as part of a sentence.
    public init(_ line: Int, column: Int? = nil, _ reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }
}

/// A detection of a file, with what the file says about it beside what was seen.
public struct ImportedDetection: Hashable, Sendable {
    /// What was seen.
    public var sighting: Sighting
    /// What names it in every file; `nil` in a file of an older version.
    public var key: DetectionKey?
    /// The mark that a person has given its source.
    public var mark: SourceMark
    /// What a person has noted about its source; empty when nothing.
    public var note: String

    /// Makes a detection.
    ///
    /// - Parameters:
    ///   - sighting: What was seen.
    ///   - key: What names it in every file.
    ///   - mark: The mark that a person has given its source.
    ///   - note: What a person has noted about its source.
    public init(_ sighting: Sighting, key: DetectionKey? = nil, mark: SourceMark = .none, note: String = "") {
        self.sighting = sighting
        self.key = key
        self.mark = mark
        self.note = note
    }
}

/// Reads detections out of a file that an export has written; memory stays flat for a file of any size.
///
/// Feed it with ``receive(_:)``, say that it is over with ``finish()``, and take the rows out with ``next()`` after each.
/// A file that begins with `{` is JSON: one object with a list `detections`; others are comma-separated values. Numbers
/// of rows (`id`) are not kept.
///
/// The first line of comma-separated values names the columns, in any order; columns that nobody knows are passed over.
/// Lines may end in LF, CR LF or CR. The rules of the export for empty cells and apostrophes are undone.
public struct DetectionFile: Sendable {
    /// What the stream puts out.
    public enum Row: Hashable, Sendable {
        /// A detection.
        case detection(ImportedDetection)
        /// One that cannot be used; what follows can.
        case bad(ImportFault)
        /// The file cannot be read from here on.
        case broken(ImportFault)
    }

    private enum Form: Sendable {
        case unknown
        case csv(CSVSplitter, columns: [String]?)
        case json(JSONSplitter)
        case over
    }

    private var form = Form.unknown
    private var rows: [Row] = []
    private var delivered = 0
    /// How many octets of a byte order mark were passed over, which says nothing here.
    private var passed = 0
    private var line = 1

    /// Begins a file.
    public init() {}

    /// Reads the next piece of the file.
    ///
    /// - Parameter octets: The piece; it should not be large, for its rows wait to be taken out.
    public mutating func receive(_ octets: [UInt8]) {
        var index = 0
        do throws(ImportFault) {
            while index < octets.count {
                switch form {
                case .unknown:
                    begin(octets[index], &index)
                case .csv(var splitter, let columns):
                    // Taken out meanwhile, so that nothing is copied.
                    form = .over
                    var row: CSVSplitter.Row?
                    while index < octets.count, row == nil {
                        row = try splitter.receive(octets[index])
                        index += 1
                    }
                    form = .csv(splitter, columns: columns)
                    if let row { use(row, columns, splitter) }
                case .json(var splitter):
                    form = .over
                    while index < octets.count {
                        let row = try splitter.receive(octets[index])
                        index += 1
                        if let row { use(row) }
                    }
                    form = .json(splitter)
                case .over: return
                }
            }
        } catch {
            form = .over
            rows.append(.broken(error))
        }
    }

    /// Ends the file.
    public mutating func finish() {
        do throws(ImportFault) {
            switch form {
            case .unknown: throw ImportFault(line, "the file is empty")
            case .csv(var splitter, let columns):
                let row = try splitter.finish()
                if let row { use(row, columns, splitter) }
            case .json(let splitter): try splitter.finish()
            case .over: break
            }
        } catch {
            rows.append(.broken(error))
        }
        form = .over
    }

    /// The next row.
    ///
    /// - Returns: The row; `nil` when more octets are needed, or after the end.
    public mutating func next() -> Row? {
        guard delivered < rows.count else {
            rows.removeAll(keepingCapacity: true)
            delivered = 0
            return nil
        }
        defer { delivered += 1 }
        return rows[delivered]
    }

    /// Looks at an octet, and passes it when it says nothing.
    private mutating func begin(_ octet: UInt8, _ index: inout Int) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if passed < 3, octet == mark[passed] {
            passed += 1
            index += 1
        } else if octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D {
            if octet == 0x0A { line += 1 }
            index += 1
        } else {
            let isJSON = octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[")
            form = isJSON ? .json(JSONSplitter(line: line)) : .csv(CSVSplitter(line: line), columns: nil)
        }
    }

    private mutating func use(_ row: CSVSplitter.Row, _ columns: [String]?, _ splitter: CSVSplitter) {
        guard let columns else {
            let names = row.cells.map { String(decoding: $0.octets, as: UTF8.self) }
            let needed = ["device_type", "rssi", "confidence", "timestamp"]
            let missing = needed.filter { !names.contains($0) }
            guard missing.isEmpty else {
                form = .over
                let list = missing.joined(separator: ", ")
                rows.append(.broken(ImportFault(row.line, "no column is named \(list)")))
                return
            }
            form = .csv(splitter, columns: names)
            return
        }
        // A blank line is one empty cell.
        if row.cells.count == 1, columns.count > 1, row.cells[0].isMissing { return }
        guard row.cells.count == columns.count else {
            let counts = "it has \(row.cells.count) cells, and the first line has \(columns.count)"
            rows.append(.bad(ImportFault(row.line, counts)))
            return
        }
        var cells: [String: CSVCell] = [:]
        for (column, cell) in zip(columns, row.cells) where cells[column] == nil { cells[column] = cell }
        do throws(ImportFault) {
            rows.append(.detection(try CSVRow(line: row.line, cells: cells).detection()))
        } catch {
            rows.append(.bad(error))
        }
    }

    private mutating func use(_ row: JSONSplitter.Row) {
        do throws(ImportFault) {
            rows.append(.detection(try row.detection()))
        } catch {
            rows.append(.bad(error))
        }
    }
}
