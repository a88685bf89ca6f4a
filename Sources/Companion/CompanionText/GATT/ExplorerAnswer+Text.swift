// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import Companion
import ProductRegistry

extension ExplorerAnswer {
    /// The answer for a person.
    ///
    /// - Parameter columns: Columns that there are.
    /// - Returns: The lines.
    public func lines(columns: Int) -> [StyledText] {
        switch self {
        case .nothing: return []
        case .closed: return [StyledText("There is no link now.")]
        case .link(let peer, let mtu): return [StyledText("Connected to \(peer.title), MTU \(mtu).")]
        case .devices(let devices):
            return devices.isEmpty
                ? [StyledText("No device was heard.")] : TextTable(devices, at: nil).lines(columns: columns)
        case .mtu(let mtu): return [StyledText("MTU \(mtu)")]
        case .securityLevel(let level): return [StyledText("Security level \(level)")]
        case .security(let protection):
            let words = protection.map { $0.words + ($0.isBonded ? "; the keys are kept" : "") }
            return [StyledText("The link is \(words ?? "not encrypted").")]
        case .tree(let tree): return tree.lines(columns: columns)
        case .services(let services):
            return Self.orNone(
                services.map {
                    Self.title($0.handle, UUIDNames.name(ofService: $0.uuid), $0.uuid)
                        + StyledText("  to \($0.endHandle.text)", .dim)
                }, "services")
        case .included(let includes):
            return Self.orNone(
                includes.map {
                    Self.title($0.handle, UUIDNames.name(ofService: $0.uuid), $0.uuid)
                        + StyledText("  at \($0.startHandle.text) to \($0.endHandle.text)", .dim)
                }, "included services")
        case .characteristics(let characteristics):
            return Self.orNone(
                characteristics.map {
                    let name = UUIDNames.name(ofCharacteristic: $0.uuid)
                    return Self.title($0.valueHandle, name, $0.uuid) + "  "
                        + StyledText($0.properties.text, .cyan)
                }, "characteristics")
        case .attributes(let attributes):
            return Self.orNone(
                attributes.map { Self.title($0.handle, $0.name, $0.uuid) }, "attributes")
        case .read(let read): return read.lines(columns: columns)
        case .values(_, let uuid, let values):
            let columns = max(20, columns - 8)
            return values.map {
                StyledText($0.handle.text, .dim) + "  "
                    + ValueText.line($0.value, of: ValueLayout(uuid), columns: columns)
            }
        case .written(let written): return [StyledText(written.line.text)]
        case .watched(let attributes, let isOn):
            if attributes.isEmpty { return [StyledText("Nothing was watched.")] }
            return attributes.map {
                StyledText(
                    isOn
                        ? "Watching \($0.title): values appear as they come."
                        : "No longer watching \($0.title).")
            }
        case .waited(let values):
            return [StyledText(values == 1 ? "1 value came." : "\(values) values came.")]
        case .help(let verbs): return Self.help(verbs)
        }
    }

    private static func orNone(_ lines: [StyledText], _ what: String) -> [StyledText] {
        lines.isEmpty ? [StyledText("There are none: no \(what) in this range.")] : lines
    }

    private static func title(_ handle: AttributeHandle, _ name: String?, _ uuid: BluetoothUUID) -> StyledText
    {
        let text = name.map { StyledText($0 + "  ") + StyledText(uuid.description, .dim) }
        return StyledText(handle.text, .dim) + "  " + (text ?? StyledText(uuid.description))
    }

    private static func help(_ verbs: [VerbHelp]) -> [StyledText] {
        let width = verbs.map { $0.usage.count }.max() ?? 0
        let lines = verbs.map { verb in
            let others = verb.names.dropFirst()
            let also = others.isEmpty ? "" : "  (also \(others.joined(separator: ", ")))"
            return StyledText(FixedWidthText.padded(verb.usage, columns: width + 2) + verb.sentence)
                + StyledText(also, .dim)
        }.map { $0.indented(by: width + 2) }
        return lines + [
            StyledText(),
            StyledText(
                "WHAT is a handle (0x000c), a UUID (2a19) or a name (battery-level); HANDLE, START and END are in hex."
            ),
        ]
    }
}
