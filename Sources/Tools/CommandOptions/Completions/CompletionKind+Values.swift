// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLETransport
import BLEWire
import Companion
import Foundation
import ProductRegistry

/// What can be typed for the values that several commands take.
///
/// A value is followed by a tab and a note, where there is something to say; `CommandLineCompletion` is made for that.
extension CompletionKind {
    /// The devices that were seen lately, by name and by address.
    package static let seenDevices = words {
        // The latest first.
        let seen = (SeenNames.inStateFolder()?.all ?? []).reversed().filter { !$0.name.hasPrefix("-") }
        let names = seen.filter { device in seen.count { $0.name == device.name } == 1 }
        return names.map { "\($0.name)\t\($0.peer)" } + seen.map { "\($0.peer)\t\($0.name)" }
    }

    /// What `--radio` takes.
    package static let radios = CompletionKind.custom { _, _, typed in
        guard typed.hasPrefix("serial:") else {
            let adapters = Adapter.all().map { "hci:\($0.number)\t\($0.product ?? "Bluetooth adapter")" }
            return (adapters.isEmpty ? ["hci:"] : adapters)
                + ["bluez\tthe system's Bluetooth"] + [
                    "sim\tthe virtual air, no hardware", "tcp:", "tcp-listen:", "serial:",
                ]
        }
        let path = typed.dropFirst("serial:".count)
        return SerialPaths.completing(path.isEmpty ? "/dev/" : String(path)).map { "serial:\($0)" }
    }

    /// Names of services.
    package static let serviceNames = words {
        UUIDNames.services.map { "\(AttributeTarget.word($0.name))\t\($0.uuid)" }
    }

    /// Names of characteristics.
    package static let attributeNames = words {
        UUIDNames.characteristics.map { "\(AttributeTarget.word($0.name))\t\($0.uuid)" }
    }

    /// Names of colours.
    package static let colors = list(RGBColor.names.map(\.name))

    /// Time zones.
    package static let timeZones = words { TimeZone.knownTimeZoneIdentifiers }

    /// Words that are the same whatever was typed, but too many, or too dear, to be found before they are asked for.
    package static func words(_ words: @escaping @Sendable () -> [String]) -> CompletionKind {
        .custom { _, _, _ in words() }
    }

    /// Several words with commas between them.
    ///
    /// - Parameter words: The words.
    /// - Returns: What completes the last of them.
    package static func commaSeparated(_ words: [String]) -> CompletionKind {
        .custom { _, _, typed in
            let done = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
            let given = done.split(separator: ",").map(String.init)
            return words.filter { !given.contains($0) }.map { done + $0 }
        }
    }
}
