// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import Synchronization

/// The number of the newest value that a consumer has got.
final class SoakLast: Sendable {
    let number = Atomic<UInt32>(0)
}

// What consumers do with what they get.
extension SoakWorld {
    /// Takes elements out of a stream at some pace.
    nonisolated func consume<Element: Sendable, Failure: Error>(
        _ stream: RadioStream<Element, Failure>, _ pace: Pace,
        _ receive: @Sendable (Element) async -> Void
    ) async throws {
        var count = 0
        if pace != .stopped {
            for try await element in stream {
                await receive(element)
                count += 1
                if pace == .stopping, count == 3 { break }
                if pace == .slow { try await loop.sleep(until: loop.now.advanced(bySeconds: 1)) }
            }
        }
        if pace == .stopped || count == 3 { await hold(stream) }
    }

    func tookReport() { counts.reports += 1 }

    /// A value has come from a peer by itself.
    func took(_ octets: [UInt8], _ characteristic: Int?, _ link: KnownLink, _ last: SoakLast? = nil) {
        counts.values += 1
        // Who takes everything gets Service Changed, too.
        if characteristic == nil, octets.count == 4 { return }
        guard let value = SoakValue(octets) else {
            fail("a value is cut", "\(octets.count) octets from \(link.peer)")
            return
        }
        guard value.node == link.peer, characteristic == nil || value.characteristic == characteristic else {
            fail("a value came from elsewhere", "\(value) instead of \(link.peer), \(characteristic ?? -1)")
            return
        }
        guard let last else { return }
        if value.number <= last.number.load(ordering: .relaxed) {
            fail("an older value came after a newer one", "\(value) at \(link.node)")
        }
        last.number.store(value.number, ordering: .relaxed)
    }

    func tookSDU(_ octets: [UInt8], _ last: SoakLast) {
        counts.sdus += 1
        guard let value = SoakValue(octets), octets == value.octets(octets.count) else {
            fail("an SDU is broken", "\(octets.count) octets")
            return
        }
        if value.number <= last.number.load(ordering: .relaxed) {
            fail("an older SDU came after a newer one", "\(value)")
        }
        last.number.store(value.number, ordering: .relaxed)
    }

    // MARK: Requests

    /// Asks something on a link.
    nonisolated func request(_ kind: Request, _ size: Int, on link: KnownLink) async throws {
        let connection = link.connection
        let found = await characteristics(of: link)
        switch kind {
        case .discover: await discovered(try await connection.discoverServices(), link)
        case .findServices: _ = try await connection.primaryServices(of: SoakService.uuid)
        case .read: try await read(0, found, link)
        case .readStored: try await read(1, found, link)
        case .readMany:
            guard let first = found[1], let second = found[4] else { return }
            _ = try await connection.readValues(at: [first.valueHandle, second.valueHandle])
        case .readByType: _ = try await connection.readValues(of: SoakService.uuid(1))
        case .write:
            guard let value = found[4] else { return }
            try await connection.write(SoakValue(SoakValue.client, 4).octets(6), to: value)
        case .writeLong:
            guard let value = found[4] else { return }
            try await connection.write(SoakValue(SoakValue.client, 4).octets(size), to: value)
        case .writeDelegated:
            guard let value = found[5] else { return }
            try await connection.write(SoakValue(SoakValue.client, 5).octets(size), to: value)
        case .command:
            guard let value = found[6] else { return }
            for _ in 0..<Self.burst(size) {
                try await connection.writeWithoutResponse(
                    SoakValue(SoakValue.client, 6).octets(min(size, connection.mtu - 3)), to: value)
            }
        case .writeReliably:
            guard let value = found[4] else { return }
            try await connection.writeReliably([
                .init(SoakValue(SoakValue.client, 4).octets(size), to: value.valueHandle)
            ])
        case .rssi: _ = try await connection.readRSSI()
        case .phy: _ = try await connection.readPHY()
        case .setPHY: _ = try await connection.setPHY(tx: [.le2M], rx: [.le1M, .le2M])
        case .parameters: _ = try await connection.updateParameters(SoakService.timing(size))
        case .version: _ = try await connection.readPeerVersion()
        }
    }

    private nonisolated func read(
        _ number: Int, _ found: [Int: GATT.Characteristic], _ link: KnownLink
    ) async throws {
        guard let characteristic = found[number] else { return }
        await hasRead(try await link.connection.read(characteristic), number, link)
    }

    private func hasRead(_ octets: [UInt8], _ number: Int, _ link: KnownLink) {
        guard let value = SoakValue(octets), value.node == link.peer, value.characteristic == number else {
            fail("a read brought something else", "\(octets.prefix(8)) from \(link.peer), \(number)")
            return
        }
    }

    private func characteristics(of link: KnownLink) -> [Int: GATT.Characteristic] {
        links.first { $0.connection == link.connection }?.characteristics ?? [:]
    }

    private func discovered(_ services: [GATT.Service], _ link: KnownLink) {
        guard let index = links.firstIndex(where: { $0.connection == link.connection }) else { return }
        links[index].characteristics = [:]
        for service in services {
            for characteristic in service.characteristics {
                guard let number = SoakService.number(of: characteristic.uuid) else { continue }
                links[index].characteristics[number] = characteristic
            }
        }
    }
}
