// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private typealias F = LinkFixture

/// A radio that does what a link asks for, in random order and with random outcomes, and holds it to the
/// contract of `ClientSession`.
private final class RandomRadio {
    enum Linkage {
        case none
        case opening
        case open
        case closing
    }

    var link: DeviceLink
    var random: SplitMix64
    var now = HostInstant.zero
    var isReady = false
    var isScanning = false
    var linkage = Linkage.none
    var isDiscovering = false
    var fits = false
    var isFinished = false

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        link = DeviceLink(F.configuration(seed % 3 == 0 ? .address(0xA, nil) : .any, retries: seed % 5 != 0))
    }

    func drain() {
        var told: DeviceLink.State?
        while let output = link.nextOutput() {
            #expect(!isFinished, "nothing comes after the end")
            switch output {
            case .action(.startScan):
                #expect(!isScanning && linkage == .none)
                isScanning = true
            case .action(.stopScan):
                #expect(isScanning)
                isScanning = false
            case .action(.connect):
                #expect(!isScanning && linkage == .none)
                linkage = .opening
            case .action(.disconnect):
                #expect(linkage == .opening || linkage == .open)
                linkage = .closing
            case .action(.discover):
                #expect(linkage == .open && !isDiscovering)
                isDiscovering = true
            case .action(.request): Issue.record("a link makes no requests")
            case .fits(let found):
                #expect(linkage == .open && !fits && found == F.found)
                fits = true
            case .lost:
                #expect(fits)
                fits = false
            case .report(let report): told = report.state
            case .finished:
                #expect(!fits && !isScanning && linkage == .none)
                isFinished = true
            }
        }
        if let told { #expect(told == link.state) }
    }

    func take(_ input: ClientInput) {
        link.receive(input, at: now)
        drain()
    }

    func step() {
        switch random.below(12) {
        case 0...2:
            take(F.heard([F.a, F.b, F.c][random.below(3)], name: "lamp", offers: random.below(2) == 0))
        case 3...6: answer()
        case 7...8:
            if let deadline = link.nextDeadline {
                now = max(now, deadline)
                link.deadlineReached(at: now)
                drain()
                if let next = link.nextDeadline { #expect(next > now, "a deadline that was reached is gone") }
            }
        case 9: now = now.advanced(byMilliseconds: UInt64(random.below(20_000)))
        case 10:
            if random.below(8) > 0 { link.ready(at: now) } else { link.fail(.timeout, at: now) }
            drain()
        default: changeRadio()
        }
    }

    /// Lets happen what the radio owes the link.
    func answer() {
        switch linkage {
        case .none: take(.disconnected(.closedByPeer))
        case .opening:
            let succeeds = random.below(3) > 0
            linkage = succeeds ? .open : .none
            take(succeeds ? .connected(F.a, mtu: 23) : .connectFailed(F.a, .connectTimeout))
        case .open where isDiscovering && random.below(4) > 0:
            isDiscovering = false
            switch random.below(4) {
            case 0: take(.discoveryFailed(.timeout))
            case 1: take(.discovered([]))
            default: take(.discovered(F.fitting))
            }
        case .open, .closing:
            linkage = .none
            isDiscovering = false
            take(.disconnected(.supervisionTimeout))
        }
    }

    func changeRadio() {
        guard random.below(4) == 0 || !isReady else { return }
        isReady.toggle()
        guard !isReady else {
            take(.radio(.ready))
            return
        }
        // What was open is gone with the radio, and the link is told before or after.
        let hadLink = linkage != .none
        linkage = .none
        isDiscovering = false
        if hadLink, random.below(2) == 0 { take(.disconnected(.radioLost)) }
        take(.radio(random.below(2) == 0 ? .off : .unauthorized))
    }
}

@Suite struct DeviceLinkPropertyTests {
    @Test func keepsTheContractWhateverHappens() {
        var connected = 0
        for seed in 0..<400 as Range<UInt64> {
            let radio = RandomRadio(seed: seed)
            for _ in 0..<500 where !radio.isFinished {
                radio.step()
                if radio.link.state == .connected { connected += 1 }
            }
            radio.link.close(at: radio.now)
            radio.drain()
            if radio.linkage == .closing { radio.answer() }
            #expect(radio.isFinished)
            #expect(radio.link.nextDeadline == nil)
        }
        #expect(connected > 200, "the walks reach every state")
    }
}
