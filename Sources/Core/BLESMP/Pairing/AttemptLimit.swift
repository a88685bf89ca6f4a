// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// How long somebody who has failed to pair has to wait: longer each time, and less again when it was quiet.
    ///
    /// The wait is 1 s after the first failure and doubles with each, to 512 s at most; every five minutes without a failure
    /// take one of them back. Whoever guesses a passkey gets some hundred attempts a day.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.6.
    public struct AttemptLimit: Hashable, Sendable {
        /// After how long without a failure the wait is half as long, in seconds.
        public static let decaySeconds: UInt64 = 300
        /// After how many failures the wait grows no more.
        public static let mostFailures = 10

        /// Failures that still count.
        public private(set) var failures = 0
        /// When the next attempt may be made.
        public private(set) var until = HostInstant.zero
        private var last = HostInstant.zero

        /// Nobody has failed yet.
        public init() {}

        /// Whether it is too early for an attempt.
        ///
        /// - Parameter now: The moment of the attempt.
        /// - Returns: Whether it has to be refused.
        public func isWaiting(at now: HostInstant) -> Bool { now < until }

        /// How long it is too early, in whole seconds; 0 when it is not.
        ///
        /// - Parameter now: The moment of the attempt.
        /// - Returns: After how many seconds it will not be refused.
        public func seconds(at now: HostInstant) -> Int {
            guard isWaiting(at: now) else { return 0 }
            return Int((until.microseconds(since: now) + 999_999) / 1_000_000)
        }

        /// Counts a failure.
        ///
        /// - Parameter now: When it happened.
        mutating func failed(at now: HostInstant) {
            let quiet = now.microseconds(since: last) / (Self.decaySeconds * 1_000_000)
            failures = failures - Int(min(quiet, UInt64(failures)))
            failures = min(failures + 1, Self.mostFailures)
            last = now
            until = now.advanced(bySeconds: 1 &<< UInt64(failures - 1))
        }

        /// Forgets the failures: somebody has paired.
        mutating func succeeded() { self = AttemptLimit() }
    }

    /// The limits of everybody who has failed lately, from link to link: hanging up does not help.
    public struct AttemptLedger: Sendable {
        private var limits: RecencyDictionary<BluetoothAddress, AttemptLimit>

        /// Starts empty.
        ///
        /// - Parameter capacity: How many addresses are remembered at most.
        public init(capacity: Int = 256) { limits = RecencyDictionary(limit: capacity) }

        /// The limit of an address: its identity, where that is known.
        ///
        /// - Parameter address: The address.
        /// - Returns: The limit; a fresh one for somebody who is not remembered.
        public func limit(of address: BluetoothAddress) -> AttemptLimit { limits[address] ?? AttemptLimit() }

        /// Remembers what ``SMP/Pairing/attempts`` says at the end of a link.
        ///
        /// - Parameters:
        ///   - limit: The limit.
        ///   - address: The address.
        public mutating func keep(_ limit: AttemptLimit, for address: BluetoothAddress) {
            if limit.failures == 0 {
                _ = limits.removeValue(forKey: address)
            } else {
                limits.use(address, default: limit) { $0 = limit }
            }
        }
    }
}
