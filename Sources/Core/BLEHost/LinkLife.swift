// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

/// Whether a link is open, or how far its end has come.
///
/// ```
///          disconnect, something waits          all sent, 300 ms
///   open ──────────────────────────▶ flushing ──────────────────┐
///    │                                                          ▼
///    └──────────────────────────────────────────────────▶ closing
///          close, or disconnect with nothing waiting            │ reported, refused, too late
///                                                               ▼
///                                                             ended
/// ```
struct LinkLife {
    /// How long what waits may go out before the link is closed, in milliseconds.
    static let flushMilliseconds: UInt64 = 300
    /// How long the controller may take to report the end beyond the supervision timeout, in seconds.
    static let closeSeconds: UInt64 = 2

    enum State: Equatable {
        case open
        case flushing(until: HostInstant)
        /// The controller was told to end it; it counts as ended then, though the controller has not said so.
        case closing(because: LinkError, until: HostInstant)
        case ended
    }

    enum Action: Equatable {
        case none
        /// Tell the controller to end the link.
        case disconnect
        /// The link is gone.
        case end
    }

    private(set) var state = State.open

    var nextDeadline: HostInstant? {
        switch state {
        case .open, .ended: nil
        case .flushing(let until), .closing(_, let until): until
        }
    }

    /// Whether the application can use the link.
    var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// Whether data may still be sent.
    var isSending: Bool {
        switch state {
        case .open, .flushing: true
        case .closing, .ended: false
        }
    }

    /// The application wants the link to end, once what waits has gone out.
    mutating func disconnect(
        isFlushed: Bool, _ timing: ConnectionParameters, at now: HostInstant
    ) -> Action {
        guard case .open = state else { return .none }
        if isFlushed { return close(because: .closedByUs, timing, at: now) }
        state = .flushing(until: now.advanced(byMilliseconds: Self.flushMilliseconds))
        return .none
    }

    /// The link must end at once.
    mutating func close(
        because: LinkError, _ timing: ConnectionParameters, at now: HostInstant
    ) -> Action {
        guard case .open = state else { return .none }
        return leave(because, timing, at: now)
    }

    /// Something has gone out, or time has passed.
    mutating func proceed(isFlushed: Bool, _ timing: ConnectionParameters, at now: HostInstant) -> Action {
        switch state {
        case .open, .ended: return .none
        case .flushing(let until):
            return isFlushed || until <= now ? leave(.closedByUs, timing, at: now) : .none
        case .closing(_, let until): return until <= now ? .end : .none
        }
    }

    /// The link is gone.
    ///
    /// - Parameter reason: What the controller says; `nil` when it has said nothing.
    /// - Returns: Why it is gone: what this side wanted counts first.
    mutating func end(_ reason: HCI.Status) -> LinkError {
        defer { state = .ended }
        switch state {
        case .flushing: return .closedByUs
        case .closing(let because, _): return because
        case .open, .ended: return LinkError(reason)
        }
    }

    private mutating func leave(
        _ because: LinkError, _ timing: ConnectionParameters, at now: HostInstant
    ) -> Action {
        let silence = now.advanced(byMicroseconds: timing.supervisionTimeout.microseconds)
        state = .closing(because: because, until: silence.advanced(bySeconds: Self.closeSeconds))
        return .disconnect
    }
}

extension LinkError {
    /// Why a link that this side has not closed is gone.
    init(_ reason: HCI.Status) {
        self =
            switch reason {
            case .connectionTerminatedByLocalHost: .closedByUs
            case .connectionTimeout: .supervisionTimeout
            case .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
                .remoteDeviceTerminatedPowerOff:
                .closedByPeer
            case .authenticationFailure, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
                .unacceptableConnectionParameters:
                .closedByPeerBecause(status: reason.rawValue)
            default: .controller(status: reason.rawValue)
            }
    }
}
