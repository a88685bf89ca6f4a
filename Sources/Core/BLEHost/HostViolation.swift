// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// Something that the controller or a peer may not do, and how far that reaches.
enum HostViolation {
    /// An event that cannot be decoded.
    case malformedEvent
    /// Data of a link that is not known, or goes.
    case strayData
    /// Octets that are no frame, or a frame that nobody takes.
    case brokenFrame
    /// An answer to a command about a link that makes no sense.
    case badAnswer
    /// A bearer that its own end gives up: answers that do not come, or that nobody can tell apart any more.
    case brokenBearer
    /// A peer that asks on and on and reads no answers.
    case readsNoAnswers
    /// Octets that are not H4.
    case lostSync
    /// A command that was not answered, or not taken, in time.
    case silence
    /// A controller that says that it has failed.
    case hardwareError(UInt8)

    /// How far a violation reaches.
    enum Reach {
        /// It is counted and ignored.
        case ignore
        /// What was asked for fails.
        case failRequest
        /// The link ends.
        case closeBearer(LinkError)
        /// The host goes off.
        case stopHost(HostError)
    }

    var reach: Reach {
        switch self {
        case .malformedEvent, .strayData, .brokenFrame: .ignore
        case .badAnswer: .failRequest
        case .brokenBearer, .readsNoAnswers: .closeBearer(.protocolFailure)
        case .lostSync: .stopHost(.lostSync)
        case .silence: .stopHost(.controllerSilent)
        case .hardwareError(let code): .stopHost(.hardwareError(code))
        }
    }
}

extension HostStack {
    /// Does what a violation demands.
    mutating func respond(to violation: HostViolation, on link: Link? = nil, at now: HostInstant) {
        switch violation.reach {
        case .ignore: count(violation)
        case .failRequest: if let link { end(link, .failure(.badAnswer), at: now) }
        case .closeBearer(let failure): if let link { close(link, because: failure, at: now) }
        case .stopHost(let failure): fail(failure, at: now)
        }
    }

    private mutating func count(_ violation: HostViolation) {
        switch violation {
        case .malformedEvent: counters.malformedEvents += 1
        case .strayData: counters.strayACL += 1
        case .brokenFrame: counters.l2capFaults += 1
        case .badAnswer, .brokenBearer, .readsNoAnswers, .lostSync, .silence, .hardwareError: break
        }
    }
}
