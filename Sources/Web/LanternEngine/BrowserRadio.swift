// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion

/// The Bluetooth of a browser: what sessions ask for goes out as JSON to the page that has it, and what comes of it back in.
///
/// Out go ``nextOutput()``s, in come `BrowserMessage`s; `Site/bluetooth.js` is the page's end.
///
/// ```
/// {"radio":"look"}    {"radio":"retry"}
/// {"radio":"connect","link":3,"device":"4d1f…"}      {"radio":"disconnect","link":3}
/// {"radio":"discover","link":3,"id":7}               {"radio":"read","link":3,"id":8,"handle":12}
/// {"radio":"write","link":3,"id":9,"handle":12,"value":"0102"}
/// {"radio":"command","link":3,"id":9,"handle":12,"value":"0102"}
/// {"radio":"subscribe","link":3,"id":10,"handle":12,"on":true}
/// ```
///
/// Browsers let a page see no devices but those that a person has chosen, name no MTU, and do one operation at a time: each
/// link has a queue. Handles are the page's own numbers. An operation that is not answered ends the link.
final class BrowserRadio: SessionRadio {
    /// How long an operation may take, in seconds: as long as a transaction of ATT.
    static let operationSeconds: UInt64 = 30
    /// How long finding out what a device has may take, in seconds.
    static let discoverySeconds: UInt64 = 60
    /// When an operation is tried again that another page was in the way of, in milliseconds, and how often.
    static let busyMilliseconds: UInt64 = 100, busyAttempts = 30

    var heard: (AdvertisementReport, HostInstant) -> Void = { _, _ in }
    var seen: (Peer) -> SeenDevice? = { _ in nil }
    /// Is told which devices a person has chosen before.
    var permitted: (Peer) -> Void = { _ in }
    /// Is told that all of them are known.
    var allPermitted: () -> Void = {}
    /// Is told which device a person has chosen now.
    var chosen: (Peer) -> Void = { _ in }
    /// Is told which devices a person has taken the permission back for.
    var withdrawn: (Peer) -> Void = { _ in }
    /// Whether the browser's radio can be used; `nil` until it has said so.
    private(set) var state: RadioState?
    /// Whether this browser lets no page use Bluetooth.
    private(set) var isUnsupported = false
    var isReady: Bool { state == .ready }

    private var peers: Set<Peer> = []
    private var sessions: [BrowserLink] = []
    private var outputs = FIFO<[UInt8]>()
    private var lastLink = 0
    private var lastOperation = 0

    /// Has the page look once more whether its Bluetooth can be used.
    func lookAgain() { put("retry") { _ in } }

    /// The next thing for the page's Bluetooth.
    func nextOutput() -> [UInt8]? { outputs.popFirst() }

    /// Whether this page may use a device without asking for it again.
    func mayUse(_ peer: Peer) -> Bool { peers.contains(peer) }

    // MARK: What any radio has

    var linkCount: Int { sessions.count { !$0.isIdle } }

    var nextDeadline: HostInstant? {
        var earliest: HostInstant?
        for session in sessions {
            earliest = .earliest(earliest, session.run.nextDeadline)
            earliest = .earliest(earliest, session.current?.until)
        }
        return earliest
    }

    func run(_ session: any RunningSession, at now: HostInstant) {
        sessions.append(BrowserLink(session))
        if let state { session.receive(.radio(state), at: now) }
        turn(at: now)
    }

    func advance(to now: HostInstant) {
        for session in sessions {
            if let current = session.current, current.until <= now { overdue(current, session, at: now) }
            session.run.deadlineReached(at: now)
        }
        turn(at: now)
    }

    func turn(at now: HostInstant) {
        var isMoving = true
        while isMoving {
            isMoving = false
            for session in sessions {
                while let action = session.run.nextAction(at: now) {
                    isMoving = true
                    perform(action, session, at: now)
                }
                begin(session, at: now)
            }
        }
        sessions.removeAll { $0.run.isFinished && $0.isIdle }
    }

    // MARK: What sessions ask for

