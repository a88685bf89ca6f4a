// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
package import BLEWire
import OverflowArea

/// What an app wants to advertise.
package struct PhoneAdvertisement: Hashable, Sendable {
    /// The name; only on the screen.
    package var name: String?
    /// The services.
    package var services: [BluetoothUUID]

    /// Makes a wish.
    package init(name: String?, services: [BluetoothUUID]) {
        self.name = name
        self.services = services
    }

    /// Octets of a name in the scan response.
    ///
    /// Apple's documentation of `startAdvertising(_:)`: 28 octets in the advertisement for services and name together, and 10 in the
    /// scan response for the name alone. Here the 28 are what is left beside the flags, headers counted.
    private static let nameLimit = 10

    /// What a phone advertises for its apps: on the screen services, as many as fit, then a name; all other services in the overflow
    /// area.
    ///
    /// - Parameter wishes: What each app wants, the one that asked first in front.
    /// - Returns: What goes on the air; `nil` when no app wants anything.
    static func united(_ wishes: [(advertisement: PhoneAdvertisement, isOnScreen: Bool)])
        -> DeviceAdvertisement?
    {
        guard !wishes.isEmpty else { return nil }
        var shown: [BluetoothUUID] = []
        var hidden: [BluetoothUUID] = []
        for wish in wishes {
            for service in wish.advertisement.services {
                if wish.isOnScreen {
                    if !shown.contains(service) { shown.append(service) }
                } else if !hidden.contains(service) {
                    hidden.append(service)
                }
            }
        }
        var data = AdvertisingDataBuilder()
        // General discoverable; LE and BR/EDR at once, as an iPhone. It always fits.
        append(&data) { data throws(AdvertisingDataBuilder.Overflow) in
            try data.appendFlags(AdvertisingFlags(rawValue: 0x1A))
        }
        while !shown.isEmpty {
            let services = shown
            if append(
                &data, { data throws(AdvertisingDataBuilder.Overflow) in try data.appendServices(services) })
            {
                break
            }
            hidden.insert(shown.removeLast(), at: 0)
        }
        var response = AdvertisingDataBuilder()
        let overflowing = hidden.filter { !shown.contains($0) }
        if !overflowing.isEmpty {
            let map = OverflowMap(services: overflowing).manufacturerData
            if !append(&data, { data throws(AdvertisingDataBuilder.Overflow) in try data.append(map) }) {
                append(&response) { data throws(AdvertisingDataBuilder.Overflow) in try data.append(map) }
            }
        }
        var name = AdvertisingDataBuilder(
            limit: min(nameLimit + 2, AdvertisingDataBuilder.legacyLimit - response.octets.count))
        let wanted = wishes.lazy.filter(\.isOnScreen).compactMap(\.advertisement.name).first { !$0.isEmpty }
        if let text = wanted.map({ WireText(Array($0.utf8)) }) {
            if text.octets.count + 2 <= data.limit - data.octets.count {
                append(&data) { data throws(AdvertisingDataBuilder.Overflow) in try data.appendName(text) }
            } else {
                append(&name) { data throws(AdvertisingDataBuilder.Overflow) in try data.appendName(text) }
            }
        }
        return DeviceAdvertisement(data: data.octets, scanResponse: response.octets + name.octets)
    }

    /// Appends something, or nothing of it.
    ///
    /// - Returns: Whether it has fitted.
    @discardableResult
    private static func append(
        _ data: inout AdvertisingDataBuilder,
        _ change: (inout AdvertisingDataBuilder) throws(AdvertisingDataBuilder.Overflow) -> Void
    ) -> Bool {
        var changed = data
        do throws(AdvertisingDataBuilder.Overflow) { try change(&changed) } catch { return false }
        data = changed
        return true
    }
}
