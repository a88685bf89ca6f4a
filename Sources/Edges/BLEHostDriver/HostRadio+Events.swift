// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
package import BLEHost
import BLETransport
import BLEWire
import BluetoothLE

extension HostRadio {
    /// Passes an event of the stack on to whoever waits for it.
    func handle(_ event: HostStack.Event) {
        switch event {
        case .ready(let information): isReady(information)
        case .failed(let failure): hasFailed(failure)
        case .stopped: stopped()
        case .scanFailed(let status): scanFailed(.refusedByRadio("scanning: \(status)"))
        case .advertisingStarted: advertisingChanged(nil)
        case .advertisingFailed(let status):
            advertisingChanged(.refusedByRadio("advertising: \(status)"))
        case .servingStopped: servingStopped()
        case .addressChanged: waiters.resume(.address, .success(.nothing))
        case .addressRefused(let status):
            waiters.resume(.address, .failure(.refusedByRadio("changing its address: \(status)")))
        case .connected(let link, let role, let address):
            links[link] = HostLink(HostConnection(self, link, Peer(address)), role)
            if role == .central { opened(link, address) } else { clientConnected(link) }
        case .connectFailed(let address, let failure): connectFailed(address, failure)
        case .disconnected(let link, let failure): linkEnded(link, failure)
        case .parametersChanged(let link, let parameters): changed(link, .parameters(parameters))
        case .phyChanged(let link, let tx, let rx):
            changed(link, .phy(LinkPHY(tx: PHY(tx), rx: PHY(rx))))
        case .dataLengthChanged(let link, let tx, let rx): changed(link, .dataLength(tx: tx, rx: rx))
        case .securityRequested(let link): changed(link, .securityRefused)
        case .security(let link, let event): handle(event, of: link)
        case .malformed(let link, let octets): changed(link, .malformedPDU(octets))
        case .mtuChanged(let link, let mtu):
            changed(link, .mtu(mtu))
            if let connection = links[link]?.connection { settled(link, .success(connection)) }
            clientChanged(link, mtu)
        case .procedureCompleted(let link, let id, let result): completed(link, id, result)
        case .completed(let link, let id, let result): completed(link, id, result)
        case .channelsChosen: break
        case .value, .advertisement: break  // Gathered.
        case .servicesChanged(let link, let range):
            links[link]?.connection.state.servicesChanged(range, &wakeUps)
        case .subscribed(let link, let handle, let subscription):
            subscribed(link, handle, subscription)
        case .readRequested(let link, let handle): readRequested(link, handle)
        case .writeRequested(let link, let handle, let value, let answered):
            writeRequested(link, handle, value, answered)
        case .stored(let link, let handle, let value): stored(link, handle, value)
        case .confirmed(let link, let handle):
            report(link) { .indicationConfirmed(of: handle, by: $0) }
        case .channel(let link, let token, let event): handle(event, of: ChannelKey(link: link, token: token))
        case .writable(let link):
            advance(.link(link))
            sendUpdates(link)
        }
    }

    private func changed(_ link: LinkID, _ change: LinkChange) {
        links[link]?.connection.state.apply(change, &wakeUps)
    }

    private func linkEnded(_ link: LinkID, _ failure: LinkError) {
        endQuestion(link)
        guard let ended = links.removeValue(forKey: link) else { return }
        gathered.connection = nil
        failWaiters(on: link, failure)
        settled(link, .failure(failure))
        ended.connection.state.end(failure)
        if ended.isClient { clientLeft(ended, failure) }
    }

    // MARK: Values and their consumption

    /// Takes in a value, to be given out with those that came with it.
    func received(_ value: ReceivedValue, on link: LinkID) {
        if gathered.characteristic != value.handle || gathered.connection?.link != link {
            flushValues()
            gathered.connection = links[link]?.connection
            gathered.characteristic = value.handle
        }
        gathered.values.append(value)
    }

    /// Gives out what came together: before anything else is handled, and at the end.
    ///
    /// - Returns: Whether there was anything; then the stack may want more.
    @discardableResult
    func flush() -> Bool {
        guard !gathered.isEmpty else { return false }
        flushValues()
        flushAdvertisements()
        return true
    }

    private func flushValues() {
        let count = gathered.values.count
        guard count > 0 else { return }
        if let connection = gathered.connection {
            if connection.state.deliver(&gathered.values, of: gathered.characteristic, &wakeUps) {
                connection.consumption.add(count)
            } else {
                stack.consumed(count, on: connection.link, at: loop.now)
            }
        }
        gathered.values.clear()
    }

    /// Values were consumed: reports to the stack how many.
    func valuesConsumed(_ link: LinkID, _ consumption: Consumption) {
        consumption.look()
        guard let connection = links[link]?.connection else { return }
        let consumed = consumption.waiting - connection.state.waitingValues
        guard consumed > 0 else { return }
        consumption.add(-consumed)
        stack.consumed(consumed, on: link, at: loop.now)
        drain()
    }
}

/// What has come one after the other and is given out together: each consumer is dealt with once for all of it.
struct DeliveryBatch {
    /// Values of one characteristic.
    var values = FIFO<ReceivedValue>()
    /// Where they came from.
    var connection: HostConnection?
    var characteristic = AttributeHandle(rawValue: 0)
    var advertisements = FIFO<Advertisement>()

    var isEmpty: Bool { values.isEmpty && advertisements.isEmpty }
}

/// A link, whoever has opened it.
struct HostLink {
    let connection: HostConnection
    let role: HCI.Role
    /// Whether the server's consumer knows of it.
    var isClient = false
    /// The request that waits for an answer.
    var request: UInt64?
    /// What it wants of our server.
    var subscriptions: [AttributeHandle: GATT.Subscription] = [:]
    /// Newest values for which there was no room.
    var updates: [AttributeHandle: [UInt8]] = [:]
    var pairing = LinkPairing()

    init(_ connection: HostConnection, _ role: HCI.Role) {
        self.connection = connection
        self.role = role
    }

    var client: Server.Client { Server.Client(peer: connection.peer, link: connection.link) }
}

extension HostError {
    /// What happened, in a few words.
    package var words: String {
        switch self {
        case .transportClosed: "the connection to it was lost"
        case .lostSync: "what it sends is not HCI"
        case .controllerSilent: "it does not answer"
        case .refused(let opcode, let status):
            "it refused command 0x\(String(opcode.rawValue, radix: 16)): \(status)"
        case .badAnswer(let opcode):
            "its answer to command 0x\(String(opcode.rawValue, radix: 16)) makes no sense"
        case .hardwareError(let code): "it reports hardware error 0x\([code].hexadecimal)"
        case .noLE: "it has no Bluetooth LE"
        }
    }
}
