// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEL2CAP
import BLESimulation
import BLEWire
import Testing

/// Two hosts and the channels between them, over the virtual air.
private final class Pair {
    let bench: AirBench
    let client: Station
    let server: Station
    let clientLink: LinkID
    let serverLink: LinkID

    init?(
        bufferLength: UInt16 = 251, listening parameters: L2CAP.ChannelParameters = .init(), seed: UInt64 = 0,
        _ configuration: HostConfiguration = HostConfiguration()
    ) {
        bench = AirBench(VirtualAir.Configuration(seed: seed))
        client = bench.add(1, bufferLength: bufferLength)
        server = bench.add(2, configuration, bufferLength: bufferLength)
        bench.update(server) { stack, _ in stack.listen(at: Self.psm, parameters) }
        guard let links = bench.connect(client, server) else { return nil }
        (clientLink, serverLink) = links
        bench.run(seconds: 2)
        (client.events, server.events) = ([], [])
    }

    static let psm = L2CAP.PSM(rawValue: 0x80)

    /// Opens a channel: its names on both sides.
    func open(_ parameters: L2CAP.ChannelParameters = .init()) -> (ChannelName, ChannelName)? {
        let link = clientLink
        let token = bench.update(client) { stack, now in
            stack.openChannel(Self.psm, parameters, on: link, at: now)
        }
        guard let token else { return nil }
        bench.run { self.client.events.contains { $0.hasPrefix("channel") && $0.contains("opened") } }
        let name = server.events.last { $0.contains("opened") }?.split(separator: " ")
        guard let name, let number = UInt32(name[2]) else { return nil }
        return (ChannelName(link, token), ChannelName(serverLink, .init(rawValue: number)))
    }

    /// Sends all of it, as fast as the other side takes it.
    func send(
        _ sdus: [[UInt8]], _ station: Station, through name: ChannelName, _ other: Station,
        as peer: ChannelName
    ) {
        var rest = sdus[...]
        bench.run(seconds: 3_600) {
            while let sdu = rest.first {
                let outcome = self.bench.update(station) { stack, now in
                    stack.send(sdu, through: name.token, on: name.link, at: now)
                }
                guard outcome == .accepted else {
                    #expect(outcome == .full)
                    break
                }
                rest = rest.dropFirst()
            }
            return other.sdus[peer]?.count == sdus.count
        }
        #expect(other.sdus[peer] == sdus)
    }
}

