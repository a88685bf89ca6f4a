// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Prints something that is to be seen at once.
private func log(_ text: String) {
    print(text)
    fflush(nil)
}

/// Everything at once, for as long as there is patience.
///
/// | variable | means |
/// |---|---|
/// | LANTERN_SOAK_STEPS | how many steps are taken |
/// | LANTERN_SOAK_SEED | where they begin; the seed is printed by each run |
/// | LANTERN_SOAK_SECONDS | seeds one after the other, each of so many steps, for so long |
@Suite(.serialized)
struct SoakTests {
    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment["LANTERN_SOAK_\(name)"].flatMap { UInt64($0) }
    }

    private static var steps: Int { Int(variable("STEPS") ?? (variable("SECONDS") == nil ? 1000 : 100_000)) }

    @Test("A fixed seed, and one that differs each time, or for as long as it is wanted")
    func soak() {
        if let seed = Self.variable("SEED") { return run(seed) }
        let clock = ContinuousClock()
        let end = Self.variable("SECONDS").map { clock.now + .seconds(Int64($0)) }
        if end == nil { run(1) }
        repeat { run(.random(in: 0...0xFFFF_FFFF), until: end) } while end.map { clock.now < $0 } ?? false
    }

    private func run(_ seed: UInt64, until end: ContinuousClock.Instant? = nil) {
        log("soak: seed \(seed), \(Self.steps) steps")
        let steps = SoakStep.plan(seed: seed, count: Self.steps)
        let start = ContinuousClock.now
        let outcome = SoakRun(seed: seed).run(steps) { done, outcome in
            if done % 2000 == 0 || done == steps.count {
                log("soak: seed \(seed), step \(done), \(ContinuousClock.now - start), \(outcome.counts)")
            }
            return end.map { ContinuousClock.now < $0 } ?? true
        }
        guard let failure = outcome.failure else {
            log("soak: seed \(seed) is well, digest \(outcome.digest)")
            return
        }
        log("soak: seed \(seed) fails: \(failure), digest \(outcome.digest)")
        let (air, few) = Self.fewest(steps, seed, failure)
        let list = few.map { "    .\($0)," }.joined(separator: "\n")
        Issue.record("seed \(seed): \(failure)\nThe same on air \(air) by \(few.count) steps:\n\(list)")
    }

    /// The fewest steps that fail the same way, and the seed of the air: those of the last episode if they do so without
    /// those before, on whatever air.
    private static func fewest(
        _ steps: [SoakStep], _ seed: UInt64, _ failure: SoakFailure
    ) -> (seed: UInt64, steps: [SoakStep]) {
        func fails(_ steps: [SoakStep], _ seed: UInt64) -> Bool {
            SoakRun(seed: seed).run(steps).failure?.kind == failure.kind
        }
        let upTo = Array(steps.prefix(failure.step + 1))
        let last = Array(upTo.suffix(failure.step % SoakRun.episode + 1))
        let alone = ([seed] + Array(0..<40)).first { fails(last, $0) }
        log("soak: the last episode \(alone.map { "fails alone on air \($0)" } ?? "does not fail alone")")
        var reducer = SoakReducer()
        let few = reducer.reduce(alone == nil ? upTo : last) { fails($0, alone ?? seed) }
        return (alone ?? seed, few)
    }

    @Test("The same seed gives the same octets twice, and another seed gives others")
    func replay() {
        let digests = [7, 7, 8].map { seed in
            SoakRun(seed: seed).run(SoakStep.plan(seed: seed, count: 1000)).digest
        }
        log("soak: digest of seed 7 \(digests[0])")
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
        #expect(digests[0].octets > 10_000)
    }

    @Test("Of steps that fail those are left that it needs")
    func reduction() {
        let needed: Set<SoakStep> = [.pass(30), .settle]
        let steps = SoakStep.plan(seed: 3, count: 200)
        var reducer = SoakReducer()
        let few = reducer.reduce(steps) { needed.isSubset(of: Set($0)) }
        #expect(Set(few) == needed)
        #expect(few.count == 2)
    }
}
