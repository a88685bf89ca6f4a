// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEWire

/// How far one side is with encrypting its link.
///
/// ```
///   central     idle ──▶ (pausing ──▶) requesting ──▶ agreed ──▶ starting ──▶ idle, encrypted
///                 ▲                        │ rejected
///                 └────────────────────────┘
///   peripheral  idle ──▶ (paused ──▶) awaitingKey ──▶ offering ──▶ idle, encrypted
/// ```
///
/// What travels is not really enciphered: each packet goes with the session key that it would be sealed with, and a
/// receiver that has another one sees a wrong message integrity check.
///
/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.
struct LinkEncryption {
    enum State {
        case idle
        /// The central has asked to pause, and will ask for this key then.
        case pausing(Request)
        /// The central has asked for this key, with its half of the diversifier.
        case requesting(Request, half: UInt64)
        /// The central has both halves and waits for the start.
        case agreed(SessionKey)
        /// The central has said that it starts.
        case starting
        /// The peripheral has paused, and waits for the central's request.
        case paused
        /// The peripheral's host was asked for the key.
        case awaitingKey(halves: (central: UInt64, peripheral: UInt64))
        /// The peripheral has offered to start.
        case offering(SessionKey)
    }

    /// The key that a host names, and how it names it to the other host.
    struct Request {
        let key: [UInt8]
        let random: UInt64
        let diversifier: UInt16
    }

    /// With what packets are sealed.
    struct SessionKey: Equatable {
        private let value: UInt128

        /// - Parameters:
        ///   - key: The long-term key, least significant octet first.
        ///   - central: The central's half of the diversifier, the less significant one.
        ///   - peripheral: The peripheral's half.
        init(key: [UInt8], central: UInt64, peripheral: UInt64) {
            value = AES128(key: key.reversed()).encrypt(UInt128(peripheral) &<< 64 | UInt128(central))
        }
    }

    /// How long a link layer waits for the other one, in seconds.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 5.2.
    static let responseSeconds: UInt64 = 40

    var state = State.idle
    /// What is sent is sealed with this; `nil` is in the clear.
    var sends: SessionKey?
    /// What comes must be sealed with this.
    var receives: SessionKey?
    /// Changes with each procedure.
    var ticket: UInt64 = 0

    var isIdle: Bool { if case .idle = state { true } else { false } }
    var isOn: Bool { sends != nil && receives != nil }
    /// Whether the procedure that is under way gives an encrypted link another key.
    var isRefresh = false
}

extension LinkControl {
    /// Whether it may go while encryption begins or pauses, when all else waits.
    var goesWhileEncrypting: Bool {
        switch self {
        case .terminate, .encryptionRequest, .encryptionResponse, .encryptionReject, .startEncryptionRequest,
            .startEncryptionResponse, .pauseEncryptionRequest, .pauseEncryptionResponse:
            true
        default: false
        }
    }
}

extension VirtualAir {
    /// Takes a control packet of the encryption procedures.
    func receiveEncryption(_ control: LinkControl, from sender: LinkSide, to side: LinkSide) {
        switch (control, side.encryption.state) {
        case (.encryptionRequest(let random, let diversifier, let half), .idle),
            (.encryptionRequest(let random, let diversifier, let half), .paused):
            askForKey(side, random, diversifier, half)
        case (.encryptionResponse(let other), .requesting(let request, let half)):
            side.encryption.state = .agreed(
                LinkEncryption.SessionKey(key: request.key, central: half, peripheral: other))
        case (.startEncryptionRequest, .agreed(let key)):
            if case .offering(let offered) = sender.encryption.state { sender.encryption.receives = offered }
            (side.encryption.sends, side.encryption.receives) = (key, key)
            side.encryption.state = .starting
            side.answer(.startEncryptionResponse)
        case (.startEncryptionResponse, .offering(let key)):
            side.encryption.sends = key
            side.answer(.startEncryptionResponse)
            encrypted(side)
        case (.startEncryptionResponse, .starting): encrypted(side)
        case (.encryptionReject(let status), .requesting), (.encryptionReject(let status), .agreed):
            side.encryption.state = .idle
            side.encryption.ticket += 1
            send(
                .encryptionChange(.init(status: status, handle: side.handle, encryption: 0)),
                to: side.controller)
        case (.pauseEncryptionRequest, .idle):
            side.encryption.state = .paused
            side.encryption.isRefresh = true
            side.answer(.pauseEncryptionResponse)
        case (.pauseEncryptionResponse, .pausing(let request)):
            (side.encryption.sends, side.encryption.receives) = (nil, nil)
            sender.encryption.receives = nil
            side.answer(.pauseEncryptionResponse)
            self.request(request, on: side)
        case (.pauseEncryptionResponse, .paused): side.encryption.sends = nil
        default: break
        }
    }

    /// Asks the peripheral for a key.
    func request(_ request: LinkEncryption.Request, on side: LinkSide) {
        let half = randomness.next()
        side.encryption.state = .requesting(request, half: half)
        side.answer(.encryptionRequest(request.random, request.diversifier, half: half))
        wake(side.link)
    }

    private func askForKey(_ side: LinkSide, _ random: UInt64, _ diversifier: UInt16, _ central: UInt64) {
        let peripheral = randomness.next()
        side.encryption.state = .awaitingKey(halves: (central, peripheral))
        side.answer(.encryptionResponse(peripheral))
        let event = HCI.Event.longTermKeyRequest(
            .init(handle: side.handle, random: random, diversifier: diversifier))
        guard side.controller.wants(event) else { return refuseKey(side) }
        send(event, to: side.controller)
    }

    /// There is no key: a link that was encrypted ends then.
    func refuseKey(_ side: LinkSide) {
        side.encryption.state = .idle
        guard side.encryption.isRefresh else {
            side.answer(.encryptionReject(.pinOrKeyMissing))
            return wake(side.link)
        }
        side.answer(.terminate(.pinOrKeyMissing))
        side.isTerminating = true
        wake(side.link)
    }

    /// Begins to count how long the other side takes.
    func startEncryptionTimer(_ side: LinkSide) {
        side.encryption.ticket += 1
        schedule.add(
            .encryption(side, ticket: side.encryption.ticket),
            at: now.advanced(bySeconds: LinkEncryption.responseSeconds))
    }

    private func encrypted(_ side: LinkSide) {
        let wasOn = side.encryption.isRefresh
        side.encryption.state = .idle
        side.encryption.isRefresh = false
        side.encryption.ticket += 1
        let event: HCI.Event =
            wasOn
            ? .encryptionKeyRefreshComplete(.init(status: .success, handle: side.handle))
            : .encryptionChange(.init(status: .success, handle: side.handle, encryption: 1))
        send(event, to: side.controller)
    }
}
