// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

/// Something that a session wants of its device, and how often that was tried.
struct BrowserOrder {
    enum Work {
        case discovery
        case request(UInt32, ClientRequest)
    }

    let work: Work
    var attempts = 0

    init(_ work: Work) { self.work = work }
}

/// An order that is being carried out.
struct BrowserOperation {
    /// The number under which it is answered.
    let id: Int
    let order: BrowserOrder
    /// When it has taken too long; when it is begun again, while it is paused.
    let until: HostInstant
    var isPaused = false
}

/// A session on a ``BrowserRadio``, with its link.
final class BrowserLink {
    enum Link {
        case none
        case connecting(Int, Peer)
        case open(Int, Peer)
    }

    let run: any RunningSession
    var link = Link.none
    var isScanning = false
    var waiting = FIFO<BrowserOrder>()
    var current: BrowserOperation?
    /// What the device has, once that is known.
    var services: [GATT.Service] = []

    init(_ run: any RunningSession) { self.run = run }

    var isIdle: Bool { number == nil }
    var isOpen: Bool { if case .open = link { true } else { false } }

    /// The number of its link.
    var number: Int? {
        switch link {
        case .none: nil
        case .connecting(let number, _), .open(let number, _): number
        }
    }

    var peer: Peer? {
        switch link {
        case .none: nil
        case .connecting(_, let peer), .open(_, let peer): peer
        }
    }

    func characteristic(_ value: AttributeHandle) -> GATT.Characteristic? {
        for service in services {
            for characteristic in service.characteristics where characteristic.valueHandle == value {
                return characteristic
            }
        }
        return nil
    }

    /// What a write switches on or off, if it is one of a client characteristic configuration.
    func subscription(
        _ handle: AttributeHandle, _ value: [UInt8]
    ) -> (GATT.Characteristic, GATT.Subscription)? {
        guard value.count == 2 else { return nil }
        for service in services {
            for characteristic in service.characteristics
            where characteristic.clientConfigurationHandle == handle {
                return (characteristic, GATT.Subscription(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8))
            }
        }
        return nil
    }

    /// Tells the session what came of an order.
    func complete(_ work: BrowserOrder.Work, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant)
    {
        switch (work, result) {
        case (.request(let id, _), _): complete(id, result, at: now)
        case (.discovery, .failure(let failure)): run.receive(.discoveryFailed(failure), at: now)
        case (.discovery, .success): run.receive(.discoveryFailed(.badResponse), at: now)
        }
    }

    func complete(_ id: UInt32, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant) {
        run.receive(.completed(id: id, result), at: now)
    }

    /// Tells the session that its link is gone, after what was under way.
    func close(_ failure: LinkError, at now: HostInstant) {
        let old = link
        var orders: [BrowserOrder] = []
        if let current { orders.append(current.order) }
        while let order = waiting.popFirst() { orders.append(order) }
        (link, current, services) = (.none, nil, [])
        for order in orders {
            if case .request(let id, _) = order.work { complete(id, .failure(.disconnected), at: now) }
        }
        switch old {
        case .none: break
        case .connecting(_, let peer): run.receive(.connectFailed(peer, failure), at: now)
        case .open: run.receive(.disconnected(failure), at: now)
        }
    }
}
