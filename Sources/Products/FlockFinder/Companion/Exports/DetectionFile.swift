// SPDX-License-Identifier: Apache-2.0

/// Reads detections and drives out of a file; memory stays flat for a file of any size.
///
/// Feed it with ``receive(_:)``, say that it is over with ``finish()``, and take the rows out with ``next()`` after each.
///
/// | it begins with | and is taken for |
/// |----------------|------------------|
/// | `{` | JSON that an export has written: one object with a list `detections` |
/// | `<` | GPX: waypoints that an export has written, and tracks of whoever |
/// | `WigleWifi-` | CSV of an app of WiGLE |
/// | anything else | comma-separated values that an export has written |
///
/// Numbers of rows (`id`) are not kept. A table may have gone through a spreadsheet: a byte order mark, a line `sep=;`,
/// semicolons or tabs between cells, lines that end in LF, CR LF or CR, other quotation marks, columns in any order and
/// others beside them, empty cells left out at the end of a row. The rules of the export for empty cells and apostrophes
/// are undone. Decimal commas are refused.
public struct DetectionFile: Sendable {
    /// What the stream puts out.
    public enum Row: Hashable, Sendable {
        /// A detection.
        case detection(ImportedDetection)
        /// A drive.
        case drive(ImportedDrive)
        /// Something that is right and of no use here, such as a cell tower.
        case passed
        /// One that cannot be used; what follows can.
        case bad(ImportFault)
        /// The file cannot be read from here on.
        case broken(ImportFault)
    }

    private enum Form: Sendable {
        case unknown
        case heading(CSVHeading)
        case csv(CSVSplitter, CSVLayout)
        case json(JSONSplitter)
        case gpx(GPXRows)
        case over
    }

    private var form = Form.unknown
    private var rows: [Row] = []
    private var delivered = 0
    /// How many octets of a byte order mark were passed over, which says nothing here.
    private var passed = 0
    private var line = 1

    private let longestDrive: Int

    /// Begins a file.
    public init() { self.init(longestDrive: ImportedDrive.longest) }

    /// Begins a file.
    ///
    /// - Parameter longestDrive: Points of one drive; a longer track goes on as another.
    package init(longestDrive: Int) { self.longestDrive = longestDrive }

    /// Reads the next piece of the file.
    ///
    /// - Parameter octets: The piece; it should not be large, for its rows wait to be taken out.
    public mutating func receive(_ octets: [UInt8]) {
        var index = 0
        do throws(ImportFault) {
            while index < octets.count {
                switch form {
                case .unknown:
                    try begin(octets[index], &index)
                case .heading(var heading):
                    form = .over
                    let layout = try heading.receive(octets[index])
                    index += 1
                    form = layout.map { .csv(heading.splitter, $0) } ?? .heading(heading)
                case .csv(var splitter, let layout):
                    // Taken out meanwhile, so that nothing is copied.
                    form = .over
                    while index < octets.count {
                        let row = try splitter.receive(octets[index])
                        index += 1
                        if let row, let out = try layout.row(row) { rows.append(out) }
                    }
                    form = .csv(splitter, layout)
                case .gpx(var reader):
                    form = .over
                    reader.receive(index == 0 ? octets : Array(octets[index...]))
                    index = octets.count
                    while let row = try reader.next() { rows.append(row) }
                    form = .gpx(reader)
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
            case .heading(var heading):
                guard try heading.finish() != nil else { throw ImportFault(line, "the file is empty") }
            case .csv(var splitter, let layout):
                if let row = try splitter.finish(), let out = try layout.row(row) { rows.append(out) }
            case .gpx(var reader):
                reader.finish()
                while let row = try reader.next() { rows.append(row) }
                if reader.isEmpty { throw ImportFault(line, "it is no GPX") }
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
    private mutating func begin(_ octet: UInt8, _ index: inout Int) throws(ImportFault) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if passed < 3, octet == mark[passed] {
            passed += 1
            index += 1
            return
        }
        switch octet {
        case 0x20, 0x09, 0x0A, 0x0D:
            if octet == 0x0A { line += 1 }
            index += 1
        // Their byte order marks; in UTF-8 no octet is like them.
        case 0xFE, 0xFF: throw ImportFault(line, "it is in UTF-16; save it in UTF-8")
        case UInt8(ascii: "{"), UInt8(ascii: "["): form = .json(JSONSplitter(line: line))
        case UInt8(ascii: "<"): form = .gpx(GPXRows(longestDrive: longestDrive))
        default: form = .heading(CSVHeading(line: line))
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
