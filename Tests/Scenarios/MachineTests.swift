// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire
import Testing

@testable import BLEHost

private let one = BluetoothAddress(1, kind: .public)
private let two = BluetoothAddress(2, kind: .public)
private let refused = HCI.Status.commandDisallowed

@Suite struct ScannerTests {
    private static func words(_ scanner: inout Scanner) -> [String] {
        var words: [String] = []
        while let output = scanner.nextOutput() {
            switch output {
            case .command(.clearList, _, _): words.append("clear")
            case .command(.addToList, _, _): words.append("add")
            case .command(.configure, _, _): words.append("configure")
            case .command(.enable, _, _): words.append("enable")
            case .command(.disable, _, _): words.append("disable")
            case .failed(let status): words.append("failed \(status.rawValue)")
            }
        }
        return words
    }

    @Test func `off: only a start does something`() {
        var scanner = Scanner()
        scanner.stop()
        scanner.rest()
        scanner.resume()
        scanner.completed(.enable, run: 0, refused)
        #expect(Self.words(&scanner) == [])
        #expect(scanner.isWanted == false)
        scanner.start(ScanParameters(addresses: [one, two]), isHeld: false)
        #expect(Self.words(&scanner) == ["clear", "add", "add", "configure", "enable"])
        #expect(scanner.isWanted == true)
    }

    @Test func `scanning: started anew, stopped, resting`() {
        var scanner = Scanner()
        scanner.start(ScanParameters(), isHeld: false)
        _ = Self.words(&scanner)
        scanner.start(ScanParameters(isActive: false), isHeld: false)
        #expect(Self.words(&scanner) == ["disable", "configure", "enable"])
        scanner.resume()
        #expect(Self.words(&scanner) == [])
        scanner.rest()
        scanner.rest()
        #expect(Self.words(&scanner) == ["disable"])
        #expect(scanner.isWanted == true)
        scanner.resume()
        #expect(Self.words(&scanner) == ["configure", "enable"])
        scanner.stop()
        #expect(Self.words(&scanner) == ["disable"])
        #expect(scanner.state == .off)
    }

    @Test func `resting: started held, stopped`() {
        var scanner = Scanner()
        scanner.start(ScanParameters(), isHeld: true)
        #expect(Self.words(&scanner) == [])
        scanner.completed(.enable, run: 0, refused)
        #expect(scanner.isWanted == true)
        scanner.stop()
        scanner.resume()
        #expect(Self.words(&scanner) == [])
    }

    @Test func `a refusal ends its own run and no other`() {
        for step in [Scanner.Step.prepare, .enable] {
            var scanner = Scanner()
            scanner.start(ScanParameters(), isHeld: false)
            scanner.rest()
            scanner.resume()
            _ = Self.words(&scanner)
            scanner.completed(step, run: 1, refused)
            scanner.completed(.disable, run: 2, refused)
            scanner.completed(step, run: 2, .success)
            #expect(Self.words(&scanner) == [])
            scanner.completed(step, run: 2, refused)
            #expect(Self.words(&scanner) == (step == .prepare ? ["disable", "failed 12"] : ["failed 12"]))
            scanner.completed(step, run: 2, refused)
            #expect(Self.words(&scanner) == [])
        }
    }
}

@Suite struct InitiatorTests {
    private static func words(_ initiator: inout Initiator) -> [String] {
        var words: [String] = []
        while let output = initiator.nextOutput() {
            switch output {
            case .command(.clearList, _, _): words.append("clear")
            case .command(.addToList, _, _): words.append("add")
            case .command(.create(let attempt), _, _): words.append("create \(attempt.number)")
            case .command(.cancel, _, let attempt): words.append("cancel \(attempt)")
            case .failed(let peer, let failure):
                words.append("failed \(peer.value) \(HostBench.words(failure))")
            }
        }
        return words
    }

    private static func second(_ number: UInt64) -> HostInstant { .zero.advanced(bySeconds: number) }

    /// The first attempt is asked for, the second one waits.
    private static func asked() -> Initiator {
        var initiator = Initiator()
        initiator.connect([one], ConnectParameters(), at: .zero)
        initiator.connect([two], ConnectParameters(), at: .zero)
        #expect(words(&initiator) == ["create 1"])
        return initiator
    }

    private static func initiating() -> Initiator {
        var initiator = asked()
        initiator.completed(.create, attempt: 1, .success, at: .zero)
        return initiator
    }

    private static func cancelling() -> Initiator {
        var initiator = initiating()
        initiator.cancel(one, at: .zero)
        #expect(words(&initiator) == ["cancel 1"])
        return initiator
    }

    /// The first one was given up and has not ended; the second one was refused for it.
    private static func blocked() -> Initiator {
        var initiator = cancelling()
        initiator.deadlineReached(at: second(2))
        #expect(words(&initiator) == ["failed 1 closedByUs", "create 2"])
        initiator.completed(.create, attempt: 2, refused, at: second(2))
        #expect(words(&initiator) == [])
        return initiator
    }

