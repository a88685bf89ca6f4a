// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and are the same for the same seed; not for secrets.
///
/// Waiting times are spread with it, devices are simulated with it, and every test that invents something takes its
/// numbers from it, so that a failure can be had again from its seed.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts a sequence.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    ///
    /// - Returns: Any of the numbers, each as likely as the others.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed &>> 31
    }

    /// The next number below a limit.
    ///
    /// - Parameter limit: The limit; at least 1.
    /// - Returns: A number from 0 to just below the limit.
    public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// The next number in a range.
    ///
    /// - Parameter range: The range.
    /// - Returns: Any of its numbers, each as likely as the others.
    public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// The next octets.
    ///
    /// - Parameter count: How many.
    /// - Returns: The octets.
    public mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
