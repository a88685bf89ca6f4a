// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// The Generic Attribute service at 1 (Service Changed 3, its switch 4), then a value at 11 and its switch at 12.
private let before: [GATT.ServiceDefinition] = [
    .genericAttribute,
    .init(
        BluetoothUUID(0xFF00),
        characteristics: [.init(BluetoothUUID(0xFF01), [.read, .notify], value: .stored([1]))]),
]

private let after =
    before + [
        .init(
            BluetoothUUID(0xFF20),
            characteristics: [.init(BluetoothUUID(0xFF21), [.read, .notify], value: .stored([2]))])
    ]

extension ServerBench {
    fileprivate func kept(after before: GATT.KeptClient? = nil) -> GATT.KeptClient {
        server.kept(after: before, database: database)
    }

    fileprivate mutating func restore(_ kept: GATT.KeptClient) -> [ServerSeen] {
        server.restore(kept, database: database, at: moment(0))
        return drain()
    }
}

@Suite struct ServerBondTests {
    /// What a client has switched on, its features, and the database that it knew.
    private func kept(_ pdus: [String]) -> GATT.KeptClient {
        var bench = ServerBench(before)
        for pdu in pdus { _ = bench.receive(pdu) }
        return bench.kept()
    }

    @Test func `what a bonded client has switched on outlives the link`() {
        let kept = kept(["12 0400 0200", "12 0C00 0100", "12 0600 05"])
        #expect(kept.subscriptions.count == 2 && kept.hash.count == 16)
        var bench = ServerBench(before)
        #expect(bench.restore(kept) == [.subscribed(3, .indicate), .subscribed(11, .notify)])
        #expect(bench.receive("0A 0C00") == [.send("0b0100")])
        #expect(bench.receive("0A 0600") == [.send("0b05")])
        #expect(bench.kept(after: kept) == kept)
        let withholds = bench.server.withholdsValues
        #expect(!withholds)
    }

    @Test func `what it has done on this link counts for more`() {
        let kept = kept(["12 0C00 0100"])
        var bench = ServerBench(
            [before[0]] + [
                .init(
                    BluetoothUUID(0xFF00),
                    characteristics: [
                        .init(BluetoothUUID(0xFF01), [.read, .notify, .indicate], value: .stored([1]))
                    ])
            ])
        _ = bench.receive("12 0C00 0200")
        #expect(bench.restore(kept) == [])
        #expect(bench.receive("0A 0C00") == [.send("0b0200")])
    }

    @Test func `a client that knows other services is told, and only that`() {
        let kept = kept(["12 0400 0200", "12 0C00 0100"])
        var bench = ServerBench(after)
        #expect(bench.restore(kept) == [.subscribed(3, .indicate), .send("1d03000100ffff")])
        #expect(bench.receive("0A 0C00") == [.send("0b0000")])
        // Until it has confirmed, it would have to be told again.
        #expect(bench.kept(after: kept).hash == kept.hash)
        _ = bench.receive("1E")
        let now = bench.kept(after: kept)
        #expect(now.hash == bench.database.hash && now.hash != kept.hash)
        var next = ServerBench(after)
        #expect(next.restore(now) == [.subscribed(3, .indicate)])
    }

    @Test func `a client that cannot be told is taken as it is`() {
        let kept = kept(["12 0C00 0100"])
        var bench = ServerBench(after)
        #expect(bench.restore(kept) == [])
        _ = bench.receive("12 0C00 0100")
        var next = ServerBench(after)
        #expect(next.restore(bench.kept(after: kept)) == [.subscribed(11, .notify)])
    }
}
