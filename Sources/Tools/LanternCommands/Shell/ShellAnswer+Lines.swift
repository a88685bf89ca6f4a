// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText

extension ShellAnswer {
    /// The answer for a person.
    ///
    /// - Parameter terminal: Where it is shown.
    /// - Returns: The lines, escaped.
    func lines(on terminal: Terminal) -> [String] {
        switch self {
        case .nothing: return []
        case .closed: return ["There is no link now."]
        case .link(let peer, let mtu): return ["Connected to \(peer.title), MTU \(mtu)."]
        case .devices(let devices):
            return devices.isEmpty
                ? ["No device was heard."] : ScanTable(terminal: terminal).lines(devices, at: nil)
        case .mtu(let mtu): return ["MTU \(mtu)"]
        case .securityLevel(let level): return ["Security level \(level)"]
        case .tree(let tree): return tree.lines(on: terminal)
        case .services(let services):
            return Self.orNone(
                services.map {
                    Self.title($0.handle, UUIDNames.name(ofService: $0.uuid), $0.uuid, terminal)
                        + terminal.styled("  to \($0.endHandle.text)", .dim)
                }, "services")
        case .included(let includes):
            return Self.orNone(
                includes.map {
                    Self.title($0.handle, UUIDNames.name(ofService: $0.uuid), $0.uuid, terminal)
                        + terminal.styled("  at \($0.startHandle.text) to \($0.endHandle.text)", .dim)
                }, "included services")
        case .characteristics(let characteristics):
            return Self.orNone(
                characteristics.map {
                    let name = UUIDNames.name(ofCharacteristic: $0.uuid)
                    let words = $0.properties.words.map { $0.split(separator: "_").joined(separator: " ") }
                    return Self.title($0.valueHandle, name, $0.uuid, terminal) + "  "
                        + terminal.styled(words.joined(separator: ", "), .cyan)
                }, "characteristics")
        case .attributes(let attributes):
            return Self.orNone(
                attributes.map { Self.title($0.handle, $0.name, $0.uuid, terminal) }, "attributes")
        case .value(let attribute, let value):
            return [
                ValueText.line(value, of: attribute.target?.uuid, on: terminal, columns: terminal.columns)
            ]
        case .values(let uuid, let values):
            let columns = max(20, terminal.columns - 8)
            return values.map {
                terminal.styled($0.handle.text, .dim) + "  "
                    + ValueText.line($0.value, of: uuid, on: terminal, columns: columns)
            }
        case .written(let written): return [TerminalText.escaped(written.line.text)]
        case .watched(let attributes, let isOn):
            if attributes.isEmpty { return ["Nothing was watched."] }
            return attributes.map {
                isOn ? "Watching \($0.title): values appear as they come." : "No longer watching \($0.title)."
            }
        case .waited(let values): return [values == 1 ? "1 value came." : "\(values) values came."]
        case .help(let verbs): return Self.help(verbs, on: terminal)
        }
    }

    private static func orNone(_ lines: [String], _ what: String) -> [String] {
        lines.isEmpty ? ["There are no \(what) there."] : lines
    }

    private static func title(
        _ handle: AttributeHandle, _ name: String?, _ uuid: BluetoothUUID, _ terminal: Terminal
    ) -> String {
        let text = name.map { $0 + "  " + terminal.styled(uuid.description, .dim) } ?? uuid.description
        return terminal.styled(handle.text, .dim) + "  " + text
    }

    private static func help(_ verbs: [ShellVerb], on terminal: Terminal) -> [String] {
        let width = verbs.map(\.usage.count).max() ?? 0
        let lines = verbs.map { verb in
            let others = verb.names.dropFirst()
            let also =
                others.isEmpty ? "" : terminal.styled("  (also \(others.joined(separator: ", ")))", .dim)
            return TerminalText.padded(verb.usage, columns: width + 2) + verb.help + also
        }
        return lines + [
            "",
            "WHAT is a handle (0x000c), a UUID (2a19) or a name (battery-level); HANDLE, START and END are in hex.",
        ]
    }
}