    private func perform(_ action: ClientAction, _ session: BrowserLink, at now: HostInstant) {
        switch action {
        case .startScan:
            session.isScanning = true
            put("look") { _ in }
        case .stopScan: session.isScanning = false
        case .connect(let peer):
            guard peers.contains(peer), isReady else {
                return session.run.receive(.connectFailed(peer, .radioLost), at: now)
            }
            lastLink += 1
            session.link = .connecting(lastLink, peer)
            put("connect", link: lastLink) { $0.field("device", peer.plain) }
        case .disconnect:
            guard let link = session.number else { return }
            put("disconnect", link: link) { _ in }
            // A browser closes a link at once, whether it tells or not.
            session.close(.closedByUs, at: now)
        case .discover:
            guard session.isOpen else { return session.run.receive(.discoveryFailed(.disconnected), at: now) }
            session.waiting.append(BrowserOrder(.discovery))
        case .request(let id, let request): add(request, id, session, at: now)
        }
    }

    private func add(_ request: ClientRequest, _ id: UInt32, _ session: BrowserLink, at now: HostInstant) {
        var request = request
        switch request {
        case .read: break
        case .write(let handle, let value):
            if value.count > BrowserMessage.longestValue {
                return session.complete(id, .failure(.tooLong), at: now)
            }
            // Browsers keep this descriptor to themselves; there is another way to say the same.
            if let (characteristic, subscription) = session.subscription(handle, value) {
                request = .subscribe(characteristic, subscription)
            }
        case .writeWithoutResponse(_, let value):
            if value.count > BrowserMessage.longestValue {
                return session.complete(id, .failure(.tooLong), at: now)
            }
        case .subscribe(let characteristic, let subscription):
            guard characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { break }
            // What cannot be switched on is off.
            return session.complete(id, subscription.isEmpty ? .success([]) : .failure(.unsupported), at: now)
        }
        guard session.isOpen else { return session.complete(id, .failure(.disconnected), at: now) }
        session.waiting.append(BrowserOrder(.request(id, request)))
    }

    /// Begins the next operation of a link, if none is under way.
    private func begin(_ session: BrowserLink, at now: HostInstant) {
        guard session.current == nil, case .open(let link, _) = session.link,
            let order = session.waiting.popFirst()
        else { return }
        begin(order, link, session, at: now)
    }

    private func begin(_ order: BrowserOrder, _ link: Int, _ session: BrowserLink, at now: HostInstant) {
        lastOperation += 1
        let id = lastOperation
        var seconds = Self.operationSeconds
        switch order.work {
        case .discovery:
            seconds = Self.discoverySeconds
            put("discover", link: link, id: id) { _ in }
        case .request(_, .read(let handle)):
            put("read", link: link, id: id) { $0.field("handle", handle.rawValue) }
        case .request(_, .write(let handle, let value)):
            put("write", link: link, id: id) { json in
                json.field("handle", handle.rawValue)
                json.key("value")
                json.value(octets: value)
            }
        case .request(_, .writeWithoutResponse(let handle, let value)):
            put("command", link: link, id: id) { json in
                json.field("handle", handle.rawValue)
                json.key("value")
                json.value(octets: value)
            }
        case .request(_, .subscribe(let characteristic, let subscription)):
            put("subscribe", link: link, id: id) { json in
                json.field("handle", characteristic.valueHandle.rawValue)
                json.field("on", !subscription.isEmpty)
            }
        }
        session.current = BrowserOperation(id: id, order: order, until: now.advanced(bySeconds: seconds))
    }

    /// Handles that an operation has to be begun again, or that it has taken too long.
    private func overdue(_ operation: BrowserOperation, _ session: BrowserLink, at now: HostInstant) {
        guard case .open(let link, _) = session.link else { return session.current = nil }
        if operation.isPaused { return begin(operation.order, link, session, at: now) }
        session.current = nil
        session.complete(operation.order.work, .failure(.timeout), at: now)
        put("disconnect", link: link) { _ in }
        session.close(.protocolFailure, at: now)
    }

    private func put(
        _ word: StaticString, link: Int? = nil, id: Int? = nil, _ body: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter()
        json.object { json in
            json.key("radio")
            json.value(word)
            if let link { json.field("link", link) }
            if let id { json.field("id", id) }
            body(&json)
        }
        outputs.append(json.octets)
    }

    // MARK: What happens

