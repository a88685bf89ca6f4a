// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLEVirtualRadio
import Testing

/// A server and a client on one virtual air.
private struct TwoRadios {
    let server: Radio
    let client: Radio
    private let serverPeer: Peer

    init() async throws {
        let air = VirtualRadio(on: ManualTime.loop)
        let server = try await AirRadio.start(air, 2)
        self.server = server.radio
        serverPeer = try await server.peer
        client = try await AirRadio.start(air).radio
    }

    /// Makes the server connectable and connects.
    func connect() async throws -> Connection {
        let server = try await server.serve(ServerDescription(name: "server", services: []))
        begin { for try await _ in server.events() {} }
        return try await client.connect(to: serverPeer)
    }

    func close() async {
        await client.close()
        await server.close()
    }
}

extension ChannelListener {
    /// The next channel that a peer opens.
    fileprivate func next() async throws -> Channel {
        for try await channel in channels() { return channel }
        throw BluetoothError.cancelled
    }
}

@Suite("Channels of the facade, over two hosts on a virtual air", .manualTime, .timeLimit(.minutes(5)))
struct ChannelRadioTests {
    private static func octets(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    /// Takes SDUs out until the channel ends.
    private static func reader(_ channel: Channel) -> Task<[[UInt8]], Never> {
        begin {
            var sdus: [[UInt8]] = []
            // How it ends is for others to look at.
            do { for try await sdu in channel.received() { sdus.append(sdu) } } catch {}
            return sdus
        }
    }

    @Test func aChannelCarriesSDUsBothWaysAndCloses() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(
            psm: 0x80, ChannelOptions(mtu: 5_000, mps: 100, credits: 3))
        let connection = try await radios.connect()
        let near = try await connection.openChannel(psm: 0x80)
        let far = try await listener.next()
        #expect(near.description.psm == 0x80 && far.description.psm == 0x80)
        #expect(near.description.mtu == 5_000 && near.description.mps == 100)
        #expect(far.description.mtu == 65_535)
        #expect(near.description.peer == connection.peer)
        #expect(near.description.localCID == far.description.remoteCID)
        #expect(near.description.remoteCID == far.description.localCID)
        let sizes = [0, 1, 98, 99, 5_000]
        let (there, back) = (Self.reader(far), Self.reader(near))
        for size in sizes {
            try await near.send(Self.octets(size, 1))
            try await far.send(Self.octets(size, 2))
        }
        await near.close()
        #expect(try await near.waitUntilClosed() == .closedByUs)
        #expect(try await far.waitUntilClosed() == .closedByPeer)
        #expect(await there.value == sizes.map { Self.octets($0, 1) })
        let returned = await back.value
        // What the other side had sent when this one closed may be lost, but only its end.
        #expect(returned == Array(sizes.map { Self.octets($0, 2) }.prefix(returned.count)))
        await #expect(throws: BluetoothError.channel(.closedByUs)) { try await near.send([1]) }
        await #expect(throws: BluetoothError.channel(.closedByPeer)) { try await far.send([1]) }
        await radios.close()
    }

    @Test func aSlowReaderHoldsTheSenderBackAndLosesNothing() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(
            ChannelOptions(mtu: 100, mps: 102, credits: 4))
        #expect(listener.psm == 0x80)
        let connection = try await radios.connect()
        let near = try await connection.openChannel(psm: listener.psm)
        let far = try await listener.next()
        let count = 3_000
        let sender = begin {
            for number in 0..<count { try await near.send([UInt8(number & 0xFF), UInt8(number >> 8)]) }
        }
        // Until somebody reads, the sender does not get far, which is only looked at, not waited for.
        var received = 0
        for try await sdu in far.received() {
            #expect(sdu == [UInt8(received & 0xFF), UInt8(received >> 8)])
            received += 1
            if received == count { break }
        }
        try await sender.value
        #expect(received == count)
        await radios.close()
    }

    @Test func whatCannotBeOpenedSaysWhy() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(psm: 0x90)
        await #expect(throws: BluetoothError.self) { _ = try await radios.server.listen(psm: 0x90) }
        for psm in [0, 0x100, 0xFFFF] as [UInt16] {
            await #expect(throws: BluetoothError.self) { _ = try await radios.server.listen(psm: psm) }
        }
        let connection = try await radios.connect()
        await #expect(throws: BluetoothError.channel(.notOffered)) {
            _ = try await connection.openChannel(psm: 0x91)
        }
        await #expect(throws: BluetoothError.self) { _ = try await connection.openChannel(psm: 0x100) }
        let near = try await connection.openChannel(psm: 0x90, ChannelOptions(mtu: 50))
        let far = try await listener.next()
        await #expect(throws: BluetoothError.tooLong(octets: 51, limit: 50)) {
            try await far.send(Self.octets(51, 0))
        }
        try await far.send(Self.octets(50, 0))
        for try await sdu in near.received() {
            #expect(sdu.count == 50)
            break
        }
        // Who stops listening is not found any more; what is open stays open.
        await listener.stop()
        for try await _ in listener.channels() { Issue.record("a channel after the end") }
        await #expect(throws: BluetoothError.channel(.notOffered)) {
            _ = try await connection.openChannel(psm: 0x90)
        }
        try await near.send([1])
        await radios.close()
    }

    @Test func aLinkThatEndsEndsItsChannels() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(psm: 0x80)
        let connection = try await radios.connect()
        let near = try await connection.openChannel(psm: 0x80)
        let far = try await listener.next()
        let reader = begin {
            await failure { () async throws(BluetoothError) in for try await _ in far.received() {} }
        }
        await connection.disconnect()
        #expect(await reader.value == .channel(.linkLost))
        #expect(try await far.waitUntilClosed() == .linkLost)
        #expect(try await near.waitUntilClosed() == .linkLost)
        await #expect(throws: BluetoothError.channel(.linkLost)) { try await far.send([1]) }
        await #expect(throws: BluetoothError.disconnected(.closedByUs)) {
            _ = try await connection.openChannel(psm: 0x80)
        }
        await radios.close()
        for try await _ in listener.channels() { Issue.record("a channel after the end") }
    }

    @Test func whoWaitsForRoomIsWokenByCancellationAndByTheEnd() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(
            psm: 0x80, ChannelOptions(mtu: 1_000, mps: 100, credits: 1))
        let connection = try await radios.connect()
        let near = try await connection.openChannel(psm: 0x80)
        let far = try await listener.next()
        // Nobody reads at the other side: this must come to wait.
        func fill() -> Task<BluetoothError?, Never> {
            begin {
                while true {
                    do throws(BluetoothError) {
                        try await near.send(Self.octets(1_000, 0))
                    } catch {
                        return error
                    }
                }
            }
        }
        let first = fill()
        first.cancel()
        #expect(await first.value == .cancelled)
        let second = fill()
        await far.close()
        #expect(await second.value == .channel(.closedByPeer))
        await radios.close()
    }

    @Test func cancellationGivesUpOpening() async throws {
        let radios = try await TwoRadios()
        let listener = try await radios.server.listen(psm: 0x80)
        let connection = try await radios.connect()
        let opening = begin { () -> BluetoothError? in
            do throws(BluetoothError) {
                _ = try await connection.openChannel(psm: 0x80)
                return nil
            } catch {
                return error
            }
        }
        opening.cancel()
        #expect(await opening.value == .cancelled)
        // The link is as good as before.
        _ = try await connection.openChannel(psm: 0x80)
        _ = listener
        await radios.close()
    }
}
