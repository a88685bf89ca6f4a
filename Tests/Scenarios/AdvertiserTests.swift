// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@testable import BLEHost

private let lamp = AdvertisingParameters(data: [1], scanResponse: [2])
private let other = AdvertisingParameters(data: [3])

/// An advertiser and what it put out, in words.
private struct Bench: ~Copyable {
    var advertiser: Advertiser
    var now = HostInstant.zero

    init(isExtended: Bool = false, maximumCentrals: Int = 2) {
        advertiser = Advertiser(.init(isExtended: isExtended, maximumCentrals: maximumCentrals))
    }

    mutating func words() -> [String] {
        var words: [String] = []
        while let output = advertiser.nextOutput() {
            switch output {
            case .command(let command, _, _):
                switch command {
                case .removeSet: words.append("remove")
                case .configure: words.append("configure")
                case .setAddress: words.append("address")
                case .setData(_, let data): words.append("data \(data)")
                case .setResponse(let data): words.append("response \(data)")
                case .enable: words.append("enable")
                case .disable: words.append("disable")
                }
            case .started: words.append("started")
            case .failed(let status): words.append("failed \(status.rawValue)")
            }
        }
        return words
    }

    mutating func answer(_ step: Advertiser.Step, _ status: HCI.Status = .success) {
        advertiser.completed(step, run: advertiser.lastRun, status, at: now)
    }

    mutating func prepared() { for _ in 0..<3 { answer(.prepare) } }

    /// On the air.
    mutating func on() -> [String] {
        advertiser.start(lamp, at: now)
        prepared()
        answer(.enable)
        return words()
    }

    /// Off the air against its will, for the second time.
    mutating func failing() -> [String] {
        _ = on()
        advertiser.centralConnected(at: now)
        advertiser.centralDisconnected(at: now)
        answer(.enable, .commandDisallowed)
        return words()
    }
}

@Suite struct AdvertiserTests {
    @Test func `idle: started, it sets parameters and data, then enables`() {
        var bench = Bench()
        bench.advertiser.start(lamp, at: .zero)
        #expect(bench.words() == ["configure", "data [1]", "response [2]"])
        bench.answer(.prepare)
        bench.answer(.prepare)
        #expect(bench.words() == [])
        bench.answer(.prepare)
        #expect(bench.words() == ["enable"])
        bench.answer(.enable)
        #expect(bench.words() == ["started"])
        #expect(bench.advertiser.state == .on(target: 1))
        var quiet = Bench()
        quiet.advertiser.stop(at: .zero)
        quiet.advertiser.deadlineReached(at: .zero)
        quiet.advertiser.setTerminated(.limitReached, at: .zero)
        quiet.answer(.enable)
        #expect(quiet.words() == [])
        #expect(quiet.advertiser.isQuiet == true)
    }

    @Test func `setting: what is wanted then is seen to when all is answered`() {
        var bench = Bench()
        bench.advertiser.start(lamp, at: .zero)
        bench.advertiser.start(other, at: .zero)
        _ = bench.words()
        bench.prepared()
        #expect(bench.words() == ["configure", "data [3]", "response []"])
        bench.advertiser.stop(at: .zero)
        #expect(bench.advertiser.isQuiet == false)
        bench.prepared()
        #expect(bench.words() == [])
        #expect(bench.advertiser.isQuiet == true)
    }

    @Test func `setting: the first refusal counts, once all is answered`() {
        var bench = Bench()
        bench.advertiser.start(lamp, at: .zero)
        bench.answer(.prepare)
        bench.answer(.prepare, .invalidHCICommandParameters)
        _ = bench.words()
        #expect(bench.words() == [])
        bench.answer(.prepare, .commandDisallowed)
        #expect(bench.words() == ["failed 18"])
        #expect(bench.advertiser.isQuiet == true)
        // One that is not wanted any more fails unheard.
        bench.advertiser.start(lamp, at: .zero)
        bench.advertiser.start(other, at: .zero)
        _ = bench.words()
        bench.answer(.prepare, .commandDisallowed)
        bench.answer(.prepare)
        bench.answer(.prepare)
        #expect(bench.words() == ["configure", "data [3]", "response []"])
    }

    @Test func `enabling: refused the first time, it is not wanted any more`() {
        var bench = Bench()
        bench.advertiser.start(lamp, at: .zero)
        bench.prepared()
        _ = bench.words()
        bench.answer(.enable, .commandDisallowed)
        #expect(bench.words() == ["failed 12"])
        #expect(bench.advertiser.isQuiet == true && bench.advertiser.nextDeadline == nil)
    }

