// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Reads detections and drives out of a file; memory stays flat for a file of any size.
///
/// Feed it with ``receive(_:)``, say that it is over with ``finish()``, and take the rows out with ``next()`` after each.
///
/// | it begins with | and is taken for |
/// |----------------|------------------|
/// | `{` | JSON that an export, or FlockFinder's app, has written: one object with a list `detections` |
/// | `<` | GPX: waypoints that an export or the app has written, and tracks of whoever |
/// | `WigleWifi-` | CSV of an app of WiGLE or of Kismet; several of them may follow each other, each with a byte order mark |
/// | anything else | a table: of an export, of FlockFinder's app, flock-you or WiGLE's site, told by its columns |
///
/// What is of another kind is named, with what reads it. Numbers of rows (`id`) are not kept. A table may have gone through a spreadsheet: a byte order mark, a line `sep=;`,
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
        /// A row of another kind that is passed over, such as a cell tower.
        case passed
        /// What a person should know of rows that are taken.
        case noted(ImportError)
        /// One that cannot be used; what follows can.
        case bad(ImportError)
        /// The file cannot be read from here on.
        case broken(ImportError)
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
    /// The first octets, until they tell what it is.
    private var head: [UInt8] = []
    private var rows: [Row] = []
    private var delivered = 0
    /// How many octets of a byte order mark were passed over, which says nothing here.
    private var passed = 0
    private var line = 1
    /// Rows that got the time of the import: the line of the first one, and how many there are.
    private var withoutTime: (line: Int, count: Int)?

    private let longestDrive: Int
    private let now: Timestamp?
    /// Whether a detection or a drive was read.
    public private(set) var hasUse = false

    /// Begins a file.
    ///
    /// - Parameter now: What rows count for that have no time but that since their device was switched on; without it they
    ///   are refused.
    public init(at now: Timestamp? = nil) { self.init(at: now, longestDrive: ImportedDrive.longest) }

    /// Begins a file.
    package init(at now: Timestamp? = nil, longestDrive: Int) {
        self.now = now
        self.longestDrive = longestDrive
    }

    /// Reads the next piece of the file.
    ///
    /// - Parameter octets: The piece; it should not be large, for its rows wait to be taken out.
    public mutating func receive(_ octets: [UInt8]) {
        guard case .unknown = form, head.count < ForeignFile.headLength else { return read(octets) }
        head += octets
        if head.count >= ForeignFile.headLength { readHead() }
    }

    /// Ends the file.
    public mutating func finish() {
        if case .unknown = form, head.count < ForeignFile.headLength { readHead() }
        do throws(ImportError) {
            switch form {
            case .unknown: throw ImportError(1, "the file is empty")
            case .heading(var heading): try heading.finish()
            case .csv(var splitter, let layout):
                try splitter.finish()
                if var heading = try use(&splitter, layout) { try heading.finish() }
            case .gpx(var reader):
                form = .over
                reader.finish()
                while let row = try reader.next() { add(row) }
                if reader.isEmpty { throw ImportError(line, ForeignFile.noXML(for: .detections)) }
            case .json(let splitter): try splitter.finish()
            case .over: break
            }
        } catch {
            end(error)
        }
        stop()
    }

    /// Ends a file of which no more can be had, whatever is missing at its end; a track up to there is a drive.
    public mutating func stop() {
        if case .gpx(var reader) = form { for row in reader.stop() { add(row) } }
        form = .over
        guard let found = withoutTime else { return }
        withoutTime = nil
        let only = "only the time since the device was switched on"
        let reason =
            found.count == 1
            ? "this row has \(only), so it gets the time of the import"
            : "this row and \(found.count - 1) more have \(only), so they get the time of the import"
        rows.append(.noted(ImportError(found.line, reason)))
    }

    /// Ends a file that cannot be read any further.
    private mutating func end(_ fault: ImportError) {
        stop()
        rows.append(.broken(fault))
    }

    /// The line up to which it was read; 1 when it is over.
    package var lineReached: Int {
        switch form {
        case .unknown: line
        case .heading(let heading): heading.line
        case .csv(let splitter, _): splitter.line
        case .json(let splitter): splitter.line
        case .gpx(var reader): reader.line
        case .over: 1
        }
    }

    /// Says what the file is, if its first octets do, else reads them.
    private mutating func readHead() {
        let octets = head
        head = [UInt8](repeating: 0, count: ForeignFile.headLength)
        if let reason = ForeignFile.binary(octets) {
            end(ImportError(line, reason))
        }
        read(octets)
    }

    private mutating func read(_ octets: [UInt8]) {
        var index = 0
        do throws(ImportError) {
            while index < octets.count {
                switch form {
                case .unknown: begin(octets[index], &index)
                case .heading(var heading):
                    form = .over
                    let found = try heading.receive(octets[index])
                    index += 1
                    for remark in found?.1.remarks ?? [] { rows.append(.noted(remark)) }
                    form = found.map { .csv($0.0, $0.1) } ?? .heading(heading)
                case .csv(var splitter, let layout):
                    // Taken out meanwhile, so that nothing is copied.
                    form = .over
                    var heading: CSVHeading?
                    while index < octets.count, heading == nil {
                        try splitter.receive(octets[index])
                        index += 1
                        if splitter.hasRow { heading = try use(&splitter, layout) }
                    }
                    form = heading.map { .heading($0) } ?? .csv(splitter, layout)
                case .gpx(var reader):
                    form = .over
                    reader.receive(index == 0 ? octets : Array(octets[index...]))
                    index = octets.count
                    while let row = try reader.next() { add(row) }
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
            end(error)
        }
    }

    /// Takes rows of a table.
    ///
    /// - Returns: The heading of another table that follows, where two files were put together.
    private mutating func use(
        _ splitter: inout CSVSplitter, _ layout: CSVLayout
    ) throws(ImportError) -> CSVHeading? {
        while let row = splitter.next() {
            let mark = row.firstOfMark
            var own = row
            if let mark { own.keep(before: mark) }
            if !own.cells.isEmpty, let out = try layout.row(own, at: now) {
                if layout.hasTimeOfImport(out) {
                    withoutTime = (withoutTime?.line ?? row.line, (withoutTime?.count ?? 0) + 1)
                }
                add(out)
            }
            if let mark { return CSVHeading(line: row.line + 1, mark: row.text(from: mark)) }
        }
        return nil
    }

    private mutating func add(_ row: Row) {
        switch row {
        case .detection, .drive: hasUse = true
        case .passed, .noted, .bad, .broken: break
        }
        rows.append(row)
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
        let mark = CSVSplitter.byteOrderMark
        if passed < 3, octet == mark[passed] {
            passed += 1
            index += 1
            return
        }
        switch octet {
        case 0x20, 0x09, 0x0A, 0x0D:
            if octet == 0x0A { line += 1 }
            index += 1
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: form = .json(JSONSplitter(line: line))
        case UInt8(ascii: "<"): form = .gpx(GPXRows(longestDrive: longestDrive))
        default: form = .heading(CSVHeading(line: line))
        }
    }

    private mutating func use(_ row: JSONSplitter.Row) {
        do throws(ImportError) {
            add(.detection(try row.detection()))
        } catch {
            rows.append(.bad(error))
        }
    }
}

extension CSVSplitter.Row {
    /// In which cell, and at which of its octets, the first line of another file begins that was put behind this one.
    ///
    /// That is at the beginning of a row, or behind the last cell of one where the first file does not end its last line.
    fileprivate var firstOfMark: (cell: Int, octet: Int)? {
        if cells[0].octets.starts(with: WiGLE.mark.utf8) { return (0, 0) }
        guard let next = cells.firstIndex(where: { $0.octets.starts(with: "appRelease=".utf8) }), next > 1
        else { return nil }
        let octets = cells[next - 1].octets
        let begin = octets.indices.first { octets[$0...].starts(with: WiGLE.mark.utf8) }
        return begin.map { (next - 1, $0) }
    }

    /// Takes away what stands from there on.
    fileprivate mutating func keep(before mark: (cell: Int, octet: Int)) {
        var last = Array(cells[mark.cell].octets[..<mark.octet])
        let order = CSVSplitter.byteOrderMark
        if last.suffix(order.count).elementsEqual(order) { last.removeLast(order.count) }
        cells.removeSubrange(mark.cell...)
        if mark.cell > 0 { cells.append(CSVCell(octets: last)) }
    }

    /// The line from there on.
    fileprivate func text(from mark: (cell: Int, octet: Int)) -> String {
        let rest = cells[(mark.cell + 1)...].map { FileValue.text($0.octets) }
        let first = FileValue.text(cells[mark.cell].octets[mark.octet...])
        return ([first] + rest).joined(separator: ",")
    }
}