@Suite struct ChannelAirTests {
    @Test(arguments: [27, 251] as [UInt16], [1, 16])
    func `SDUs of every size arrive, both ways, in order`(_ bufferLength: UInt16, _ credits: Int) throws {
        var random = SplitMix64(seed: UInt64(bufferLength) &+ UInt64(credits))
        let pair = try #require(
            Pair(bufferLength: bufferLength, listening: .init(mtu: 65535, mps: 247, credits: credits)))
        let (near, far) = try #require(pair.open(.init(mtu: 65535, mps: 23, credits: credits)))
        let sizes = [0, 1, 2, 20, 21, 22, 23, 24, 100, 245, 246, 247, 512, 1_000, 4_096, 20_000]
        pair.send(sizes.map { random.octets($0) }, pair.client, through: near, pair.server, as: far)
        pair.send(sizes.map { random.octets($0) }, pair.server, through: far, pair.client, as: near)
        pair.bench.settle()
    }

    @Test func `the largest SDU arrives`() throws {
        var random = SplitMix64(seed: 7)
        let pair = try #require(Pair(listening: .init(mtu: 65535, mps: 65533, credits: 1)))
        let (near, far) = try #require(pair.open())
        pair.send([random.octets(65535)], pair.client, through: near, pair.server, as: far)
        pair.bench.settle()
    }

    @Test func `thousands of SDUs arrive both ways at once, over an air that loses packets`() throws {
        var random = SplitMix64(seed: 9)
        let pair = try #require(Pair(listening: .init(mtu: 512, mps: 247, credits: 5), seed: 3))
        let (near, far) = try #require(pair.open(.init(mtu: 512, mps: 100, credits: 3)))
        pair.bench.world.air.loss = 0.05
        let (up, down) = (
            (0..<2_000).map { _ in random.octets(random.number(0...64)) },
            (0..<2_000).map { _ in random.octets(random.number(0...64)) }
        )
        var (upRest, downRest) = (up[...], down[...])
        pair.bench.run(seconds: 3_600) {
            for (station, name) in [(pair.client, near), (pair.server, far)] {
                let isUp = station === pair.client
                while let sdu = isUp ? upRest.first : downRest.first {
                    let outcome = pair.bench.update(station) { stack, now in
                        stack.send(sdu, through: name.token, on: name.link, at: now)
                    }
                    guard outcome == .accepted else { break }
                    if isUp { upRest = upRest.dropFirst() } else { downRest = downRest.dropFirst() }
                }
            }
            return pair.server.sdus[far]?.count == up.count && pair.client.sdus[near]?.count == down.count
        }
        #expect(pair.server.sdus[far] == up)
        #expect(pair.client.sdus[near] == down)
    }

    @Test func `a reader that consumes nothing holds the sender back, and then nothing is lost`() throws {
        let pair = try #require(Pair(listening: .init(mtu: 100, mps: 104, credits: 4)))
        let (near, far) = try #require(pair.open())
        pair.server.consumes = false
        let sdu = [UInt8](repeating: 1, count: 100)
        var sent = 0
        for _ in 0..<1_000 {
            let outcome = pair.bench.update(pair.client) { stack, now in
                stack.send(sdu, through: near.token, on: near.link, at: now)
            }
            if outcome == .accepted { sent += 1 }
        }
        pair.bench.run(seconds: 30)
        let waiting = pair.server.sdus[far]?.count ?? 0
        #expect((200...210).contains(sent) && waiting >= 4 && waiting <= 8)
        pair.server.consumes = true
        pair.bench.update(pair.server) { stack, now in
            stack.consumed(waiting, through: far.token, on: far.link, at: now)
        }
        pair.bench.run { pair.server.sdus[far]?.count == sent }
        #expect(pair.client.events.last == "channel 1 1 writable")
    }

    @Test func `a PSM at which nobody listens is refused`() throws {
        let pair = try #require(Pair())
        pair.bench.update(pair.client) { stack, now in
            _ = stack.openChannel(.init(rawValue: 0x81), on: pair.clientLink, at: now)
        }
        pair.bench.run { !pair.client.events.isEmpty }
        #expect(
            pair.client.events == ["channel 1 1 closed refused(BLEL2CAP.L2CAP.ConnectionResult(rawValue: 2))"]
        )
        pair.bench.settle()
    }

    @Test func `closing sends what waits and ends both sides`() throws {
        let pair = try #require(Pair(listening: .init(mtu: 100, mps: 23, credits: 1)))
        let (near, far) = try #require(pair.open())
        (pair.client.events, pair.server.events) = ([], [])
        pair.bench.update(pair.client) { stack, now in
            for number in 0..<20 as Range<UInt8> {
                _ = stack.send([number, 1, 2], through: near.token, on: near.link, at: now)
            }
            stack.closeChannel(near.token, on: near.link, at: now)
        }
        pair.bench.run { !pair.client.events.isEmpty }
        #expect(pair.client.events == ["channel 1 1 closed closedByUs"])
        #expect(pair.server.events == ["channel 1 1 closed closedByPeer"])
        #expect(pair.server.sdus[far] == (0..<20 as Range<UInt8>).map { [$0, 1, 2] })
        pair.bench.settle()
    }

    @Test func `a link that is lost ends the channels of both sides, and the next link has new ones`() throws
    {
        let pair = try #require(Pair())
        _ = try #require(pair.open())
        (pair.client.events, pair.server.events) = ([], [])
        pair.bench.world.air.setReachable(pair.client.controller, pair.server.controller, false)
        pair.bench.run { pair.client.events.count == 2 && pair.server.events.count == 2 }
        for station in [pair.client, pair.server] {
            #expect(station.events == ["channel 1 1 closed linkLost", "disconnected 1 supervisionTimeout"])
        }
        pair.bench.world.air.setReachable(pair.client.controller, pair.server.controller, true)
        (pair.client.events, pair.server.events) = ([], [])
        let links = try #require(pair.bench.connect(pair.client, pair.server))
        let token = pair.bench.update(pair.client) { stack, now in
            stack.openChannel(Pair.psm, on: links.0, at: now)
        }
        #expect(token?.rawValue == 1)
        pair.bench.run { pair.server.events.contains { $0.hasPrefix("channel 2 1 opened") } }
    }

    @Test func `many channels of one link share it`() throws {
        let pair = try #require(Pair(listening: .init(mtu: 2_000, mps: 247, credits: 4)))
        var names: [(ChannelName, ChannelName)] = []
        for _ in 0..<10 {
            pair.client.events = []
            names.append(try #require(pair.open()))
        }
        pair.bench.update(pair.client) { stack, now in
            for (near, _) in names {
                for number in 0..<10 as Range<UInt8> {
                    _ = stack.send(
                        [UInt8](repeating: number, count: 500), through: near.token, on: near.link, at: now)
                }
            }
        }
        // While the first has got half, none is far behind.
        pair.bench.run { pair.server.sdus[names[0].1]?.count == 5 }
        for (_, far) in names { #expect((3...7).contains(pair.server.sdus[far]?.count ?? 0)) }
        pair.bench.run { names.allSatisfy { pair.server.sdus[$0.1]?.count == 10 } }
        pair.bench.settle()
    }

    @Test func `attributes are read while a channel is busy`() throws {
        let pair = try #require(Pair(listening: .init(mtu: 65535, mps: 2_000, credits: 16)))
        let (near, _) = try #require(pair.open())
        pair.bench.update(pair.client) { stack, now in
            for _ in 0..<3 {
                _ = stack.send(
                    [UInt8](repeating: 1, count: 20_000), through: near.token, on: near.link, at: now)
            }
        }
        pair.client.events = []
        let begin = pair.bench.now
        pair.bench.perform(.read(3), pair.client, on: pair.clientLink)
        pair.bench.run { pair.client.events.contains { $0.hasPrefix("completed") } }
        #expect(pair.client.events.contains { $0.contains("value") })
        #expect(pair.bench.now.microseconds(since: begin) < 2_000_000)
        pair.bench.settle()
    }
}
