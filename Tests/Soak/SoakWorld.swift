// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import BLESimulation
import BLETransport
import BLEVirtualRadio

/// Radios on one virtual air, what goes on between them, and what is known of it.
///
/// Everything runs on one manual loop, so that the same steps lead to the same octets.
actor SoakWorld {
    /// One radio, and what is open at it.
    struct Node {
        var host: HostRadio
        var isClosed = false
        /// Whether it is to be started once more.
        var hasFailedToStart = false
        var transport: SoakTransport?
        var receiver: (@Sendable (TransportInput) -> Void)?
        var server: Server?
        var handles: [Int: AttributeHandle] = [:]
        var extraService: AttributeHandle?
        var listener: ChannelListener?
        /// Whether its controller's packets are swallowed.
        var isMuted = false
        /// Whether its transport cannot be opened.
        var isAbsent = false
        /// How often something went wrong at it.
        var troubles = 0
    }

    /// A link as somebody has opened it.
    struct KnownLink {
        let node: Int
        let peer: Int
        let connection: Connection
        var characteristics: [Int: GATT.Characteristic] = [:]
    }

    /// A channel, at one of its ends.
    struct KnownChannel {
        let node: Int
        let channel: Channel
    }

    /// Something that was asked for and has not ended.
    struct Operation {
        let number: Int
        let name: String
        let node: Int
        let step: Int
        /// Whether it ends only when somebody ends it.
        let isLasting: Bool
        /// Whether it may not fail.
        let mustSucceed: Bool
        let troubles: Int
        var task: Task<Void, Never>?
        var cancelled: HostInstant?
    }

    let manual: ManualLoop
    nonisolated let loop: TransportLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let air: VirtualRadio

    var nodes: [Node] = []
    var links: [KnownLink] = []
    var channels: [KnownChannel] = []
    var held: [any Sendable] = []
    var operations: [Operation] = []
    /// After how many packets operations are cancelled.
    var ambushes: [Int: Int] = [:]
    private var lastOperation = 0
    private var lastValue: UInt32 = 0
    var stepIndex = 0
    /// The first promise that was not kept.
    private(set) var failure: SoakFailure?
    private(set) var digest = SoakDigest()
    var counts = SoakCounts()
    /// Links on which everything has worked in the last proof.
    var proofs = 0
    /// Whether some server need not have answered in time since everything was closed last.
    var hasSlowServer = false
    /// Everything that must go when nobody needs it any more.
    var watched: [Watched] = []

    init(seed: UInt64, _ manual: ManualLoop) {
        self.manual = manual
        loop = manual.loop
        var configuration = VirtualAir.Configuration(seed: seed)
        configuration.latencyMicroseconds = 0...2000
        air = VirtualRadio(configuration, on: manual.loop)
    }

    /// The address of a radio's controller.
    static func publicAddress(_ radio: Int) -> BluetoothAddress {
        BluetoothAddress(0x00AA_0000_0000 + UInt64(radio), kind: .public)
    }

    /// As whom peers know a radio: the address that its host makes of the controller's.
    static func peer(_ radio: Int) -> Peer {
        Peer(BluetoothAddress(0xC0AA_0000_0000 + UInt64(radio), kind: .random))
    }

    /// Whether a radio's controller knows nothing of extended advertising, nor of modulations.
    static func isLegacy(_ radio: Int) -> Bool { radio % 4 == 0 }

    /// Whose address it is.
    static func radio(_ address: BluetoothAddress?) -> Int { Int((address?.value ?? 0) & 0xFF) }

    // MARK: Radios

    func makeHost(_ radio: Int) -> HostRadio {
        var configuration = HostConfiguration()
        configuration.maximumCentrals = radio == SoakStep.centrals ? 4 : 6
        let air = air
        let host = HostRadio(configuration, loop: loop) { [weak self] (loop) async throws(TransportError) in
            guard let self, await !self.isAbsent(radio) else { throw .cannotOpen("nobody is there") }
            var configuration = VirtualAir.ControllerConfiguration(address: Self.publicAddress(radio))
            if Self.isLegacy(radio) { configuration.generation = .legacy }
            if radio % 3 == 0 { configuration.totalACLDataPackets = 3 }
            return SoakTransport(await air.attach(configuration, on: loop), radio, self)
        }
        watch(host, "radio \(radio)")
        return host
    }

    func makeNodes() {
        for radio in 0..<SoakStep.radios { nodes.append(Node(host: makeHost(radio))) }
        for radio in 0..<SoakStep.radios { start(radio) }
    }

    private func isAbsent(_ radio: Int) -> Bool { nodes[radio].isAbsent }

    func start(_ radio: Int) {
        if nodes[radio].isClosed {
            nodes[radio].host = makeHost(radio)
            nodes[radio].isClosed = false
        }
        let host = nodes[radio].host
        nodes[radio].hasFailedToStart = false
        begin("start", at: radio) { _ in try await host.start() }
    }

    // MARK: What passes between hosts and controllers

    func opened(_ transport: SoakTransport, _ receiver: @escaping @Sendable (TransportInput) -> Void) {
        nodes[transport.radio].transport = transport
        nodes[transport.radio].receiver = receiver
        nodes[transport.radio].isMuted = false
    }

    func arrived(_ octets: [UInt8], at radio: Int, through id: ObjectIdentifier) -> Bool {
        if nodes[radio].isMuted, nodes[radio].transport.map({ ObjectIdentifier($0) }) == id { return false }
        digest.add(octets, radio, isFromHost: false, loop.now)
        if !ambushes.isEmpty { springAmbushes(radio) }
        return true
    }

    func sent(_ octets: [UInt8], by radio: Int, through id: ObjectIdentifier) -> Bool {
        if nodes[radio].isMuted, nodes[radio].transport.map({ ObjectIdentifier($0) }) == id { return false }
        digest.add(octets, radio, isFromHost: true, loop.now)
        return true
    }

    // MARK: Operations

    /// Begins something in a task of its own.
    func begin(
        _ name: String, at node: Int, lasts: Bool = false, mustSucceed: Bool = false,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) {
        lastOperation += 1
        let number = lastOperation
        counts.begun += 1
        operations.append(
            Operation(
                number: number, name: name, node: node, step: stepIndex, isLasting: lasts,
                mustSucceed: mustSucceed, troubles: nodes[node].troubles))
        let task = Task(executorPreference: loop) {
            var failure: BluetoothError?
            do {
                try await body(number)
            } catch let error as BluetoothError {
                failure = error
            } catch {
                failure = .cancelled
            }
            await self.ended(number, failure)
        }
        operations[operations.count - 1].task = task
    }

    private func ended(_ number: Int, _ error: BluetoothError?) {
        guard let index = operations.firstIndex(where: { $0.number == number }) else {
            fail("an operation ended twice", "number \(number)")
            return
        }
        let operation = operations.remove(at: index)
        ambushes[number] = nil
        if error == nil { counts.succeeded += 1 }
        judge(operation, error)
    }

    func isCancelled(_ number: Int) -> Bool {
        operations.first { $0.number == number }?.cancelled != nil
    }

    func cancel(_ index: Int) {
        guard operations[index].cancelled == nil else { return }
        operations[index].cancelled = loop.now
        operations[index].task?.cancel()
    }

    /// Cancels what is to be cancelled as this packet comes: its task learns of both at once.
    private func springAmbushes(_ radio: Int) {
        for (index, operation) in operations.enumerated() where operation.node == radio {
            guard let left = ambushes[operation.number] else { continue }
            ambushes[operation.number] = left > 1 ? left - 1 : nil
            if left == 1 { cancel(index) }
        }
    }

    /// Notes that a promise was not kept.
    func fail(_ kind: String, _ details: String) {
        if failure == nil { failure = SoakFailure(kind: kind, details: details, step: stepIndex) }
    }

    // MARK: Values

    /// A value that says where it comes from and is newer than all before.
    func nextValue(_ node: Int, _ characteristic: Int, _ size: Int) -> [UInt8] {
        lastValue += 1
        return SoakValue(node, characteristic, lastValue).octets(size)
    }

    func hold(_ stream: some Sendable) { held.append(stream) }

    func watch(_ object: some AnyObject & Sendable, _ name: String) {
        watched.append(Watched(object: object, name: name))
    }
}