    @Test func `enabling: stopped or changed meanwhile`() {
        for isStopped in [true, false] {
            for status: HCI.Status in [.success, .commandDisallowed] {
                var bench = Bench()
                bench.advertiser.start(lamp, at: .zero)
                bench.prepared()
                _ = bench.words()
                if isStopped {
                    bench.advertiser.stop(at: .zero)
                } else {
                    bench.advertiser.start(other, at: .zero)
                }
                #expect(bench.words() == [])
                bench.answer(.enable, status)
                let off = status == .success ? ["disable"] : []
                #expect(
                    bench.words()
                        == (isStopped || status == .success ? off : ["configure", "data [3]", "response []"]))
                guard status == .success else { continue }
                bench.answer(.disable, .commandDisallowed)
                #expect(bench.words() == (isStopped ? [] : ["configure", "data [3]", "response []"]))
            }
        }
    }

    @Test func `enabling: a central that comes before the answer makes it ask again`() {
        var bench = Bench()
        bench.advertiser.start(lamp, at: .zero)
        bench.prepared()
        let old = bench.advertiser.lastRun
        _ = bench.words()
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == ["enable"])
        bench.advertiser.completed(.enable, run: old, .commandDisallowed, at: .zero)
        #expect(bench.words() == [])
        bench.answer(.enable)
        #expect(bench.words() == ["started"])
    }

    @Test func `on: a central ends it; it goes on while there is room`() {
        var bench = Bench()
        #expect(bench.on().last == "started")
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == ["enable"])
        bench.answer(.enable)
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == [])
        #expect(bench.advertiser.state == .idle(loaded: 1))
        // Changed beside enough centrals, it is told and waits.
        bench.advertiser.start(other, at: .zero)
        bench.prepared()
        #expect(bench.words() == ["configure", "data [3]", "response []", "started"])
        bench.advertiser.centralDisconnected(at: .zero)
        #expect(bench.words() == ["enable"])
        bench.answer(.enable)
        #expect(bench.words() == [])
    }

    @Test func `on: stopped or changed, it is switched off first`() {
        var bench = Bench(isExtended: true)
        bench.advertiser.start(lamp, at: .zero)
        bench.prepared()
        bench.answer(.enable)
        #expect(bench.words() == ["configure", "data [1]", "response [2]", "enable", "started"])
        bench.advertiser.start(other, at: .zero)
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == ["disable"])
        bench.answer(.disable)
        #expect(bench.words() == ["remove", "configure", "data [3]"])
        bench.answer(.remove, .commandDisallowed)
        bench.answer(.prepare)
        bench.answer(.prepare)
        bench.answer(.enable)
        #expect(bench.words() == ["enable", "started"])
        bench.advertiser.stop(at: .zero)
        #expect(bench.words() == ["disable"])
        bench.answer(.disable)
        #expect(bench.advertiser.isQuiet == true)
    }

    @Test func `on: a link of the run before crosses; it stays on the air, or is certainly off it`() {
        var bench = Bench()
        _ = bench.on()
        bench.advertiser.start(other, at: .zero)
        bench.answer(.disable)
        bench.prepared()
        bench.answer(.enable)
        _ = bench.words()
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == ["enable"])
        bench.answer(.enable)
        // The next is of this run.
        bench.advertiser.centralConnected(at: .zero)
        #expect(bench.words() == [])

        var full = Bench(maximumCentrals: 1)
        _ = full.on()
        full.advertiser.start(other, at: .zero)
        full.answer(.disable)
        full.prepared()
        full.answer(.enable)
        _ = full.words()
        full.advertiser.centralConnected(at: .zero)
        #expect(full.words() == ["disable"])
        full.answer(.disable)
        full.advertiser.stop(at: .zero)
        full.advertiser.centralDisconnected(at: .zero)
        #expect(full.words() == [])
        #expect(full.advertiser.isQuiet == true)
    }

    @Test func `on: a set that ends by itself is told and tried again`() {
        var bench = Bench()
        _ = bench.on()
        bench.advertiser.setTerminated(.limitReached, at: .zero)
        bench.advertiser.setTerminated(.limitReached, at: .zero)
        #expect(bench.words() == ["failed 67"])
        bench.advertiser.deadlineReached(at: HostInstant(microseconds: 999_999))
        #expect(bench.words() == [])
        bench.advertiser.deadlineReached(at: HostInstant(microseconds: 1_000_000))
        bench.answer(.enable)
        #expect(bench.words() == ["enable", "started"])
    }

    @Test func `failing: told once, tried after 1, 2, 4 up to 30 seconds, told when it goes again`() {
        var bench = Bench()
        #expect(bench.failing() == ["enable", "failed 12"])
        for seconds: UInt64 in [1, 2, 4, 8, 16, 30, 30, 30] {
            let deadline = bench.now.advanced(bySeconds: seconds)
            #expect(bench.advertiser.nextDeadline == deadline)
            bench.now = deadline
            bench.advertiser.deadlineReached(at: deadline)
            #expect(bench.words() == ["enable"])
            bench.answer(.enable, .commandDisallowed)
            #expect(bench.words() == [])
        }
        bench.now = bench.now.advanced(bySeconds: 30)
        bench.advertiser.deadlineReached(at: bench.now)
        bench.answer(.enable)
        #expect(bench.words() == ["enable", "started"])
        #expect(bench.advertiser.nextDeadline == nil)
    }

    @Test func `failing: stopped, changed, or a link gone`() {
        var stopped = Bench()
        _ = stopped.failing()
        stopped.advertiser.stop(at: .zero)
        #expect(stopped.words() == [])
        #expect(stopped.advertiser.isQuiet == true)
        var changed = Bench()
        _ = changed.failing()
        changed.advertiser.start(other, at: .zero)
        #expect(changed.words() == ["configure", "data [3]", "response []"])
        // Beside a link nothing is told, and the link's end is the time to try again.
        var beside = Bench()
        _ = beside.on()
        beside.advertiser.centralConnected(at: .zero)
        beside.answer(.enable, .commandDisallowed)
        #expect(beside.words() == ["enable"])
        beside.advertiser.centralDisconnected(at: .zero)
        #expect(beside.words() == ["enable"])
        beside.answer(.enable, .commandDisallowed)
        #expect(beside.words() == ["failed 12"])
    }
}
