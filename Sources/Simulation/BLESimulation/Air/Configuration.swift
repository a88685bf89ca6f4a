// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension VirtualAir {
    /// Names one controller on the air; never used twice.
    public struct ControllerID: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number.
        public let rawValue: UInt32

        /// Wraps a number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Orders by age, oldest first.
        public static func < (a: ControllerID, b: ControllerID) -> Bool { a.rawValue < b.rawValue }
    }

    /// Where a controller stands, in metres.
    public struct Position: Hashable, Sendable {
        /// Metres to the east.
        public var x: Double
        /// Metres to the north.
        public var y: Double

        /// Makes a position.
        public init(x: Double = 0, y: Double = 0) {
            self.x = x
            self.y = y
        }

        func distance(to other: Position) -> Double {
            let (dx, dy) = (x - other.x, y - other.y)
            return (dx * dx + dy * dy).squareRoot()
        }
    }

    /// What the air is like.
    public struct Configuration: Hashable, Sendable {
        /// Where the pseudo-random numbers start; the same seed and inputs give the same outputs.
        public var seed: UInt64
        /// How likely one link-layer packet is lost; 0 to 1.
        public var loss: Double
        /// How long what comes over the air takes to reach a host, in microseconds.
        ///
        /// Each packet takes a time of its own, but none overtakes another.
        public var latencyMicroseconds: ClosedRange<UInt64>
        /// Loss in dB at one metre and nearer.
        public var pathLossAtOneMetre: Double
        /// How fast loss grows with distance: 2 in the open, 3 to 4 indoors.
        public var pathLossExponent: Double
        /// How far RSSI wanders to either side, in dB.
        public var rssiJitter: Int8
        /// What cannot be received any more, in dBm.
        public var sensitivity: Int8
        /// How long the connection events of one controller may be, in microseconds; `nil` is until the next.
        ///
        /// A controller's links share the time.
        public var connectionEventMicroseconds: UInt64?

        /// Takes a lossless room.
        public init(seed: UInt64 = 1, loss: Double = 0) {
            self.seed = seed
            self.loss = loss
            latencyMicroseconds = 0...0
            pathLossAtOneMetre = 40
            pathLossExponent = 2
            rssiJitter = 0
            sensitivity = -100
            connectionEventMicroseconds = nil
        }
    }

    /// What a controller can do.
    public enum Generation: String, CaseIterable, Hashable, Sendable {
        /// Bluetooth 4.2: 31 octets of advertising, one advertisement at a time, LE 1M only.
        case legacy
        /// Bluetooth 5.4: advertising sets, extended advertising and scanning, three PHYs.
        case extended
    }

    /// What a controller is like.
    public struct ControllerConfiguration: Hashable, Sendable {
        /// Its public address.
        public var address: BluetoothAddress
        /// What it can do.
        public var generation: Generation
        /// Where it stands.
        public var position: Position
        /// How strongly it sends, in dBm.
        public var txPower: Int8
        /// Octets that one ACL packet from the host may carry; 27 to 65535.
        public var aclDataPacketLength: UInt16
        /// ACL packets from the host that it can hold; at least 1.
        public var totalACLDataPackets: UInt8
        /// Entries of the filter accept list.
        public var filterAcceptListSize: UInt8
        /// Entries of the resolving list.
        public var resolvingListSize: UInt8
        /// Links at the same time.
        public var maximumLinks: Int
        /// Packets to the host that may wait: past it advertising reports are dropped and data is refused.
        public var maximumPendingOutputs: Int

        /// Takes a controller of common size.
        ///
        /// - Parameter address: Its public address.
        public init(address: BluetoothAddress) {
            self.address = BluetoothAddress(address.value, kind: .public)
            generation = .extended
            position = Position()
            txPower = 0
            aclDataPacketLength = 251
            totalACLDataPackets = 8
            filterAcceptListSize = 16
            resolvingListSize = 8
            maximumLinks = 16
            maximumPendingOutputs = 1024
        }
    }

    /// What went wrong at a controller since it was added.
    public struct Statistics: Hashable, Sendable {
        /// ACL packets that the host sent without a free buffer or longer than a buffer.
        public var bufferOverflows: UInt64 = 0
        /// ACL packets for a link that does not exist.
        public var packetsWithoutLink: UInt64 = 0
        /// Advertising reports dropped because the host did not take its packets.
        public var droppedReports: UInt64 = 0
        /// Times that the octets from the host made no sense as H4.
        public var framingErrors: UInt64 = 0
        /// Link-layer packets sent a second time or more often.
        public var retransmissions: UInt64 = 0
    }
}
