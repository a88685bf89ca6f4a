// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEHostDriver

enum PairingSnippets {
    static func open(_ address: TransportAddress, _ folder: String) async throws -> Radio {
        // snippet: pairing-open
        let radio = try await Radio.open(
            address, cryptography: HostCryptography(), bonds: FileBondStore(folder: folder))
        // end
        return radio
    }

    static func pair(
        _ radio: Radio, with peer: Peer, _ ask: @escaping @Sendable (String) async -> String?
    ) async throws -> LinkSecurity {
        // snippet: pairing-enter
        let connection = try await radio.connect(to: peer)
        let security = try await connection.pair(
            .enter { peer in await ask("Which six digits does \(peer) show?") })
        print(security.level, security.isBonded)
        // end
        await connection.disconnect()
        return security
    }

    static func protect(
        _ connection: Connection, _ ask: @escaping @Sendable (String) async -> String?
    ) async throws -> LinkSecurity {
        // snippet: pairing-security
        do throws(BluetoothError) {
            return try await connection.encrypt()
        } catch {
            switch error {
            case .pairing(.notBonded): return try await connection.pair(.justWorks)
            case .pairing(.keyMissing):
                // Whoever has lost its keys may be somebody else: a person says whether it may have new ones.
                guard await ask("Is \(connection.peer) new, or was it reset? yes or no") == "yes" else {
                    throw error
                }
                return try await connection.pair(.justWorks)
            default: throw error
            }
        }
        // end
    }

    static func readProtected(
        _ radio: Radio, _ connection: Connection, _ characteristic: GATT.Characteristic,
        _ ask: @escaping @Sendable (String) async -> String?
    ) async throws -> [UInt8] {
        // snippet: pairing-when-asked
        try await radio.pairWhenAsked(
            .compare { peer, passkey in await ask("Does \(peer) show \(passkey.digits)?") == "yes" })
        let value = try await connection.read(characteristic)
        // end
        return value
    }

    static func serve(
        _ address: TransportAddress, _ show: @escaping @Sendable (String) async -> Void
    ) async throws -> (Radio, Server) {
        // snippet: pairing-display
        let radio = try await Radio.open(
            address, cryptography: HostCryptography(), bonds: MemoryBondStore(),
            agent: .display { peer, passkey in await show("Enter \(passkey.digits) at \(peer).") })
        let secret = GATT.CharacteristicDefinition(
            BluetoothUUID(0xFFF1), .read, access: GATT.Access(read: .authenticated), value: .stored([42]))
        let server = try await radio.serve(
            ServerDescription(
                name: "Lock",
                services: [GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [secret])]))
        // end
        return (radio, server)
    }

    static func forget(_ radio: Radio) async throws -> Int {
        var count = 0
        // snippet: pairing-bonds
        for bond in try await radio.bonds() {
            print(bond.peer, bond.security.level)
            if try await radio.removeBond(of: bond.peer) { count += 1 }
        }
        // end
        return count
    }

    static func explain(_ connection: Connection) async -> String {
        // snippet: pairing-errors
        do throws(BluetoothError) {
            try await connection.pair(.consent { _ in true })
            return "paired"
        } catch {
            switch error {
            case .pairing(.cancelled): return "You said no."
            case .pairing(.noCryptography): return "\(error)"
            default: return "Not paired. \(error)"
            }
        }
        // end
    }
}
