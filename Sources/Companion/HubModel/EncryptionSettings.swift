// SPDX-License-Identifier: Apache-2.0

public import Companion

/// Whether a hub sends anything to a kind of device over a link that is not encrypted.
public struct EncryptionSettings: EventPart, Hashable, Sendable {
    /// What is wanted of a link.
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        /// That is left to the device.
        case off
        /// It is encrypted, and paired for that if need be; a device that cannot is used all the same.
        case preferred
        /// It is encrypted, or nothing is sent.
        case required
    }

    /// Links to FlockFinders.
    public var flock = Policy.off
    /// Links over which devices get their Wi-Fi.
    public var wifi = Policy.off

    /// Makes the settings that a new hub has.
    public init() {}

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        let words = Policy.allCases.map { $0.rawValue }
        schema.word("flock", "Links to FlockFinders: off leaves it to the device.", of: words) {
            $0.flock.rawValue
        }
        schema.word("wifi", "Links over which devices get their Wi-Fi.", of: words) { $0.wifi.rawValue }
    }

    mutating func merge(_ node: JSONNode) throws(JSONDecodingError) {
        try node.allow(only: ["flock", "wifi"])
        guard case .object(let members) = node.value else { return }
        for member in members {
            let policy = try member.node.choice("The encryption", .off, of: Policy.allCases)
            if member.key == "flock" { flock = policy } else { wifi = policy }
        }
    }
}
