// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLESimulation
import BLEWire
import Companion

/// The engine's own air: a world of simulated devices, and the host that hears them and runs client sessions.
///
/// What `ClientRunner` does with tasks on a radio it does in turns: each turn carries octets between air, host and
/// sessions until nothing moves.
final class SimulatedRadio: SessionRadio {
    var heard: (AdvertisementReport, HostInstant) -> Void = { _, _ in }
    var seen: (Peer) -> SeenDevice? = { _ in nil }
    private(set) var isReady = false

    private let world: SimulatedWorld
    private let controller: VirtualAir.ControllerID
    private var stack: HostStack
    private var sessions: [SimulatedLink] = []

    /// Puts devices and a host on an air.
    ///
    /// - Parameters:
    ///   - devices: The devices, not started.
    ///   - seed: What everything that is invented depends on.
    ///   - now: The moment.
    init(_ devices: [any SimulatedHost], seed: UInt64, at now: HostInstant) {
        var air = VirtualAir.Configuration(seed: seed)
        air.rssiJitter = 3
        world = SimulatedWorld(air)
        controller = world.addController(
            VirtualAir.ControllerConfiguration(address: BluetoothAddress(0x00AA_0000_0001, kind: .public)))
        stack = HostStack(HostConfiguration(name: "Lantern"))
        for device in devices { world.add(device, at: now) }
        stack.start(at: now)
        turn(at: now)
    }

    var nextDeadline: HostInstant? {
        var earliest = HostInstant.earliest(world.nextDeadline, stack.nextDeadline)
        for session in sessions { earliest = .earliest(earliest, session.run.nextDeadline) }
        return earliest
    }

    var linkCount: Int { sessions.count { !$0.isIdle } }

    func run(_ session: any RunningSession, at now: HostInstant) {
        sessions.append(SimulatedLink(session))
        if isReady { session.receive(.radio(.ready), at: now) }
        turn(at: now)
    }

    func advance(to now: HostInstant) {
        world.advance(to: now)
        if let due = stack.nextDeadline, due <= now { stack.deadlineReached(at: now) }
        for session in sessions { session.run.deadlineReached(at: now) }
        turn(at: now)
    }

    func turn(at now: HostInstant) {
        var isMoving = true
        while isMoving {
            isMoving = false
            while let output = world.nextOutput() {
                isMoving = true
                stack.receive(output.octets, at: now)
            }
            while let output = stack.nextOutput() {
                isMoving = true
                switch output {
                case .send(let octets): world.receive(octets, on: controller, at: now)
                case .event(let event): handle(event, at: now)
                }
            }
            for session in sessions {
                while let action = session.run.nextAction(at: now) {
                    isMoving = true
                    perform(action, session, at: now)
                }
            }
        }
        sessions.removeAll { $0.run.isFinished && $0.isIdle }
    }

    // MARK: What sessions ask for

    private func perform(_ action: ClientAction, _ session: SimulatedLink, at now: HostInstant) {
        switch action {
        case .startScan: session.isScanning = true
        case .stopScan: session.isScanning = false
        case .connect(let peer):
            guard let address = peer.address else {
                return session.run.receive(.connectFailed(peer, .radioLost), at: now)
            }
            session.link = .connecting(peer)
            stack.connect(
                to: address, ConnectParameters(timeoutMilliseconds: 30_000), at: now)
        case .disconnect:
            switch session.link {
            case .none: break
            case .connecting(let peer):
                if let address = peer.address { stack.cancelConnect(to: address, at: now) }
            case .opening(let link, _), .open(let link, _): stack.disconnect(link, at: now)
            }
        case .discover: ask(.findServices(known: nil), .discovery, session, at: now)
        case .request(let id, let request): ask(request, id, session, at: now)
        }
    }

    private func ask(_ request: ClientRequest, _ id: UInt32, _ session: SimulatedLink, at now: HostInstant) {
        switch request {
        case .read(let handle): ask(.read(handle), .request(id), session, at: now)
        case .write(let handle, let value): ask(.write(handle, value), .request(id), session, at: now)
        case .writeWithoutResponse(let handle, let value):
            if case .open(let link, _) = session.link, !stack.hasRoom(link) {
                session.waiting.append((id, handle, value))
            } else {
                ask(.writeWithoutResponse(handle, value), .request(id), session, at: now)
            }
        case .subscribe(let characteristic, let subscription):
            guard let handle = characteristic.clientConfigurationHandle else {
                // What cannot be switched is as it is; some devices send all the same.
                let isOffered = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
                let result: Result<[UInt8], GATTRequestError> =
                    subscription.isEmpty || isOffered ? .success([]) : .failure(.unsupported)
                return session.run.receive(.completed(id: id, result), at: now)
            }
            let value = [
                UInt8(truncatingIfNeeded: subscription.rawValue),
                UInt8(truncatingIfNeeded: subscription.rawValue >> 8),
            ]
            ask(.write(handle, value), .request(id), session, at: now)
        }
    }

    private func ask(
        _ operation: GATT.Operation, _ purpose: SimulatedLink.Purpose, _ session: SimulatedLink,
        at now: HostInstant
    ) {
        guard case .open(let link, _) = session.link, let id = stack.perform(operation, on: link, at: now)
        else {
            return session.complete(purpose, .failure(.disconnected), at: now)
        }
        session.underWay.append((id, purpose))
    }

    // MARK: What happens

