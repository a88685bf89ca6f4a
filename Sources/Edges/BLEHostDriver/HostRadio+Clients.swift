// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLEWire
import BluetoothLE

// What clients of our server do, and what they are sent.
extension HostRadio {
    private var server: HostServer? {
        if case .on(let server) = serving { server } else { nil }
    }

    /// A central has opened a link.
    func clientConnected(_ link: LinkID) {
        if server != nil { announce(link) } else { stack.disconnect(link, at: loop.now) }
        guard bondStore != nil, canPair else { return }
        // The client needs some connection events before it asks for a key.
        Task(executorPreference: loop) { [weak self] in await self?.refreshBonds() }
    }

    func clientChanged(_ link: LinkID, _ mtu: Int) {
        if links[link]?.isClient == true { report(link) { .mtuChanged($0, mtu: mtu) } }
    }

    func clientLeft(_ link: HostLink, _ failure: LinkError) {
        guard let server else { return }
        server.state.left(link.client)
        server.state.source.yield(.disconnected(link.client, reason: failure), &wakeUps)
    }

    /// Reports to the server's consumer that a link is there.
    private func announce(_ link: LinkID) {
        guard let server, let entry = links[link], !entry.isClient else { return }
        links[link]?.isClient = true
        server.state.joined(entry.client)
        server.state.source.yield(.connected(entry.client), &wakeUps)
        if let mtu = stack.mtu(of: link), mtu != ATT.defaultMTU {
            server.state.source.yield(.mtuChanged(entry.client, mtu: mtu), &wakeUps)
        }
    }

    /// Reports to the server's consumer what a client does; a link that this side has opened becomes one by that.
    ///
    /// - Returns: Whether there is a consumer.
    @discardableResult
    func report(_ link: LinkID, _ event: (Server.Client) -> ServerEvent) -> Bool {
        announce(link)
        guard let server, let client = links[link]?.client else { return false }
        return server.state.source.yield(event(client), &wakeUps)
    }

    func subscribed(_ link: LinkID, _ handle: AttributeHandle, _ subscription: GATT.Subscription) {
        links[link]?.subscriptions[handle] = subscription.isEmpty ? nil : subscription
        if subscription.isEmpty {
            links[link]?.updates[handle] = nil
            guard !isOfTheStack(handle) else { return }
            report(link) { .unsubscribed($0, from: handle) }
        } else if !isOfTheStack(handle) {
            report(link) { .subscribed($0, to: handle, subscription) }
        }
    }

    /// Whether a value that clients subscribe to is kept by the stack, beside the services of the application.
    private func isOfTheStack(_ handle: AttributeHandle) -> Bool {
        guard case .services = server?.description.attributes else { return false }
        return stack.database.valueHandle(of: GATT.CharacteristicType.serviceChanged) == handle
    }

    func readRequested(_ link: LinkID, _ handle: AttributeHandle) {
        let number = nextRequest()
        links[link]?.request = number
        let offset = stack.wantedOffset(on: link)
        let isReported = report(link) { [uuid = uuid(of: handle)] client in
            .readRequest(
                ReadRequest(client: client, uuid: uuid, handle: handle, offset: offset, number: number))
        }
        if !isReported { refuseRequest(of: link) }
    }

    func writeRequested(_ link: LinkID, _ handle: AttributeHandle, _ value: [UInt8], _ isAnswered: Bool) {
        let number = nextRequest()
        if isAnswered { links[link]?.request = number }
        let following = isAnswered ? stack.followingWrites(on: link) : []
        let isReported = report(link) { [uuid = uuid(of: handle)] client in
            .writeRequest(
                WriteRequest(
                    client: client, uuid: uuid, handle: handle, value: value, expectsResponse: isAnswered,
                    following: following, number: number))
        }
        guard !isReported else { return }
        stack.consumed(1, on: link, at: loop.now)
        if isAnswered { refuseRequest(of: link) }
    }

