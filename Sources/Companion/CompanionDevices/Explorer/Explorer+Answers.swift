// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
public import Companion

extension Explorer {
    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: ``ExplorerError`` or ``BluetoothError`` that says why it could not be done.
    public func answer(_ request: ExplorerRequest) async throws -> ExplorerAnswer {
        switch request {
        case .connect(let other):
            let connection = try await open(to: other)
            // Completion names what the device has, before it is asked for anything.
            _ = try await whatIsKnown()
            return .link(connection.peer, mtu: connection.mtu)
        case .disconnect:
            await close()
            return .closed
        case .scan(let duration): return .devices(try await scan(duration))
        case .mtu(let wanted): return .mtu(try await mtu(wanted))
        case .securityLevel(let level):
            let levels = ["low", "medium", "high"]
            let reached =
                switch try await connection().security?.level ?? .none {
                case .none: 0
                case .encrypted: 1
                case .authenticated, .secureConnections: 2
                }
            guard reached >= levels.firstIndex(of: level) ?? 0 else { throw ExplorerError.noPairing }
            return .securityLevel(levels[reached])
        case .pair(let options):
            let connection = try await connection()
            guard let agent = try await pairing(options) else { throw ExplorerError.noPairing }
            return .security(ProtectionJSON(try await connection.pair(agent)))
        case .security: return .security(try await connection().security.map { ProtectionJSON($0) })
        case .tree:
            let connection = try await connection()
            let tree = try await GATTTree.first(over: connection)
            learn(GATT.FoundServices(services: tree.services, faults: tree.faults), over: connection)
            if link?.connection == connection { link?.learn(tree.targets) }
            return .tree(tree)
        case .primary(let uuid):
            let found = try await services().filter { $0.isPrimary && (uuid == nil || $0.uuid == uuid) }
            return .services(try some(found, .primaryService, uuid))
        case .included(let range):
            return .included(
                try await services().flatMap(\.includes).filter { range.contains($0.handle.rawValue) })
        case .characteristics(let range, let uuid):
            let found = try await services().flatMap(\.characteristics).filter {
                range.contains($0.handle.rawValue) && (uuid == nil || $0.uuid == uuid)
            }
            return .characteristics(try some(found, .characteristic, uuid))
        case .attributes(let range):
            return .attributes(
                AttributeTarget.all(in: try await services()).filter { range.contains($0.handle.rawValue) })
        case .read(let reference):
            let attribute = try await attribute(reference, for: .read)
            let connection = try await connection()
            let value = try await connection.read(attribute)
            return .read(
                ValueRead(
                    connection.peer, await described(attribute, over: connection), value.octets,
                    incomplete: value.incomplete))
        case .readByUUID(let uuid, let range):
            let values = try await readAll(uuid, range)
            return .values(try await connection().peer, uuid, values)
        case .write(let reference, let value, let isAnswered):
            let attribute = try await attribute(
                reference, for: isAnswered ? .write : .writeWithoutResponse)
            let connection = try await connection()
            if isAnswered {
                try await connection.write(value, to: attribute)
            } else {
                try await send(value, to: attribute)
            }
            return .written(
                ValueWritten(
                    connection.peer, await described(attribute, over: connection), value,
                    isAnswered: isAnswered))
        case .watch(let reference): return .watched([try await watch(reference)], isOn: true)
        case .unwatch(let reference): return .watched(try await unwatch(reference), isOn: false)
        case .wait(let limit, let count): return .waited(values: try await wait(limit, for: count))
        case .help(let verbs): return .help(verbs)
        case .exit: return .nothing
        }
    }

    // MARK: Looking

    private func scan(_ duration: Duration) async throws -> [SeenDevice] {
        show(.scanning(Seconds(duration).text))
        let stream = try await radio.scan(ScanOptions(phys: phys))
        let filter = ScanFilter(services: [], name: nil, rssi: nil)
        let board = try await TimeLimit.run(duration, on: radio) {
            var board = ScanResults(filter: filter, showsAll: false)
            for try await report in stream { _ = board.receive(report, at: .now()) }
            return board
        }
        try Task.checkCancellation()
        for device in board.shown { saw(device.peer) }
        return board.shown
    }