    @Test func `idle: nothing but an attempt does anything`() {
        var initiator = Initiator()
        initiator.cancel(one, at: .zero)
        initiator.cancelAll(at: .zero)
        initiator.connectionFailed(refused, at: .zero)
        initiator.connectionOpened(one, at: .zero)
        initiator.completed(.prepare, attempt: 1, refused, at: .zero)
        initiator.completed(.create, attempt: 1, refused, at: .zero)
        initiator.deadlineReached(at: Self.second(99))
        #expect(Self.words(&initiator) == [])
        #expect(initiator.isBusy == false && initiator.nextDeadline == nil)
        initiator.connect([one, two], ConnectParameters(), at: .zero)
        #expect(Self.words(&initiator) == ["clear", "add", "add", "create 1"])
    }

    @Test func `asked: refused, cancelled, too late, or overtaken by a link`() {
        var refusing = Self.asked()
        refusing.completed(.create, attempt: 9, refused, at: .zero)
        refusing.completed(.create, attempt: 1, refused, at: .zero)
        #expect(Self.words(&refusing) == ["failed 1 controller 12", "create 2"])
        var late = Self.asked()
        late.deadlineReached(at: Self.second(10))
        #expect(Self.words(&late) == ["cancel 1"])
        late.completed(.create, attempt: 1, refused, at: Self.second(10))
        #expect(Self.words(&late) == ["failed 1 connectTimeout", "create 2"])
        // The end of an attempt before is not the end of this one.
        var other = Self.asked()
        other.connectionFailed(refused, at: .zero)
        other.connectionOpened(two, at: .zero)
        #expect(Self.words(&other) == [])
        // A link that comes in another way ends it; the controller is told when it begins all the same.
        other.connectionOpened(one, at: .zero)
        #expect(Self.words(&other) == ["create 2"])
        other.completed(.create, attempt: 1, .success, at: .zero)
        #expect(Self.words(&other) == ["cancel 1"])
        other.completed(.create, attempt: 2, refused, at: .zero)
        other.connectionFailed(refused, at: .zero)
        #expect(Self.words(&other) == ["create 2"])
    }

    @Test func `initiating: a link, a failure, its time, a list that was refused`() {
        var opened = Self.initiating()
        opened.connectionOpened(two, at: .zero)
        #expect(Self.words(&opened) == [])
        opened.connectionOpened(one, at: .zero)
        #expect(Self.words(&opened) == ["create 2"])
        var failed = Self.initiating()
        failed.connectionFailed(.connectionTimeout, at: .zero)
        #expect(Self.words(&failed) == ["failed 1 controller 8", "create 2"])
        var late = Self.initiating()
        #expect(late.nextDeadline == Self.second(10))
        late.deadlineReached(at: Self.second(9))
        #expect(Self.words(&late) == [])
        late.deadlineReached(at: Self.second(10))
        #expect(Self.words(&late) == ["cancel 1"])
        #expect(late.nextDeadline == Self.second(12))
        var listed = Self.initiating()
        listed.completed(.prepare, attempt: 1, .success, at: .zero)
        listed.completed(.prepare, attempt: 2, refused, at: .zero)
        #expect(Self.words(&listed) == [])
        listed.completed(.prepare, attempt: 1, refused, at: .zero)
        #expect(Self.words(&listed) == ["cancel 1"])
    }

    @Test func `cancelling: reported, a link after all, or never`() {
        var reported = Self.cancelling()
        reported.cancel(one, at: .zero)
        reported.completed(.cancel, attempt: 1, refused, at: .zero)
        #expect(Self.words(&reported) == [])
        reported.connectionFailed(.unknownConnectionIdentifier, at: .zero)
        #expect(Self.words(&reported) == ["failed 1 closedByUs", "create 2"])
        var opened = Self.cancelling()
        opened.connectionOpened(one, at: .zero)
        #expect(Self.words(&opened) == ["create 2"])
        var silent = Self.cancelling()
        silent.deadlineReached(at: Self.second(2))
        #expect(Self.words(&silent) == ["failed 1 closedByUs", "create 2"])
        #expect(silent.owesEnd == true)
        // What comes now is about the first one; then the second one is taken up.
        silent.connectionFailed(refused, at: Self.second(2))
        silent.completed(.create, attempt: 2, .success, at: Self.second(2))
        #expect(Self.words(&silent) == [])
        #expect(silent.owesEnd == false)
    }

    @Test func `blocked: it is asked for again when the one before has ended`() {
        var failed = Self.blocked()
        failed.connectionFailed(refused, at: Self.second(3))
        #expect(Self.words(&failed) == ["create 2"])
        var opened = Self.blocked()
        opened.connectionOpened(one, at: Self.second(3))
        #expect(Self.words(&opened) == ["create 2"])
        var same = Self.blocked()
        same.connectionOpened(two, at: Self.second(3))
        #expect(Self.words(&same) == [])
        #expect(same.isBusy == false)
        var cancelled = Self.blocked()
        cancelled.cancel(two, at: Self.second(3))
        #expect(Self.words(&cancelled) == ["failed 2 closedByUs"])
        var late = Self.blocked()
        late.deadlineReached(at: Self.second(12))
        #expect(Self.words(&late) == ["failed 2 connectTimeout"])
    }

