// SPDX-License-Identifier: Apache-2.0

/// What to listen for.
///
/// A device is reported when it fits all that is asked for. What it says in its advertisement and in its scan response
/// counts together: from the PDU that completes it on, all its PDUs are reported.
public struct ScanOptions: Hashable, Sendable {
    /// Which repetitions are reported.
    public enum Duplicates: Hashable, Sendable {
        /// Each PDU as it is heard.
        case all
        /// Of each device only what differs from its last PDU of that kind, whatever its strength.
        case coalesced
    }

    /// Services of which a device must have said one; none: all devices.
    public var services: [BluetoothUUID]
    /// What a device's name must contain, in letters of either case; `nil`: anything, or nothing.
    public var name: String?
    /// How strong a PDU must be heard, in dBm; `nil`: as weakly as it may be.
    public var minimumRSSI: Int8?
    /// Which devices are wanted; none: all.
    ///
    /// Where it can, the radio itself leaves the others out.
    public var peers: [Peer]
    /// Which repetitions are reported.
    public var duplicates: Duplicates
    /// Whether scan responses are asked for.
    public var isActive: Bool
    /// What is listened to, as far as the radio has it: LE 1M, and LE Coded for devices that are far away.
    public var phys: Set<PHY>

    /// Makes options; without any, everything is reported.
    public init(
        services: [BluetoothUUID] = [], name: String? = nil, minimumRSSI: Int8? = nil, peers: [Peer] = [],
        duplicates: Duplicates = .all, isActive: Bool = true, phys: Set<PHY> = [.le1M, .leCoded]
    ) {
        self.services = services
        self.name = name
        self.minimumRSSI = minimumRSSI
        self.peers = peers
        self.duplicates = duplicates
        self.isActive = isActive
        self.phys = phys
    }
}

/// How to open a link.
public struct ConnectOptions: Hashable, Sendable {
    /// How long to try; `nil` until the task is cancelled.
    public var timeout: Duration?
    /// What is tried, as far as the radio has it: LE 1M, LE 2M where the device is heard by LE 1M, and LE Coded for devices
    /// that are far away.
    public var phys: Set<PHY>
    /// Whether the link begins with the shortest interval, 7.5 ms, where the radio can choose; else it is 15 to 30 ms.
    ///
    /// A short task with many requests is done in a third of the time, at three times the power meanwhile.
    public var isFast: Bool
    /// Whether a larger MTU than 23 octets is asked for, where this program decides that and not the platform.
    ///
    /// To a device that does not answer that within 30 s a second link is opened, on which it is not asked.
    public var exchangesMTU: Bool

    /// Makes options.
    public init(
        timeout: Duration? = .seconds(10), phys: Set<PHY> = [.le1M, .le2M, .leCoded], isFast: Bool = false,
        exchangesMTU: Bool = true
    ) {
        self.timeout = timeout
        self.phys = phys
        self.isFast = isFast
        self.exchangesMTU = exchangesMTU
    }
}
