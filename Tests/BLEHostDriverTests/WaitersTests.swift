// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Testing

@testable import BLEHostDriver

/// The store of those who wait, driven by an actor as a radio drives it.
private actor Store {
    var waiters = Waiters<Int, Int>()
    private var arrivals: [CheckedContinuation<Void, Never>] = []
    /// The keys of those who went on, in that order.
    private(set) var gone: [Int] = []

    func wait(_ key: Int) async -> Result<Int, BluetoothError> {
        let id = waiters.makeID()
        defer { gone.append(key) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters.add(continuation, key, id)
                for arrival in arrivals { arrival.resume() }
                arrivals = []
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UInt64) {
        if let key = waiters.key(of: id) { waiters.cancel(key, id) }
    }

    /// Waits until so many wait.
    func has(_ count: Int) async {
        while waiters.count < count { await withCheckedContinuation { arrivals.append($0) } }
    }

    func resume(_ key: Int, _ value: Int) { waiters.resume(key, .success(value)) }
    func resumeFirst(_ key: Int, _ value: Int) { waiters.resumeFirst(key, .success(value)) }
    func fail(_ keys: Range<Int>) { waiters.fail(.timeout) { keys.contains($0) } }
}

@Suite("Those who wait for a radio", .timeLimit(.minutes(5)))
struct WaitersTests {
    @Test func eachIsResumedOnceByWhatItWaitsFor() async {
        let store = Store()
        await withTaskGroup(of: Void.self) { group in
            for key in 0..<10 {
                for _ in 0...(key % 3) { group.addTask { #expect(await store.wait(key) == .success(key)) } }
            }
            await store.has(19)
            for key in (0..<10).reversed() { await store.resume(key, key) }
            await store.resume(3, 99)
        }
        #expect(await store.waiters.count == 0)
    }

    @Test func whoWaitsLongestIsFirst() async {
        let store = Store()
        var tasks: [Task<Result<Int, BluetoothError>, Never>] = []
        for count in 1...3 {
            tasks.append(Task { await store.wait(0) })
            await store.has(count)
        }
        for value in 1...3 { await store.resumeFirst(0, value) }
        for (index, task) in tasks.enumerated() { #expect(await task.value == .success(index + 1)) }
    }

    @Test func cancellationResumesOneAndLeavesTheOthers() async {
        let store = Store()
        var tasks: [Task<Result<Int, BluetoothError>, Never>] = []
        for count in 1...3 {
            tasks.append(Task { await store.wait(7) })
            await store.has(count)
        }
        tasks[1].cancel()
        #expect(await tasks[1].value == .failure(.cancelled))
        await store.resume(7, 1)
        #expect(await tasks[0].value == .success(1))
        #expect(await tasks[2].value == .success(1))
    }

    @Test func whoBeganToWaitFirstGoesOnFirst() async {
        let store = Store()
        let keys = [4, 1, 5, 0, 3, 2]
        await withTaskGroup(of: Void.self) { group in
            for (index, key) in keys.enumerated() {
                group.addTask { _ = await store.wait(key) }
                await store.has(index + 1)
            }
            await store.fail(0..<6)
        }
        #expect(await store.gone == keys)
    }

    @Test func whatCannotComeFailsForAllOfThem() async {
        let store = Store()
        await withTaskGroup(of: Void.self) { group in
            for key in 0..<6 {
                group.addTask {
                    #expect(await store.wait(key) == (key < 3 ? .failure(.timeout) : .success(0)))
                }
            }
            await store.has(6)
            await store.fail(0..<3)
            #expect(await store.waiters.count == 3)
            for key in 3..<6 { await store.resume(key, 0) }
        }
    }
}
