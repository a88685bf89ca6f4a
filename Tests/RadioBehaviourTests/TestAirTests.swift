// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEGATT
import BLEHost
import BLEHostDriver
import BLESimulation
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import SimulatedDevices
import Synchronization
import Testing

@Suite("An air for tests", .timeLimit(.minutes(5)))
struct TestAirTests {
    private static let one: BluetoothAddress = "C0:AA:00:00:00:01"
    private static let two: BluetoothAddress = "C0:AA:00:00:00:02"

    private static func serve(on air: TestAir) async throws -> Server {
        try await air.radio(one).serve(ServerDescription(name: "One", services: []))
    }

    @Test func radiosAreKnownByTheirAddresses() async throws {
        try await TestAir.run { air in
            _ = try await Self.serve(on: air)
            _ = try await air.radio(Self.two).serve(ServerDescription(name: "Two", services: []))
            let radio = try await air.radio("C0:AA:00:00:00:03")
            #expect(try await radio.find(ScanOptions(name: "One")).peer == Peer(Self.one))
            #expect(try await radio.find(ScanOptions(name: "Two")).peer == Peer(Self.two))
            await #expect(throws: BluetoothError.self) { try await air.radio("00:AA:00:00:00:04") }
        }
    }

    @Test func anHourTakesNoTime() async throws {
        let began = ContinuousClock.now
        try await TestAir.run(within: .seconds(4000)) { air in
            let before = air.now
            try await air.advance(by: .seconds(3600))
            #expect(air.now - before == .seconds(3600))
        }
        #expect(ContinuousClock.now - began < .seconds(120))
    }