    private func handle(_ event: HostStack.Event, at now: HostInstant) {
        switch event {
        case .ready:
            isReady = true
            stack.startScanning(ScanParameters(), at: now)
            for session in sessions { session.run.receive(.radio(.ready), at: now) }
        case .advertisement(let advertisement): hear(advertisement, at: now)
        case .connected(let link, .central, let address):
            guard let session = sessions.first(where: { $0.isConnecting(to: Peer(address)) }) else {
                return stack.disconnect(link, at: now)
            }
            session.link = .opening(link, Peer(address))
        case .connectFailed(let address, let failure):
            guard let session = sessions.first(where: { $0.isConnecting(to: Peer(address)) }) else { return }
            session.link = .none
            session.run.receive(.connectFailed(Peer(address), failure), at: now)
        case .mtuChanged(let link, let mtu):
            guard let session = session(link) else { return }
            if case .opening(_, let peer) = session.link {
                session.link = .open(link, peer)
                session.run.receive(.connected(peer, mtu: mtu), at: now)
            } else {
                session.run.receive(.mtuChanged(mtu), at: now)
            }
        case .disconnected(let link, let failure):
            guard let session = session(link) else { return }
            session.close(failure, at: now)
        case .completed(let link, let id, let result):
            guard let session = session(link), let index = session.underWay.firstIndex(where: { $0.id == id })
            else {
                return
            }
            session.complete(session.underWay.remove(at: index).purpose, result, at: now)
        case .value(let link, let handle, let octets, let kind):
            session(link)?.run.receive(.value(handle, octets, kind), at: now)
        case .servicesChanged(let link, let range):
            session(link)?.run.receive(.servicesChanged(range), at: now)
        case .writable(let link):
            guard let session = session(link) else { return }
            while stack.hasRoom(link), !session.waiting.isEmpty {
                let (id, handle, value) = session.waiting.removeFirst()
                ask(.writeWithoutResponse(handle, value), .request(id), session, at: now)
            }
        default: break
        }
    }

    private func hear(_ advertisement: ReceivedAdvertisement, at now: HostInstant) {
        let peer = Peer(advertisement.address)
        let isScanResponse = advertisement.eventType == .scanResponse
        let connectable: [HCI.AdvertisingReportType] = [.connectableUndirected, .connectableDirected]
        heard(
            AdvertisementReport(
                peer: peer, octets: advertisement.data, isScanResponse: isScanResponse,
                isConnectable: isScanResponse ? nil : connectable.contains(advertisement.eventType),
                rssi: advertisement.rssi, txPower: advertisement.txPower),
            now)
        guard sessions.contains(where: { $0.isScanning }), let seen = seen(peer) else { return }
        let found = ClientAdvertisement(
            peer: peer, name: seen.advertised.name.map { WireText($0) }, services: seen.advertised.services,
            rssi: advertisement.rssi, isConnectable: seen.isConnectable ?? true)
        for session in sessions where session.isScanning {
            session.run.receive(.advertisement(found), at: now)
        }
    }

    private func session(_ link: LinkID) -> SimulatedLink? { sessions.first { $0.has(link) } }
}

/// A session with its link.
private final class SimulatedLink {
    enum Link {
        case none
        case connecting(Peer)
        /// The two ends have yet to agree on an MTU.
        case opening(LinkID, Peer)
        case open(LinkID, Peer)
    }

    /// What an operation was asked for.
    enum Purpose {
        case discovery
        case request(UInt32)
    }

    let run: any RunningSession
    var link = Link.none
    var isScanning = false
    var underWay: [(id: GATT.OperationID, purpose: Purpose)] = []
    /// Writes for which the link has no room yet.
    var waiting: [(id: UInt32, handle: AttributeHandle, value: [UInt8])] = []

    init(_ run: any RunningSession) { self.run = run }

    var isIdle: Bool { if case .none = link { true } else { false } }

    func isConnecting(to peer: Peer) -> Bool {
        if case .connecting(peer) = link { true } else { false }
    }

    func has(_ id: LinkID) -> Bool {
        switch link {
        case .none, .connecting: false
        case .opening(let link, _), .open(let link, _): link == id
        }
    }

    /// Tells the session what came of an operation.
    func complete(_ purpose: Purpose, _ result: Result<GATT.Answer, GATTRequestError>, at now: HostInstant) {
        switch (purpose, result) {
        case (.discovery, .success(.found(let found))):
            run.receive(.discovered(found.services, faults: found.faults), at: now)
        case (.discovery, .failure(let failure)): run.receive(.discoveryFailed(failure), at: now)
        case (.discovery, .success): run.receive(.discoveryFailed(.badResponse), at: now)
        case (.request(let id), .success(.firstPart(let octets, let failure))):
            run.receive(.completed(id: id, .success(octets), cutShortBy: failure), at: now)
        case (.request(let id), .success(let answer)):
            run.receive(.completed(id: id, answer.readValue ?? .success([])), at: now)
        case (.request(let id), .failure(let failure)):
            run.receive(.completed(id: id, .failure(failure)), at: now)
        }
    }

    /// Tells the session that its link is gone, after what was under way.
    func close(_ failure: LinkError, at now: HostInstant) {
        let (old, unwritten) = (link, waiting)
        (link, waiting, underWay) = (.none, [], [])
        for write in unwritten {
            run.receive(.completed(id: write.id, .failure(.disconnected)), at: now)
        }
        switch old {
        case .none: break
        case .connecting(let peer), .opening(_, let peer):
            run.receive(.connectFailed(peer, failure), at: now)
        case .open: run.receive(.disconnected(failure), at: now)
        }
    }
}
