// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import ProductRegistry
import SwiftUI

/// What the Explorer calls things.
enum ExplorerWords {
    static func name(_ service: GATT.Service) -> String {
        UUIDNames.name(ofService: service.uuid) ?? String(localized: "Unknown service")
    }

    static func name(_ characteristic: GATT.Characteristic, in tree: GATTTree?) -> String {
        AttributeTarget.value(characteristic, tree?.readings ?? [:]).title ?? String(localized: "Unknown")
    }

    /// What can be done with a value, in words.
    static func properties(_ properties: GATT.Properties) -> String {
        var words: [String] = []
        if properties.contains(.read) { words.append(String(localized: "Read")) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
            words.append(String(localized: "Write"))
        }
        if properties.contains(.notify) { words.append(String(localized: "Notify")) }
        if properties.contains(.indicate) { words.append(String(localized: "Indicate")) }
        return words.isEmpty
            ? String(localized: "Nothing can be done with it") : words.joined(separator: ", ")
    }

    /// What a value says in one line.
    static func value(
        _ octets: [UInt8]?, _ reading: GATTTree.Reading?, of characteristic: GATT.Characteristic,
        in tree: GATTTree?
    ) -> String {
        if let octets { return words(octets, layout(characteristic, in: tree)) }
        if case .refused(let why, _) = reading { return why }
        if characteristic.properties.contains(.read) { return String(localized: "Not read") }
        return characteristic.properties.isDisjoint(with: [.notify, .indicate])
            ? String(localized: "No value to read") : String(localized: "Nothing has come yet")
    }

    /// What a descriptor says.
    static func descriptor(_ descriptor: GATT.Descriptor, in tree: GATTTree?) -> String {
        switch tree?[descriptor.handle] {
        case .value(let octets), .firstPart(let octets, _): words(octets, ValueLayout(descriptor.uuid))
        case .refused(let why, _): why
        case .ours: String(localized: "Switched by Listen")
        case .notReadable, nil: String(localized: "Not read")
        }
    }

    static func layout(_ characteristic: GATT.Characteristic, in tree: GATTTree?) -> ValueLayout {
        AttributeTarget.value(characteristic, tree?.readings ?? [:]).layout
    }

    /// What octets mean, else the octets.
    static func words(_ octets: [UInt8], _ layout: ValueLayout?) -> String {
        switch ValueText.meaning(of: octets, layout) {
        case .empty: String(localized: "Empty")
        case .words(let words): words
        case .partly(let words, let why): "\(words) (\(why))"
        case .misfit(let why): "\(DeviceWords.octets(octets)) (\(why))"
        case .unknown:
            octets.count <= 6 ? DeviceWords.octets(octets) : String(localized: "\(octets.count) octets")
        }
    }

    static func handle(_ handle: AttributeHandle) -> String { String(format: "0x%04X", handle.rawValue) }

    static func kind(_ kind: ExplorerValue.Kind) -> LocalizedStringKey {
        switch kind {
        case .read: "Read"
        case .notify: "Notified"
        case .indicate: "Indicated"
        case .write: "Written"
        case .writeWithoutResponse: "Written without an answer"
        }
    }

    /// The least and the greatest number of a plot, and the newest.
    static func range(_ plot: ExplorerModel.Plot) -> String {
        func text(_ number: Double) -> String {
            number.formatted(.number.precision(.significantDigits(0...5)))
        }
        let unit = plot.unit.map { " \($0)" } ?? ""
        let (low, high) = (text(plot.range.lowerBound), text(plot.range.upperBound))
        let now = plot.points.last.map { text($0.number) } ?? ""
        return String(localized: "\(low) to \(high)\(unit), now \(now)")
    }

    /// How far an exploration is; `nil` when it is done.
    static func progress(_ explorer: HubExplorer) -> LocalizedStringKey? {
        switch explorer.step {
        case .connecting: "Connecting …"
        case .discovering: "Asking what it has …"
        case .reading: "Reading, \(explorer.progress.read) of \(explorer.progress.all) …"
        case .ready: nil
        }
    }
}
