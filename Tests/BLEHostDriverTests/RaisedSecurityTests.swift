// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEHost
import BLEHostDriver
import BLEVirtualRadio
import Testing

/// What of the Attribute Protocol is done again, once, after pairing: what BlueZ's `unit/test-gatt` has as its cases
/// `/auto` and, for signed writes, `/seclevel`.
///
/// Signed writes themselves are not built: nothing in the field that this package meets sends them.
@Suite("Security raised for a request", .manualTime, .timeLimit(.minutes(5)))
struct RaisedSecurityTests {
    private static let secret = BluetoothUUID(0xFFF2)
    private static let long = [UInt8](repeating: 7, count: 400)

    /// Requests that a server refuses with Insufficient Authentication (0x05) on a link that is not encrypted.
    enum Request: String, CaseIterable, Sendable {
        case read = "GAR/CL/BI-05-C"
        case readByType = "GAR/CL/BI-10-C"
        case readLong = "GAR/CL/BI-16-C"
        case readSeveral = "GAR/CL/BI-21-C"
        case readDescriptor = "GAR/CL/BI-26-C"
        case readLongDescriptor = "GAR/CL/BI-32-C"
        case write = "GAW/CL/BI-05-C"
        case writeReliably = "GAW/CL/BI-18-C"
        case writeDescriptor = "GAW/CL/BI-23-C"
    }

    private static func definition(_ value: [UInt8]) -> GATT.CharacteristicDefinition {
        let access = GATT.Access(read: .encrypted, write: .encrypted)
        return .init(
            secret, [.read, .write, .extendedProperties], access: access, value: .stored(value),
            extendedProperties: .reliableWrite,
            descriptors: [
                .init(GATT.AttributeType.userDescription, .stored(value), isWritable: true, access: access)
            ])
    }

    private static func radio(_ air: VirtualRadio, _ number: UInt64) async throws -> AirRadio {
        var configuration = HostConfiguration()
        configuration.cryptography = HostCryptography()
        let radio = AirRadio(air, number, configuration, bonds: MemoryBondStore())
        try await radio.host.start()
        try await radio.radio.pairWhenAsked(.justWorks)
        return radio
    }

    private static func make(
        _ request: Request, _ characteristic: GATT.Characteristic, _ link: Connection
    ) async throws -> [UInt8] {
        let descriptor = try #require(
            characteristic.descriptors.first { $0.uuid == GATT.AttributeType.userDescription })
        switch request {
        case .read, .readLong: return try await link.read(characteristic)
        case .readByType: return try #require(try await link.readValues(of: secret).first).value
        case .readSeveral:
            return try await link.readValues(at: [characteristic.valueHandle, descriptor.handle])
                .flatMap(\.value)
        case .readDescriptor, .readLongDescriptor: return try await link.read(descriptor)
        case .write: try await link.write([8, 9], to: characteristic)
        case .writeReliably:
            try await link.writeReliably([GATT.ValueWrite([8, 9], to: characteristic.valueHandle)])
        case .writeDescriptor:
            try await link.write([8, 9], to: descriptor)
            return try await link.read(descriptor)
        }
        return try await link.read(characteristic)
    }

    @Test(arguments: Request.allCases) func aRequestIsMadeAgainOnceTheLinkIsEncrypted(
        _ request: Request
    ) async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let (server, client) = (try await Self.radio(air, 2), try await Self.radio(air, 1))
        let value: [UInt8] =
            switch request {
            case .readLong, .readLongDescriptor: Self.long
            default: [1, 2, 3]
            }
        let running = try await server.radio.serve(
            ServerDescription(
                name: "server",
                services: [.init(BluetoothUUID(0xFFF0), characteristics: [Self.definition(value)])]))
        let link = try await client.radio.connect(to: try await server.peer)
        let characteristic = try #require(try await link.discoverServices().characteristic(Self.secret))
        #expect(await link.security == nil)

        let answer = try await Self.make(request, characteristic, link)
        switch request {
        case .write, .writeReliably, .writeDescriptor: #expect(answer == [8, 9])
        case .readSeveral: #expect(answer == value + value)
        default: #expect(answer == value)
        }
        #expect(await link.security?.level == .encrypted)
        #expect(try await server.radio.bonds().count == 1)
        _ = running
        await client.radio.close()
        await server.radio.close()
    }
}
