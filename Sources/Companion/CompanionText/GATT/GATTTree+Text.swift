// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
public import BLEGATT
import BLEWire
public import Companion
import ProductRegistry

extension GATTTree {
    /// The whole tree for a person: handles on the left, values below what they belong to.
    ///
    /// - Parameter columns: Columns that there are.
    /// - Returns: The lines.
    public func lines(columns: Int) -> [StyledText] {
        var text = GATTTreeText(tree: self, columns: columns)
        let lines = text.lines()
        guard let ending else { return lines }
        return lines + [StyledText(), StyledText(ending.sentence, .red)]
    }

    /// The same without the sentence that says where it has ended, for whoever says that elsewhere.
    ///
    /// - Parameter columns: Columns that there are.
    /// - Returns: The lines.
    public func linesBeforeEnding(columns: Int) -> [StyledText] {
        var text = GATTTreeText(tree: self, columns: columns)
        return text.lines()
    }
}

private struct GATTTreeText {
    /// A handle and the blanks behind it.
    private static let margin = 8

    private let tree: GATTTree
    private let columns: Int
    private var result: [StyledText] = []

    init(tree: GATTTree, columns: Int) {
        self.tree = tree
        self.columns = columns
    }

    mutating func lines() -> [StyledText] {
        result = [StyledText(tree.peer.title, .bold) + "  MTU \(tree.mtu)"]
        for service in tree.services { add(service) }
        if !tree.faults.isEmpty {
            result += [StyledText(), StyledText("Faults in the device's answers:", .bold)]
            for fault in tree.faults { add(fault.handle, "", StyledText(fault.words, .red)) }
        }
        return result
    }

    private mutating func add(_ service: GATT.Service) {
        let name = UUIDNames.name(ofService: service.uuid)
        let rank = service.isPrimary ? "" : "  secondary"
        result.append(StyledText())
        add(service.handle, "", title(name, service.uuid, .bold) + rank)
        let count = service.includes.count + service.characteristics.count
        var index = 0
        for include in service.includes {
            index += 1
            let name = UUIDNames.name(ofService: include.uuid)
            add(
                include.handle, index == count ? "└─ " : "├─ ",
                StyledText("includes ") + title(name, include.uuid, nil) + "  at \(include.startHandle.text)")
        }
        for characteristic in service.characteristics {
            index += 1
            add(characteristic, isLast: index == count)
        }
    }

    private mutating func add(_ characteristic: GATT.Characteristic, isLast: Bool) {
        let target = AttributeTarget.value(characteristic, tree.readings)
        add(
            characteristic.valueHandle, isLast ? "└─ " : "├─ ",
            title(target.title, characteristic.uuid, nil) + "  "
                + StyledText(characteristic.properties.text, .cyan))
        let stem = isLast ? "   " : "│  "
        let stalk = stem + (characteristic.descriptors.isEmpty ? "   " : "│  ")
        add(tree[characteristic.valueHandle], of: target.layout, stalk)
        if lacksConfiguration(characteristic) {
            add(nil, stalk, StyledText("has no descriptor 2902 that switches it on", .yellow))
        }
        for (index, descriptor) in characteristic.descriptors.enumerated() {
            let isLast = index == characteristic.descriptors.count - 1
            let name = AssignedNumbers.name(ofDescriptor: descriptor.uuid)
            add(descriptor.handle, stem + (isLast ? "└─ " : "├─ "), title(name, descriptor.uuid, nil))
            add(
                tree[descriptor.handle], of: ValueLayout(descriptor.uuid),
                stem + (isLast ? "   " : "│  ") + "   ")
        }
    }

    /// Whether a characteristic sends by itself and nothing switches that on, as far as its descriptors are known.
    private func lacksConfiguration(_ characteristic: GATT.Characteristic) -> Bool {
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]),
            characteristic.clientConfigurationHandle == nil, tree.ending == nil
        else { return false }
        return !tree.faults.contains {
            characteristic.handle <= $0.handle && $0.handle <= characteristic.endHandle
        }
    }

    private mutating func add(_ reading: GATTTree.Reading, of layout: ValueLayout, _ stem: String) {
        let columns = max(20, columns - Self.margin - stem.count)
        switch reading {
        case .notReadable: break
        case .ours: add(nil, stem, StyledText("switched by this command itself", .dim))
        case .value(let value):
            add(nil, stem, ValueText.line(value, of: layout, columns: columns))
        case .firstPart(let part, let why):
            add(nil, stem, ValueText.line(part, of: layout, columns: columns))
            add(nil, stem, ValueText.incomplete(part, why))
        case .refused(let why, _): add(nil, stem, StyledText(why, .red))
        }
    }

    private mutating func add(_ handle: AttributeHandle?, _ stem: String, _ text: StyledText) {
        let margin = handle.map { $0.text + "  " } ?? String(repeating: " ", count: Self.margin)
        // What goes on in another line stands below what it goes on with.
        let line = StyledText(margin + stem, .dim) + text
        result.append(line.indented(by: Self.margin + stem.count))
    }

    private func title(_ name: String?, _ uuid: BluetoothUUID, _ style: TextStyle?) -> StyledText {
        guard let name else { return StyledText(uuid.description, style) }
        return StyledText(name, style) + "  " + StyledText(uuid.description, .dim)
    }
}

extension GATT.Properties {
    /// The properties in words.
    public var text: String {
        words.map { $0.split(separator: "_").joined(separator: " ") }.joined(separator: ", ")
    }
}