/// An object that must not outlive its use.
struct Watched {
    weak var object: (any AnyObject & Sendable)?
    let name: String
}

/// A promise that was not kept.
struct SoakFailure: Error, Equatable, CustomStringConvertible {
    /// Which: the same kind is the same failure when steps are left out.
    let kind: String
    let details: String
    let step: Int

    var description: String { "\(kind) (\(details)) at step \(step)" }
}

/// How much was done.
struct SoakCounts: Equatable {
    var begun = 0
    var succeeded = 0
    var values = 0
    var sdus = 0
    var reports = 0
    var requests = 0
    var opened = 0
}

/// What all octets between hosts and controllers were, in 64 bits (FNV-1a).
struct SoakDigest: Equatable, CustomStringConvertible {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var octets = 0

    mutating func add(_ octets: [UInt8], _ radio: Int, isFromHost: Bool, _ now: HostInstant) {
        add(UInt8(radio) | (isFromHost ? 0x80 : 0))
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: now.microseconds >> shift))
        }
        for octet in octets { add(octet) }
        self.octets += octets.count
    }

    private mutating func add(_ octet: UInt8) { value = (value ^ UInt64(octet)) &* 0x100_0000_01B3 }

    var description: String { String(value, radix: 16) + " of \(octets) octets" }
}

/// A value that says from which radio and characteristic it is, and which it is.
struct SoakValue {
    /// What clients write, whoever they are.
    static let client = 0xEE

    let node: Int
    let characteristic: Int
    let number: UInt32

    init(_ node: Int, _ characteristic: Int, _ number: UInt32 = 0) {
        (self.node, self.characteristic, self.number) = (node, characteristic, number)
    }

    init?(_ octets: [UInt8]) {
        guard octets.count >= 6 else { return nil }
        self.init(
            Int(octets[0]), Int(octets[1]),
            octets[2..<6].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }

    func octets(_ size: Int) -> [UInt8] {
        var octets = [UInt8(node), UInt8(characteristic)]
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            octets.append(UInt8(truncatingIfNeeded: number >> shift))
        }
        while octets.count < size { octets.append(UInt8(truncatingIfNeeded: octets.count)) }
        return octets
    }
}
