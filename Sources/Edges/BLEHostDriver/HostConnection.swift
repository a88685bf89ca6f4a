// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLESMP
import BLEWire
import BluetoothLE
import Synchronization

/// A link of our own host stack.
final class HostConnection: ConnectionBackend {
    let peer: Peer
    let link: LinkID
    private let radio: HostRadio
    let state: LinkState
    let consumption: Consumption

    init(_ radio: HostRadio, _ link: LinkID, _ peer: Peer) {
        self.radio = radio
        self.link = link
        self.peer = peer
        let consumption = Consumption()
        self.consumption = consumption
        state = LinkState(mtu: ATT.defaultMTU) { [weak radio] in
            // In this order: to hold the radio costs more than to look.
            guard consumption.isFirst, let radio else { return }
            radio.loop.execute { radio.onLoop((link, consumption)) { $0.valuesConsumed($1.0, $1.1) } }
        }
    }

    /// Whether the link is gone.
    var isGone: Bool { state.ending.reason != nil }

    /// What is thrown when the link is gone, or is going.
    var lost: BluetoothError { .disconnected(state.ending.reason ?? .closedByUs) }

    var executor: (any TaskExecutor)? { radio.loop }
    var clock: any RadioClock { radio.loop }

    func disconnect() async {
        guard !isGone else { return }
        if radio.loop.isCurrent {
            radio.onLoop(link) { $0.disconnect($1) }
        } else {
            await radio.disconnect(link)
        }
        _ = try? await state.ending.wait()  // Cancelled means not waited for.
    }

    /// Runs an operation, and once more when the link had to be protected for it.
    private func perform(_ operation: GATT.Operation) async throws(BluetoothError) -> GATT.Answer {
        let result: Result<GATT.Answer, BluetoothError>
        do throws(BluetoothError) {
            result = .success(try await radio.perform(operation, on: self))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(.firstPart(_, .refused(let code))), .failure(.refused(let code)):
            guard code.asksForSecurity, try await radio.secure(self) else { break }
            return try await radio.perform(operation, on: self)
        default: break
        }
        return try result.get()
    }

    var security: LinkSecurity? { get async { await radio.security(of: link).map { LinkSecurity($0) } } }

    func pair(_ agent: PairingAgent) async throws(BluetoothError) -> LinkSecurity {
        LinkSecurity(try await radio.pair(agent, on: self))
    }

    func encrypt() async throws(BluetoothError) -> LinkSecurity {
        LinkSecurity(try await radio.encrypt(self))
    }

    func discoverServices() async throws(BluetoothError) -> [GATT.Service] {
        let found = try await findServices()
        for fault in found.faults {
            switch fault.reason {
            case .ended(.timeout): throw .timeout
            case .ended(.disconnected): throw .disconnected(try await state.ending.wait())
            default: break
            }
        }
        return found.services
    }

    func findServices() async throws(BluetoothError) -> GATT.FoundServices {
        let known = await radio.cache.services(of: peer)
        guard case .found(let found) = try await radio.perform(.findServices(known: known), on: self) else {
            throw .badResponse
        }
        if !found.wereKnown { await radio.cache.remember(found.memory, of: peer) }
        return found
    }

    func primaryServices(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service] {
        guard case .services(let services) = try await radio.perform(.discoverServices(uuid), on: self)
        else { throw .badResponse }
        return services
    }

    func attributeType(at handle: AttributeHandle) async throws(BluetoothError) -> BluetoothUUID {
        guard case .type(let type) = try await radio.perform(.attributeType(handle), on: self)
        else {
            throw .badResponse
        }
        return type
    }