    /// What was found; when a person has asked for a UUID, there should be some.
    private func some<Found>(_ found: [Found], _ kind: ExplorerError.Kind, _ uuid: BluetoothUUID?) throws
        -> [Found]
    {
        guard let uuid, found.isEmpty else { return found }
        throw ExplorerError.missing(kind, uuid)
    }

    private func mtu(_ wanted: Int?) async throws -> Int {
        let mtu = try await connection().mtu
        guard let wanted, wanted > mtu else { return mtu }
        throw ExplorerError.mtuAgreed(mtu)
    }

    /// Finds what is meant; at a handle there may be more than discovery has found, and it may need none.
    private func attribute(
        _ reference: AttributeReference, for use: AttributeUse
    ) async throws -> AttributeJSON {
        guard case .handle(let handle) = reference else {
            return AttributeJSON(try AttributeTarget.named(reference, in: try await found(), for: use))
        }
        if use == .watch { _ = try await whatIsKnown() }
        return AttributeJSON(handle, link?.targets[handle])
    }

    /// What the device has; nothing when it refuses to say, as its handles may be good all the same.
    private func whatIsKnown() async throws -> [GATT.Service] {
        do {
            return try await services()
        } catch BluetoothError.refused, BluetoothError.badResponse {
            return []
        }
    }

    // MARK: Values

    private func readAll(
        _ uuid: BluetoothUUID, _ range: ClosedRange<UInt16>
    ) async throws -> [GATT.AttributeValue] {
        let values: [GATT.AttributeValue]
        if range == 1...0xFFFF {
            values = try await connection().readValues(of: uuid)
        } else {
            var some: [GATT.AttributeValue] = []
            for target in AttributeTarget.all(in: try await services())
            where target.uuid == uuid && range.contains(target.handle.rawValue) {
                some.append(
                    GATT.AttributeValue(
                        handle: target.handle, value: try await connection().read(target.handle))
                )
            }
            values = some
        }
        guard !values.isEmpty else {
            throw ExplorerError.missing(.value, uuid)
        }
        return values
    }

    private func send(_ value: [UInt8], to attribute: AttributeJSON) async throws {
        do {
            try await connection().writeWithoutResponse(value, to: attribute.handle)
        } catch BluetoothError.tooLong(let octets, let limit) {
            throw ExplorerError.onlyWithAnswer(
                BluetoothError.tooLong(octets: octets, limit: limit).description)
        }
    }

    private func watch(_ reference: AttributeReference) async throws -> AttributeJSON {
        let attribute = try await attribute(reference, for: .watch)
        let characteristic = try characteristic(of: attribute)
        let connection = try await connection()
        try await connection.switchOn(characteristic)
        if let event = characteristic.configurationMissing(of: connection.peer) { report(event) }
        if link?.watched.contains(characteristic) == false { link?.watched.append(characteristic) }
        return await described(attribute, over: connection)
    }

    private func unwatch(_ reference: AttributeReference?) async throws -> [AttributeJSON] {
        let connection = try await connection()
        var unwatched: [AttributeJSON] = []
        if let reference {
            unwatched = [try await attribute(reference, for: .watch)]
        } else {
            unwatched = link?.watched.map { AttributeJSON(AttributeTarget.value($0)) } ?? []
        }
        for attribute in unwatched {
            let characteristic = try characteristic(of: attribute)
            try await connection.subscribe([], to: characteristic)
            link?.watched.removeAll { $0 == characteristic }
        }
        return unwatched
    }

    private func characteristic(of attribute: AttributeJSON) throws -> GATT.Characteristic {
        guard let characteristic = attribute.target?.characteristic else {
            throw ExplorerError.notACharacteristic(attribute.handle)
        }
        return characteristic
    }
}
