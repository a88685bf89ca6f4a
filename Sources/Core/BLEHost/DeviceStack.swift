// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHCI
import BLEWire

/// The part of ``DeviceHost`` that is the same for every session, so that a chip or a page holds it once: the host
/// stack, and the values that wait for their links.
struct DeviceStack: ~Copyable {
    /// What has happened on the stack.
    enum Step {
        /// Octets for the controller.
        case send([UInt8])
        /// The controller is ready: what the session advertises can go on the air.
        case ready
        /// Advertising is on the air.
        case advertising
        case failed(HostError)
        case input(DeviceInput)
        case read(LinkID, AttributeHandle)
        /// The last is whether the client waits for an answer.
        case write(LinkID, AttributeHandle, [UInt8], Bool)
    }

    private struct Value {
        let handle: AttributeHandle
        let octets: [UInt8]
        let kind: GATT.ValueKind
    }

    /// Values that wait because their link has no room.
    private struct Waiting {
        let link: LinkID
        var values = FIFO<Value>()
        /// When the link has last taken one, or the first began to wait.
        var since: HostInstant

        var isFull: Bool { values.count >= DeviceStack.queueLimit }
        var deadline: HostInstant { since.advanced(bySeconds: DeviceStack.stallSeconds) }
    }

    static var queueLimit: Int { 64 }
    static var stallSeconds: UInt64 { 10 }

    private var stack: HostStack
    private var waiting: [Waiting] = []

    init(_ configuration: HostConfiguration) { stack = HostStack(configuration) }

    var database: GATT.Database { stack.database }
    var nextDeadline: HostInstant? { stack.nextDeadline }

    /// Whether a link is so far behind that the session must wait.
    var isHeldUp: Bool { waiting.contains { $0.isFull } }

    /// When the first of the links that hold the session up is given up.
    var stallDeadline: HostInstant? {
        var limit: HostInstant?
        for queue in waiting where queue.isFull { limit = HostInstant.earliest(limit, queue.deadline) }
        return limit
    }

    mutating func start(at now: HostInstant) { stack.start(at: now) }

    mutating func receive(_ octets: [UInt8], at now: HostInstant) { stack.receive(octets, at: now) }

    mutating func transportClosed(at now: HostInstant) { stack.transportClosed(at: now) }

    /// Does what is due, and gives up links that have taken nothing for too long.
    mutating func deadlineReached(at now: HostInstant) {
        if let deadline = stack.nextDeadline, deadline <= now { stack.deadlineReached(at: now) }
        for queue in waiting where queue.isFull && queue.deadline <= now {
            stack.disconnect(queue.link, at: now)
            waiting.removeAll { $0.link == queue.link }
        }
    }

    /// What has happened next; `nil` when nothing has.
    mutating func nextStep() -> Step? {
        while let output = stack.nextOutput() {
            switch output {
            case .send(let octets): return .send(octets)
            case .event(let event):
                if let step = step(of: event) { return step }
            }
        }
        return nil
    }

    private mutating func step(of event: HostStack.Event) -> Step? {
        switch event {
        case .ready: return .ready
        case .failed(let failure): return .failed(failure)
        case .advertisingStarted: return .advertising
        case .advertisingFailed(let status): return .failed(.refused(.leSetAdvertisingEnable, status))
        case .connected(let link, .peripheral, let peer): return .input(.connected(link, Peer(peer)))
        case .disconnected(let link, _):
            waiting.removeAll { $0.link == link }
            return .input(.disconnected(link))
        case .mtuChanged(let link, let mtu): return .input(.mtuChanged(link, mtu))
        case .subscribed(let link, let handle, let subscription):
            return .input(.subscribed(link, handle, subscription))
        case .readRequested(let link, let handle): return .read(link, handle)
        case .writeRequested(let link, let handle, let value, let answered):
            return .write(link, handle, value, answered)
        case .stopped, .connected, .connectFailed, .advertisement, .scanFailed, .completed, .value, .stored,
            .servicesChanged, .confirmed, .writable, .channel, .parametersChanged, .phyChanged,
            .dataLengthChanged, .procedureCompleted, .channelsChosen, .malformed, .securityRequested,
            .security, .servingStopped, .addressChanged, .addressRefused:
            return nil
        }
    }

    mutating func answer(_ result: Result<[UInt8], ATT.ErrorCode>, on link: LinkID, at now: HostInstant) {
        stack.answer(result, on: link, at: now)
    }

    /// Sends a value, or lets it wait for its link.
    mutating func send(
        _ octets: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, on link: LinkID,
        at now: HostInstant
    ) {
        let value = Value(handle: handle, octets: octets, kind: kind)
        if let index = waiting.firstIndex(where: { $0.link == link }) {
            waiting[index].values.append(value)
        } else if stack.hasRoom(link) {
            send(value, on: link, at: now)
        } else {
            waiting.append(Waiting(link: link, since: now))
            waiting[waiting.count - 1].values.append(value)
        }
    }

    /// Sends values that wait, as far as their links have room.
    ///
    /// - Returns: Whether there were any.
    mutating func sendWaiting(at now: HostInstant) -> Bool {
        var hasSent = false
        for index in waiting.indices {
            let link = waiting[index].link
            while stack.hasRoom(link), let value = waiting[index].values.popFirst() {
                send(value, on: link, at: now)
                waiting[index].since = now
                hasSent = true
            }
        }
        waiting.removeAll { $0.values.isEmpty }
        return hasSent
    }

    /// Sends a value; one that nobody wants any more is dropped.
    private mutating func send(_ value: Value, on link: LinkID, at now: HostInstant) {
        _ = stack.send(value.octets, of: value.handle, as: value.kind, on: link, at: now)
    }

    mutating func advertise(_ advertisement: DeviceAdvertisement, at now: HostInstant) {
        guard stack.isReady else { return }
        stack.startAdvertising(
            AdvertisingParameters(data: advertisement.data, scanResponse: advertisement.scanResponse), at: now
        )
    }
}
