// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEHost
import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import Synchronization
import Testing

/// When a radio comes on, and what is open on it already.
@Suite("Starting, and what is there already", .manualTime, .timeLimit(.minutes(5)))
struct StartingTests {
    private static let address = BluetoothAddress(0x00AA_0000_0001, kind: .public)

    /// A radio whose controller is there from the third attempt on.
    private static func lateRadio(
        _ attempts: Attempts, _ configuration: HostConfiguration = HostConfiguration(),
        bonds: (any BondStore)? = nil
    ) -> HostRadio {
        let air = VirtualRadio(on: ManualTime.loop)
        return HostRadio(configuration, bonds: bonds, loop: air.loop) { (loop) async throws(TransportError) in
            guard attempts.next(at: loop.now) > 2 else { throw .cannotOpen("nobody listens there") }
            return await air.attach(.init(address: address), on: loop)
        }
    }

    @Test func aRadioThatIsWaitedForComesOnByItself() async throws {
        let attempts = Attempts()
        let host = Self.lateRadio(attempts)
        let begun = ManualTime.loop.now
        var states = await host.radio.states().makeAsyncIterator()
        try await host.startWaiting()
        #expect(await states.next() == .off)
        try await ManualTime.pass(milliseconds: 100)
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await host.radio.scan() }
                == .radioUnavailable("nobody listens there"))
        #expect(await states.next() == .ready)
        _ = try await host.radio.scan()
        #expect(attempts.moments.map { $0.microseconds(since: begun) / 1_000_000 } == [0, 1, 3])
        #expect(
            await failure { () async throws(BluetoothError) in try await host.startWaiting() }
                == .invalidArgument("The radio was started before."))
        await host.close()
        #expect(await states.next() == nil)
    }

    @Test func aRadioThatIsWaitedForCanBeClosedBeforeItIsOn() async throws {
        let host = Self.lateRadio(Attempts())
        try await host.startWaiting()
        var states = await host.radio.states().makeAsyncIterator()
        #expect(await states.next() == .off)
        await host.close()
        #expect(await states.next() == nil)
        #expect(await host.waitingTasks == 0)
    }

    @Test func keptKeysAreThereWhenARadioComesOn() async throws {
        let store = MemoryBondStore()
        let key = SMP.LongTermKey(key: SMP.Secret(7), rand: 1, ediv: 2)
        let bond = try #require(
            KeptBond(
                SMP.Bond(
                    security: SMP.Security(
                        isAuthenticated: true, keySize: 16, isSecureConnections: false, isBonded: true),
                    keyAsCentral: key, keyAsPeripheral: key,
                    identity: SMP.Identity(
                        resolvingKey: nil, address: BluetoothAddress(0x00AA_0000_0002, kind: .public)))))
        let before = Self.lateRadio(Attempts(more: 2))
        try await before.start()
        await store.keep(bond, of: try #require(await before.ownAddress))
        await before.close()
        var configuration = HostConfiguration()
        configuration.cryptography = HostCryptography()
        let host = Self.lateRadio(Attempts(), configuration, bonds: store)
        // Before anybody knows what its controller can do.
        try await host.radio.pairWhenAsked(.justWorks)
        try await host.startWaiting()
        for await state in await host.radio.states() where state == .ready { break }
        #expect(try await host.radio.bonds().map(\.peer) == [Peer(bond.identity)])
        await host.close()
    }

    @Test func connectingTwiceIsSaidToBeThat() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let device = try await AirRadio.start(air, 2)
        let radio = try await AirRadio.start(air)
        let server = try await device.radio.serve(ServerDescription(name: "device", services: []))
        let peer = try await device.peer
        let first = begin { try await radio.radio.connect(to: peer) }
        let second = begin {
            await failure { () async throws(BluetoothError) in _ = try await radio.radio.connect(to: peer) }
        }
        #expect(await second.value == .alreadyConnected)
        let link = try await first.value
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await radio.radio.connect(to: peer) }
                == .alreadyConnected)
        await link.disconnect()
        let again = try await radio.radio.connect(to: peer)
        await again.disconnect()
        await server.stop()
        await radio.radio.close()
        await device.radio.close()
    }
}

/// How often something was tried, and when.
private final class Attempts: Sendable {
    private let all = Mutex<[HostInstant]>([])
    private let more: Int

    /// Begins to count.
    ///
    /// - Parameter more: How many there were before.
    init(more: Int = 0) { self.more = more }

    var moments: [HostInstant] { all.withLock { $0 } }

    /// Counts one more.
    func next(at now: HostInstant) -> Int {
        all.withLock { moments in
            moments.append(now)
            return moments.count + more
        }
    }
}
