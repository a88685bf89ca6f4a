// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// How a Wi-Fi network is secured, whatever protocol says so.
public enum NetworkSecurity: String, Hashable, Sendable, CaseIterable {
    /// No encryption.
    case open
    /// WEP.
    case wep
    /// WPA or WPA2 with a password.
    case wpa2
    /// WPA2 with a user name, too, which no protocol here can carry.
    case wpa2Enterprise = "wpa2_enterprise"
    /// WPA3.
    case wpa3
    /// Something else, or not known.
    case unknown

    /// Whether a name and a password can be enough.
    public var canBeJoined: Bool { self != .wpa2Enterprise }
}

/// A Wi-Fi network that a device hears.
public struct HeardNetwork: Hashable, Sendable {
    /// The network's name: any octets; none when it is hidden.
    public var ssid: WireText
    /// How strong it is, in dBm, where the device says so.
    public var rssi: Int?
    /// How it is secured.
    public var security: NetworkSecurity
    /// The device's number for that, where its protocol has one (WiFiSet).
    public var securityCode: UInt8?
    /// The device's word for that, where its protocol has one (Improv).
    public var securityName: String?
    /// Its channel, where the device says so.
    public var channel: UInt8?

    /// Makes a network.
    public init(
        ssid: WireText, rssi: Int? = nil, security: NetworkSecurity = .unknown, securityCode: UInt8? = nil,
        securityName: String? = nil, channel: UInt8? = nil
    ) {
        self.ssid = ssid
        self.rssi = rssi
        self.security = security
        self.securityCode = securityCode
        self.securityName = securityName
        self.channel = channel
    }

    /// Whether the network does not say its name.
    public var isHidden: Bool { ssid.octets.allSatisfy { $0 == 0 } }

    /// How many of four bars the strength is worth: -50, -60, -70 and -80 dBm are the steps.
    public var bars: Int {
        switch rssi ?? .min {
        case (-50)...: 4
        case (-60)...: 3
        case (-70)...: 2
        case (-80)...: 1
        default: 0
        }
    }

    /// Puts networks in the order in which a person looks for theirs: one of each name, the strongest, and
    /// strongest first; hidden ones last, all of them.
    ///
    /// - Parameter networks: What was heard.
    /// - Returns: What to show.
    public static func arranged(_ networks: [HeardNetwork]) -> [HeardNetwork] {
        let isStronger = { (one: HeardNetwork, other: HeardNetwork) in
            (one.rssi ?? .min) > (other.rssi ?? .min)
        }
        var shown: [HeardNetwork] = []
        for network in networks where !network.isHidden {
            if let index = shown.firstIndex(where: { $0.ssid == network.ssid }) {
                if isStronger(network, shown[index]) { shown[index] = network }
            } else {
                shown.append(network)
            }
        }
        shown.order(by: isStronger)
        return shown + networks.filter { $0.isHidden }.ordered(by: isStronger)
    }
}

/// All access points of one name and one kind of security, as a person sees them: one network.
public struct FoldedNetwork: Hashable, Sendable {
    /// The strongest of them.
    public var network: HeardNetwork
    /// How many there are.
    public var accessPoints: Int

    /// Folds networks: one for each name and security, the strongest first, those that cannot be joined last; hidden
    /// ones are left out.
    ///
    /// An open network of the name of a secured one stays apart from it: it may be somebody else's.
    ///
    /// - Parameter networks: What was heard.
    /// - Returns: What to show.
    public static func folded(_ networks: [HeardNetwork]) -> [FoldedNetwork] {
        var shown: [FoldedNetwork] = []
        for network in networks where !network.isHidden {
            let isSame = { (one: FoldedNetwork) in
                one.network.ssid == network.ssid && one.network.security == network.security
            }
            if let index = shown.firstIndex(where: isSame) {
                shown[index].accessPoints += 1
                if (network.rssi ?? .min) > (shown[index].network.rssi ?? .min) {
                    shown[index].network = network
                }
            } else {
                shown.append(FoldedNetwork(network: network, accessPoints: 1))
            }
        }
        return shown.ordered { one, other in
            let (first, second) = (one.network.security.canBeJoined, other.network.security.canBeJoined)
            return first == second
                ? (one.network.rssi ?? .min) > (other.network.rssi ?? .min) : first
        }
    }
}

/// A complete list of networks.
public struct HeardNetworks: Hashable, Sendable {
    /// The networks in the order in which they came.
    public var networks: [HeardNetwork]
    /// How many the device has counted.
    public var count: Int
    /// How often numbers of messages did not follow each other.
    public var sequenceGaps: Int
    /// How many messages came twice.
    public var duplicates: Int
    /// Whether the device has sent it as one, so that no network was reported by itself.
    public var isWhole: Bool

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - networks: The networks.
    ///   - count: How many the device has counted; as many as came unless said otherwise.
    ///   - sequenceGaps: How often numbers of messages did not follow each other.
    ///   - duplicates: How many messages came twice.
    ///   - isWhole: Whether the device has sent it as one.
    public init(
        _ networks: [HeardNetwork], count: Int? = nil, sequenceGaps: Int = 0, duplicates: Int = 0,
        isWhole: Bool = false
    ) {
        self.networks = networks
        self.count = count ?? networks.count
        self.sequenceGaps = sequenceGaps
        self.duplicates = duplicates
        self.isWhole = isWhole
    }
}
