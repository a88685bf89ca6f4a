// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLESimulation
import BLEVirtualRadio

// What must hold, whatever happens.
extension SoakWorld {
    /// Looks at how an operation has ended.
    func judge(_ operation: Operation, _ error: BluetoothError?) {
        let isTroubled = operation.troubles != nodes[operation.node].troubles || nodes[operation.node].isMuted
        func object(_ kind: String) {
            let text =
                "\(operation.name) of step \(operation.step) at \(operation.node): \(error.map { "\($0)" } ?? "")"
            fail(kind, text)
        }
        if error != nil, operation.name == "start", !nodes[operation.node].isClosed {
            nodes[operation.node].hasFailedToStart = true
        }
        if let error, operation.mustSucceed {
            return object("what must succeed fails: \(operation.name): \(error)")
        }
        switch error {
        case .cancelled? where operation.cancelled == nil && !isTroubled && !hasOffRadio(operation.node):
            object("\(operation.name) counts as cancelled, though nobody did that")
        case .badResponse?: object("\(operation.name) got a bad response")
        case .disconnected(.protocolFailure)? where !hasSlowServer:
            object("a link was closed for a bad protocol")
        case .channel(.protocolViolation(let why))?: object("a channel was closed: \(why)")
        // Legacy controllers have one modulation and know no command for it.
        case .unsupported(.phy)? where Self.isLegacy(operation.node): break
        case .unsupported?: object("\(operation.name) is unsupported")
        case .radioUnavailable? where !isTroubled && nodes[operation.node].troubles == 0:
            object("a radio has failed by itself")
        default: break
        }
    }

    private func hasOffRadio(_ node: Int) -> Bool { nodes[node].troubles > 0 }

    /// What must hold at any moment.
    func checkAlways() {
        let now = loop.now.microseconds
        for operation in operations {
            guard let cancelled = operation.cancelled, now > cancelled.microseconds + 8_000_000 else {
                continue
            }
            fail("\(operation.name) goes on though it was cancelled", "of step \(operation.step)")
        }
    }

    /// Makes everything as it should be: nobody is far away, nothing is lost, nobody holds what is not taken out.
    func heal() {
        begin("heal", at: 0) { [air] _ in
            await air.withAir { air in
                air.loss = 0
                for id in air.census.controllers.values.sorted() { air.move(id, to: .init()) }
            }
        }
        for radio in nodes.indices {
            nodes[radio].isAbsent = false
            if nodes[radio].hasFailedToStart { start(radio) }
            if nodes[radio].isMuted { nodes[radio].transport?.close() }
        }
        endLasting()
    }

    /// Nobody takes anything out of streams any more, or holds them.
    func endLasting() {
        held = []
        for index in operations.indices where operations[index].isLasting { cancel(index) }
    }

    var unfinished: String {
        operations.map { "\($0.name) of step \($0.step) at \($0.node)" }.joined(separator: ", ")
    }

    /// What must hold when nobody waits for anything.
    func checkQuiet() {
        if let operation = operations.first { fail("\(operation.name) does not end", unfinished) }
        for (radio, node) in nodes.enumerated() {
            let census = node.host.assumeIsolated { $0.census }
            if census.waitingTasks != 0 { fail("somebody waits for nothing", "\(radio): \(census)") }
            if census.sendLines != 0 { fail("something waits for room", "\(radio): \(census)") }
            if census.connectAttempts != 0 { fail("an attempt is forgotten", "\(radio): \(census)") }
            if census.scans != 0 { fail("a scan goes on for nobody", "\(radio): \(census)") }
            if census.stack.frames != 0 || census.stack.inController != 0 {
                fail("frames are not sent", "\(radio): \(census)")
            }
            if census.stack.procedures != 0 { fail("a procedure does not end", "\(radio): \(census)") }
            // What a server's consumer has left waits as long as the server does.
            if census.stack.unconsumed != 0, node.server == nil {
                fail("events count as unconsumed for ever", "\(radio): \(census)")
            }
            if census.stack.hasCommands { fail("a command is not answered", "\(radio): \(census)") }
            if !node.isClosed, node.host.assumeIsolated({ $0.ownAddress }) == nil {
                fail("a radio does not come back", "\(radio)")
            }
        }
        checkLinks()
    }

