// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
package import Companion
import FlockFinder
import Improv
import LEDBulb
import Nightlight
import WiFiSet

extension HubDevice.Kind {
    /// What a device is by what it says about itself.
    ///
    /// Where products share a service, the name tells them apart; the hub finds out by connecting.
    package init(_ facts: AdvertisedFacts) {
        let name = WireText(facts.name ?? "").asciiLowercased
        let has = { (parts: [WireText]) in parts.contains { name.contains($0) } }
        let offers = { (services: [BluetoothUUID]) in facts.services.contains { services.contains($0) } }
        if offers([FlockFinderUUID.service]) {
            self = has(FlockFinderName.foreign) ? .wifiSet : .flockFinder
        } else if offers([ImprovUUID.service]) || has(FlockFinderName.foreign) {
            self = .wifiSet
        } else if offers([NightlightUUID.ledService]) || has(NightlightName.patterns) {
            self = .nightlight
        } else if offers(LEDBulbName.services) || has(LEDBulbName.patterns) {
            self = .bulb
        } else {
            // Wider patterns of the kit would take every other board with the same chip for one.
            self = has(["flockfinder", "flock-finder"]) ? .flockFinder : .other
        }
    }
}

extension HubDevice {
    /// What else is known of a device that is of no special kind, in a few words.
    static func note(_ facts: AdvertisedFacts, of peer: Peer) -> String {
        if let appearance = facts.appearance.flatMap(AssignedNumbers.name(ofAppearance:)) {
            return appearance
        }
        if let maker = facts.manufacturerData.lazy.compactMap({ AssignedNumbers.name(ofCompany: $0.company) })
            .first
        {
            return maker
        }
        // Spec: Core v5.4, Vol 6, Part B, 1.3.2: the two highest bits of a private address are 00 or 01.
        if let address = peer.address, address.kind == .random, address.value >> 46 < 2 {
            return "Address changes"
        }
        return ""
    }
}
