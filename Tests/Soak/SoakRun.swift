// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLETransport

/// Takes the steps of a soak on a clock of its own, and looks at what must hold.
struct SoakRun {
    /// Steps between two looks at everything.
    static let episode = 500

    private let manual = ManualLoop()
    private let world: SoakWorld

    init(seed: UInt64) {
        world = SoakWorld(seed: seed, manual)
    }

    /// What came of a run.
    struct Outcome {
        let failure: SoakFailure?
        let digest: SoakDigest
        let counts: SoakCounts
    }

    /// Performs steps, each after the one before, and looks at everything after each episode and at the end.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - progress: Called after each episode with the number of steps done; says whether to go on.
    /// - Returns: What came of it.
    func run(_ steps: [SoakStep], progress: (Int, Outcome) -> Bool = { _, _ in true }) -> Outcome {
        on { $0.makeNodes() }
        pass(1000)
        var done = 0
        while done < steps.count, outcome.failure == nil {
            for step in steps[done...].prefix(Self.episode) {
                perform(step, done)
                done += 1
                if outcome.failure != nil { break }
            }
            checkEverything()
            guard progress(done, outcome) else { break }
        }
        if steps.isEmpty { checkEverything() }
        let outcome = outcome
        end()
        return outcome
    }

    private var outcome: Outcome {
        look { Outcome(failure: $0.failure, digest: $0.digest, counts: $0.counts) }
    }

    private func perform(_ step: SoakStep, _ index: Int) {
        loop.execute { [world] in
            world.assumeIsolated { world in
                world.stepIndex = index
                world.perform(step)
            }
        }
        switch step {
        case .settle: settle()
        case .pass(let milliseconds):
            pass(milliseconds)
            on { $0.checkAlways() }
        default: break
        }
    }

    private var loop: TransportLoop { manual.loop }

    /// Does something in the world, before anything else happens there.
    private func on(_ body: @escaping @Sendable (isolated SoakWorld) -> Void) {
        loop.execute { [world] in world.assumeIsolated { body($0) } }
        settle()
    }

    private func look<Result: Sendable>(_ body: @escaping @Sendable (isolated SoakWorld) -> Result) -> Result
    {
        let box = SoakBox<Result>()
        on { box.set(body($0)) }
        guard let result = box.value else { preconditionFailure("the world does not answer") }
        return result
    }

    private func settle() {
        guard !manual.runUntilIdle(steps: 20_000) else { return }
        loop.execute { [world] in
            world.assumeIsolated { $0.fail("the loop is never idle", $0.unfinished) }
        }
        manual.runUntilIdle(steps: 100)
    }

    private func pass(_ milliseconds: Int) {
        if !manual.advance(to: loop.now.advanced(byMicroseconds: UInt64(milliseconds) * 1000)) { settle() }
    }

    /// Lets time pass until everything that was asked for has ended, or for so many seconds.
    private func finish(_ seconds: Int, healing: Bool = false) {
        for _ in 0..<seconds {
            pass(1000)
            // What was asked for before may have begun only now.
            if healing { on { $0.endLasting() } }
            if look({ $0.operations.isEmpty }) { break }
        }
        pass(4000)
    }

    private func checkEverything() {
        guard outcome.failure == nil else { return }
        on { $0.heal() }
        finish(90, healing: true)
        // Radios come back, what is lost is known to be lost, and a request that was cancelled and that nobody answers
        // has its 30 s: others wait behind it.
        for _ in 0..<9 {
            pass(5000)
            on { $0.endLasting() }
        }
        on { $0.checkQuiet() }
        guard outcome.failure == nil else { return }
        empty()
        guard outcome.failure == nil else { return }
        on { $0.restartClosed() }
        finish(5)
        on { $0.serveAll() }
        finish(5)
        on { $0.connectAll() }
        finish(30)
        on { $0.useAll() }
        finish(30)
        on { $0.checkUse() }
        guard outcome.failure == nil else { return }
        empty()
    }

    private func empty() {
        on { $0.endEverything() }
        finish(30)
        on { $0.endLasting() }
        finish(30, healing: true)
        // What goes with the last hold on a channel goes in a turn of its own.
        on { $0.letGo() }
        on { $0.checkEmpty() }
    }

    /// Lets everything go, so that runs do not pile up.
    private func end() {
        on { world in
            for index in world.operations.indices { world.cancel(index) }
            world.held = []
            for radio in world.nodes.indices where !world.nodes[radio].isClosed { world.close(radio) }
        }
        pass(5000)
        on { world in
            world.nodes = []
            world.links = []
            world.channels = []
        }
    }
}

/// Brings one value out of a body on a loop that runs in this thread.
///
/// Unchecked: set and looked at in the same thread.
private final class SoakBox<Value>: @unchecked Sendable {
    private(set) var value: Value?
    func set(_ value: Value) { self.value = value }
}