    /// Takes what the page tells of its Bluetooth.
    func receive(_ message: BrowserMessage, at now: HostInstant) {
        switch message {
        case .state(let state): change(state, at: now)
        case .unsupported:
            isUnsupported = true
            change(.off, at: now)
        case .permitted(let all):
            let known = peers
            for peer in known where !all.contains(peer) { withdraw(peer, at: now) }
            peers = Set(all)
            for peer in all where !known.contains(peer) { permitted(peer) }
            allPermitted()
        case .chosen(let device):
            peers.insert(device.peer)
            heard(device.report, now)
            chosen(device.peer)
            offer(device.peer, device, at: now)
        case .heard(let device):
            guard peers.contains(device.peer) else { break }
            heard(device.report, now)
            offer(device.peer, device, at: now)
        case .present(let peer): if peers.contains(peer) { offer(peer, nil, at: now) }
        case .withdrawn(let peer): withdraw(peer, at: now)
        case .connected(let link):
            guard let session = session(link), case .connecting(_, let peer) = session.link else {
                // Nobody wants it any more.
                put("disconnect", link: link) { _ in }
                break
            }
            session.link = .open(link, peer)
            session.run.receive(.connected(peer, mtu: ATT.defaultMTU), at: now)
        case .failed(let link, let fault):
            guard let session = session(link), case .connecting(_, let peer) = session.link else { break }
            session.close(fault == .gone ? .connectTimeout : .radioLost, at: now)
            if fault == .withdrawn { withdraw(peer, at: now) }
        case .lost(let link): session(link)?.close(.closedByPeer, at: now)
        case .found(let link, let services):
            guard let session = session(link), let operation = session.current,
                case .discovery = operation.order.work
            else { break }
            session.current = nil
            session.services = services
            session.run.receive(.discovered(services), at: now)
        case .done(let link, let id, let result):
            guard let session = session(link), let operation = session.current, operation.id == id else {
                break
            }
            finish(operation, result, link, session, at: now)
        case .value(let link, let handle, let octets):
            guard let session = session(link) else { break }
            let isNotified = session.characteristic(handle)?.properties.contains(.notify) ?? true
            session.run.receive(.value(handle, octets, isNotified ? .notify : .indicate), at: now)
        }
        turn(at: now)
    }

    /// Takes a report of a radio that hears all: the page may use every device that it hears.
    func hear(_ report: AdvertisementReport, at now: HostInstant) {
        peers.insert(report.peer)
        heard(report, now)
        offer(report.peer, nil, at: now)
        turn(at: now)
    }

    private func change(_ state: RadioState, at now: HostInstant) {
        guard state != self.state else { return }
        self.state = state
        for session in sessions {
            if state != .ready { session.close(.radioLost, at: now) }
            session.run.receive(.radio(state), at: now)
        }
    }

    /// Shows a device to the sessions that look for one.
    private func offer(_ peer: Peer, _ device: BrowserAdvertisement?, at now: HostInstant) {
        let known = seen(peer)?.advertised
        let advertisement = ClientAdvertisement(
            peer: peer, name: (device?.name ?? known?.name).flatMap { WireText(name: Array($0.utf8)) },
            services: known?.services ?? device?.services ?? [], rssi: device?.rssi)
        for session in sessions where session.isScanning {
            session.run.receive(.advertisement(advertisement), at: now)
        }
    }

    private func withdraw(_ peer: Peer, at now: HostInstant) {
        guard peers.remove(peer) != nil else { return }
        for session in sessions where session.peer == peer {
            if let link = session.number { put("disconnect", link: link) { _ in } }
            session.close(.radioLost, at: now)
        }
        withdrawn(peer)
    }

    private func finish(
        _ operation: BrowserOperation, _ result: Result<[UInt8], BrowserError>, _ link: Int,
        _ session: BrowserLink,
        at now: HostInstant
    ) {
        var order = operation.order
        switch result {
        case .failure(.busy) where order.attempts < Self.busyAttempts:
            order.attempts += 1
            // Another page is using the device at this moment.
            session.current = BrowserOperation(
                id: operation.id, order: order, until: now.advanced(byMilliseconds: Self.busyMilliseconds),
                isPaused: true)
            return
        case .failure(.withdrawn):
            if let peer = session.peer { withdraw(peer, at: now) }
            return
        case .failure(.gone):
            put("disconnect", link: link) { _ in }
            return session.close(.closedByPeer, at: now)
        case .failure(let fault):
            session.current = nil
            session.complete(order.work, .failure(fault.failure), at: now)
            guard fault == .changed else { return }
            let all = ATT.HandleRange(start: 0x0001, end: 0xFFFF)
            session.run.receive(.servicesChanged(all), at: now)
        case .success(let octets):
            session.current = nil
            // Services come by another way: an answer without any is no answer.
            session.complete(order.work, .success(octets), at: now)
        }
    }

    private func session(_ link: Int) -> BrowserLink? { sessions.first { $0.number == link } }
}
