// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import BLEWire
package import BluetoothLE
package import CommandIO
package import Companion
import CompanionDevices
import Foundation

/// A device as a person names it to a command of its product; where only one is near, it need not be named.
package enum DeviceChoice: ExpressibleByArgument, Hashable, Sendable {
    /// By its address, or the name of one that was seen lately.
    case address(DeviceAddress)
    /// By another name, which is looked for.
    case name(String)

    package static var defaultCompletionKind: CompletionKind { .seenDevices }

    package init?(argument: String) {
        if let address = DeviceAddress(argument: argument) {
            self = .address(address)
        } else {
            // What has colons is an address with a slip in it.
            guard !argument.allSatisfy(\.isWhitespace), argument.count(where: { $0 == ":" }) < 2 else {
                return nil
            }
            self = .name(argument)
        }
    }

    /// Tells a device from the words behind it, where it may be left out.
    ///
    /// - Parameters:
    ///   - words: What was written.
    ///   - count: How many words there are behind the device.
    ///   - missing: What to say when there are fewer.
    /// - Returns: The device, `nil` for the only one; the words.
    /// - Throws: `ValidationError`.
    package static func split(
        _ words: [String?], behind count: Int, missing: String
    ) throws -> (device: DeviceChoice?, words: [String]) {
        let words = words.compactMap(\.self)
        if words.count == count, words.first.flatMap({ DeviceAddress($0) }) == nil { return (nil, words) }
        guard words.count == count + 1, let first = words.first else { throw ValidationError(missing) }
        guard let device = DeviceChoice(argument: first) else {
            throw ValidationError("\(first) is not the address of a device.")
        }
        return (device, Array(words.dropFirst()))
    }

    /// Reads one of those words.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - name: What it stands for in the usage.
    ///   - read: Reads it.
    /// - Returns: Its value.
    /// - Throws: `ValidationError` that names it.
    package static func value<Value>(
        _ word: String, of name: String, _ read: (String) throws -> Value
    ) throws -> Value {
        do {
            return try read(word)
        } catch let error as ValidationError {
            let shown = PrintableText.quoted(word)
            throw error.message.hasPrefix("\(shown) is not ")
                ? error : ValidationError("<\(name)> cannot be \(shown): \(error.message)")
        }
    }
}

/// What devices of a kind are called in sentences.
package struct DeviceNoun {
    let one: String
    let many: String

    /// Calls them so.
    package init(one: String, many: String) {
        self.one = one
        self.many = many
    }

    /// None is near.
    package var noneHeard: CommandError {
        .nothingFound(
            "No \(one) was heard. Switch it on, bring it near, and make sure that nothing else is connected to it."
        )
    }

    /// One of several has to be named.
    package func ambiguous(_ devices: [SeenDevice], called name: String? = nil) -> CommandError {
        if let name {
            return .wrongUsage(
                DeviceChoice.ambiguous("“\(PrintableText.quoted(name))”", devices.map { $0.peer }))
        }
        let list = devices.map { device in
            let own = device.advertised.name.map { "\(PrintableText.escaped($0)) " } ?? ""
            return "\(own)(\(DeviceAddress(device.peer)))"
        }
        return .wrongUsage(
            "\(devices.count) \(many) are near: \(list.joined(separator: ", ")). Name one of them by its address."
        )
    }
}

extension [SeenDevice] {
    /// Those that advertise a name; case and blanks around it do not count.
    package func called(_ name: String) -> [SeenDevice] {
        filter { $0.advertised.name.map { DeviceChoice.isSame($0, name) } ?? false }
    }

    /// The only one.
    ///
    /// - Parameters:
    ///   - noun: What they are.
    ///   - name: What they are called, if that was asked for.
    /// - Returns: The device.
    /// - Throws: ``CommandError`` when there is none, or several.
    package func only(_ noun: DeviceNoun, called name: String? = nil) throws(CommandError) -> DeviceAddress {
        guard let first else { throw noun.noneHeard }
        guard count == 1 else { throw noun.ambiguous(self, called: name) }
        return DeviceAddress(first.peer)
    }
}

extension DeviceChoice {
    /// Says which devices have the same name.
    package static func ambiguous(_ shown: String, _ devices: [Peer]) -> String {
        let numbers = ["Two", "Three", "Four", "Five"]
        let count = devices.count < 6 ? numbers[devices.count - 2] : "\(devices.count)"
        let addresses = devices.map(\.title).joined(separator: ", ")
        return "\(count) devices are called \(shown): say which by its address, one of \(addresses)."
    }

    /// Whether two names are one to a person.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        func plain(_ name: String) -> String {
            name.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters)).lowercased()
        }
        return plain(one) == plain(other)
    }
}

extension DeviceChoice? {
    /// Finds the device that is meant, by what devices say of themselves.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - noun: What that is called.
    ///   - radio: On what to look for it.
    ///   - phys: The PHYs to scan on.
    ///   - progress: Where to say that it is looked for.
    /// - Returns: Its address.
    /// - Throws: ``CommandError`` when there is none, or several.
    package func find(
        _ kind: HubDevice.Kind, _ noun: DeviceNoun, on radio: Radio, phys: Set<PHY>,
        showing progress: ProgressLine
    ) async throws -> DeviceAddress {
        if case .address(let address)? = self { return address }
        progress.show("Looking for \(noun.many)…")
        let near = try await radio.nearby(kind, phys: phys)
        guard case .name(let name)? = self else { return try near.only(noun) }
        let called = near.called(name)
        if called.isEmpty, !near.isEmpty {
            let names = near.map { $0.advertised.name ?? "\(DeviceAddress($0.peer))" }
            throw CommandError.nothingFound(
                "No \(noun.one) is called “\(PrintableText.quoted(name))”. Nearby: "
                    + names.map(PrintableText.escaped).joined(separator: ", ") + ".")
        }
        return try called.only(noun, called: name)
    }
}
