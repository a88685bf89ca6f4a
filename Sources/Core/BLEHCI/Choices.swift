// SPDX-License-Identifier: Apache-2.0

extension HCI {
    /// The kinds of advertising.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    public enum AdvertisingType: UInt8, Hashable, Sendable {
        /// Anyone may connect or ask for a scan response: ADV_IND.
        case connectableUndirected = 0
        /// One peer may connect, at once: ADV_DIRECT_IND every 3.75 ms for 1.28 s.
        case connectableDirectedHighDuty = 1
        /// Anyone may ask for a scan response: ADV_SCAN_IND.
        case scannableUndirected = 2
        /// Nobody may answer: ADV_NONCONN_IND.
        case nonConnectableUndirected = 3
        /// One peer may connect: ADV_DIRECT_IND.
        case connectableDirectedLowDuty = 4
    }

    /// Which of its own addresses a controller uses.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    public enum OwnAddressType: UInt8, Hashable, Sendable {
        /// The public address.
        case `public` = 0
        /// The address of LE Set Random Address.
        case random = 1
        /// A resolvable private address, else the public one.
        case resolvableOrPublic = 2
        /// A resolvable private address, else the random one.
        case resolvableOrRandom = 3
    }

    /// Whose requests an advertiser answers.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.5.
    public enum AdvertisingFilterPolicy: UInt8, Hashable, Sendable {
        /// Everybody's.
        case all = 0
        /// Scan requests only from the filter accept list.
        case filterScan = 1
        /// Connection requests only from the filter accept list.
        case filterConnect = 2
        /// Both only from the filter accept list.
        case filterBoth = 3
    }

    /// Whether a scanner asks for scan responses.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.10.
    public enum ScanType: UInt8, Hashable, Sendable {
        /// It only listens.
        case passive = 0
        /// It asks.
        case active = 1
    }

    /// Which advertisers a scanner reports.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.10.
    public enum ScanFilterPolicy: UInt8, Hashable, Sendable {
        /// All but those that direct their advertising at someone else.
        case all = 0
        /// Those of the filter accept list.
        case acceptList = 1
        /// As ``all``, and those directed at a private address that could not be resolved.
        case allAndUnresolved = 2
        /// As ``acceptList``, and those directed at a private address that could not be resolved.
        case acceptListAndUnresolved = 3
    }

    /// To whom an initiator connects.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.12.
    public enum InitiatorFilterPolicy: UInt8, Hashable, Sendable {
        /// To the peer that the command names.
        case peerAddress = 0
        /// To whoever of the filter accept list is heard first.
        case acceptList = 1
    }

    /// The two ends of a link.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.1.
    public enum Role: UInt8, Hashable, Sendable {
        /// The side that connected.
        case central = 0
        /// The side that advertised.
        case peripheral = 1
    }

    /// How bits are modulated.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.12.
    public struct PHY: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Wraps a code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// One million symbols a second.
        public static let le1M = PHY(rawValue: 1)
        /// Two million symbols a second.
        public static let le2M = PHY(rawValue: 2)
        /// One million symbols a second, with error correction.
        public static let leCoded = PHY(rawValue: 3)
    }

    /// How often a scan with extended commands reports one advertiser.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.8.65.
    public enum DuplicateFilter: UInt8, Hashable, Sendable {
        /// Each time that it is heard.
        case off = 0
        /// Once.
        case on = 1
        /// Once in each period.
        case eachPeriod = 2
    }

    /// The host's name for an advertising set, 0 to 0xEF; it never goes on the air.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 5.3.1.
    public struct AdvertisingHandle: RawRepresentable, Hashable, Sendable {
        /// The octet on the wire.
        public let rawValue: UInt8

        /// Wraps an octet.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
