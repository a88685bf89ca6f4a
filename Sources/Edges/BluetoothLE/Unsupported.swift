// SPDX-License-Identifier: Apache-2.0

public import BLEWire

// What a platform cannot do, it says so.
extension Connection {
    /// Not known.
    public var parameters: ConnectionParameters? { get async { nil } }

    /// Says that the platform cannot do this.
    public func rssi() async throws(BluetoothError) -> Int8 {
        throw .unsupported("reading a link's strength")
    }

    /// Says that the platform cannot do this.
    public func phy() async throws(BluetoothError) -> LinkPHY {
        throw .unsupported("reading a link's modulation")
    }

    /// Says that the platform cannot do this.
    public func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY {
        throw .unsupported("changing a link's modulation")
    }

    /// Says that the platform cannot do this.
    public func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters {
        throw .unsupported("changing a link's timing")
    }

    /// Says that the platform cannot do this.
    public func peerVersion() async throws(BluetoothError) -> PeerVersion {
        throw .unsupported("reading the version of a device's controller")
    }

    /// Nothing is ever told.
    public func changes() async -> LinkChangeStream { LinkChangeStream { $0.finish() } }
}

extension Radio {
    /// Says that the platform cannot do this.
    public func connect(
        toFirstOf addresses: [BluetoothAddress], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any Connection {
        throw .unsupported("connecting to the first of several devices")
    }
}

extension Server {
    /// Says that the platform cannot do this.
    public func updateParameters(
        _ range: ConnectionParameterRange, on link: LinkID
    ) async throws(BluetoothError) -> ConnectionParameters {
        throw .unsupported("asking a central for other timing")
    }
}
