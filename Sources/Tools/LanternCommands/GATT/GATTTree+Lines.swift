// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
import Companion
import CompanionText

extension GATTTree {
    /// The whole tree for a person: handles on the left, values below what they belong to.
    ///
    /// - Parameter terminal: Where it is printed.
    /// - Returns: The lines, escaped.
    func lines(on terminal: Terminal) -> [String] {
        var printer = TreePrinter(tree: self, terminal: terminal)
        return printer.lines()
    }
}

private struct TreePrinter {
    /// A handle and the blanks behind it.
    static let margin = 8

    let tree: GATTTree
    let terminal: Terminal
    var result: [String] = []

    init(tree: GATTTree, terminal: Terminal) {
        self.tree = tree
        self.terminal = terminal
    }

    mutating func lines() -> [String] {
        result = [terminal.styled(tree.peer.title, .bold) + "  MTU \(tree.mtu)"]
        for service in tree.services { add(service) }
        return result
    }

    private mutating func add(_ service: GATT.Service) {
        let name = UUIDNames.name(ofService: service.uuid)
        let rank = service.isPrimary ? "" : "  secondary"
        result.append("")
        add(service.handle, "", title(name, service.uuid, .bold) + rank)
        let count = service.includes.count + service.characteristics.count
        var index = 0
        for include in service.includes {
            index += 1
            let name = UUIDNames.name(ofService: include.uuid)
            add(
                include.handle, index == count ? "└─ " : "├─ ",
                "includes " + title(name, include.uuid, nil) + "  at \(include.startHandle.text)")
        }
        for characteristic in service.characteristics {
            index += 1
            add(characteristic, isLast: index == count)
        }
    }

    private mutating func add(_ characteristic: GATT.Characteristic, isLast: Bool) {
        let name = UUIDNames.name(ofCharacteristic: characteristic.uuid)
        let properties = characteristic.properties.words.map { word in
            word.split(separator: "_").joined(separator: " ")
        }
        add(
            characteristic.valueHandle, isLast ? "└─ " : "├─ ",
            title(name, characteristic.uuid, nil) + "  "
                + terminal.styled(properties.joined(separator: ", "), .cyan))
        let stem = isLast ? "   " : "│  "
        let stalk = stem + (characteristic.descriptors.isEmpty ? "   " : "│  ")
        add(tree[characteristic.valueHandle], of: characteristic.uuid, stalk)
        for (index, descriptor) in characteristic.descriptors.enumerated() {
            let isLast = index == characteristic.descriptors.count - 1
            let name = AssignedNumbers.name(ofDescriptor: descriptor.uuid)
            add(descriptor.handle, stem + (isLast ? "└─ " : "├─ "), title(name, descriptor.uuid, nil))
            add(tree[descriptor.handle], of: descriptor.uuid, stem + (isLast ? "   " : "│  ") + "   ")
        }
    }

    private mutating func add(_ reading: GATTTree.Reading, of uuid: BluetoothUUID, _ stem: String) {
        let columns = max(20, terminal.columns - Self.margin - stem.count)
        switch reading {
        case .notReadable: break
        case .ours: add(nil, stem, terminal.styled("switched by this command itself", .dim))
        case .value(let value):
            add(nil, stem, ValueText.line(value, of: uuid, on: terminal, columns: columns))
        case .refused(let why, _): add(nil, stem, terminal.styled(why, .red))
        }
    }

    private mutating func add(_ handle: AttributeHandle?, _ stem: String, _ text: String) {
        let margin = handle.map { $0.text + "  " } ?? String(repeating: " ", count: Self.margin)
        result.append(terminal.styled(margin + stem, .dim) + text)
    }

    private func title(_ name: String?, _ uuid: BluetoothUUID, _ style: Terminal.Style?) -> String {
        func styled(_ text: String) -> String { style.map { terminal.styled(text, $0) } ?? text }
        guard let name else { return styled(uuid.description) }
        return styled(name) + "  " + terminal.styled(uuid.description, .dim)
    }
}
