// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEWire

/// Values of a device as a file.
public enum ExplorerLogFile: String, Sendable, CaseIterable {
    /// A table for spreadsheets.
    case csv
    /// An event in each line, as `gatt watch --output` writes them; it can be played to whoever subscribes.
    case jsonLines = "jsonl"

    /// The file.
    ///
    /// - Parameters:
    ///   - values: The values, the oldest first.
    ///   - peer: The device.
    /// - Returns: Its octets.
    public func octets(of values: [ExplorerValue], from peer: Peer) -> [UInt8] {
        var octets: [UInt8] = []
        switch self {
        case .csv:
            octets += Array(
                "number,time,handle,uuid,name,kind,octets,text,plotted,unit,error,incomplete\r\n".utf8)
            for value in values {
                let cells = Self.cells(of: value).map { Self.quoted($0) }
                octets += Array((cells.joined(separator: ",") + "\r\n").utf8)
            }
        case .jsonLines:
            for value in values {
                guard let line = Self.line(of: value, from: peer) else { continue }
                octets += line + [UInt8(ascii: "\n")]
            }
        }
        return octets
    }

    private static func cells(of value: ExplorerValue) -> [String] {
        let plotted = value.plotted
        return [
            "\(value.number)", value.time.description, "\(value.attribute.handle.rawValue)",
            value.attribute.target?.uuid.description ?? "", value.attribute.target?.name ?? "",
            value.kind.rawValue, value.octets?.hexadecimal ?? "",
            value.octets.flatMap { PrintableText.text($0) } ?? "",
            plotted.map { "\($0.number)" } ?? "", plotted?.unit ?? "", value.error ?? "",
            value.incomplete ?? "",
        ]
    }

    /// A cell that no spreadsheet takes for a formula.
    private static func quoted(_ text: String) -> String {
        let isFormula = Spreadsheet.looksLikeFormula(text.utf8) && Double(decimal: text.utf8) == nil
        let safe = isFormula ? "'" + text : text
        guard safe.unicodeScalars.contains(where: { [",", "\"", "\n", "\r"].contains($0) }) else {
            return safe
        }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }

    /// Refusals are not among the events of that file.
    private static func line(of value: ExplorerValue, from peer: Peer) -> [UInt8]? {
        guard let octets = value.octets, value.error == nil else { return nil }
        switch value.kind {
        case .read:
            return ValueRead(peer, value.attribute, octets, incomplete: value.incomplete).json(at: value.time)
        case .notify: return ValueReceived(peer, value.attribute, octets, .notify).json(at: value.time)
        case .indicate: return ValueReceived(peer, value.attribute, octets, .indicate).json(at: value.time)
        case .write, .writeWithoutResponse:
            return ValueWritten(peer, value.attribute, octets, isAnswered: value.kind == .write)
                .json(at: value.time)
        }
    }
}