    @Test func whatIsFarAwayIsNotHeard() async throws {
        try await TestAir.run { air in
            _ = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two, at: .init(x: 3))
            let near = try #require(try await radio.find(ScanOptions(name: "One")).rssi)
            try await air.move(Self.two, to: .init(x: 50))
            let far = try #require(try await radio.find(ScanOptions(name: "One")).rssi)
            #expect(far < near)
            try await air.move(Self.one, to: .init(x: 9000))
            await #expect(throws: BluetoothError.notFound) { try await radio.find(ScanOptions(name: "One")) }
            try await air.move(Self.one, to: .init(x: 50))
            _ = try await radio.find(ScanOptions(name: "One"))
        }
    }

    @Test func whenAllIsLostNothingArrives() async throws {
        try await TestAir.run(loss: 1) { air in
            _ = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            await #expect(throws: BluetoothError.notFound) { try await radio.find(ScanOptions(name: "One")) }
            await air.setLoss(0)
            _ = try await radio.find(ScanOptions(name: "One"))
        }
    }

    @Test func aRadioGoesOffAndComesBack() async throws {
        try await TestAir.run { air in
            let server = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            let connection = try await radio.connect(to: Peer(Self.one))
            let scan = try await radio.scan()
            try await air.switchOff(Self.two)
            #expect(try await connection.waitUntilDisconnected() == .radioLost)
            await #expect(throws: BluetoothError.self) { for try await _ in scan {} }
            await #expect(throws: BluetoothError.self) { _ = try await radio.find(ScanOptions(name: "One")) }
            try await air.advance(by: .seconds(60))
            await #expect(throws: BluetoothError.radioUnavailable("it is switched off")) {
                _ = try await radio.scan()
            }
            let waiting = Task(executorPreference: radio.executor) { try await radio.waitUntilReady() }
            waiting.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await waiting.value }
            let before = air.now
            await air.switchOn(Self.two)
            try await radio.waitUntilReady()
            #expect(air.now - before <= .seconds(11))
            #expect(try await radio.find(ScanOptions(name: "One")).peer == Peer(Self.one))
            await radio.close()
            await #expect(throws: BluetoothError.radioUnavailable("it was closed")) {
                try await radio.waitUntilReady()
            }
            await server.stop()
        }
    }

    @Test func whatIsFoundHasItsNameUnlessNobodyAsks() async throws {
        try await TestAir.run { air in
            let server = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            for _ in 0..<20 {
                #expect(try await radio.find(ScanOptions(peers: [Peer(Self.one)])).name == "One")
            }
            let before = air.now
            _ = try await radio.find(ScanOptions(peers: [Peer(Self.one)], isActive: false))
            #expect(air.now - before < .milliseconds(450))
            await server.stop()
        }
    }

    @Test func radiosPair() async throws {
        try await TestAir.run { air in
            let (digits, shown) = AsyncStream.makeStream(of: String.self)
            let lock = try await air.radio(
                Self.one, cryptography: HostCryptography(),
                agent: .display { _, passkey in shown.yield(passkey.digits) })
            _ = try await lock.serve(ServerDescription(name: "Lock", services: []))
            let radio = try await air.radio(Self.two, cryptography: HostCryptography())
            try await radio.withConnection(to: Peer(Self.one)) { connection in
                let security = try await connection.pair(.enter { _ in await digits.first { _ in true } })
                #expect(security.level == .secureConnections)
            }
            await #expect(throws: BluetoothError.pairing(.noCryptography)) {
                _ = try await air.radio("C0:AA:00:00:00:03", agent: .justWorks)
            }
        }
    }

    @Test func theSameSeedGivesTheSameRun() async throws {
        func moments(_ seed: UInt64) async throws -> [HostInstant] {
            try await TestAir.run(seed: seed, loss: 0.3) { air in
                _ = try await Self.serve(on: air)
                let radio = try await air.radio(Self.two)
                var moments: [HostInstant] = []
                for try await _ in try await radio.scan().prefix(50) { moments.append(radio.now) }
                return moments
            }
        }
        let first = try await moments(3)
        #expect(try await moments(3) == first)
        #expect(try await moments(4) != first)
    }

    @Test func aTestThatDoesNotEndIsEnded() async throws {
        await #expect(throws: TestAir.Failure.timeLimit(.seconds(30))) {
            try await TestAir.run(within: .seconds(30)) { air in
                let server = try await Self.serve(on: air)
                for try await _ in server.events() {}
                for try await _ in try await air.radio(Self.two).scan() {}
            }
        }
    }

    @Test func whoIsCancelledCanConnectAgainAtOnce() async throws {
        try await TestAir.run { air in
            _ = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            let task = Task(executorPreference: air.air.loop) {
                try await radio.withConnection(to: Peer(Self.one)) { _ in
                    begins.yield()
                    try await radio.sleep(for: .seconds(600))
                }
            }
            _ = await begun.first { _ in true }
            task.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await task.value }
            try await radio.withConnection(to: Peer(Self.one)) { _ in }
        }
    }

    @Test(arguments: 1...20) func aConnectSurvivesLoss(seed: UInt64) async throws {
        try await TestAir.run(seed: seed, loss: 0.2) { air in
            _ = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            for _ in 0..<5 { try await radio.withConnection(to: Peer(Self.one)) { _ in } }
        }
    }

    @Test func whoIsNotThereIsAskedInVainUntilTheTimeIsOver() async throws {
        try await TestAir.run(loss: 0.2) { air in
            let radio = try await air.radio(Self.two)
            let began = air.now
            await #expect(throws: BluetoothError.connectFailed(.connectTimeout)) {
                try await radio.connect(to: Peer(Self.one))
            }
            #expect(air.now - began >= .seconds(10) && air.now - began < .seconds(13))
        }
    }

    @Test func devicesAreMovedByTheirAddress() async throws {
        try await TestAir.run { air in
            await air.add { [SimulatedStrap.make()] }
            let radio = try await air.radio(Self.two)
            let near = try #require(try await radio.find(ScanOptions(services: ["180D"])).rssi)
            try await air.move(SimulatedStrap.address, to: .init(x: 30))
            let far = try #require(try await radio.find(ScanOptions(services: ["180D"])).rssi)
            #expect(near > far)
            await #expect(throws: BluetoothError.self) { try await air.move(Self.one, to: .init()) }
            await #expect(throws: BluetoothError.self) { try await air.switchOff(SimulatedStrap.address) }
            try await air.switchOff(Self.two)
            try await air.move(Self.two, to: .init(x: 3))
        }
    }

    @Test func theAirInRealTimeHasTheSameSwitches() async throws {
        let air = try VirtualRadio()
        await air.add { [SimulatedStrap.make()] }
        let radio = try await air.radio(Self.two)
        #expect(try await radio.find(ScanOptions(peers: [Peer(SimulatedStrap.address)])).rssi != nil)
        try await air.move(SimulatedStrap.address, to: .init(x: 5000))
        await #expect(throws: BluetoothError.notFound) {
            try await radio.find(ScanOptions(peers: [Peer(SimulatedStrap.address)]), within: .seconds(1))
        }
        await #expect(throws: BluetoothError.self) { try await air.move(Self.one, to: .init()) }
        try await air.switchOff(Self.two)
        await #expect(throws: BluetoothError.self) { try await radio.scan() }
        await air.switchOn(Self.two)
        try await radio.waitUntilReady()
        await radio.close()
    }

    @Test func digitsThatAreNoneAreAskedForAgain() async throws {
        try await TestAir.run { air in
            let (digits, shown) = AsyncStream.makeStream(of: String.self)
            let lock = try await air.radio(
                Self.one, cryptography: HostCryptography(),
                agent: .display { _, passkey in shown.yield(passkey.digits) })
            _ = try await lock.serve(ServerDescription(name: "Lock", services: []))
            let radio = try await air.radio(Self.two, cryptography: HostCryptography())
            let asked = Mutex(0)
            try await radio.withConnection(to: Peer(Self.one)) { connection in
                let security = try await connection.pair(
                    .enter { _ in
                        guard
                            asked.withLock({
                                $0 += 1; return $0
                            }) > 2
                        else { return "12" }
                        return await digits.first { _ in true }
                    })
                #expect(security.level == .secureConnections)
            }
            #expect(asked.withLock { $0 } == 3)
            await #expect(throws: BluetoothError.self) {
                try await radio.withConnection(to: Peer(Self.one)) { connection in
                    _ = try await connection.pair(.enter { _ in "hello!" })
                }
            }
        }
    }

    @Test func oneClientIsNotifiedByUUID() async throws {
        try await TestAir.run { air in
            let value = GATT.CharacteristicDefinition("FFF3", [.notify], value: .stored([0]))
            let server = try await air.radio(Self.one).serve(
                ServerDescription(
                    name: "One", services: [GATT.ServiceDefinition("FFF0", characteristics: [value])]))
            let serving = Task(executorPreference: air.air.loop) {
                for try await event in server.events() {
                    if case .subscribed(let client, _, _) = event {
                        try await server.notify([7], of: "FFF3", to: client)
                        await #expect(throws: BluetoothError.self) {
                            try await server.notify([7], of: "FFF4", to: client)
                        }
                    }
                }
            }
            try await air.radio(Self.two).withConnection(to: Peer(Self.one)) { connection in
                var values = try await connection.notifications(of: "FFF3").makeAsyncIterator()
                #expect(try await values.next() == [7])
            }
            serving.cancel()
        }
    }

    /// What a task of the main actor asks of a radio goes by threads that the air does not know.
    @MainActor @Test func whatTheMainActorBeginsIsThereBeforeTimeLeaps() async throws {
        for _ in 0..<100 {
            try await TestAir.run { air in
                let lamp = try await air.radio(Self.one)
                let serving = Task {
                    try await lamp.serve(ServerDescription(name: "One", services: []))
                }
                let radio = try await air.radio(Self.two)
                #expect(try await radio.find(ScanOptions(name: "One")).peer == Peer(Self.one))
                _ = try await serving.value
            }
        }
    }

    @Test func whoeverLetsTimePassIsEndedToo() async throws {
        await #expect(throws: TestAir.Failure.timeLimit(.seconds(30))) {
            try await TestAir.run(within: .seconds(30)) { air in
                while true { try await air.advance(by: .milliseconds(50)) }
            }
        }
    }

    @MainActor @Test func theMainActorIsWaitedFor() async throws {
        try await TestAir.run { air in
            _ = try await Self.serve(on: air)
            let radio = try await air.radio(Self.two)
            for _ in 0..<20 {
                let before = air.now
                for _ in 0..<20 { await Task { @MainActor in }.value }
                #expect(air.now - before < .seconds(1))
                _ = try await radio.find(ScanOptions(name: "One"))
            }
        }
    }

    /// A store on a slow disk.
    private struct SlowStore: BondStore {
        let memory = MemoryBondStore()
        let rest: @Sendable () async -> Void = {
            await Task.detached { try? await Task.sleep(for: .milliseconds(200)) }.value
        }

        func bonds(of adapter: BluetoothAddress) async -> [KeptBond] {
            await rest()
            return await memory.bonds(of: adapter)
        }
        func keep(_ bond: KeptBond, of adapter: BluetoothAddress) async {
            await rest()
            await memory.keep(bond, of: adapter)
        }
        func remove(_ identity: BluetoothAddress, of adapter: BluetoothAddress) async -> Bool {
            await rest()
            return await memory.remove(identity, of: adapter)
        }
        func resolvingKey(of adapter: BluetoothAddress, orKeep new: SMP.Secret) async -> SMP.Secret {
            await rest()
            return await memory.resolvingKey(of: adapter, orKeep: new)
        }
    }

    @Test func theClockStandsStillForADisk() async throws {
        try await TestAir.run { air in
            _ = try await Self.serve(on: air)
            var configuration = HostConfiguration()
            configuration.cryptography = HostCryptography()
            let before = air.now
            _ = try await air.radio(Self.two, at: .init(), configuration, bonds: SlowStore())
            #expect(air.now - before < .milliseconds(500))
        }
    }
}
