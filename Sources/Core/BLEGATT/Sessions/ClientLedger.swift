// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEWire

/// What a ``ClientCore`` does whatever its requests and events are: the link, the order of the requests, which have
/// numbers here, the name, the MTU.
///
/// A generic is built once for each client, this once.
struct ClientLedger: ~Copyable, Sendable {
    /// What the core has to deal with: its steps, and what the session's user has to do.
    enum Item: Sendable {
        case action(ClientAction)
        case report(DeviceLink.Report)
        case discovered([GATT.Service])
        case fits([GATT.Characteristic])
        case mtu(Int)
        case named
        case value(AttributeHandle, [UInt8])
        case completed(UInt32, Result<[UInt8], GATTRequestError>)
        case lost([UInt32])
        case finished(DeviceLink.Reason?)
    }

    static var maximumRequests: Int { 128 }
    static var requestSeconds: UInt64 { 40 }
    static var nameSeconds: UInt64 { 10 }
    /// «Device Name» of the Generic Access service.
    private static var deviceName: BluetoothUUID { BluetoothUUID(0x2A00) }

    /// A request that waits or is under way.
    private struct Entry {
        /// Its number; `nil` when it reads the name.
        let number: UInt32?
        /// What is asked for; `nil` for a name that is not asked for.
        let action: ClientRequest?
    }

    private enum Waiting {
        case link(DeviceLink.Output)
        case item(Item)
    }

    private var link: DeviceLink
    private var items = FIFO<Waiting>()
    private var waiting: [Entry] = []
    private var current: (id: UInt32, number: UInt32?, until: HostInstant)?
    private var lastID: UInt32 = 0
    private var nameHandle: AttributeHandle?
    /// Whether a device may be asked for its name: not once one that was being set up did not answer that.
    private var asksName = true

    private(set) var name: WireText?
    private(set) var mtu = ATT.defaultMTU
    /// Whether a value has come before anything was asked for: a bonded device keeps what was subscribed to.
    private(set) var hasEarlyValue = false

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    init(_ configuration: DeviceLink.Configuration) { link = DeviceLink(configuration) }

    var state: DeviceLink.State { link.state }
    var peer: Peer? { link.peer }
    var advertisedName: WireText? { link.advertisedName }
    var isOver: Bool { link.isOver }
    var isIdle: Bool { link.hasFitted && waiting.isEmpty && current == nil }
    /// The number of the request that is under way.
    var underWay: UInt32? { current?.number }

    var nextDeadline: HostInstant? { .earliest(link.nextDeadline, current?.until) }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    func isWaiting(_ number: UInt32) -> Bool {
        for entry in waiting where entry.number == number { return true }
        return false
    }

    // MARK: Inputs

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func receive(_ input: ClientInput, at now: HostInstant) {
        switch input {
        case .value(let handle, let octets, _):
            if link.hasFitted {
                items.append(.item(.value(handle, octets)))
            } else {
                hasEarlyValue = true
            }
        case .completed(let id, let result, let failure):
            // Where the server has refused to go on, most often the value has ended there.
            completed(id, failure.map { $0.mayEndValue ? result : .failure($0) } ?? result)
        case .mtuChanged(let mtu):
            self.mtu = mtu
            if link.peer != nil { items.append(.item(.mtu(mtu))) }
        case .connected(_, let mtu):
            let isAwaited = link.state == .connecting
            link.receive(input, at: now)
            collect()
            guard isAwaited else { return }
            hasEarlyValue = false
            self.mtu = mtu
            items.append(.item(.mtu(mtu)))
        case .discovered(let services, _):
            if link.state == .discovering {
                name = nil
                nameHandle = Self.nameHandle(in: services)
                items.append(.item(.discovered(services)))
            }
            link.receive(input, at: now)
            collect()
        case .disconnected:
            goOnWithoutName()
            link.receive(input, at: now)
            collect()
        default:
            link.receive(input, at: now)
            collect()
        }
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func deadlineReached(at now: HostInstant) {
        if let current, current.until <= now {
            goOnWithoutName()
            link.fail(.timeout, at: now)
        }
        link.deadlineReached(at: now)
        collect()
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func ready(at now: HostInstant) {
        link.ready(at: now)
        collect()
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func fail(_ failure: GATTRequestError, at now: HostInstant) {
        link.fail(failure, at: now)
        collect()
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func reject(missing: [BluetoothUUID], at now: HostInstant) {
        link.reject(missing: missing, at: now)
        collect()
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func close(at now: HostInstant) {
        link.close(at: now)
        collect()
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func request(_ number: UInt32, _ action: ClientRequest, first isFirst: Bool) {
        if !link.hasFitted {
            items.append(.item(.completed(number, .failure(.disconnected))))
        } else if waiting.count >= Self.maximumRequests {
            items.append(.item(.completed(number, .failure(.queueFull))))
        } else {
            waiting.insert(Entry(number: number, action: action), at: isFirst ? 0 : waiting.count)
        }
    }

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func readName() {
        if !asksName { name = advertisedName }
        if link.hasFitted {
            // In its turn all the same: what was asked for before comes before it.
            waiting.append(Entry(number: nil, action: asksName ? nameHandle.map { .read($0) } : nil))
        } else {
            items.append(.item(.named))
        }
    }

    // MARK: Outputs

    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    mutating func nextItem(at now: HostInstant) -> Item? {
        if let item = items.popFirst() {
            switch item {
            case .item(let item): return item
            case .link(.action(let action)): return .action(action)
            case .link(.report(let report)): return .report(report)
            case .link(.fits(let found)): return .fits(found)
            case .link(.lost): return .lost(removeAllNumbers())
            case .link(.finished(let reason)): return .finished(reason)
            }
        }
        // Only now, so that the session can put something before what waits.
        guard current == nil, link.hasFitted, !waiting.isEmpty else { return nil }
        let entry = waiting.removeFirst()
        guard let action = entry.action else { return .named }
        lastID &+= 1
        let seconds = entry.number == nil && link.state != .connected ? Self.nameSeconds : Self.requestSeconds
        current = (lastID, entry.number, now.advanced(bySeconds: seconds))
        return .action(.request(id: lastID, action))
    }

    // MARK: Private

    private mutating func collect() {
        while let output = link.nextOutput() { items.append(.link(output)) }
    }

    /// Has a device that is being set up and does not answer for its name, or ends the link for that, set up again
    /// without: what it is wanted for does not need the name.
    private mutating func goOnWithoutName() {
        guard let current, current.number == nil, link.hasFitted, link.state != .connected else { return }
        asksName = false
        link.comesBack = true
    }

    private mutating func completed(_ id: UInt32, _ result: Result<[UInt8], GATTRequestError>) {
        guard let current, current.id == id else { return }
        // The loss of the link follows, and ends it; if it should not, the request's time does.
        if case .failure(.disconnected) = result { return }
        self.current = nil
        if let number = current.number {
            items.append(.item(.completed(number, result)))
        } else {
            if case .success(let octets) = result { name = WireText(name: octets) }
            items.append(.item(.named))
        }
    }

    /// Takes out what has not ended, oldest first.
    private mutating func removeAllNumbers() -> [UInt32] {
        var numbers: [UInt32] = []
        if let number = current?.number { numbers.append(number) }
        for entry in waiting { if let number = entry.number { numbers.append(number) } }
        current = nil
        waiting = []
        return numbers
    }

    private static func nameHandle(in services: [GATT.Service]) -> AttributeHandle? {
        for service in services {
            for characteristic in service.characteristics where characteristic.uuid == deviceName {
                return characteristic.valueHandle
            }
        }
        return nil
    }
}
