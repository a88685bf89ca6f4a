// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEVirtualRadio
import Testing

// snippet: pairing-test
@Test func theLockIsPairedWith() async throws {
    try await TestAir.run { air in
        let (digits, shown) = AsyncStream.makeStream(of: String.self)
        let lock = try await air.radio(
            "C0:00:00:00:00:01", cryptography: HostCryptography(),
            agent: .display { _, passkey in shown.yield(passkey.digits) })
        let secret = GATT.CharacteristicDefinition(
            "FFF1", .read, access: GATT.Access(read: .authenticated), value: .stored([42]))
        let service = GATT.ServiceDefinition("FFF0", characteristics: [secret])
        _ = try await lock.serve(ServerDescription(name: "Lock", services: [service]))
        let phone = try await air.radio("C0:00:00:00:00:02", cryptography: HostCryptography())
        try await phone.withConnection(to: "C0:00:00:00:00:01") { connection in
            try await connection.pair(.enter { _ in await digits.first { _ in true } })
            #expect(await connection.security?.level == .secureConnections)
            #expect(try await connection.read("FFF1") == [42])
        }
    }
}
// end
