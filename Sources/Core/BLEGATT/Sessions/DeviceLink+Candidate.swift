// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension DeviceLink {
    /// A device that may be the one that is looked for.
    struct Candidate {
        /// How likely it is the right one.
        enum Rank: Int {
            /// It offers a service, but its name is of something else.
            case ofAnother
            /// Its name fits.
            case named
            /// It offers a service; its name is still to come and may say that it is something else.
            case unnamed
            /// It offers a service.
            case offering
        }

        let peer: Peer
        let name: WireText?
        let rank: Rank
        private let rssi: Int8
        private let firstHeard: HostInstant

        /// Judges what was heard; `nil` when it is no candidate.
        init?(
            _ heard: ClientAdvertisement, _ configuration: Configuration, at now: HostInstant,
            after other: Candidate?
        ) {
            if heard.services.contains(where: { configuration.services.contains($0) }) {
                // Where products share a service, a name tells them apart; it may come in the scan response.
                if configuration.foreignNames.isEmpty {
                    rank = .offering
                } else if heard.name == nil {
                    rank = .unnamed
                } else {
                    rank = configuration.isOfAnother(heard.name) ? .ofAnother : .offering
                }
            } else if configuration.fits(heard.name) {
                rank = .named
            } else {
                return nil
            }
            peer = heard.peer
            name = heard.name
            rssi = heard.rssi ?? .min
            firstHeard = other.flatMap { $0.peer == heard.peer ? $0.firstHeard : nil } ?? now
        }

        /// When its name is not waited for any longer; `nil` when it is not waited for.
        var nameDeadline: HostInstant? {
            rank == .unnamed ? firstHeard.advanced(bySeconds: DeviceLink.responseDelaySeconds) : nil
        }

        /// Whether it is better than another one, or what is known of that one now.
        func replaces(_ other: Candidate) -> Bool {
            if peer == other.peer { return true }
            return rank == other.rank ? rssi > other.rssi : rank.rawValue > other.rank.rawValue
        }
    }
}
