// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A network that a device hears, as a page shows it: its access points folded, with the words beside it.
public struct WiFiNetworkJSON: EventPart, Hashable, Sendable {
    /// The network.
    public let folded: FoldedNetwork

    /// Makes the part.
    public init(_ folded: FoldedNetwork) { self.folded = folded }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.ssid { $0.folded.network.ssid }
        schema.integer("rssi", "How strong the device hears it, in dBm; null when it does not say.") {
            $0.folded.network.rssi
        }
        schema.word("security", "How it is secured.", of: NetworkSecurity.allCases.map { $0.rawValue }) {
            $0.folded.network.security.rawValue
        }
        schema.integer("channel", "The channel of the strongest; null when the device does not say.") {
            $0.folded.network.channel
        }
        schema.integer("access_points", "How many access points of this name the device hears.") {
            $0.folded.accessPoints
        }
        schema.flag("possible", "Whether the device can be told to join it.") {
            $0.folded.network.security.canBeJoined
        }
        schema.text("words", "How it is secured, in words, or why it cannot be joined.") { $0.folded.words }
    }
}
