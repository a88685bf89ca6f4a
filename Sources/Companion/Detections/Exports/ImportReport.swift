// SPDX-License-Identifier: Apache-2.0

package import Companion

/// What becomes of a file of detections, as a hub, the command line and a page without a hub say it.
public struct ImportReport: Sendable {
    /// What became of the rows so far.
    public var counts: ImportSummary {
        var counts = used
        counts.refused = refusals.rows
        return counts
    }
    /// The rows that cannot be used, each kind once.
    public var faults: [ImportFaults.Kind] { refusals.kinds }
    /// What a person should know of rows that were taken, each kind once.
    public private(set) var notes: [ImportError] = []
    /// Why the file cannot be read any further.
    public private(set) var broken: ImportError?

    private var used = ImportSummary()
    private var refusals = ImportFaults()

    /// Makes a report of nothing.
    public init() {}

    /// Takes detections.
    ///
    /// - Parameters:
    ///   - new: How many are new.
    ///   - known: How many were there already.
    package mutating func addDetections(new: Int, known: Int) {
        used.imported += new
        used.known += known
    }

    /// Takes a drive.
    ///
    /// - Parameter isNew: Whether it was not there yet.
    package mutating func addDrive(isNew: Bool) {
        if isNew { used.drives += 1 } else { used.knownDrives += 1 }
    }

    /// Takes a row of another kind.
    package mutating func pass() { used.passed += 1 }

    /// Takes what a person should know, unless the like was said before.
    ///
    /// - Parameter note: Where it is and what it is.
    package mutating func add(_ note: ImportError) {
        guard notes.count < ImportFaults.mostKinds else { return }
        let kind = note.kind
        if !notes.contains(where: { $0.kind == kind }) { notes.append(note) }
    }

    /// Takes a row that cannot be used.
    ///
    /// - Parameter fault: Where it is and what is wrong.
    package mutating func refuse(_ fault: ImportError) { refusals.add(fault) }

    /// Takes the end of a file that cannot be read any further; the first one counts.
    ///
    /// - Parameter fault: Where that is and why.
    package mutating func end(_ fault: ImportError) { broken = broken ?? fault }

    /// Writes the values of the answer to whoever has given the file, within an object.
    ///
    /// - Parameters:
    ///   - isTrial: Whether nothing was stored.
    ///   - json: Where they are written.
    package func writeValues(isTrial: Bool, into json: inout JSONWriter) {
        DetectionsImported(counts, isTrial: isTrial).writeValues(into: &json)
        json.key("faults")
        json.array { json in for kind in faults { kind.write(into: &json) } }
        json.key("notes")
        json.array { json in for note in notes { note.write(into: &json) } }
        json.key("broken")
        if let broken { broken.write(into: &json) } else { json.value(String?.none) }
    }
}
