// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Foundation
import Testing

/// Commands, answers, refusals, silence and events in any order: the host keeps its promises.
///
/// A failure names its seed and the fewest steps that still fail. `LANTERN_MODEL_RUNS` sets how many runs there are,
/// `LANTERN_MODEL_STEPS` how many steps each has, `LANTERN_MODEL_SEED` the seed of the first.
@Suite struct HostModelTests {
    private static func number(_ name: String, _ usual: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? usual
    }

    private static func steps(_ seed: UInt64) -> (steps: [ModelStep], habits: Int) {
        var random = SplitMix64(seed: seed)
        let habits = random.number(0...15)
        let steps = (0..<number("LANTERN_MODEL_STEPS", 60)).map { _ in
            ModelStep(kind: random.number(0...31), choice: random.number(0...10_000))
        }
        return (steps, habits)
    }

    private static func failure(_ steps: [ModelStep], _ habits: Int) -> BrokenPromise? {
        do throws(BrokenPromise) {
            try ModelRun.run(steps, habits: habits)
            return nil
        } catch {
            return error
        }
    }

    /// Leaves out what is not needed for a failure, first in large pieces, then step by step.
    private static func fewest(_ steps: [ModelStep], _ habits: Int) -> [ModelStep] {
        var steps = steps
        var length = steps.count / 2
        while length > 0 {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + length, steps.count))
                if failure(fewer, habits) == nil { start += length } else { steps = fewer }
            }
            length /= 2
        }
        return steps
    }

    @Test func `whatever happens in whatever order, every promise is kept`() {
        let first = Self.number("LANTERN_MODEL_SEED", 1)
        for seed in first..<(first + Self.number("LANTERN_MODEL_RUNS", 400)) {
            let (steps, habits) = Self.steps(seed)
            guard Self.failure(steps, habits) != nil else { continue }
            let fewest = Self.fewest(steps, habits)
            let promise = Self.failure(fewest, habits)?.description ?? ""
            Issue.record("seed \(seed), habits \(habits): \(promise); steps \(fewest)")
            return
        }
    }
}
