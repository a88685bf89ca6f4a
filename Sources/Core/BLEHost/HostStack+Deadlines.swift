// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEL2CAP
import BLESMP
public import BLEWire

extension HostStack {
    /// What has a deadline, beside the links.
    private enum Part {
        case commands, initiator, scanner, advertiser, pause

        static let all: [Part] = [.commands, .initiator, .scanner, .advertiser, .pause]
    }

    private func deadline(of part: Part) -> HostInstant? {
        switch part {
        case .commands: commands.nextDeadline
        case .initiator: initiator.nextDeadline
        case .scanner: scanner.nextDeadline
        case .advertiser: advertiser.nextDeadline
        case .pause: isReady ? pause.nextDeadline : nil
        }
    }

    private mutating func deadlineReached(of part: Part, at now: HostInstant) {
        switch part {
        case .commands: if commands.expire(at: now) != nil { respond(to: .silence, at: now) }
        case .initiator:
            initiator.deadlineReached(at: now)
            drainInitiator(at: now)
        case .scanner: while let advertisement = scanner.expire(at: now) { heard(advertisement) }
        case .advertiser:
            advertiser.deadlineReached(at: now)
            drainAdvertiser(at: now)
        case .pause:
            if let renewal = pause.renewal, renewal <= now { pause.wantsAddress = true }
            pauseAir(at: now)
        }
    }

    private mutating func deadlineReached(of part: Link.Part, _ link: Link, at now: HostInstant) {
        switch part {
        case .client:
            link.client.deadlineReached(at: now)
            drain(link, at: now)
        case .server:
            link.server.deadlineReached(at: now)
            drain(link, at: now)
        case .channels:
            link.channels.deadlineReached(at: now)
            drain(link, at: now)
        case .pairing:
            link.pairing?.deadlineReached(at: now)
            drainPairing(link, at: now)
        case .procedure: end(link, .failure(.timeout), at: now)
        case .life: proceed(link, at: now)
        }
    }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var earliest: HostInstant?
        for part in Part.all { earliest = HostInstant.earliest(earliest, deadline(of: part)) }
        for link in links { earliest = HostInstant.earliest(earliest, link.nextDeadline) }
        return earliest
    }

    /// Handles ``nextDeadline`` once it has come.
    ///
    /// - Parameter now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func deadlineReached(at now: HostInstant) {
        for part in Part.all {
            if let deadline = deadline(of: part), deadline <= now { deadlineReached(of: part, at: now) }
        }
        for link in links {
            for part in Link.Part.all {
                guard let deadline = link.deadline(of: part), deadline <= now else { continue }
                deadlineReached(of: part, link, at: now)
            }
        }
        settle(at: now)
    }
}
