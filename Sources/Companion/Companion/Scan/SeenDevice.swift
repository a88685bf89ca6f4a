// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
package import BLEWire

/// An advertisement or scan response as a radio reports it.
package struct HeardReport: Hashable, Sendable {
    /// Who sends it.
    package var peer: Peer
    /// The advertising data.
    package var octets: [UInt8]
    /// Whether it is the answer to a scan request.
    package var isScanResponse: Bool
    /// Whether the device accepts links, where that is known.
    package var isConnectable: Bool?
    /// How strong it is, in dBm.
    package var rssi: Int8?
    /// With what power it was sent, in dBm, where its header says so.
    package var txPower: Int8?

    /// Makes a report.
    package init(
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

/// A device as all its reports together show it.
package struct SeenDevice: Sendable {
    /// Whose reports these are.
    package let peer: Peer
    /// The octets of the last advertisement.
    package private(set) var advertisement: [UInt8]?
    /// The octets of the last scan response.
    package private(set) var scanResponse: [UInt8]?
    /// Whether it accepts links, once an advertisement has said so.
    package private(set) var isConnectable: Bool?
    /// What it says about itself.
    package private(set) var advertised = AdvertisedFacts()
    /// With what power the last report was sent that was said outside of its data, in dBm.
    private var headerPower: Int8?
    /// How strong the last report was, in dBm.
    package private(set) var rssi: Int8?
    /// How strong the last reports were on average, in dBm.
    package private(set) var strength: Double?
    /// When the last report came.
    package private(set) var lastHeard: Timestamp

    /// Starts with the first report.
    package init(_ first: HeardReport, at now: Timestamp) {
        peer = first.peer
        lastHeard = now
        receive(first, at: now)
    }

    /// Takes another report of the same address.
    ///
    /// - Parameters:
    ///   - report: The advertisement or scan response.
    ///   - now: When it came.
    /// - Returns: Whether it says anything new; strength alone is nothing new.
    @discardableResult
    package mutating func receive(_ report: HeardReport, at now: Timestamp) -> Bool {
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

    /// With what power it sends, in dBm, as its data or the header of an extended advertisement says.
    package var txPower: Int8? { advertised.txPower ?? headerPower }
}
