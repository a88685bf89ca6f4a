// SPDX-License-Identifier: Apache-2.0

/// One advertisement or scan response as it was heard; from ``Radio/find(_:within:)`` both, put together.
public struct Advertisement: Hashable, Sendable {
    /// Who sent it.
    public var peer: Peer
    /// How strong it was, in dBm: some -30 beside the radio, -90 far away; `nil` when the radio could not tell.
    public var rssi: Int8?
    /// Whether links are accepted; `nil` in a scan response, which does not say.
    public var isConnectable: Bool?
    /// Whether it is a scan response.
    public var isScanResponse: Bool
    /// What it says; up to 1650 octets with extended advertising.
    public var data: AdvertisingData
    /// Whether the end of ``data`` is missing, because the radio did not get it.
    public var isTruncated = false
    /// Whether it came by extended advertising, which older devices do not hear.
    public var isExtended = false
    /// The power that it was sent with, in dBm; `nil` when the radio was not told.
    public var txPower: Int8?
    /// Services that apps in the background of an iPhone may offer, where the platform says so; see <doc:OverflowArea>.
    public var overflowServices: [BluetoothUUID] = []

    /// Makes an advertisement.
    public init(
        peer: Peer, rssi: Int8?, isConnectable: Bool?, isScanResponse: Bool, data: AdvertisingData
    ) {
        self.peer = peer
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.isScanResponse = isScanResponse
        self.data = data
    }

    /// The name in this PDU, with U+FFFD for what is not UTF-8; many devices say it in their scan response.
    public var name: String? { data.name?.string }

    /// The services in this PDU.
    public var services: [BluetoothUUID] { data.services }
}