    func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8] {
        switch try await perform(.read(handle)).readValue {
        case .success(let value)?: return value
        case .failure(let failure)?: throw try await error(failure)
        case nil: throw .badResponse
        }
    }

    func readAsFarAsPossible(_ handle: AttributeHandle) async throws(BluetoothError) -> ReadValue {
        switch try await perform(.read(handle)) {
        case .value(let value): return ReadValue(value)
        case .firstPart(let part, let failure):
            return ReadValue(part, cutShortBy: try await error(failure))
        default: throw .badResponse
        }
    }

    /// What a failure that came with a part of the answer is; the reason of a lost link comes after it.
    private func error(_ failure: GATTRequestError) async throws(BluetoothError) -> BluetoothError {
        guard failure == .disconnected else { return BluetoothError(failure) }
        return .disconnected(try await state.ending.wait())
    }

    func readValues(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue] {
        guard case .values(let values) = try await perform(.readAll(uuid)) else {
            throw .badResponse
        }
        return values
    }

    func readValues(at handles: [AttributeHandle]) async throws(BluetoothError) -> [GATT.AttributeValue] {
        let operation = GATT.Operation.readMultipleVariable(handles)
        guard case .values(let values) = try await perform(operation) else {
            throw .badResponse
        }
        return values
    }

    func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        _ = try await perform(.write(handle, value))
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        guard !isGone else { throw lost }
        let limit = ATT.longestValue(atMTU: state.mtu)
        guard value.count <= limit else { throw .tooLong(octets: value.count, limit: limit) }
        do throws(BluetoothError) {
            _ = try await radio.send(.command(handle, value), on: .link(link))
        } catch .disconnected {
            throw lost
        }
    }

    func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError) {
        _ = try await perform(.writeReliably(writes))
    }

    func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelBackend {
        try await radio.openChannel(psm, options, on: self)
    }

    var parameters: ConnectionParameters? { get async { await radio.parameters(of: link) } }

    func readRSSI() async throws(BluetoothError) -> Int8 {
        guard case .rssi(let rssi?) = try await radio.perform(.readRSSI, on: self) else {
            // The controller can do that, but has heard nothing of late.
            throw .refusedByRadio("the strength of this link is not known now")
        }
        return rssi
    }

    func readPHY() async throws(BluetoothError) -> LinkPHY {
        guard case .phy(let tx, let rx) = try await radio.perform(.readPHY, on: self) else {
            throw .badResponse
        }
        return LinkPHY(tx: PHY(tx), rx: PHY(rx))
    }

    func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY {
        let procedure = LinkProcedure.setPHY(tx: HCI.PHYs(tx), rx: HCI.PHYs(rx), coding: .none)
        guard case .phy(let tx, let rx) = try await radio.perform(procedure, on: self) else {
            throw .badResponse
        }
        return LinkPHY(tx: PHY(tx), rx: PHY(rx))
    }

    func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters {
        guard case .parameters(let parameters) = try await radio.perform(.updateParameters(range), on: self)
        else { throw .badResponse }
        return parameters
    }

    func readPeerVersion() async throws(BluetoothError) -> PeerVersion {
        guard
            case .remoteVersion(let version, let company, let subversion) = try await radio.perform(
                .readRemoteVersion, on: self)
        else { throw .badResponse }
        return PeerVersion(version: version, company: company, subversion: subversion)
    }
}

/// Whether it will be looked how much was taken out of a stream: once for all until then.
final class Consumption: Sendable {
    private let isNoted = Atomic(false)
    private let count = Atomic(0)

    /// Values that the stack takes for unconsumed.
    var waiting: Int { count.load(ordering: .relaxed) }

    /// Notes that the stack takes more values for unconsumed, or fewer; only the radio does.
    func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }

    /// Whether nobody has noted that something was taken out since it was looked last.
    ///
    /// Whoever finds it noted has taken something out under the stream's lock before; who looks does that under the same
    /// lock afterwards.
    var isFirst: Bool {
        !isNoted.load(ordering: .relaxed) && !isNoted.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// It is looked now.
    func look() { isNoted.store(false, ordering: .sequentiallyConsistent) }
}
