// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEAdvertising
import BLEGATT
import BLEWire

extension SessionPair where Client: ~Copyable, Device: ~Copyable {
    /// How often the device advertises, in milliseconds.
    static var advertisingInterval: UInt64 { 1000 }

    /// Generic Access with the device's name, as every server has it.
    static func genericAccess(_ name: WireText) -> GATT.ServiceDefinition {
        GATT.ServiceDefinition(
            BluetoothUUID(0x1800),
            characteristics: [.init(BluetoothUUID(0x2A00), .read, value: .stored(name.octets))])
    }

    func shifted(_ handle: AttributeHandle) -> AttributeHandle {
        AttributeHandle(rawValue: handle.rawValue &+ shift)
    }

    /// What a scanner hears of the device.
    func heard() -> ClientAdvertisement {
        let (data, response) = (device.advertisement.data, device.advertisement.scanResponse)
        let (first, second) = (AdvertisingData(data), AdvertisingData(response))
        return ClientAdvertisement(
            peer: peer, name: second.name ?? first.name,
            services: first.services + second.services, rssi: -60)
    }

    func perform(_ action: ClientAction) {
        switch action {
        case .startScan:
            isScanning = true
            nextAdvertisement = now
        case .stopScan:
            isScanning = false
            nextAdvertisement = nil
        case .connect(let peer): connect(to: peer)
        case .discover:
            guard isConnected else { break }
            deliver(
                .discovered(services(database.discovered(movedBy: shift))),
                afterMilliseconds: discoveryMilliseconds)
        case .disconnect: disconnect()
        case .request(let id, let request): perform(request, id: id)
        }
    }

    private func connect(to peer: Peer) {
        guard isThere, peer == self.peer else { return }
        if let connectFailure {
            deliver(.connectFailed(peer, connectFailure), isOfLink: false)
            return
        }
        isConnected = true
        device.receive(.connected(link, peer), at: now)
        if mtu != ATT.defaultMTU { device.receive(.mtuChanged(link, mtu), at: now) }
        deliver(.connected(peer, mtu: mtu))
    }

    private func disconnect() {
        guard isConnected else {
            if confirmsDisconnection { deliver(.connectFailed(peer, .closedByUs), isOfLink: false) }
            return
        }
        if confirmsDisconnection { dropLink(.closedByUs) }
    }

    private func perform(_ request: ClientRequest, id: UInt32) {
        guard isConnected else {
            deliver(.completed(id: id, .failure(.disconnected)), isOfLink: false)
            return
        }
        requests.append((now, request))
        switch fate(request) {
        case .carriedOut(let delay):
            deliver(.completed(id: id, carryOut(request)), answering: id, afterMilliseconds: delay)
        case .answered(let result): deliver(.completed(id: id, result), answering: id)
        case .unanswered:
            _ = carryOut(request)
            silent.append(id)
        case .linkLost:
            silent.append(id)
            dropLink(.supervisionTimeout)
        }
    }

    // MARK: The server

    private func carryOut(_ request: ClientRequest) -> Result<[UInt8], GATTRequestError> {
        switch request {
        case .read(let handle):
            guard let (handle, properties, source) = value(at: handle) else {
                return .failure(.refused(.invalidHandle))
            }
            guard properties.contains(.read) else { return .failure(.refused(.readNotPermitted)) }
            if case .stored(let octets) = source { return .success(octets) }
            return device.answerRead(of: handle, on: link, at: now).mapError { .refused($0) }
        case .write(let handle, let octets), .writeWithoutResponse(let handle, let octets):
            var permission = GATT.Properties.writeWithoutResponse
            if case .write = request { permission = .write }
            guard let (handle, properties, source) = value(at: handle) else {
                return .failure(.refused(.invalidHandle))
            }
            guard properties.contains(permission), source == .delegated else {
                return .failure(.refused(.writeNotPermitted))
            }
            return device.answerWrite(of: octets, to: handle, on: link, at: now).mapError { .refused($0) }
        case .subscribe(let characteristic, let subscription):
            guard let (handle, properties, _) = value(at: characteristic.valueHandle) else {
                return .failure(.refused(.invalidHandle))
            }
            guard !properties.isDisjoint(with: [.notify, .indicate]) else { return .failure(.unsupported) }
            subscriptions[handle] = subscription.isEmpty ? nil : subscription
            device.receive(.subscribed(link, handle, subscription), at: now)
            return .success([])
        }
    }

    /// What the device has at a handle that the client knows.
    private func value(
        at handle: AttributeHandle
    ) -> (AttributeHandle, GATT.Properties, GATT.ValueSource)? {
        guard handle.rawValue > shift else { return nil }
        let own = AttributeHandle(rawValue: handle.rawValue - shift)
        guard case .value(let properties, let source)? = database.attribute(own)?.content else { return nil }
        return (own, properties, source)
    }
}
