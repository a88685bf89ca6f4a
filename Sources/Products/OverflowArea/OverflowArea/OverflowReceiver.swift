// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Receives the overflow areas of all phones around, as a machine without I/O.
///
/// Each sender has its own history, because pollution shows only when a message changes its position. What a
/// sender repeats is reported once: a map when it changes, a payload when it changes, and why a map was ignored
/// when the map in that position changes.
///
/// It remembers ``Options/maximumSenders`` senders; for one more, the one that was silent longest is forgotten.
public struct OverflowReceiver: Sendable {
    /// Options of a receiver.
    public struct Options: Hashable, Sendable {
        /// Which bits beside a message mean that it cannot be trusted.
        public var reading: OverflowBanks.Reading
        /// How long a sender may be silent before it is forgotten, in seconds, at least 1.
        public var silenceSeconds: UInt64
        /// How many senders are remembered, at least 1.
        public var maximumSenders: Int

        /// Makes options.
        ///
        /// - Parameters:
        ///   - reading: Which bits beside a message mean that it cannot be trusted.
        ///   - silenceSeconds: How long a sender may be silent before it is forgotten, in seconds.
        ///   - maximumSenders: How many senders are remembered.
        public init(
            reading: OverflowBanks.Reading = .bank, silenceSeconds: UInt64 = 60, maximumSenders: Int = 1024
        ) {
            self.reading = reading
            self.silenceSeconds = max(1, silenceSeconds)
            self.maximumSenders = max(1, maximumSenders)
        }
    }

    /// Why an advertisement was ignored.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The message stands in a position in which other bits were seen.
        case polluted
        /// Nothing is known yet of the position in which the message stands: wait for the other one.
        case unknownPosition
        /// There is no message in the map.
        case noMatch
        /// Apple's data end too early.
        case truncated
    }

    /// What a receiver reports.
    public enum Event: Hashable, Sendable {
        /// A sender's map is new or has changed.
        case map(OverflowMap)
        /// A sender's payload is new or has changed.
        case payload(OverflowMessage)
        /// Nothing came of what a sender has sent.
        case ignored(Reason)
        /// A sender was not heard for a while, or had to make room.
        case gone
    }

    /// A report, and of whom.
    public struct Output: Hashable, Sendable {
        /// The sender.
        public var address: BluetoothAddress
        /// How strong it was last, in dBm; `nil` when the radio did not measure it.
        public var rssi: Int8?
        /// What it has sent.
        public var event: Event
    }

    /// The reason that was last reported for ignoring a map.
    private struct Ignored: Hashable {
        var map: OverflowMap
        var reason: Reason
    }

    private struct Sender {
        let address: BluetoothAddress
        var rssi: Int8?
        var lastHeard: HostInstant
        var map: OverflowMap?
        var banks: OverflowBanks
        var delivered: (codec: OverflowCodec, payload: OverflowPayload)?
        /// One for each place in which a message may stand, and one for none.
        var ignored: (first: Ignored?, second: Ignored?, none: Ignored?) = (nil, nil, nil)
        var isTruncationReported = false
    }

    private let options: Options
    private var senders: [Sender] = []
    private var outputs = FIFO<Output>()

    /// Makes a receiver that has heard nobody.
    public init(_ options: Options = Options()) { self.options = options }

    /// How many senders are remembered.
    public var senderCount: Int { senders.count }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var earliest: HostInstant?
        for sender in senders { earliest = HostInstant.earliest(earliest, deadline(of: sender)) }
        return earliest
    }

    /// The next report.
    ///
    /// - Returns: The output; `nil` when there is nothing until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Handles an advertisement or a scan response.
    ///
    /// - Parameters:
    ///   - data: Its AD structures; those without an overflow area are passed over.
    ///   - address: Who sent it.
    ///   - rssi: How strong it was, in dBm.
    ///   - now: The moment.
    public mutating func receive(
        _ data: [UInt8], from address: BluetoothAddress, rssi: Int8?, at now: HostInstant
    ) {
        let advertisement = OverflowAdvertisement(advertisingData: data)
        guard advertisement.map != nil || advertisement.fault != nil else { return }
        let index = senders.firstIndex { $0.address == address } ?? enter(address, at: now)
        senders[index].lastHeard = now
        senders[index].rssi = rssi
        if let map = advertisement.map { handle(map, of: index) }
        if advertisement.fault == nil {
            senders[index].isTruncationReported = false
        } else if !senders[index].isTruncationReported {
            senders[index].isTruncationReported = true
            report(.ignored(.truncated), of: index)
        }
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        for index in senders.indices where deadline(of: senders[index]) <= now { report(.gone, of: index) }
        let silence = options.silenceSeconds
        senders.removeAll { $0.lastHeard.advanced(bySeconds: silence) <= now }
    }

    private func deadline(of sender: Sender) -> HostInstant {
        sender.lastHeard.advanced(bySeconds: options.silenceSeconds)
    }

    private mutating func enter(_ address: BluetoothAddress, at now: HostInstant) -> Int {
        if senders.count >= options.maximumSenders {
            var oldest = 0
            for index in senders.indices where senders[index].lastHeard < senders[oldest].lastHeard {
                oldest = index
            }
            report(.gone, of: oldest)
            senders.remove(at: oldest)
        }
        senders.append(
            Sender(address: address, lastHeard: now, banks: OverflowBanks(reading: options.reading)))
        return senders.count - 1
    }

    private mutating func handle(_ map: OverflowMap, of index: Int) {
        guard senders[index].map != map else { return }
        senders[index].map = map
        report(.map(map), of: index)
        switch senders[index].banks.receive(map) {
        case .accepted(let message): deliver(message, of: index)
        case .polluted(let message):
            ignore(Ignored(map: map, reason: .polluted), message.position, of: index)
        case .unknownPosition(let message):
            ignore(Ignored(map: map, reason: .unknownPosition), message.position, of: index)
        case .noMatch:
            if let message = OverflowHamming.message(in: map) {
                deliver(message, of: index)
            } else {
                ignore(Ignored(map: map, reason: .noMatch), nil, of: index)
            }
        }
    }

    private mutating func deliver(_ message: OverflowMessage, of index: Int) {
        if let last = senders[index].delivered, last.codec == message.codec,
            last.payload == message.payload
        {
            return
        }
        senders[index].delivered = (message.codec, message.payload)
        report(.payload(message), of: index)
    }

    private mutating func ignore(_ ignored: Ignored, _ position: OverflowPosition?, of index: Int) {
        switch position {
        case .first:
            guard senders[index].ignored.first != ignored else { return }
            senders[index].ignored.first = ignored
        case .second:
            guard senders[index].ignored.second != ignored else { return }
            senders[index].ignored.second = ignored
        case nil:
            guard senders[index].ignored.none != ignored else { return }
            senders[index].ignored.none = ignored
        }
        report(.ignored(ignored.reason), of: index)
    }

    private mutating func report(_ event: Event, of index: Int) {
        outputs.append(
            Output(address: senders[index].address, rssi: senders[index].rssi, event: event))
    }
}
