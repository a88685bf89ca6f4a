// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
package import Companion

/// What a device advertises, as the octets that were heard.
package struct AdvertisedOctets: Hashable, Sendable {
    /// How long to listen for a device that does not answer scan requests.
    private static let patience = Duration.seconds(2)

    /// The octets of the advertisement, if one was heard.
    package var advertisement: [UInt8]?
    /// The octets of the scan response, if one was heard.
    package var scanResponse: [UInt8]?

    /// Makes octets of nothing heard.
    package init() {}

    /// The name that they hold.
    package var name: String? {
        AdvertisedFacts(advertisement: advertisement, scanResponse: scanResponse).name
    }

    /// Listens until both were heard, or the time is up.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - radio: The radio.
    ///   - phys: The PHYs to scan on.
    /// - Returns: What was heard; nothing of a device that does not advertise.
    /// - Throws: ``BluetoothError`` when the radio cannot listen.
    package static func hear(_ address: DeviceAddress, on radio: Radio, phys: Set<PHY>) async throws
        -> AdvertisedOctets
    {
        let stream = try await radio.scan(ScanOptions(peers: address.candidates, phys: phys))
        let heard = try await TimeLimit.run(patience, on: radio) {
            var heard = AdvertisedOctets()
            for try await report in stream {
                if report.isScanResponse {
                    heard.scanResponse = report.data.octets
                } else {
                    heard.advertisement = report.data.octets
                }
                if heard.advertisement != nil, heard.scanResponse != nil { break }
            }
            return heard
        }
        try Task.checkCancellation()
        return heard
    }
}
