// SPDX-License-Identifier: Apache-2.0

import OverflowArea
import OverflowAreaCompanion
import SwiftUI

/// What the screen Overflow calls things.
enum OverflowWords {
    static func name(_ codec: OverflowCodec) -> String {
        switch codec {
        case .v1: "v1"
        case .v2: "v2"
        }
    }

    static func title(_ codec: OverflowCodec) -> LocalizedStringKey {
        switch codec {
        case .v1: "v1, two places"
        case .v2: "v2, Hamming"
        }
    }

    /// How sure a message is, in few words.
    static func quality(_ quality: OverflowSource.Quality) -> String {
        switch quality {
        case .clean: String(localized: "clean")
        case .corrected: String(localized: "one bit put right")
        case .polluted: String(localized: "polluted")
        case .unknown: String(localized: "not sure yet")
        }
    }

    /// The same with its reason.
    static func reason(_ payload: OverflowSource.Payload) -> LocalizedStringKey {
        switch payload.quality {
        case .clean where payload.message.codec == .v1: "No bits of other apps in its place"
        case .clean: "The code is right"
        case .corrected: "The code put one bit right"
        case .polluted: "Other apps set bits in its place, so do not trust it"
        case .unknown: "Not certain: its place was never seen without it"
        }
    }

    /// Whether it moves.
    static func moves(_ payload: OverflowSource.Payload) -> LocalizedStringKey {
        if payload.message.codec == .v2 { return "Stays where it is" }
        guard let stay = payload.stay else { return payload.moves == 0 ? "Not yet" : "Once" }
        return "Every \(stay) s, \(payload.moves) times seen"
    }

    /// Who may have set a bit.
    static func candidates(_ bit: OverflowBit) -> String {
        bit.names.isEmpty ? String(localized: "No known service") : bit.names.joined(separator: ", ")
    }
}
