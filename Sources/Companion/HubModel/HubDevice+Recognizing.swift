// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
package import BLEGATT
import BLEWire
package import Companion
import ProductRegistry

extension HubDevice.Kind {
    /// How devices of this kind are recognized, as each product of it says.
    package var recognitions: [DeviceRecognition] {
        Products.all.compactMap { $0.deviceKind == rawValue ? $0.recognition : nil }
    }

    /// The same of all kinds; what stands first counts where a device says several things.
    private static let all = allCases.flatMap { kind in kind.recognitions.map { (kind: kind, how: $0) } }

    /// What a device is by what it says about itself.
    ///
    /// Where products share a service, the name tells them apart; the hub finds out by connecting.
    package init(_ facts: AdvertisedFacts) {
        let name = WireText(facts.name ?? "").asciiLowercased
        let found =
            Self.all.first { $0.how.fits(facts.services, name) } ?? Self.all.first { $0.how.isNamed(name) }
        self = found?.kind ?? .other
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