    func stored(_ link: LinkID, _ handle: AttributeHandle, _ value: [UInt8]) {
        if !report(link, { .valueWritten(value, to: handle, by: $0) }) {
            stack.consumed(1, on: link, at: loop.now)
        }
    }

    /// What a value is that the stack has: it delegates no others.
    private func uuid(of handle: AttributeHandle) -> BluetoothUUID {
        stack.database.attribute(handle)?.type ?? BluetoothUUID(0)
    }

    private func nextRequest() -> UInt64 {
        lastNumber += 1
        return UInt64(lastNumber)
    }

    private func refuseRequest(of link: LinkID) {
        links[link]?.request = nil
        stack.answer(.failure(.unlikelyError), on: link, at: loop.now)
    }

    /// Nobody consumes events any more: what waits for an answer is refused.
    func abandoned(_ consumed: ConsumedEvents) {
        guard server?.isOf(consumed) == true else { return }
        for link in links.keys.sorted() where links[link]?.request != nil { refuseRequest(of: link) }
        drain()
    }

    /// Events of the server's stream were consumed: reports to the stack of which links.
    func eventsConsumed(_ consumed: ConsumedEvents) {
        for (link, count) in consumed.removeAll().sorted(by: { $0.key < $1.key }) {
            stack.consumed(count, on: link, at: loop.now)
        }
        drain()
    }

    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, to number: UInt64, on link: LinkID) {
        // An answer that comes twice, or after the server's end, must not be taken for one to the next request.
        guard links[link]?.request == number else { return }
        links[link]?.request = nil
        stack.answer(result, on: link, at: loop.now)
        drain()
    }

    // MARK: What clients are sent

    func update(_ value: [UInt8], of handle: AttributeHandle, for server: HostServer) throws(BluetoothError) {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        guard case .value(_, let source) = stack.database.attribute(handle)?.content else {
            throw .invalidArgument("There is no value with handle \(handle).")
        }
        if case .stored = source {
            do throws(ATT.ErrorCode) {
                try stack.store(value, at: handle)
            } catch {
                throw .invalidArgument("The value at \(handle) cannot be stored: \(error).")
            }
        }
        for link in links.keys.sorted() where links[link]?.subscriptions[handle] != nil {
            links[link]?.updates[handle] = value
            sendUpdates(link)
        }
        drain()
    }

    /// Sends the newest values that wait for room, after what others send.
    func sendUpdates(_ link: LinkID) {
        while sendLines[.link(link)] == nil, stack.hasRoom(link),
            let (handle, value) = links[link]?.updates.min(by: { $0.key < $1.key })
        {
            links[link]?.updates[handle] = nil
            guard let subscription = links[link]?.subscriptions[handle] else { continue }
            let kind: GATT.ValueKind = subscription.contains(.notify) ? .notify : .indicate
            _ = stack.send(value, of: handle, as: kind, on: link, at: loop.now)
        }
    }

    // MARK: Services

    func add(
        _ service: GATT.ServiceDefinition, to server: HostServer
    ) throws(BluetoothError) -> ATT.HandleRange {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        defer { drain() }
        guard let range = stack.add(service, at: loop.now) else {
            throw .invalidArgument("The service's handles are taken, or there are none left.")
        }
        return range
    }

    func removeService(at handle: AttributeHandle, of server: HostServer) throws(BluetoothError) {
        guard self.server === server else { throw .invalidArgument("The server was stopped.") }
        defer { drain() }
        guard stack.removeService(at: handle, at: loop.now) else {
            throw .invalidArgument("No service is declared there, or another one needs it.")
        }
    }

    func connection(of link: LinkID) -> HostConnection? { links[link]?.connection }
}

extension HostLink {
    /// Another server knows nothing of it.
    mutating func forgetServer() {
        isClient = false
        request = nil
        subscriptions = [:]
        updates = [:]
    }
}
