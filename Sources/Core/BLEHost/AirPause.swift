// SPDX-License-Identifier: Apache-2.0

public import BLESMP
import BLEWire

/// How a host hides: its address on the air changes, and only who has its key knows it again.
///
/// Spec: Core v5.4, Vol 3, Part C, 10.7.
public struct HostPrivacy: Sendable {
    /// What the addresses are made with; it has to stay the same, for bonded devices have it.
    public var key: SMP.Secret
    /// How long one address is used, in seconds.
    public var seconds: UInt64

    /// Describes it.
    ///
    /// - Parameters:
    ///   - key: What the addresses are made with.
    ///   - seconds: How long one address is used; a quarter of an hour, as the specification recommends.
    public init(key: SMP.Secret, seconds: UInt64 = 900) {
        self.key = key
        self.seconds = max(1, seconds)
    }
}

/// What a controller can be told only while nothing is on the air: another address of ours, and whose addresses it is to
/// resolve.
///
/// ```
///          wanted              off the air           all answered
///   idle ──────────▶ waiting ──────────────▶ telling ────────────▶ idle
/// ```
///
/// Meanwhile scanning and advertising rest, and no link is opened. An attempt that is going on is waited for.
struct AirPause {
    enum State: Equatable {
        case idle
        case waiting
        case telling(unanswered: Int)
    }

    /// What a command was for.
    enum Step: Equatable {
        case address(BluetoothAddress)
        /// Switching address resolution off, and emptying the list.
        case prepare
        case add(BluetoothAddress)
        case mode
        case resolve
    }

    var state = State.idle
    var wantsAddress = false
    var wantsList = false
    /// The private address that is on the air; `nil` while it is the one that stays.
    var address: BluetoothAddress?
    /// When the next address is due.
    var renewal: HostInstant?
    /// The identities whose addresses the controller resolves.
    var resolved: [BluetoothAddress] = []
    /// Whether it has resolved one.
    var hasResolved = false

    var isWanted: Bool { wantsAddress || wantsList }

    /// Whether the air is not to be used.
    var isGoingOn: Bool { state != .idle }

    /// When something is to be begun; what is wanted is begun at once.
    var nextDeadline: HostInstant? {
        guard case .idle = state else { return nil }
        return isWanted ? .zero : renewal
    }
}

/// Private addresses that were looked at lately, and whose they are.
struct ResolvedAddresses {
    /// How many are remembered.
    static let limit = 64

    private var entries: [(address: UInt64, identity: BluetoothAddress?)] = []
    /// Which of them is replaced next.
    private var next = 0

    /// Whose an address is.
    ///
    /// - Returns: Whether it was looked at, and if so the identity.
    func find(_ address: BluetoothAddress) -> (isKnown: Bool, identity: BluetoothAddress?) {
        for entry in entries where entry.address == address.value { return (true, entry.identity) }
        return (false, nil)
    }

    /// The private address that somebody was heard with last.
    func address(of identity: BluetoothAddress) -> BluetoothAddress? {
        var found: UInt64?
        // From the oldest to the newest.
        for index in entries.indices {
            let entry = entries[(next + index) % entries.count]
            if entry.identity == identity { found = entry.address }
        }
        return found.map { BluetoothAddress($0, kind: .random) }
    }

    mutating func keep(_ address: BluetoothAddress, _ identity: BluetoothAddress?) {
        if entries.count < Self.limit {
            entries.append((address.value, identity))
        } else {
            entries[next] = (address.value, identity)
            next = (next + 1) % Self.limit
        }
    }

    mutating func removeAll() {
        entries = []
        next = 0
    }
}

extension BluetoothAddress {
    /// Whether it may be a resolvable private address.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.2.
    var isResolvable: Bool { kind == .random && value &>> 46 == 0b01 }
}
