// SPDX-License-Identifier: Apache-2.0

/// Pseudo-random numbers that depend on the seed alone (SplitMix64).
struct SoakGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// One of what is given, each as likely as its weight says.
    mutating func choose<Choice>(_ choices: [(weight: Int, choice: Choice)]) -> Choice {
        var left = number(0...choices.reduce(0) { $0 + $1.weight } - 1)
        for (weight, choice) in choices {
            left -= weight
            if left < 0 { return choice }
        }
        return choices[0].choice
    }
}
