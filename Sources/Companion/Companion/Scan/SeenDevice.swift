// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEWire

/// An advertisement or scan response as a radio reports it.
public struct AdvertisementReport: Hashable, Sendable {
    /// The sender.
    public var peer: Peer
    /// The advertising data.
    public var octets: [UInt8]
    /// Whether it is a scan response.
    public var isScanResponse: Bool
    /// Whether the device accepts links, where that is known.
    public var isConnectable: Bool?
    /// The received signal strength, in dBm.
    public var rssi: Int8?
    /// The transmit power in dBm, where the header of an extended advertisement has it.
    public var txPower: Int8?

    /// Makes a report.
    public init(
        peer: Peer, octets: [UInt8], isScanResponse: Bool, isConnectable: Bool?, rssi: Int8?, txPower: Int8?
    ) {
        self.peer = peer
        self.octets = octets
        self.isScanResponse = isScanResponse
        self.isConnectable = isConnectable
        self.rssi = rssi
        self.txPower = txPower
    }
}

/// A device as its advertisements and scan responses together describe it.
public struct SeenDevice: Sendable {
    /// The device.
    public let peer: Peer
    /// The octets of the last advertisement.
    public private(set) var advertisement: [UInt8]?
    /// The octets of the last scan response.
    public private(set) var scanResponse: [UInt8]?
    /// Whether it accepts links, once an advertisement has said so.
    public private(set) var isConnectable: Bool?
    /// What it advertises.
    public private(set) var advertised = AdvertisedFacts()
    /// With what power the last report was sent that was said outside of its data, in dBm.
    private var headerPower: Int8?
    /// The signal strength of the last report, in dBm.
    public private(set) var rssi: Int8?
    /// The signal strength, smoothed over the last reports, in dBm.
    public private(set) var strength: Double?
    /// When the last report came.
    public private(set) var lastHeard: Timestamp

    /// Makes a device of its first report.
    ///
    /// - Parameters:
    ///   - first: The report.
    ///   - now: When it was received.
    public init(_ first: AdvertisementReport, at now: Timestamp) {
        peer = first.peer
        lastHeard = now
        receive(first, at: now)
    }

    /// Adds another report of the same device.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - now: When it was received.
    /// - Returns: Whether anything but the signal strength has changed.
    @discardableResult
    public mutating func receive(_ report: AdvertisementReport, at now: Timestamp) -> Bool {
        lastHeard = now
        if let heard = report.rssi {
            rssi = heard
            strength = strength.map { $0 + (Double(heard) - $0) * 0.2 } ?? Double(heard)
        }
        if let power = report.txPower { headerPower = power }
        let before = (advertisement, scanResponse, isConnectable)
        if report.isScanResponse {
            scanResponse = report.octets
        } else {
            advertisement = report.octets
            isConnectable = report.isConnectable
        }
        guard before != (advertisement, scanResponse, isConnectable) else { return false }
        advertised = AdvertisedFacts(advertisement: advertisement, scanResponse: scanResponse)
        return true
    }

    /// The transmit power in dBm, out of the data or the header of an extended advertisement.
    public var txPower: Int8? { advertised.txPower ?? headerPower }
}
