// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@Suite struct ClientValueTests {
    @Test func `notifications are told`() {
        var client = GATT.Client()
        #expect(client.receive("1B 0300 0102") == [.value(3, [1, 2], .notify)])
        #expect(client.receive("1B 0300") == [.value(3, [], .notify)])
        #expect(client.receive("1B 0000 01") == [.value(0, [1], .notify)])
    }

    @Test func `a notification can be taken without the drain`() {
        var client = GATT.Client()
        #expect(client.notification("1B 0300 0102") == .init(handle: 3, value: [1, 2]))
        // Nothing, the beginning of one, an indication, several, a response.
        for other in ["", "1B", "1B 03", "1D 0300 01", "23 0300 0100 AA", "0B 01"] {
            #expect(client.notification(other) == nil)
        }
        // What waits comes first.
        _ = client.perform(.read(1), at: moment(0))
        #expect(client.notification("1B 0300") == nil)
        #expect(client.drain() == [.send("0a0100")])
        #expect(client.notification("1B 0300") == .init(handle: 3, value: []))
        client.closed()
        _ = client.drain()
        #expect(client.notification("1B 0300") == nil)
    }

    @Test func `several notifications in one are told one by one`() {
        var client = GATT.Client()
        #expect(
            client.receive("23 0300 0100 AA 0500 0000 0300 0200 0102") == [
                .value(3, [0xAA], .notify), .value(5, [], .notify), .value(3, [1, 2], .notify),
            ])
    }

    /// bluetoothd sends each notification so to a client that takes several in one.
    @Test func `one notification in the form for several is told`() {
        var client = GATT.Client()
        #expect(client.receive("23 0300 0200 AABB") == [.value(3, [0xAA, 0xBB], .notify)])
        #expect(client.receive("23 0300 0000") == [.value(3, [], .notify)])
        #expect(client.receive("23") == [.malformed("23")])
    }

    @Test func `indications are confirmed, then told`() {
        var client = GATT.Client()
        #expect(client.receive("1D 0300 0102") == [.send("1e"), .value(3, [1, 2], .indicate)])
    }

    @Test func `values come through while a request runs, and do not answer it`() {
        var client = GATT.Client()
        _ = client.start(.read(3))
        #expect(client.receive("1B 0300 01") == [.value(3, [1], .notify)])
        #expect(client.receive("1D 0300 01") == [.send("1e"), .value(3, [1], .indicate)])
        #expect(client.nextDeadline == moment(30))
        #expect(client.receive("0B 05") == [.completed(1, .success(.value([5])))])
    }
}
