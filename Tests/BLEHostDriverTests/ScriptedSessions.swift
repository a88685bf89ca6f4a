// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHostDriver
import BLESessions
import BLEWire
import Synchronization
import Testing

/// A client session that asks for what a test wants, and says everything that happens.
struct ScriptedClient: ClientSession {
    private var outputs = FIFO<ClientOutput<ClientInput>>()

    mutating func ask(_ action: ClientAction) { outputs.append(.action(action)) }
    mutating func finish() { outputs.append(.finished) }

    mutating func receive(_ input: ClientInput, at now: HostInstant) { outputs.append(.event(input)) }
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> ClientOutput<ClientInput>? { outputs.popFirst() }
    var nextDeadline: HostInstant? { nil }
}

/// A device session with one value, which says everything that happens.
struct ScriptedDevice: DeviceSession {
    static let value = BluetoothUUID(0xFFF1)

    let name: WireText = "scripted"
    let appearance: UInt16 = 0
    private(set) var advertisement = DeviceAdvertisement.plain
    private var handle = AttributeHandle.last
    private var outputs = FIFO<DeviceOutput<DeviceInput>>()

    var services: [GATT.ServiceDefinition] {
        let value = GATT.CharacteristicDefinition(
            Self.value, [.read, .write, .writeWithoutResponse, .notify, .indicate], value: .delegated)
        return [GATT.ServiceDefinition(BluetoothUUID(0xFFF0), characteristics: [value])]
    }

    mutating func send(_ value: [UInt8], to link: LinkID) {
        outputs.append(.send(link, handle, value, .notify))
    }

    mutating func advertise(_ advertisement: DeviceAdvertisement) {
        self.advertisement = advertisement
        outputs.append(.advertisementChanged)
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        handle = handles[Self.value] ?? .last
    }

    mutating func receive(_ input: DeviceInput, at now: HostInstant) { outputs.append(.event(input)) }
    mutating func read(_ handle: AttributeHandle, on link: LinkID, at now: HostInstant) -> [UInt8] { [7] }
    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { if value.isEmpty { throw .valueNotAllowed } }
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> DeviceOutput<DeviceInput>? { outputs.popFirst() }
    var nextDeadline: HostInstant? { nil }
}

/// What happened, to be waited for.
final class Happenings<Element: Sendable>: Sendable {
    private let all: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() { (all, continuation) = AsyncStream.makeStream() }

    func add(_ element: Element) { continuation.yield(element) }

    /// The next one.
    func next() async throws -> Element {
        for await element in all { return element }
        throw CancellationError()
    }

    /// What a pattern finds in the next one in which it finds something.
    func next<Found>(_ find: (Element) -> Found?) async throws -> Found {
        while true { if let found = find(try await next()) { return found } }
    }
}

/// A scripted client on a radio.
struct RunningClient: Sendable {
    let runner: ClientRunner<ScriptedClient>
    let inputs = Happenings<ClientInput>()
    let run: Task<Void, Never>

    // `gate` is what the handler waits for before it takes in a value.
    init(on radio: Radio, gate: Ending<Void>? = nil) {
        let runner = ClientRunner(ScriptedClient(), on: radio)
        self.runner = runner
        let inputs = inputs
        run = begin {
            await runner.run { input in
                if case .value = input { _ = try? await gate?.wait() }
                inputs.add(input)
            }
        }
    }

    func ask(_ action: ClientAction) async { await runner.update { session, _ in session.ask(action) } }
    func finish() async { await runner.update { session, _ in session.finish() } }
}

/// A scripted device on a radio.
struct RunningDevice: Sendable {
    let runner: DeviceRunner<ScriptedDevice>
    let inputs = Happenings<DeviceInput>()
    let run: Task<BluetoothError?, Never>

    // Done once it is on the air; `gate` is what the handler waits for before it takes in anything.
    init(on radio: Radio, gate: Ending<Void>? = nil) async throws {
        let runner = DeviceRunner(ScriptedDevice(), on: radio)
        self.runner = runner
        let inputs = inputs
        let advertises = Ending<Void>()
        run = begin {
            await failure { () async throws(BluetoothError) in
                try await runner.run {
                    advertises.end(())
                } _: { input in
                    _ = try? await gate?.wait()
                    inputs.add(input)
                }
            }
        }
        try await advertises.wait()
    }

    func send(_ values: [[UInt8]], to link: LinkID) async {
        await runner.update { session, _ in for value in values { session.send(value, to: link) } }
    }

    /// The next client that has connected.
    func client() async throws -> LinkID {
        try await inputs.next { if case .connected(let link, _) = $0 { link } else { nil } }
    }
}

/// Does something as packets pass on their way up to a host, before the host gets them.
final class Ambush: Sendable {
    private let plan = Mutex<(left: Int, body: (@Sendable () -> Void)?)>((0, nil))
    private let mute = Mutex(false)
    private let transport = Mutex<(any Transport)?>(nil)

    /// Does something just before the packet of a number, counted from now and from 1.
    func lay(_ number: Int, _ body: @escaping @Sendable () -> Void) {
        plan.withLock { $0 = (number, body) }
    }

    /// Does it no more, if it was not done.
    ///
    /// - Returns: Whether it was done.
    func lift() -> Bool {
        plan.withLock { plan in
            defer { plan = (0, nil) }
            return plan.body == nil
        }
    }

    /// Lets nothing pass any more, either way: the host hangs, and its controller goes on.
    func freeze() { mute.withLock { $0 = true } }

    var isFrozen: Bool { mute.withLock { $0 } }

    /// Closes the transport: the controller goes with it.
    func cut() { transport.withLock { $0 }?.close() }

    func lies(_ base: any Transport) { transport.withLock { $0 = base } }

    func packetPasses() {
        let body = plan.withLock { plan -> (@Sendable () -> Void)? in
            guard plan.left > 0 else { return nil }
            plan.left -= 1
            guard plan.left == 0 else { return nil }
            defer { plan.body = nil }
            return plan.body
        }
        body?()
    }
}

/// A transport with an ambush.
final class AmbushedTransport: Transport {
    private let base: any Transport
    private let ambush: Ambush

    init(_ base: any Transport, _ ambush: Ambush) {
        (self.base, self.ambush) = (base, ambush)
        ambush.lies(base)
    }

    var loop: TransportLoop { base.loop }
    var isPacketBased: Bool { base.isPacketBased }

    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        base.start { [ambush] input in
            if case .octets = input {
                guard !ambush.isFrozen else { return }
                ambush.packetPasses()
            }
            receiver(input)
        }
    }

    func send(_ octets: [UInt8]) { if !ambush.isFrozen { base.send(octets) } }
    func close() { base.close() }
}
