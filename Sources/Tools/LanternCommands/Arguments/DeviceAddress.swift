// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion

/// An address as a person writes it: `F0:F1:F2:F3:F4:F5`, with `/P` or `/R` when its kind is known.
struct DeviceAddress: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    /// The address; of kind random when the person has not said.
    let address: BluetoothAddress
    /// Whether the person has said which kind it is.
    let isKindKnown: Bool

    static var defaultCompletionKind: CompletionKind { .seenDevices }

    init?(argument: String) {
        self.init(argument, names: SeenNames.inStateFolder())
    }

    /// Reads an address, or the name of a device that was seen lately.
    ///
    /// - Parameters:
    ///   - argument: What was written.
    ///   - names: The names of devices that were seen.
    init?(_ argument: String, names: @autoclosure () -> SeenNames?) {
        if let address = DeviceAddress(text: argument) {
            self = address
        } else {
            guard let peer = names()?.device(called: argument), let address = peer.address else { return nil }
            self.address = address
            isKindKnown = true
        }
    }

    private init?(text argument: String) {
        var text = Substring(argument)
        var kind: BluetoothAddress.Kind?
        if let slash = text.lastIndex(of: "/") {
            switch text[text.index(after: slash)...] {
            case "P", "p": kind = .public
            case "R", "r": kind = .random
            default: return nil
            }
            text = text[..<slash]
        }
        guard let address = BluetoothAddress(text, kind: kind ?? .random) else { return nil }
        self.address = address
        isKindKnown = kind != nil
    }

    /// The device, when the kind of its address was given; else it takes a scan to know.
    var complete: Peer? { isKindKnown ? Peer(address) : nil }

    /// All devices that may be meant.
    var candidates: [Peer] {
        if let complete { return [complete] }
        let kinds: [BluetoothAddress.Kind] = [.random, .public]
        return kinds.map { Peer(BluetoothAddress(address.value, kind: $0)) }
    }

    /// Whether a device that was heard is the one that is meant.
    func matches(_ heard: Peer) -> Bool { candidates.contains(heard) }

    /// The address without its kind.
    var description: String { address.description }
}
