// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEHost
import BLEHostDriver
public import BLESimulation
import BLETransport
public import BLEWire
public import BluetoothLE
import Synchronization

/// A virtual air for tests: radios and devices by their addresses, on a clock that jumps.
///
/// ```
/// try await TestAir.run { air in
///     let lamp = try await air.radio("C0:00:00:00:00:01")
///     let phone = try await air.radio("C0:00:00:00:00:02")
///     …
/// }
/// ```
///
/// Time passes only while everybody waits: then the clock jumps to whatever comes next, so that a minute costs no more than
/// what happens in it. Code of the test that is bound to no actor runs on the air's loop, and with the same seed the same
/// happens each time. The main actor and other actors are waited for, too; work that runs beside them (`Task.detached`, a network, a
/// disk) is not, except a ``BondStore``: for it the clock stands still.
public final class TestAir: Sendable {
    /// Why a run has ended before its body.
    public enum Failure: Error, Hashable, Sendable {
        /// The body took longer than it may, by the air's clock: something goes on without end.
        case timeLimit(Duration)
        /// Nothing can go on any more: somebody waits for what never comes.
        case standstill
    }

    /// The air itself.
    public let air: VirtualRadio
    private let clock: TestClock
    /// The radios that are open; `nil` once the run is to end.
    private let radios = Mutex<[Radio]?>([])

    private init(_ configuration: VirtualAir.Configuration) {
        clock = TestClock()
        air = VirtualRadio(configuration, on: clock.manual.loop)
    }

    /// Makes an air, lets a test run on it, and closes all its radios.
    ///
    /// - Parameters:
    ///   - seed: Where chance starts; the same seed gives the same run.
    ///   - loss: How likely one packet is lost; 0 to 1.
    ///   - limit: How long it may take by the air's clock; then the radios are closed, which ends what the body waits for.
    ///   - body: The test; it runs where the caller does, or on the air's loop.
    /// - Returns: What the body returns.
    /// - Throws: ``Failure`` when the body had to be ended, and what the body throws.
    public nonisolated(nonsending) static func run<Value>(
        seed: UInt64 = 1, loss: Double = 0, within limit: Duration = .seconds(3600),
        _ body: nonisolated(nonsending) (TestAir) async throws -> Value
    ) async throws -> Value {
        let air = TestAir(VirtualAir.Configuration(seed: seed, loss: loss))
        let driver = Task.detached { await air.clock.drive(within: limit) { await air.close() } }
        let result: Result<Value, any Error>
        do { result = .success(try await air.use(body)) } catch { result = .failure(error) }
        // Not by a task that may have been cancelled: its radios are to be gone before the clock stops.
        await Task.detached { await air.close() }.value
        air.clock.end()
        if let failure = await driver.value { throw failure }
        return try result.get()
    }

    private nonisolated(nonsending) func use<Value>(
        _ body: nonisolated(nonsending) (TestAir) async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(air.loop) { try await body(self) }
    }

    /// Puts a radio on the air; the end of the run closes it.
    ///
    /// - Parameters:
    ///   - address: By which others know it: a static random one, as `C0:00:00:00:00:01`.
    ///   - position: Where it stands.
    ///   - configuration: How its host behaves.
    ///   - cryptography: What keys are made with, as `HostCryptography()` of BLECrypto; without it the radio cannot pair.
    ///   - bonds: What keeps its bonds; `nil` keeps them as long as the radio lives.
    ///   - agent: How this side pairs, and who answers for it, when a device asks for it; as `pairWhenAsked` sets it.
    /// - Returns: The radio, started.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for another kind of address, ``BluetoothError/pairing(_:)`` with
    ///   `noCryptography` for an agent without cryptography.
    public func radio(
        _ address: BluetoothAddress, at position: VirtualAir.Position = VirtualAir.Position(),
        _ configuration: HostConfiguration = HostConfiguration(),
        cryptography: (any PairingCryptography)? = nil, bonds: (any BondStore)? = nil,
        agent: PairingAgent? = nil
    ) async throws(BluetoothError) -> Radio {
        let radio = try await air.radio(
            address, at: position, configuration, cryptography: cryptography, bonds: bonds, agent: agent)
        let isOver = radios.withLock { radios in
            radios?.append(radio)
            return radios == nil
        }
        guard isOver else { return radio }
        await radio.close()
        throw .radioUnavailable("the test has ended")
    }

    /// Puts a device of any session on the air and starts it.
    ///
    /// - Parameters:
    ///   - session: The session; it has not been started.
    ///   - address: Its static random address.
    ///   - position: Where it stands.
    public func add<Session: DeviceSession & ~Copyable>(
        _ session: consuming sending Session, at address: BluetoothAddress,
        position: VirtualAir.Position = VirtualAir.Position()
    ) async {
        await air.add(session, at: address, position: position)
    }

    /// Puts devices on the air and starts them, as in `await air.add(SimulatedDevices.all)` or `await air.add { [SimulatedStrap.make()] }`.
    ///
    /// - Parameter make: Makes the devices; they belong to the air from then on.
    public func add(_ make: @Sendable () -> [any SimulatedHost]) async {
        await air.add(make)
    }

    /// Switches a radio off: its links and scans end, its server too, and what is asked of it throws
    /// ``BluetoothError/radioUnavailable(_:)``.
    ///
    /// - Parameter address: Which radio.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when it is none of this air's radios.
    public func switchOff(_ address: BluetoothAddress) async throws(BluetoothError) {
        try await air.switchOff(address)
    }

    /// Switches a radio on again; like one of hardware it notices within ten seconds of the air's clock (`waitUntilReady`).
    ///
    /// - Parameter address: Which radio; nothing happens when it is on.
    public func switchOn(_ address: BluetoothAddress) async {
        await air.switchOn(address)
    }

    /// Moves a radio or device.
    ///
    /// - Parameters:
    ///   - address: Whose; nothing happens when it is switched off.
    ///   - position: Where it stands from now on; what is farther than a hundred metres hears little, a thousand nothing.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when nothing on this air has that address.
    public func move(
        _ address: BluetoothAddress, to position: VirtualAir.Position
    ) async throws(BluetoothError) {
        try await air.move(address, to: position)
    }

    /// Changes how likely a packet is lost.
    ///
    /// - Parameter loss: The probability; 0 to 1.
    public func setLoss(_ loss: Double) async { await air.setLoss(loss) }

    /// The moment on the air's clock.
    public var now: HostInstant { air.loop.now }

    /// Lets time pass.
    ///
    /// - Parameter duration: How much.
    /// - Throws: ``BluetoothError/cancelled``, and ``BluetoothError/radioUnavailable(_:)`` when the test has taken too long.
    public func advance(by duration: Duration) async throws(BluetoothError) {
        guard radios.withLock({ $0 != nil }) else { throw .radioUnavailable("the test has ended") }
        do { try await air.loop.sleep(until: now + duration) } catch { throw .cancelled }
    }

    private func close() async {
        let open = radios.withLock { radios in
            defer { radios = nil }
            return radios ?? []
        }
        for radio in open { await radio.close() }
    }
}

extension TestAir.Failure: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .timeLimit(let limit): "The test has not ended after \(limit) of its air's time."
        case .standstill: "Nothing can go on: somebody waits for what never comes."
        }
    }
}
