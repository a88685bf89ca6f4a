// SPDX-License-Identifier: Apache-2.0

/// Leaves out steps of a failure as long as it stays the same (delta debugging).
struct SoakReducer {
    /// Runs to make at most, and until when.
    var budget = 2000
    var end = ContinuousClock.now + .seconds(300)

    private var isOver: Bool { budget <= 0 || ContinuousClock.now > end }

    /// The fewest steps found that still fail.
    ///
    /// - Parameters:
    ///   - steps: Steps that fail.
    ///   - fails: Whether steps fail the same way.
    /// - Returns: Steps, none of which can be left out alone unless the budget was used up.
    mutating func reduce(_ steps: [SoakStep], _ fails: ([SoakStep]) -> Bool) -> [SoakStep] {
        var steps = steps
        var size = max(1, steps.count / 2)
        while true {
            var hasShrunk = false
            var last = steps.count
            // From behind: what comes after the fault goes first.
            while last > 0, !isOver {
                let start = max(0, last - size)
                let rest = Array(steps[..<start] + steps[last...])
                budget -= 1
                if fails(rest) {
                    steps = rest
                    hasShrunk = true
                }
                last = start
            }
            guard !isOver, size > 1 || hasShrunk else { return steps }
            size = max(1, size / 2)
        }
    }
}
