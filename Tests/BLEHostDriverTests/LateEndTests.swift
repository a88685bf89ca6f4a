// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLETransport
import BLEWire
import BluetoothLE
import Synchronization
import Testing

/// A radio whose links open at once and end when a test says so.
private final class LateRadio: RadioBackend {
    private let life = RadioStateStream.Source()
    private let opened = Mutex<[Peer: LateLink]>([:])
    let loop = ManualTime.loop

    init() { life.yield(.ready) }

    func link(to peer: Peer) -> LateLink? { opened.withLock { $0[peer] } }

    var executor: (any TaskExecutor)? { loop }
    var clock: any RadioClock { loop }
    var capabilities: RadioCapabilities { [] }
    func states() -> RadioStateStream { RadioStateStream(life) }
    func start(_ scan: Scan) {}
    func stop(_ scan: Scan.ID) {}
    func close() { life.finish() }

    func connect(toFirstOf peers: [Peer], _ options: ConnectOptions) -> any ConnectionBackend {
        let link = LateLink(peers[0])
        opened.withLock { $0[peers[0]] = link }
        return link
    }
}

private final class LateLink: ConnectionBackend {
    let peer: Peer
    let state = LinkState(mtu: 23)
    let clock: any RadioClock = ManualTime.loop
    private let asked = Atomic(0)

    init(_ peer: Peer) { self.peer = peer }

    /// How often it was to be closed.
    var closings: Int { asked.load(ordering: .relaxed) }

    func disconnect() async {
        asked.add(1, ordering: .relaxed)
        _ = try? await state.ending.wait()
    }

    func discoverServices() -> [GATT.Service] { [] }
    func read(_ handle: AttributeHandle) -> [UInt8] { [] }
    func write(_ value: [UInt8], to handle: AttributeHandle) {}
    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) {}
}

@Suite("A link that ends late", .manualTime, .timeLimit(.minutes(5)))
struct LateEndTests {
    private static let first = Peer(BluetoothAddress(1, kind: .public))
    private static let second = Peer(BluetoothAddress(2, kind: .public))

    /// The platform does not end a link for longer than the session has patience: the next link is none of its business.
    @Test func itDoesNotTouchTheNextLink() async throws {
        let radio = LateRadio()
        let client = RunningClient(on: Radio(radio))
        func connected(_ peer: Peer) async throws -> Bool {
            try await client.inputs.next { if case .connected(peer, _) = $0 { true } else { nil } }
        }
        await client.ask(.connect(Self.first))
        _ = try await connected(Self.first)
        await client.ask(.disconnect)
        await client.ask(.connect(Self.second))
        _ = try await connected(Self.second)
        let (old, new) = (try #require(radio.link(to: Self.first)), try #require(radio.link(to: Self.second)))
        #expect(old.closings > 0)
        old.state.end(.supervisionTimeout)
        // Nothing is told of it, requests on the new link go on, and that can still be closed.
        await client.ask(.discover)
        guard case .discovered = try await client.inputs.next() else {
            Issue.record("told of the old link")
            return
        }
        await client.ask(.disconnect)
        try await ManualTime.pass(milliseconds: 10)
        #expect(new.closings == 1)
        new.state.end(.closedByUs)
        guard case .disconnected(.closedByUs) = try await client.inputs.next() else {
            Issue.record("not told of the new link")
            return
        }
        await client.finish()
        await client.run.value
    }

    /// A session that does not wait for the end of a link at all leaves none open.
    @Test func aLinkThatIsReplacedIsClosed() async throws {
        let radio = LateRadio()
        let client = RunningClient(on: Radio(radio))
        await client.ask(.connect(Self.first))
        try await ManualTime.pass(milliseconds: 10)
        await client.ask(.connect(Self.second))
        try await ManualTime.pass(milliseconds: 10)
        let (old, new) = (try #require(radio.link(to: Self.first)), try #require(radio.link(to: Self.second)))
        #expect(old.closings == 1 && new.closings == 0)
        old.state.end(.closedByUs)
        new.state.end(.closedByPeer)
        _ = try await client.inputs.next { if case .disconnected(.closedByPeer) = $0 { true } else { nil } }
        await client.finish()
        await client.run.value
    }
}
