// SPDX-License-Identifier: Apache-2.0

package import BLEATT
public import BLEGATT
public import BLEWire
public import BluetoothLE
public import Companion

/// A link that stays open from one request to the next, with what was discovered.
public actor Explorer {
    /// A link and what was discovered over it.
    package struct Link {
        let connection: Connection
        /// What the device has, once that was asked; unknown again when it says that it has changed.
        package private(set) var found: GATT.FoundServices?
        /// The same by handle; what has not changed stays known.
        package private(set) var targets: [AttributeHandle: AttributeTarget] = [:]
        /// What is watched, in the order in which it was asked for.
        var watched: [GATT.Characteristic] = []
        /// Those who listen.
        let listeners: [Task<Void, Never>]

        package init(_ connection: Connection, listeners: [Task<Void, Never>]) {
            self.connection = connection
            self.listeners = listeners
        }

        /// Learns what the device has.
        package mutating func learn(_ found: GATT.FoundServices) {
            self.found = found
            learn(
                Dictionary(AttributeTarget.all(in: found.services).map { ($0.handle, $0) }) { first, _ in
                    first
                })
        }

        /// Learns what is at the device's handles.
        mutating func learn(_ targets: [AttributeHandle: AttributeTarget]) { self.targets = targets }

        /// Learns what the device itself says of an attribute.
        mutating func learn(_ attribute: AttributeJSON) {
            if let target = attribute.target { targets[attribute.handle] = target }
        }

        /// Forgets what is not what it was.
        package mutating func forget(_ range: ATT.HandleRange) {
            found = nil
            for handle in targets.keys where range.start <= handle && handle <= range.end {
                targets[handle] = nil
            }
        }
    }

    let radio: Radio
    let phys: Set<PHY>
    private let exchangesMTU: Bool
    let show: @Sendable (ExplorerStep) -> Void
    /// Who pairs; nobody where no person can be asked.
    let pairing: @Sendable (PairingOptions) async throws -> PairingAgent?
    let report: @Sendable (any Event) -> Void
    /// The device.
    public private(set) var device: DeviceAddress
    var link: Link?
    /// Whether a link was opened before; from then on it takes `connect` to open one.
    private var hasConnected = false
    /// The devices that scans and links have met.
    public private(set) var seen: Set<Peer> = []
    /// How many values have come since they were waited for.
    private var arrived = 0
    private var waiter: AsyncStream<Void>.Continuation?

    /// Makes an explorer without a link; the first request that needs one opens it.
    ///
    /// - Parameters:
    ///   - peer: The device.
    ///   - radio: The radio.
    ///   - phys: The PHYs to scan and to connect on.
    ///   - show: Called with what it is doing.
    ///   - report: Called for events that answer no request; the radio waits for it.
    public init(
        _ peer: Peer, on radio: Radio, phys: Set<PHY> = [.le1M, .leCoded],
        showing show: @escaping @Sendable (ExplorerStep) -> Void = { _ in },
        _ report: @escaping @Sendable (any Event) -> Void
    ) {
        self.init(DeviceAddress(peer), on: radio, phys: phys, showing: show, report)
    }

    /// Makes an explorer of a device that a person has named; it may have to look for it first.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - radio: The radio.
    ///   - phys: The PHYs to scan and to connect on.
    ///   - exchangesMTU: Whether the device is asked for its MTU.
    ///   - show: Called with what it is doing.
    ///   - pairing: Makes who pairs as a person wants; `nil` where nobody can be asked.
    ///   - report: Called for events that answer no request; the radio waits for it.
    public init(
        _ device: DeviceAddress, on radio: Radio, phys: Set<PHY>, exchangesMTU: Bool = true,
        showing show: @escaping @Sendable (ExplorerStep) -> Void,
        pairing: @escaping @Sendable (PairingOptions) async throws -> PairingAgent? = { _ in nil },
        _ report: @escaping @Sendable (any Event) -> Void
    ) {
        self.device = device
        self.radio = radio
        self.phys = phys
        self.exchangesMTU = exchangesMTU
        self.show = show
        self.pairing = pairing
        self.report = report
    }

    /// Whether there is a link.
    public var isConnected: Bool { link != nil }

    /// What the device has, as far as it is known.
    public var knownServices: [GATT.Service] { link?.found?.services ?? [] }

    // MARK: The link

    /// Opens a link, if there is none.
    ///
    /// - Parameter other: Another device, whose link takes the place of the one there is.
    /// - Returns: The link.
    /// - Throws: ``ExplorerError`` when the device is not there, ``BluetoothError``.
    func open(to other: DeviceAddress?) async throws -> Connection {
        if let other, link.map({ other.matches($0.connection.peer) }) != true {
            await close()
            device = other
        }
        if let link { return link.connection }
        let connection: Connection
        do {
            connection = try await radio.connect(
                to: device, phys: phys, exchangesMTU: exchangesMTU, showing: show)
        } catch let error as BluetoothError where exchangesMTU {
            guard let fault = await ExplorerError(opening: error, on: radio) else { throw error }
            throw fault
        }
        let (values, notes, changes) = (
            connection.allValues(), connection.changes(), connection.serviceChanges()
        )
        hasConnected = true
        saw(connection.peer)
        link = Link(
            connection,
            listeners: [
                Task {
                    do throws(BluetoothError) {
                        for try await value in values { received(value, from: connection.peer) }
                    } catch {
                        lost(connection, error)
                    }
                },
                Task {
                    for await range in changes { changed(range, over: connection) }
                },
                Task {
                    for await change in notes { noted(change, of: connection.peer) }
                },
            ])
        return connection
    }

    /// The link; the first time that it is needed it is opened.
    func connection() async throws -> Connection {
        if let link { return link.connection }
        guard !hasConnected else {
            throw ExplorerError.noLink(device)
        }
        return try await open(to: nil)
    }

    /// Closes the link, if there is one.
    public func close() async {
        guard let link else { return }
        self.link = nil
        await link.connection.disconnect()
        for listener in link.listeners { await listener.value }
    }

    /// What the device has; it is asked once.
    func services() async throws -> [GATT.Service] { try await found().services }

    /// What the device has, and what is wrong with that; it is asked once.
    func found() async throws -> GATT.FoundServices {
        let connection = try await connection()
        if let found = link?.found { return found }
        show(.exploring(device))
        let found = try await connection.findServicesFirst()
        learn(found, over: connection)
        return found
    }

    /// Remembers what a device has said that it has.
    func learn(_ found: GATT.FoundServices, over connection: Connection) {
        if link?.connection == connection { link?.learn(found) }
    }

    /// What an attribute is, with what the device itself says of it; that is remembered.
    func described(_ attribute: AttributeJSON, over connection: Connection) async -> AttributeJSON {
        let described = await connection.describe(attribute)
        if described != attribute, link?.connection == connection { link?.learn(described) }
        return described
    }

    /// Remembers a device for completion.
    func saw(_ peer: Peer) {
        if !peer.isAnonymous, seen.count < ScanResults.limit { seen.insert(peer) }
    }

    // MARK: What nobody asked for

    private func received(_ value: ReceivedValue, from peer: Peer) {
        arrived += 1
        let handle = value.handle
        report(ValueReceived(peer, AttributeJSON(handle, link?.targets[handle]), value.value, value.kind))
        waiter?.yield()
    }

    private func noted(_ change: LinkChange, of peer: Peer) {
        if let event = change.event(of: peer) { report(event) }
    }

    private func lost(_ connection: Connection, _ error: BluetoothError) {
        guard let link, link.connection == connection else { return }
        self.link = nil
        report(LinkDisconnected(connection.peer, reason: error.description))
        waiter?.finish()
    }

    private func changed(_ range: ATT.HandleRange, over connection: Connection) {
        guard link?.connection == connection else { return }
        link?.forget(range)
        report(ServicesChanged(connection.peer, from: range.start, to: range.end))
    }

    /// Waits.
    ///
    /// - Parameters:
    ///   - limit: How long at most.
    ///   - count: How many values end the wait; those that came since the last one count. `nil` for none.
    /// - Returns: How many values have come; without `count` meanwhile.
    /// - Throws: ``ExplorerError`` when too few have come.
    func wait(_ limit: Duration, for count: Int?) async throws -> Int {
        guard let count else {
            arrived = 0
            await Wait.for(limit, on: radio)
            defer { arrived = 0 }
            return arrived
        }
        let (arrivals, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waiter = continuation
        defer { waiter = nil }
        if arrived < count, link != nil {
            try await TimeLimit.run(limit, on: radio) {
                for await _ in arrivals where await self.arrived >= count { return }
            }
        }
        try Task.checkCancellation()
        let came = arrived
        guard came >= count else {
            arrived = 0
            throw ExplorerError.tooFewValues(came, of: count, within: Seconds(limit).text)
        }
        arrived -= count
        return count
    }
}