    /// Links as the air, the hosts and their applications know them.
    private func checkLinks() {
        let census = air.assumeIsolated { $0.withAir { $0.census } }
        let sides = census.sides.map { side in
            Side(Self.radio(side.own), side.peer, isCentral: side.isCentral)
        }
        var known: [Side: Int] = [:]
        for side in sides { known[side, default: 0] += 1 }
        for (radio, node) in nodes.enumerated() {
            let host = node.host.assumeIsolated { $0.census }
            for peer in host.peripherals { known[Side(radio, peer, isCentral: true), default: 0] -= 1 }
            for peer in host.centrals { known[Side(radio, peer, isCentral: false), default: 0] -= 1 }
            if host.stack.links != host.peripherals.count + host.centrals.count {
                fail("the stack has other links than its driver", "\(radio): \(host)")
            }
            let open = links.filter { $0.node == radio && !$0.connection.isDisconnected }
            if open.count != host.peripherals.count {
                fail("a link belongs to nobody", "\(radio): \(open.count) known, \(host)")
            }
            if let server = node.server, !node.isClosed, !host.centrals.isEmpty {
                let clients = server.clients.filter { client in
                    host.centrals.contains { Peer($0) == client.peer }
                }
                if clients.count != host.centrals.count {
                    fail("a client is not known to its server", "\(radio): \(server.clients), \(host)")
                }
            }
        }
        for (side, count) in known where count != 0 {
            fail(
                count > 0 ? "the air has a link without a host" : "a host has a link without the air",
                "\(side.own) and \(side.peer)")
        }
        for side in sides where !sides.contains(where: { $0.own == side.peer && $0.peer == side.own }) {
            fail("a link has one side only", "\(side.own) of \(side.peer)")
        }
        if census.pending != 0 { fail("packets wait for hosts", "\(census.pending)") }
        if census.events > 4096 { fail("the air's schedule grows", "\(census.events)") }
    }

    /// Closes all links, servers and listeners.
    func endEverything() {
        for link in links where !link.connection.isDisconnected {
            begin("disconnect", at: link.node) { _ in await link.connection.disconnect() }
        }
        for radio in nodes.indices {
            if let listener = nodes[radio].listener {
                begin("stop listening", at: radio) { _ in await listener.stop() }
            }
            stopServing(radio)
            nodes[radio].server = nil
            nodes[radio].listener = nil
            nodes[radio].extraService = nil
        }
    }

    /// Forgets links and channels, which are closed.
    func letGo() {
        hasSlowServer = false
        links = []
        channels = []
    }

    /// What must hold when everything was closed and nobody holds any of it.
    func checkEmpty() {
        checkQuiet()
        for (radio, node) in nodes.enumerated() {
            let census = node.host.assumeIsolated { $0.census }
            if census != HostRadio.Census() { fail("something is left", "\(radio): \(census)") }
        }
        let census = air.assumeIsolated { $0.withAir { $0.census } }
        if !census.sides.isEmpty { fail("links are left on the air", "\(census.sides)") }
        let open = nodes.count { !$0.isClosed }
        if census.controllers.count != open {
            fail("controllers are left on the air", "\(census.controllers.count) for \(open) radios")
        }
        watched.removeAll { $0.object == nil }
        let alive = watched.filter { watched in !nodes.contains { $0.host === watched.object } }
        if let first = alive.first {
            fail("objects live on", "\(alive.count), the first is \(first.name)")
        }
    }
}

/// A link as one side knows it, by the numbers of the radios.
private struct Side: Hashable {
    let own: Int
    let peer: Int
    let isCentral: Bool

    init(_ own: Int, _ peer: BluetoothAddress, isCentral: Bool) {
        (self.own, self.peer, self.isCentral) = (own, SoakWorld.radio(peer), isCentral)
    }
}
