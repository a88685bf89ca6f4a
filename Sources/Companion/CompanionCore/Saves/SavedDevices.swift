// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import CompanionText

extension SavedDeviceEntry {
    /// Reads a file that somebody has brought.
    ///
    /// - Parameters:
    ///   - file: What `gatt tree --output` writes.
    ///   - name: What somebody calls it; empty for the name of the device.
    ///   - time: When that is.
    /// - Throws: ``HubError`` that says what is wrong with it.
    package init(brought file: [UInt8], as name: String, at time: Timestamp) throws(HubError) {
        do throws(JSONDecodingError) { try self.init(file: file, name: name, time: time) } catch {
            throw .badValue("This is not a saved device: line \(error.line): \(error.reason).")
        }
    }
}

extension ExplorerJob {
    /// The file of what is known of its device.
    ///
    /// - Parameter heard: What of it was heard last.
    /// - Returns: The octets of the file.
    /// - Throws: ``HubError`` before anything was found.
    package func file(_ heard: HeardDevice?) throws(HubError) -> [UInt8] {
        guard let tree else {
            throw .notNow("What the device has is not known yet. Wait until it was found.")
        }
        let seen = heard?.seen
        return SavedDevice(tree, advertisement: seen?.advertisement, scanResponse: seen?.scanResponse).octets
    }

    /// The file of its log, the oldest value first.
    ///
    /// - Parameters:
    ///   - form: Which form; CSV when nobody says.
    ///   - handle: Whose values; all when `nil`.
    ///   - time: When that is.
    /// - Returns: The file.
    package func logFile(_ form: String?, of handle: Int?, at time: Timestamp) -> NamedFile {
        let form = form.flatMap { ExplorerLogFile(rawValue: $0) } ?? .csv
        let values = log.values(of: handle, before: nil, limit: .max)
        return NamedFile(
            name: "lantern-values-\(time.description.prefix(10)).\(form.rawValue)",
            octets: form.octets(of: values.reversed(), from: explorer.job.peer))
    }
}

/// A file that somebody takes away.
package struct NamedFile: Sendable {
    /// What to call it.
    package let name: String
    /// What it has.
    package let octets: [UInt8]

    /// Makes a file.
    package init(name: String, octets: [UInt8]) { (self.name, self.octets) = (name, octets) }

    /// The file of a saved device.
    package init(_ save: SavedDeviceEntry, _ octets: [UInt8]) {
        self.init(name: "lantern-device-\(save.id).json", octets: octets)
    }
}

extension OpenedSave {
    /// Lays out what was saved.
    ///
    /// - Throws: ``HubError`` that says what is wrong with the file.
    package init(saved entry: SavedDeviceEntry, _ file: [UInt8]) throws(HubError) {
        do throws(JSONDecodingError) { try self.init(entry, file: file) } catch {
            throw .badValue("What was saved cannot be laid out: line \(error.line): \(error.reason).")
        }
        structures = AdvertisedStructure.all(advertisement: advertisement, scanResponse: scanResponse)
    }
}

/// In what two saved devices differ.
package struct SaveComparison: EventPart, Sendable {
    /// The older one.
    package let before: SavedDeviceEntry
    /// The newer one.
    package let after: SavedDeviceEntry
    /// What differs, in the order of the older one.
    package let changes: [GATTChange]

    /// Compares two.
    ///
    /// - Throws: ``HubError`` where one of them cannot be read.
    package init(
        _ before: (entry: SavedDeviceEntry, file: [UInt8]), _ after: (entry: SavedDeviceEntry, file: [UInt8])
    ) throws(HubError) {
        (self.before, self.after) = (before.entry, after.entry)
        do throws(JSONDecodingError) {
            changes = GATTChange.between(
                try SavedTree(try JSONReader.read(before.file)),
                try SavedTree(try JSONReader.read(after.file)))
        } catch {
            throw .badValue("What was saved cannot be read any more: \(error.reason).")
        }
    }

    /// Declares its fields.
    package static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("before", "The older one.") { $0.before }
        schema.object("after", "The newer one.") { $0.after }
        schema.list("items", "What differs, in the order of the older one.") { $0.changes }
    }
}
