// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import BluetoothLE
import DBus
import Synchronization
import Testing

@testable import BLEBlueZ

/// A link to a device that nobody has paired yet, and the bluetoothd that has it.
struct PairingBench {
    static let peer = Peer(BluetoothAddress(0x00AA_0100_0001, kind: .public))
    static let passkey = SMP.Passkey(12345)

    let bus: PrivateBus
    let loop: TransportLoop
    let blueZ: FakeBlueZ
    let radio: BlueZRadio
    let link: Connection

    init() async throws {
        bus = try PrivateBus()
        loop = try TransportLoop()
        blueZ = try FakeBlueZ(bus.address, on: loop)
        try await blueZ.begin()
        radio = BlueZRadio(bus: bus.address, loop: loop)
        try await radio.start()
        blueZ.connect(true)
        blueZ.connect(false)
        blueZ.offerSecret()
        link = try await radio.radio.connect(to: Self.peer)
    }

    func end() async {
        await radio.close()
        blueZ.bus.close()
        bus.end()
    }

    /// Waits until bluetoothd knows something.
    func until(_ condition: (FakePairing) -> Bool) async {
        while !condition(blueZ.pairing) { await Task.yield() }
    }

    /// Lets the loop do what waits.
    func turn() async {
        await withCheckedContinuation { done in loop.execute { done.resume() } }
    }

    /// The value that the device offers.
    var secret: AttributeHandle { AttributeHandle(rawValue: 0x0C) }

    /// Begins to pair, until bluetoothd goes on.
    func pairing(_ agent: PairingAgent) async -> Task<LinkSecurity, any Error> {
        let link = link
        let task = Task { try await link.pair(agent) }
        await until { !$0.pairs.isEmpty }
        return task
    }

    static func agent(
        _ ability: SMP.IOCapability, _ answer: SMP.Answer = .accept
    ) -> PairingAgent {
        var configuration = SMP.Configuration()
        configuration.ioCapability = ability
        return PairingAgent(configuration) { _ in answer }
    }
}

/// What was asked.
final class Asked: Sendable {
    private let questions = Mutex<[PairingQuestion]>([])
    var all: [PairingQuestion] { questions.withLock { $0 } }
    func add(_ question: PairingQuestion) { questions.withLock { $0.append(question) } }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
