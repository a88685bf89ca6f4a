// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLETransport
import BLEWire
import BluetoothLE

extension HostRadio {
    /// Passes an event of the stack on to whoever waits for it.
    func take(_ event: HostStack.Event) {
        switch event {
        case .ready(let information):
            resumeReady(.success(information))
            for stream in stateStreams.values { stream.yield(.ready) }
            scanning = nil
            adjustScan()
        case .failed(let failure):
            resumeReady(.failure(.radioUnavailable(failure.words)))
            advertisingWaiter?.resume(returning: .radioUnavailable(failure.words))
            advertisingWaiter = nil
            server?.end()
            server = nil
            for stream in stateStreams.values { stream.yield(.off) }
            stopped()
            if failure != .transportClosed, !isClosed { Task { await transport?.close() } }
        case .stopped: stopped()
        case .advertisement(let report): heard(report)
        case .scanFailed:
            for scan in scans.values { scan.stream.finish() }
            (scans, scanning) = ([:], nil)
        case .advertisingStarted:
            advertisingWaiter?.resume(returning: nil)
            advertisingWaiter = nil
        case .advertisingFailed(let status):
            advertisingWaiter?.resume(returning: .refusedByRadio("advertising, with status \(status.words)"))
            advertisingWaiter = nil
        case .connected(let link, .central, let address): opened(link, address)
        case .connected(let link, .peripheral, let address): tell(.connected(link, address), link)
        case .connectFailed(let address, let failure):
            guard let index = connecting.firstIndex(where: { $0.name == address }) else { return }
            connecting.remove(at: index).waiter.resume(returning: .failure(failure))
        case .disconnected(let link, let failure):
            for waiter in roomWaiters.removeValue(forKey: link) ?? [] { waiter.resume() }
            if let connection = connections.removeValue(forKey: link) {
                connection.end(failure)
            } else {
                tell(.disconnected(link, failure), link)
            }
            openGate()
        case .parametersChanged(let link, let parameters): changed(link, .parameters(parameters))
        case .phyChanged(let link, let tx, let rx):
            changed(link, .phy(LinkPHY(tx: PHY(tx), rx: PHY(rx))))
        case .dataLengthChanged(let link, let tx, let rx): changed(link, .dataLength(tx: tx, rx: rx))
        case .procedureCompleted(let link, let id, let result):
            procedures.removeValue(forKey: ProcedureKey(link: link, id: id))?.resume(returning: result)
        case .channelsChosen, .malformed, .securityRequested, .servingStopped: break
        case .mtuChanged(let link, let mtu):
            changed(link, .mtu(mtu))
            if connections[link] == nil { tell(.mtuChanged(link, mtu), link) }
        case .completed(let link, let id, let result):
            operations.removeValue(forKey: OperationKey(link: link, id: id))?.resume(returning: result)
        case .value(let link, let handle, let value, let kind):
            guard let connection = connections[link] else { return }
            let isKept = connection.deliver(
                ReceivedValue(handle: handle, value: value, kind: kind), &wakeUps)
            // Nobody takes values out while somebody awaits answers for ever: memory has a bound.
            if !isKept { stack.disconnect(link, at: clock.now) }
        case .servicesChanged(let link, let range): connections[link]?.servicesChanged(range)
        case .subscribed(let link, let handle, let subscription):
            tell(.subscribed(link, handle, subscription), link)
        case .readRequested(let link, let handle): tell(.read(link, handle), link)
        case .writeRequested(let link, let handle, let value, let answered):
            tell(.write(link, handle, value, answered: answered), link)
        case .stored(let link, let handle, let value): tell(.stored(link, handle, value), link)
        case .confirmed(let link, let handle): tell(.confirmed(link, handle), link)
        case .channel(let link, let token, let event): take(event, of: ChannelKey(link: link, token: token))
        case .writable(let link):
            for waiter in roomWaiters.removeValue(forKey: link) ?? [] { waiter.resume() }
        }
    }

    /// Tells whoever serves; a client that fills the stream while nobody takes events out has to go.
    private func tell(_ event: ServerEvent, _ link: LinkID) {
        if server?.tell(event, &wakeUps) == false { stack.disconnect(link, at: clock.now) }
    }

    private func resumeReady(_ result: Result<ControllerInformation, BluetoothError>) {
        for waiter in readyWaiters { waiter.resume(returning: result) }
        readyWaiters = []
    }

    private func heard(_ report: ReceivedAdvertisement) {
        let isConnectable: Bool? =
            switch report.eventType {
            case .connectableUndirected, .connectableDirected: true
            case .scanResponse: nil
            default: false
            }
        var advertisement = Advertisement(
            address: report.address, rssi: report.rssi, isConnectable: isConnectable,
            isScanResponse: report.eventType == .scanResponse, data: report.data)
        advertisement.isTruncated = report.isTruncated
        advertisement.isExtended = report.isExtended
        advertisement.txPower = report.txPower
        for scan in scans.values where scan.wants(report.address) {
            if case .droppedOldest = scan.stream.yield(advertisement, &wakeUps) { droppedAdvertisements += 1 }
        }
    }

    private func opened(_ link: LinkID, _ address: BluetoothAddress) {
        guard let index = connecting.firstIndex(where: { $0.addresses.contains(address) }) else {
            // Whoever asked for the link has given up meanwhile.
            stack.disconnect(link, at: clock.now)
            return
        }
        let waiter = connecting.remove(at: index).waiter
        let connection = HostConnection(self, link, address)
        connections[link] = connection
        waiter.resume(returning: .success(connection))
    }
}

extension HostFailure {
    /// What happened, in a few words.
    var words: String {
        switch self {
        case .transportClosed: "the connection to it was lost"
        case .lostSync: "what it sends is not HCI"
        case .controllerSilent: "it does not answer"
        case .refused(let opcode, let status):
            "it refused command 0x\(String(opcode.rawValue, radix: 16)) with status \(status.words)"
        case .badAnswer(let opcode):
            "its answer to command 0x\(String(opcode.rawValue, radix: 16)) makes no sense"
        case .hardwareError(let code): "it reports hardware error 0x\([code].hexadecimal)"
        case .noLE: "it has no Bluetooth LE"
        }
    }
}

extension HCI.Status {
    /// The code as it is written everywhere.
    var words: String { "0x\([rawValue].hexadecimal)" }
}
