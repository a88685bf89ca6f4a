// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import FlockFinder

/// The table by which this radio notices cameras.
public struct SignatureTableShown: Event, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "signature_table"
    /// When it happens.
    public static let summary: StaticString =
        "The table by which this radio notices cameras; as a file it is a table for --signatures."

    /// The table.
    public let table: SignatureTable

    /// Makes the event.
    public init(_ table: SignatureTable) { self.table = table }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "Who has made it.") { $0.table.name.string }
        schema.text("version", "Which version it is.") { $0.table.version.string }
        schema.number("threshold", "From which confidence on something is said.") { $0.table.threshold }
        schema.list("signatures", "What speaks for a kind of camera or sensor, or against it.") {
            $0.table.signatures.map { SignatureJSON($0) }
        }
    }
}

private struct SignatureJSON: EventPart {
    let signature: Signature

    init(_ signature: Signature) { self.signature = signature }

    private var text: String { signature.mark.text.string }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "The shape of a name: * for anything, # for a digit.") {
            if case .name = $0.signature.mark { $0.text } else { nil }
        }
        schema.text("service", "The UUID of a service.") {
            if case .service = $0.signature.mark { $0.text } else { nil }
        }
        schema.text("maker", "The number of a company, four hex digits.") {
            if case .maker = $0.signature.mark { $0.text } else { nil }
        }
        schema.text("prefix", "How a public address begins.") {
            if case .prefix = $0.signature.mark { $0.text } else { nil }
        }
        schema.text("type", "For which kind it speaks, or against which; null is against all.") {
            $0.signature.type?.keywordString
        }
        schema.number("weight", "How much it says, -1 to 1.") { $0.signature.weight }
        schema.text("version", "Since which version it is as it is.") { $0.signature.version.string }
        schema.text("source", "Who has said so.") { $0.signature.source.string }
    }
}

/// This radio has begun to listen for cameras.
public struct DetectorStarted: Event, Hashable, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "detector_started"
    /// When it happens.
    public static let summary: StaticString =
        "This radio has begun to listen for cameras. Only Bluetooth is heard."

    /// The table, by name and version.
    public let table: String
    /// How many signatures it has.
    public let count: Int

    /// Makes the event.
    ///
    /// - Parameter table: The table.
    public init(_ table: SignatureTable) {
        self.table = table.title
        count = table.signatures.count
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("signatures", "The table: its name and version.") { $0.table }
        schema.integer("count", "How many signatures it has.") { $0.count }
        schema.word("hears", "What is heard; Wi-Fi is not.", of: ["bluetooth"]) { _ in "bluetooth" }
    }
}

extension SignatureTable {
    /// Its name and version: `lantern 2026-11-23`.
    public var title: String { "\(name.string) \(version.string)" }
}

extension Sighting {
    /// Whether the radio here has noticed it, not a device that has told it.
    public var isHeardHere: Bool { device == nil && extra.hasPrefix(#"{"origin":"this_radio""#) }

    /// Why the radio here has noticed it: one reason each; none when a device has told it.
    public var reasonsHere: [String] {
        guard isHeardHere, let extra = try? JSONReader.read(Array(extra.utf8)),
            let list = try? extra.list(DetectionOrigin.reasons.string)
        else { return [] }
        return list.compactMap { if case .text(let text) = $0.value { text } else { nil } }
    }
}
