// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionText

/// A link to one device of whatever kind: it connects, finds what there is, and does what it is asked for, one after the
/// other.
final class ExplorerRun: RunningSession {
    /// How long a link is waited for, in seconds.
    private static let patience: UInt64 = 15
    /// How long an answer is waited for; then the link is closed.
    private static let answerPatience: UInt64 = 30

    /// What happens.
    enum Event {
        case connected(mtu: Int)
        case mtu(Int)
        case discovered(Result<[GATT.Service], RequestFailure>)
        case value(AttributeHandle, [UInt8], GATT.ValueKind)
        case servicesChanged(first: AttributeHandle, last: AttributeHandle)
        /// The link is gone; why, in a sentence.
        case ended(String)
    }

    private enum Phase {
        case waiting, connecting, open, leaving, over
    }

    private typealias Done = (Result<[UInt8], RequestFailure>) -> Void

    private let peer: Peer
    private let handler: (Event) -> Void
    private var phase = Phase.waiting
    private var actions = FIFO<ClientAction>()
    private var requests = FIFO<(ClientRequest, Done)>()
    private var current: (id: UInt32, done: Done)?
    private var lastID: UInt32 = 0
    private var isDiscovering = false
    private(set) var nextDeadline: HostInstant?
    private var trouble: String?

    init(_ peer: Peer, _ handler: @escaping (Event) -> Void) {
        self.peer = peer
        self.handler = handler
    }

    var isFinished: Bool { phase == .over }

    func receive(_ input: ClientInput, at now: HostInstant) {
        switch input {
        case .radio(.ready):
            guard phase == .waiting else { return }
            phase = .connecting
            nextDeadline = now.advanced(bySeconds: Self.patience)
            actions.append(.connect(peer))
        case .radio: end(JobText.linkLost)
        case .connected(_, let mtu):
            guard phase == .connecting else { return actions.append(.disconnect) }
            (phase, nextDeadline) = (.open, nil)
            handler(.connected(mtu: mtu))
        case .connectFailed(_, let failure):
            end(trouble ?? JobText.failed(.connectFailed(failure)))
        case .mtuChanged(let mtu): handler(.mtu(mtu))
        case .discovered(let services):
            isDiscovering = false
            handler(.discovered(.success(services)))
        case .discoveryFailed(let failure):
            isDiscovering = false
            handler(.discovered(.failure(failure)))
        case .servicesChanged(let range): handler(.servicesChanged(first: range.start, last: range.end))
        case .value(let handle, let octets, let kind): handler(.value(handle, octets, kind))
        case .completed(let id, let result):
            guard let request = current, request.id == id else { return }
            (current, nextDeadline) = (nil, nil)
            request.done(result)
            next(at: now)
        case .disconnected(let failure): end(trouble ?? JobText.failed(.lost(failure)))
        case .advertisement: break
        }
    }

    func deadlineReached(at now: HostInstant) {
        guard let due = nextDeadline, due <= now else { return }
        nextDeadline = nil
        if phase == .connecting {
            trouble =
                "The device did not answer within \(Self.patience) seconds. Check that it is near, switched on and not connected to something else."
        } else if phase == .open {
            trouble = "The device did not answer what it was asked. Connect to it again."
        }
        close()
    }

    func nextAction(at now: HostInstant) -> ClientAction? { actions.popFirst() }

    // MARK: What it is asked for

    /// Finds everything that the device has.
    func discover() {
        guard phase == .open, !isDiscovering else { return }
        isDiscovering = true
        actions.append(.discover)
    }

    /// Asks for something, when what was asked before is answered.
    func ask(
        _ request: ClientRequest, at now: HostInstant,
        _ done: @escaping (Result<[UInt8], RequestFailure>) -> Void
    ) {
        guard phase == .open else { return done(.failure(.disconnected)) }
        requests.append((request, done))
        next(at: now)
    }

    private func next(at now: HostInstant) {
        guard current == nil, phase == .open, let (request, done) = requests.popFirst() else { return }
        lastID += 1
        current = (lastID, done)
        nextDeadline = now.advanced(bySeconds: Self.answerPatience)
        actions.append(.request(id: lastID, request))
    }

    /// Closes the link.
    func close() {
        switch phase {
        case .waiting: end(JobText.linkLost)
        case .connecting, .open:
            phase = .leaving
            actions.append(.disconnect)
        case .leaving, .over: break
        }
    }

    private func end(_ sentence: String) {
        guard phase != .over else { return }
        (phase, nextDeadline) = (.over, nil)
        let (request, waiting) = (current, requests)
        (current, requests) = (nil, FIFO())
        request?.done(.failure(.disconnected))
        var rest = waiting
        while let (_, done) = rest.popFirst() { done(.failure(.disconnected)) }
        handler(.ended(sentence))
    }
}
