// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A device as people write it: `F0:F1:F2:F3:F4:F5`, with `/P` or `/R` when its kind is known, or a platform's identifier.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The device; its address is of kind random when the person has not said.
    private let peer: Peer
    /// Whether the person has said which kind its address is.
    private let isKindKnown: Bool

    /// Names a device that a radio has named.
    public init(_ peer: Peer) {
        self.peer = peer
        isKindKnown = true
    }

    /// Reads an address, or an identifier of 36 characters.
    ///
    /// - Parameter text: What was written.
    public init?(_ text: String) {
        if text.utf8.count == 36, let identifier = BluetoothUUID(text) {
            peer = Peer(identifier: identifier)
            isKindKnown = true
            return
        }
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
        guard let address = Self.address(text, kind: kind ?? .random) else { return nil }
        peer = Peer(address)
        isKindKnown = kind != nil
    }

    /// Reads an address as people and programs write it: its digits with nothing between, or as octets are typed, or with
    /// the points and underlines of routers and of BlueZ.
    private static func address(_ text: Substring, kind: BluetoothAddress.Kind) -> BluetoothAddress? {
        let typed = String(text.map { $0 == "_" || $0 == "." ? ":" : $0 })
        guard let octets = [UInt8](typed: typed), octets.count == 6 else { return nil }
        return BluetoothAddress(octets.reduce(0) { $0 << 8 | UInt64($1) }, kind: kind)
    }

    /// The device, when the kind of its address is known; else it takes a scan to know.
    public var complete: Peer? { isKindKnown ? peer : nil }

    /// All devices that may be meant.
    public var candidates: [Peer] {
        guard !isKindKnown, let address = peer.address else { return [peer] }
        let kinds: [BluetoothAddress.Kind] = [.random, .public]
        return kinds.map { Peer(BluetoothAddress(address.value, kind: $0)) }
    }

    /// The device that is most probably meant.
    ///
    /// Where the person has not said which kind the address is, its two highest bits do: both are set in each static random
    /// address, and in few public ones.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.1.
    public var likeliest: Peer {
        guard !isKindKnown, let address = peer.address else { return peer }
        return Peer(BluetoothAddress(address.value, kind: address.value >> 46 == 0b11 ? .random : .public))
    }

    /// The device for which a session looks.
    public var target: DeviceLink.Target {
        guard !isKindKnown, let address = peer.address else { return .peer(peer) }
        return .address(address.value)
    }

    /// Whether a device that was heard is the one that is meant.
    ///
    /// - Parameter heard: The device.
    /// - Returns: Whether it is.
    public func matches(_ heard: Peer) -> Bool { candidates.contains(heard) }

    /// The address without its kind, else the identifier.
    public var description: String { peer.plain }
}
