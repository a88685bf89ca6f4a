// SPDX-License-Identifier: Apache-2.0

public import BLEHCI
public import BLEWire

/// An advertisement or scan response that was heard, whole.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
public struct ReceivedAdvertisement: Hashable, Sendable {
    /// What kind it is, in the terms of legacy advertising.
    public var eventType: HCI.AdvertisingReportType
    /// Who sent it.
    public var address: BluetoothAddress
    /// Whether a private address was resolved to this identity, by the controller or by the host.
    public var isIdentity: Bool
    /// AD structures; at most 1650 octets, 31 in legacy PDUs.
    public var data: [UInt8]
    /// Whether the end of `data` is missing.
    public var isTruncated: Bool
    /// Strength in dBm; `nil` when it is not available.
    public var rssi: Int8?
    /// Power that it was sent with, in dBm; `nil` when it does not say.
    public var txPower: Int8?
    /// Whether it came in PDUs of extended advertising.
    public var isExtended: Bool
    /// On which PHY it was announced.
    public var primaryPHY: HCI.PHY
    /// On which PHY the data came; `nil` when there was no other packet.
    public var secondaryPHY: HCI.PHY?
    /// The advertiser's set; `nil` when it has none.
    public var setID: UInt8?

    /// Takes over a report of legacy scanning.
    ///
    /// - Parameter report: The report.
    public init(_ report: HCI.AdvertisingReport) {
        eventType = report.eventType
        address = report.address
        isIdentity = report.isIdentity
        data = report.data
        isTruncated = false
        rssi = report.rssi
        txPower = nil
        isExtended = false
        primaryPHY = .le1M
        secondaryPHY = nil
        setID = nil
    }

    /// Takes over a report of extended scanning.
    ///
    /// - Parameter report: The report, or the last of those whose data belong together.
    public init(_ report: HCI.ExtendedAdvertisingReport) {
        eventType = report.legacyEventType
        address = report.address
        isIdentity = report.isIdentity
        data = report.data
        isTruncated = report.type.contains(.truncated)
        rssi = report.rssi
        txPower = report.txPower
        isExtended = !report.type.contains(.legacy)
        primaryPHY = report.primaryPHY
        secondaryPHY = report.secondaryPHY.rawValue == 0 ? nil : report.secondaryPHY
        setID = report.advertisingSet <= 0x0F ? report.advertisingSet : nil
    }
}
