// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@Suite struct RemovedIndicationTests {
    /// A service at 1, whose value at 3 is indicated with the switch at 4.
    private static let service = GATT.ServiceDefinition(
        BluetoothUUID(0xFF00), handle: 1,
        characteristics: [.init(BluetoothUUID(0xFF01), [.read, .indicate], value: .stored([1]))])

    @Test func `what waited for a service that is gone is not told of the one in its place`() {
        var bench = ServerBench([Self.service])
        _ = bench.receive("12 0400 0200")
        #expect(bench.send([1], of: 3, as: .indicate) == [.send("1d030001")])
        #expect(bench.send([2], of: 3, as: .indicate) == [])
        #expect(bench.remove(1) == [])
        #expect(bench.add(Self.service) == [])
        #expect(bench.receive("12 0400 0200") == [.send("13"), .subscribed(3, .indicate)])
        #expect(!bench.receive("1E").contains(.send("1d030002")))
        #expect(bench.send([3], of: 3, as: .indicate) == [.send("1d030003")])
    }
}