    @Test func `a device that has opened a link itself is not connected again`() {
        var opened = Self.initiating()
        opened.peerConnected(two, identity: two, at: .zero)
        #expect(Self.words(&opened) == [])
        opened.peerConnected(two, identity: one, at: .zero)
        #expect(Self.words(&opened) == ["cancel 1"])
        opened.connectionFailed(.unknownConnectionIdentifier, at: .zero)
        #expect(Self.words(&opened) == ["failed 1 controller 11", "create 2"])
        // Of several devices another one may still be heard.
        var either = Initiator()
        either.connect([one, two], ConnectParameters(), at: .zero)
        _ = Self.words(&either)
        either.peerConnected(one, identity: one, at: .zero)
        #expect(Self.words(&either) == [])
        var idle = Initiator()
        idle.peerConnected(one, identity: one, at: .zero)
        #expect(Self.words(&idle) == [])
    }

    @Test func `all are given up, or lost`() {
        var initiator = Self.initiating()
        initiator.cancelAll(at: .zero)
        #expect(Self.words(&initiator) == ["failed 2 closedByUs", "cancel 1"])
        var lost = Self.initiating()
        #expect(lost.removeAll() == [one, two])
        #expect(lost.isBusy == false && lost.nextDeadline == nil)
    }
}

@Suite struct LinkLifeTests {
    private static let timing = ConnectionParameters(
        interval: ConnectionInterval(rawValue: 24), latency: 0,
        supervisionTimeout: SupervisionTimeout(rawValue: 500))
    private static let flushed = HostInstant.zero.advanced(byMilliseconds: 300)
    private static let over = HostInstant.zero.advanced(bySeconds: 7)

    @Test func `open: disconnected at once or after what waits, closed, ended by the peer`() {
        var life = LinkLife()
        #expect(life.isOpen && life.isSending && life.nextDeadline == nil)
        #expect(life.proceed(isFlushed: true, Self.timing, at: Self.over) == .none)
        #expect(life.disconnect(isFlushed: true, Self.timing, at: .zero) == .disconnect)
        #expect(!life.isOpen && !life.isSending && life.nextDeadline == Self.over)
        var waiting = LinkLife()
        #expect(waiting.disconnect(isFlushed: false, Self.timing, at: .zero) == .none)
        #expect(!waiting.isOpen && waiting.isSending && waiting.nextDeadline == Self.flushed)
        var closed = LinkLife()
        #expect(closed.close(because: .protocolFailure, Self.timing, at: .zero) == .disconnect)
        #expect(closed.end(.connectionTerminatedByLocalHost) == .protocolFailure)
        var ended = LinkLife()
        #expect(ended.end(.connectionTimeout) == .supervisionTimeout)
        #expect(ended.state == .ended && ended.nextDeadline == nil)
    }

    @Test func `flushing: all sent, too late, gone meanwhile; nothing else counts`() {
        for (isFlushed, now) in [(true, HostInstant.zero), (false, Self.flushed)] {
            var life = LinkLife()
            _ = life.disconnect(isFlushed: false, Self.timing, at: .zero)
            #expect(life.disconnect(isFlushed: true, Self.timing, at: .zero) == .none)
            #expect(life.close(because: .protocolFailure, Self.timing, at: .zero) == .none)
            #expect(life.proceed(isFlushed: false, Self.timing, at: .zero) == .none)
            #expect(life.proceed(isFlushed: isFlushed, Self.timing, at: now) == .disconnect)
            #expect(life.end(.connectionTerminatedByLocalHost) == .closedByUs)
        }
        var gone = LinkLife()
        _ = gone.disconnect(isFlushed: false, Self.timing, at: .zero)
        #expect(gone.end(.connectionTimeout) == .closedByUs)
    }

    @Test func `closing: over when the controller says so, or does not`() {
        var life = LinkLife()
        _ = life.close(because: .consumerTooSlow, Self.timing, at: .zero)
        #expect(life.disconnect(isFlushed: true, Self.timing, at: .zero) == .none)
        #expect(life.close(because: .protocolFailure, Self.timing, at: .zero) == .none)
        #expect(life.proceed(isFlushed: true, Self.timing, at: .zero) == .none)
        #expect(life.proceed(isFlushed: false, Self.timing, at: Self.over) == .end)
        #expect(life.end(.connectionTimeout) == .consumerTooSlow)
        #expect(life.close(because: .protocolFailure, Self.timing, at: .zero) == .none)
        #expect(life.proceed(isFlushed: true, Self.timing, at: Self.over) == .none)
    }

    @Test func `the end of time is a deadline, too`() {
        var life = LinkLife()
        let late = HostInstant(microseconds: .max - 1)
        _ = life.close(because: .closedByUs, Self.timing, at: late)
        #expect(life.nextDeadline == HostInstant(microseconds: .max))
    }
}
