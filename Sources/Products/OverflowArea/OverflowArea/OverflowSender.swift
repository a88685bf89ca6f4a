// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What a phone in the background would advertise, and when it changes.
///
/// A machine like those of Core: start it, drain ``nextOutput()``, call ``deadlineReached(at:)`` when
/// ``nextDeadline`` has come.
///
/// Spec: Documentation/Protocols/overflow-area.md.
public struct OverflowSender: Sendable {
    /// What to advertise.
    public enum Content: Hashable, Sendable {
        /// These services.
        case services([BluetoothUUID])
        /// A message; `v1` changes its position at each interval, `v2` stays.
        case payload(OverflowPayload, OverflowCodec)
        /// One service at a time, the next number at each interval, without end.
        case sequence(from: BluetoothUUID)
    }

    /// What to put on the air from now on.
    public struct Transmission: Hashable, Sendable {
        /// The bits.
        public var map: OverflowMap
        /// Services that set them.
        public var uuids: [BluetoothUUID]
        /// Where the message stands, if it is one.
        public var position: OverflowPosition?
    }

    /// How long each advertisement stays, in milliseconds.
    public let intervalMilliseconds: UInt64
    private var content: Content
    private var position = OverflowPosition.first
    private var isWaiting = false

    /// When to call ``deadlineReached(at:)`` at the latest; `nil` before the start and when nothing changes.
    public private(set) var nextDeadline: HostInstant?

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - content: What to advertise.
    ///   - intervalMilliseconds: How long each advertisement stays, in milliseconds, at least 1; the demo's
    ///     5 s for messages and 1 s for sequences, unless said otherwise.
    public init(_ content: Content, intervalMilliseconds: UInt64? = nil) {
        self.content = content
        let usual: UInt64 = if case .sequence = content { 1000 } else { 5000 }
        self.intervalMilliseconds = max(1, intervalMilliseconds ?? usual)
    }

    /// What is to be on the air at the moment.
    public var transmission: Transmission {
        switch content {
        case .services(let uuids):
            return Transmission(map: OverflowMap(services: uuids), uuids: uuids, position: nil)
        case .payload(let payload, .v1):
            let map = OverflowBanks.map(of: payload, at: position)
            return Transmission(map: map, uuids: map.tableUUIDs, position: position)
        case .payload(let payload, .v2):
            let map = OverflowHamming.map(of: payload)
            return Transmission(map: map, uuids: map.tableUUIDs, position: .second)
        case .sequence(let uuid):
            return Transmission(map: OverflowMap(services: [uuid]), uuids: [uuid], position: nil)
        }
    }

    /// Starts at the first position.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        isWaiting = true
        nextDeadline = changes ? now.advanced(byMilliseconds: intervalMilliseconds) : nil
    }

    /// Advertises something else from now on; the intervals go on as before.
    ///
    /// - Parameters:
    ///   - content: What to advertise.
    ///   - now: The moment.
    public mutating func change(to content: Content, at now: HostInstant) {
        guard content != self.content else { return }
        self.content = content
        isWaiting = true
        if !changes {
            nextDeadline = nil
        } else if nextDeadline == nil {
            nextDeadline = now.advanced(byMilliseconds: intervalMilliseconds)
        }
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        guard let due = nextDeadline, due <= now else { return }
        // Who was late does not hurry afterwards.
        let next = due.advanced(byMilliseconds: intervalMilliseconds)
        nextDeadline = next > now ? next : now.advanced(byMilliseconds: intervalMilliseconds)
        isWaiting = true
        position = position.other
        if case .sequence(let uuid) = content { content = .sequence(from: Self.successor(of: uuid)) }
    }

    /// What to advertise from now on.
    ///
    /// - Returns: The transmission; `nil` when nothing has changed.
    public mutating func nextOutput() -> Transmission? {
        guard isWaiting else { return nil }
        isWaiting = false
        return transmission
    }

    private var changes: Bool {
        switch content {
        case .payload(_, .v1), .sequence: true
        case .services, .payload(_, .v2): false
        }
    }

    /// The next 128-bit number; the one after the last is zero.
    private static func successor(of uuid: BluetoothUUID) -> BluetoothUUID {
        let low = uuid.low &+ 1
        return BluetoothUUID(high: low == 0 ? uuid.high &+ 1 : uuid.high, low: low)
    }
}
