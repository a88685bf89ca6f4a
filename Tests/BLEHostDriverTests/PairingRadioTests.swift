// SPDX-License-Identifier: Apache-2.0

import BLECrypto
import BLEHost
import BLEHostDriver
import BLEVirtualRadio
import Synchronization
import Testing

/// Who pairs with whom over the facade, and who is resumed by what.
@Suite("Pairing over the facade", .manualTime, .timeLimit(.minutes(5)))
struct PairingRadioTests {
    private static let open = BluetoothUUID(0xFFF1)
    static let secret = BluetoothUUID(0xFFF2)

    private static func services(_ level: SecurityLevel) -> [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                BluetoothUUID(0xFFF0),
                characteristics: [
                    .init(Self.open, .read, value: .stored([1])),
                    .init(
                        Self.secret, [.read, .write, .notify],
                        access: GATT.Access(read: level, write: level, subscribe: level),
                        value: .stored([42])),
                ])
        ]
    }

    /// Two radios that can pair, one of which serves.
    struct Pair {
        let air = VirtualRadio(on: ManualTime.loop)
        let stores = (server: MemoryBondStore(), client: MemoryBondStore())
        var server: AirRadio
        var client: AirRadio
        var running: Server

        init(_ level: SecurityLevel = .encrypted) async throws {
            server = try await Self.start(air, 2, stores.server)
            client = try await Self.start(air, 1, stores.client)
            running = try await server.radio.serve(
                ServerDescription(name: "server", services: services(level)))
        }

        static func start(
            _ air: VirtualRadio, _ number: UInt64, _ store: (any BondStore)?
        ) async throws -> AirRadio {
            var configuration = HostConfiguration()
            configuration.cryptography = HostCryptography()
            let radio = AirRadio(air, number, configuration, bonds: store)
            try await radio.host.start()
            return radio
        }

        /// Both programs end and begin again.
        mutating func restart() async throws {
            await client.radio.close()
            #expect(await client.host.waitingTasks == 0)
            try await restartServer()
            client = try await Self.start(air, 1, stores.client)
        }

        /// The server's program ends and begins again.
        mutating func restartServer() async throws {
            await server.radio.close()
            #expect(await server.host.waitingTasks == 0)
            server = try await Self.start(air, 2, stores.server)
            running = try await server.radio.serve(
                ServerDescription(name: "server", services: services(.encrypted)))
        }

        func connect() async throws -> Connection {
            try await client.radio.connect(to: try await server.peer)
        }

        func close() async {
            await client.radio.close()
            await server.radio.close()
            #expect(await client.host.waitingTasks == 0)
            #expect(await server.host.waitingTasks == 0)
        }
    }

    static func agent(
        _ capability: SMP.IOCapability, _ answer: @escaping @Sendable (PairingQuestion) async -> SMP.Answer
    ) -> PairingAgent {
        var configuration = SMP.Configuration()
        configuration.ioCapability = capability
        configuration.wantsAuthentication = capability != .noInputNoOutput
        return PairingAgent(configuration, answer: answer)
    }

    static func characteristic(
        _ uuid: BluetoothUUID, of link: Connection
    ) async throws -> GATT.Characteristic {
        try #require(try await link.discoverServices().characteristic(uuid))
    }

    @Test func sixDigitsGoFromTheDisplayToTheKeyboard() async throws {
        let pair = try await Pair(.authenticated)
        let shown = Shown()
        try await pair.server.radio.pairWhenAsked(
            Self.agent(.displayOnly) { question in
                if case .show(let passkey) = question.kind { shown.passkey = passkey }
                return .accept
            })
        let link = try await pair.connect()
        let value = try await Self.characteristic(Self.secret, of: link)
        #expect(await link.security == nil)
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
                == .refused(.insufficientAuthentication))
        var changes = link.changes().makeAsyncIterator()
        // What answers runs outside of the test's task.
        let loop = ManualTime.loop
        let security = try await link.pair(
            Self.agent(.keyboardOnly) { question in
                #expect(question.kind == .enter)
                // The display may be slower.
                while true {
                    if let passkey = shown.passkey { return .passkey(passkey) }
                    let soon = loop.now.advanced(byMilliseconds: 10)
                    guard (try? await loop.sleep(until: soon)) != nil else { return .reject }
                }
            })
        #expect(security.level == .secureConnections && security.isBonded && security.keySize == 16)
        #expect(await link.security == security)
        #expect(await changes.next() == .secured(security))
        #expect(try await link.read(value) == [42])
        let client = try #require(pair.running.clients.first)
        for try await event in pair.running.events() {
            guard case .secured(client, let theirs) = event else { continue }
            #expect(theirs == security)
            break
        }
        #expect(
            try await pair.client.radio.bonds() == [
                BondedPeer(
                    try await pair.server.peer, security, hasChangingAddress: false,
                    adapter: try await pair.client.peer.address)
            ])
        #expect(try await pair.server.radio.bonds().map(\.peer) == [try await pair.client.peer])
        await pair.close()
    }

    @Test func whatIsRefusedIsPairedForOnceIfSomebodyAnswers() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        let link = try await pair.connect()
        let value = try await Self.characteristic(Self.secret, of: link)
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
                == .refused(.insufficientAuthentication))
        try await pair.client.radio.pairWhenAsked(.justWorks)
        #expect(try await link.read(value) == [42])
        #expect(await link.security?.level == .encrypted)
        await pair.close()
    }

    @Test func aDeviceThatStillHasAKeyIsPairedWithAnew() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        let value = try await Self.characteristic(Self.secret, of: link)
        await link.disconnect()
        _ = try await pair.client.radio.removeBond(of: try await pair.server.peer)
        link = try await pair.connect()  // For the device a key would do: the code is another one.
        let refusal = await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
        #expect(refusal == .refused(.insufficientEncryption))
        try await pair.client.radio.pairWhenAsked(.justWorks)
        #expect(try await link.read(value) == [42])
        await pair.close()
    }

    @Test func bothStartAnewAndGoOnWithWhatTheyKeep() async throws {
        var pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        let security = try await link.pair()
        let value = try await Self.characteristic(Self.secret, of: link)
        try await link.subscribe(.notify, to: value)
        await link.disconnect()

        try await pair.restart()
        // Nobody answers for either side: nobody has to.
        link = try await pair.connect()
        #expect(await link.security == security)
        #expect(try await link.read(value) == [42])
        // The subscription has outlived both programs.
        var values = link.allValues().makeAsyncIterator()
        try await pair.running.update([43], of: value.valueHandle)
        #expect(try await values.next()?.value == [43])
        await pair.close()
    }

    @Test func aDeviceThatHasForgottenIsToldApart() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var link = try await pair.connect()
        try await link.pair()
        let value = try await Self.characteristic(Self.secret, of: link)
        await link.disconnect()
        #expect(try await pair.server.radio.removeBond(of: try await pair.client.peer))
        #expect(try await !pair.server.radio.removeBond(of: try await pair.client.peer))

        link = try await pair.connect()
        #expect(await link.security == nil)
        #expect(try await link.read(try await Self.characteristic(Self.open, of: link)) == [1])
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await link.read(value) }
                == .pairing(.keyMissing))
        await link.disconnect()
        // And the other way round: this side has forgotten, and pairs anew; a person there agrees.
        #expect(try await pair.client.radio.removeBond(of: try await pair.server.peer))
        link = try await pair.connect()
        #expect(
            await failure { () async throws(BluetoothError) in _ = try await link.encrypt() }
                == .pairing(.notBonded))
        try await link.pair()
        #expect(try await link.read(value) == [42])
        await pair.close()
    }

    @Test func nobodyAnswersSoNobodyPairs() async throws {
        let pair = try await Pair()
        let link = try await pair.connect()
        // A peripheral that asks for security is refused.
        let client = try #require(pair.running.clients.first)
        var changes = link.changes().makeAsyncIterator()
        let toClient = try await pair.running.connection(to: client)
        #expect(
            await failure { () async throws(BluetoothError) in try await toClient.pair() }
                == .pairing(.refusedByPeer(.pairingNotSupported)))
        var isRefused = false
        while !isRefused, let change = await changes.next() { isRefused = change == .securityRefused }
        #expect(isRefused)
        // And so is a central that pairs.
        let refusal = await failure { () async throws(BluetoothError) in try await link.pair() }
        #expect(refusal == .pairing(.refusedByPeer(.pairingNotSupported)), "\(String(describing: refusal))")
        await pair.close()
    }

    @Test func aRadioThatCannotPairSaysSo() async throws {
        let radio = try await AirRadio.start(VirtualRadio(on: ManualTime.loop))
        #expect(await !radio.radio.capabilities.contains(.pairing))
        #expect(
            await failure { () async throws(BluetoothError) in
                try await radio.radio.pairWhenAsked(.justWorks)
            } == .pairing(.noCryptography))
        await radio.radio.close()
    }

    // MARK: Who is resumed by what

    /// A link on which this side waits for a person, who never answers.
    private static func waiting(
        _ pair: Pair
    ) async throws -> (Connection, Task<BluetoothError?, Never>, Shown) {
        try await pair.server.radio.pairWhenAsked(Self.agent(.displayOnly) { _ in .accept })
        let link = try await pair.connect()
        let asked = Shown()
        let loop = ManualTime.loop
        let pairing = begin {
            await failure { () async throws(BluetoothError) in
                try await link.pair(
                    Self.agent(.keyboardOnly) { _ in
                        asked.isAsked = true
                        _ = try? await loop.sleep(until: HostInstant(microseconds: .max))
                        asked.isCancelled = Task.isCancelled
                        return .reject
                    })
            }
        }
        while !asked.isAsked { try await ManualTime.pass(milliseconds: 10) }
        return (link, pairing, asked)
    }

    @Test func aTaskThatIsCancelledGivesPairingUp() async throws {
        let pair = try await Pair()
        let (link, pairing, asked) = try await Self.waiting(pair)
        pairing.cancel()
        #expect(await pairing.value == .cancelled)
        try await ManualTime.pass(milliseconds: 100)
        #expect(asked.isCancelled)
        // The other side has heard it.
        var isTold = false
        for try await event in pair.running.events() {
            guard case .pairingFailed(_, let failure) = event else { continue }
            isTold = failure == .refusedByPeer(.passkeyEntryFailed)
            break
        }
        #expect(isTold)
        #expect(!link.isDisconnected)
        await pair.close()
    }

    @Test func aRadioThatIsClosedEndsPairing() async throws {
        let pair = try await Pair()
        let (_, pairing, asked) = try await Self.waiting(pair)
        await pair.client.radio.close()
        #expect(await pairing.value == .disconnected(.closedByUs))
        try await ManualTime.pass(milliseconds: 100)
        #expect(asked.isCancelled)
        await pair.close()
    }

    @Test func aPeerThatGoesEndsPairing() async throws {
        let pair = try await Pair()
        let (_, pairing, asked) = try await Self.waiting(pair)
        await pair.server.radio.close()
        #expect(await pairing.value == .disconnected(.closedByPeer))
        try await ManualTime.pass(milliseconds: 100)
        #expect(asked.isCancelled)
        await pair.close()
    }

    @Test func aPersonWhoNeverAnswersHasThirtySeconds() async throws {
        let pair = try await Pair()
        let before = ManualTime.loop.now
        let (_, pairing, asked) = try await Self.waiting(pair)
        #expect(await pairing.value == .pairing(.timeout))
        #expect(ManualTime.loop.now.microseconds(since: before) < 40_000_000)
        try await ManualTime.pass(milliseconds: 100)
        #expect(asked.isCancelled)
        await pair.close()
    }

    @Test func twoWhoPairWaitForTheSamePairing() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        let link = try await pair.connect()
        async let first = link.pair()
        async let second = link.pair()
        let both = try await (first, second)
        #expect(both.0 == both.1)
        #expect(try await pair.client.radio.bonds().count == 1)
        await pair.close()
    }

    @Test func keysThatCannotBeKeptAreSaid() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        let radio = try await Pair.start(pair.air, 3, FullStore())
        let link = try await radio.radio.connect(to: try await pair.server.peer)
        #expect(
            await failure { () async throws(BluetoothError) in try await link.pair() }
                == .bonds("The disk is full."))
        #expect(await link.security?.isBonded == true)
        await radio.radio.close()
        await pair.close()
    }

    @Test func moreThanTheLimitPairForOneLinkOnly() async throws {
        let pair = try await Pair()
        try await pair.server.radio.pairWhenAsked(.justWorks)
        var configuration = HostConfiguration()
        configuration.cryptography = HostCryptography()
        configuration.limits.bonds = 0
        let radio = AirRadio(pair.air, 3, configuration)
        try await radio.host.start()
        let link = try await radio.radio.connect(to: try await pair.server.peer)
        #expect(try await !link.pair().isBonded)
        #expect(try await radio.radio.bonds().isEmpty)
        // The other side knows, and keeps nothing in vain.
        #expect(try await pair.server.radio.bonds().isEmpty)
        await radio.radio.close()
        await pair.close()
    }
}

/// What a person has seen.
private final class Shown: Sendable {
    private let state = Mutex<(SMP.Passkey?, Bool, Bool)>((nil, false, false))

    var passkey: SMP.Passkey? {
        get { state.withLock { $0.0 } }
        set { state.withLock { $0.0 = newValue } }
    }
    var isAsked: Bool {
        get { state.withLock { $0.1 } }
        set { state.withLock { $0.1 = newValue } }
    }
    var isCancelled: Bool {
        get { state.withLock { $0.2 } }
        set { state.withLock { $0.2 = newValue } }
    }
}

/// Keeps nothing.
private struct FullStore: BondStore {
    func bonds(of adapter: BluetoothAddress) -> [KeptBond] { [] }
    func keep(_ bond: KeptBond, of adapter: BluetoothAddress) throws(BondStoreError) {
        throw BondStoreError("The disk is full.")
    }
    func remove(_ identity: BluetoothAddress, of adapter: BluetoothAddress) -> Bool { false }
    func resolvingKey(
        of adapter: BluetoothAddress, orKeep new: SMP.Secret
    ) throws(BondStoreError) -> SMP.Secret { throw BondStoreError("The disk is full.") }
}
