// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

/// The peer that bench-controller plays.
private let peer = Peer(BluetoothAddress(0xC0DE_C0FF_EE01, kind: .random))

/// What is kept of the peer, by the static address that our side makes of bench-controller's.
func bonds() async -> any BondStore {
    let store = MemoryBondStore()
    let key = SMP.LongTermKey(key: SMP.Secret(UInt128(0x55)))
    let security = SMP.Security(
        isAuthenticated: false, keySize: 16, isSecureConnections: true, isBonded: true)
    let identity = SMP.Identity(resolvingKey: nil, address: BluetoothAddress(0xC0DE_C0FF_EE01, kind: .random))
    let bond = SMP.Bond(security: security, keyAsCentral: key, keyAsPeripheral: key, identity: identity)
    if let kept = KeptBond(bond) {
        await store.keep(kept, of: BluetoothAddress(0xC605_0403_0201, kind: .random))
    }
    return store
}

/// The rows, off the main actor: applications take values where they like.
extension Radio {
    /// Serves one characteristic; answers reads of it, and sends it without end to whoever subscribes.
    func playServer() async throws {
        let characteristic = GATT.CharacteristicDefinition(
            BluetoothUUID(0xFFF1), [.read, .notify], value: .stored([UInt8](repeating: 0x55, count: 20)))
        let description = ServerDescription(
            name: "bench",
            services: [GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [characteristic])],
            advertisement: DeviceAdvertisement(data: [2, 1, 6], scanResponse: []), advertisesName: false)
        let server = try await serve(description)
        let value = [UInt8](repeating: 0xAA, count: 244)
        for try await event in server.events() {
            guard case .subscribed(let client, let handle, _) = event else { continue }
            while try await server.notify(value, of: handle, to: client) {}
        }
    }

    /// Subscribes and takes values.
    func playReceiver(_ page: Page) async throws {
        let connection = try await connect(to: peer)
        let values = connection.allValues()
        try await connection.write([1, 0], to: AttributeHandle(rawValue: 4))
        for try await value in values where value.value.count == 244 { page.done += 1 }
    }

    /// Connects and disconnects.
    func playConnecter(_ page: Page) async throws {
        let clock = ContinuousClock()
        while true {
            let start = clock.now
            let connection = try await connect(to: peer)
            page.note(clock.now - start, at: page.done)
            await connection.disconnect()
            page.done += 1
        }
    }

    /// Connects to a device that it has bonded with, has the link encrypted with the kept key, and disconnects.
    func playReconnecter(_ page: Page) async throws {
        let clock = ContinuousClock()
        while true {
            let start = clock.now
            let connection = try await connect(to: peer)
            try await connection.encrypt()
            page.note(clock.now - start, at: page.done)
            await connection.disconnect()
            page.done += 1
        }
    }

    /// Walks through every AD structure of everything that is heard.
    func playScanner(_ page: Page) async throws {
        for try await advertisement in try await scan(ScanOptions(isActive: false, phys: [.le1M])) {
            let data = advertisement.data
            var octets = 0
            for structure in data { octets += data.data(of: structure).count }
            if octets == 23 { page.done += 1 }
        }
    }
}
