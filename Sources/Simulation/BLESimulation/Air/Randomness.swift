// SPDX-License-Identifier: Apache-2.0

import BLEWire

extension SplitMix64 {
    /// Whether something happens that happens with a probability; takes no number when that is 0 or 1.
    mutating func happens(_ probability: Double) -> Bool {
        guard probability > 0 else { return false }
        guard probability < 1 else { return true }
        return Double(next() &>> 11) * 0x1p-53 < probability
    }
}

/// The decimal logarithm of a positive number, good to a hundredth: the standard library has none.
func decimalLogarithm(_ value: Double) -> Double {
    // ln m = 2 artanh((m - 1) / (m + 1)) with m in 1..<2.
    let z = (value.significand - 1) / (value.significand + 1)
    let square = z * z
    let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9)))
    let naturalLogarithm = 2 * z * series + Double(value.exponent) * 0.693_147_180_559_945_3
    return naturalLogarithm * 0.434_294_481_903_251_8
}
