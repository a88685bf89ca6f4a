// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension AdvertisingDataBuilder {
    /// What a device advertises that is found by one service: flags and the service, its name in the scan response.
    ///
    /// Both fit legacy advertising with a service UUID of any width.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - name: The name; as much of it as fits is sent.
    /// - Returns: The advertisement and the scan response, at most 31 octets each.
    public static func device(
        _ service: BluetoothUUID, name: WireText
    ) -> (data: [UInt8], scanResponse: [UInt8]) {
        var data = AdvertisingDataBuilder()
        var response = AdvertisingDataBuilder()
        do throws(Overflow) {
            try data.appendFlags()
            try data.appendServices([service])
            try response.appendName(name)
        } catch {
            // Flags and a UUID are 21 octets at most; a name of which no character fits is no text and left out.
        }
        return (data.octets, response.octets)
    }
}
