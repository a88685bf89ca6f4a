// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// An address as people write it: `F0:F1:F2:F3:F4:F5`, with `/P` or `/R` when its kind is known.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address; of kind random when the person has not said.
    public let address: BluetoothAddress
    /// Whether the person has said which kind it is.
    public let isKindKnown: Bool

    /// Makes an address of a known kind.
    ///
    /// - Parameter address: The address.
    public init(_ address: BluetoothAddress) {
        self.address = address
        isKindKnown = true
    }

    /// Reads an address.
    ///
    /// - Parameter text: What was written.
    public init?(_ text: String) {
        var text = Substring(text)
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
    public var complete: Peer? { isKindKnown ? Peer(address) : nil }

    /// All devices that may be meant.
    public var candidates: [Peer] {
        if let complete { return [complete] }
        let kinds: [BluetoothAddress.Kind] = [.random, .public]
        return kinds.map { Peer(BluetoothAddress(address.value, kind: $0)) }
    }

    /// The device for which a session looks.
    public var target: DeviceLink.Target { isKindKnown ? .peer(Peer(address)) : .address(address.value) }

    /// Whether a device that was heard is the one that is meant.
    ///
    /// - Parameter heard: The device.
    /// - Returns: Whether it is.
    public func matches(_ heard: Peer) -> Bool { candidates.contains(heard) }

    /// The address without its kind.
    public var description: String { address.description }
}
