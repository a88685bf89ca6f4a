// SPDX-License-Identifier: Apache-2.0

/// A device as a radio names it: by its address, or by an identifier where the platform keeps addresses to itself.
///
/// A peer is what a scan gives and what a link is opened to. Two peers are equal when their radio would take them
/// for the same device; those of different radios are not to be mixed.
public struct Peer: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
        case address(BluetoothAddress)
        case identifier(BluetoothUUID)
    }

    private let name: Name

    /// Names a device by its address.
    ///
    /// - Parameter address: The address.
    public init(_ address: BluetoothAddress) { name = .address(address) }

    /// Names a device as its platform does.
    ///
    /// - Parameter identifier: The identifier: 128 bits that mean something to this platform only.
    public init(identifier: BluetoothUUID) { name = .identifier(identifier) }

    /// The address; `nil` where the platform does not show it.
    public var address: BluetoothAddress? {
        if case .address(let address) = name { address } else { nil }
    }

    /// The platform's identifier; `nil` where there is an address.
    public var identifier: BluetoothUUID? {
        if case .identifier(let identifier) = name { identifier } else { nil }
    }
}
