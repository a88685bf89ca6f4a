// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

/// Every kind of descriptor; the comments are the handles.
private let described: [GATT.ServiceDefinition] = [
    .init(
        BluetoothUUID(0xFF00),  // 1
        characteristics: [
            .init(
                BluetoothUUID(0xFF01), [.read, .notify], value: .stored([1]),  // 2, 3, 4 switch, 5 extended
                extendedProperties: .reliableWrite,
                descriptors: [
                    .userDescription("lamp", isWritable: true),  // 6
                    .serverConfiguration,  // 7
                    .presentationFormat(0x04, exponent: -2, unit: 0x27AD, description: 0x0106),  // 8
                    .aggregateFormat([8, 8]),  // 9
                    .init(BluetoothUUID(0xFF02), .delegated, isWritable: true),  // 10
                    .init(BluetoothUUID(0xFF03), .delegated, isWritable: false),  // 11
                    .init(
                        BluetoothUUID(0xFF04), .stored([5]), isWritable: true,
                        access: GATT.Access(read: .encrypted, write: .authenticated)),  // 12
                ]),
            .init(
                BluetoothUUID(0xFF05), .read, value: .stored([1]),  // 13, 14
                descriptors: [.userDescription("fixed")]),  // 15
        ])
]

@Suite struct DescriptorTests {
    @Test(arguments: [
        ("04 0400 0A00", "05 01 0400 0229 0500 0029 0600 0129 0700 0329 0800 0429"),
        // Reliable Write, and Writable Auxiliaries for the sake of the description.
        ("0A 0200", "0B 92 0300 01FF"), ("0A 0500", "0B 0300"), ("0A 0600", "0B 6C616D70"),
        ("0A 0700", "0B 0000"), ("0A 0800", "0B 04FEAD27010601"), ("0A 0900", "0B 08000800"),
        ("12 0500 0000", "01 12 0500 03"), ("12 0800 00", "01 12 0800 03"), ("12 0900 00", "01 12 0900 03"),
        ("12 0B00 00", "01 12 0B00 03"), ("0A 0C00", "01 0A 0C00 05"), ("12 0C00 01", "01 12 0C00 05"),
        ("0A 0D00", "0B 02 0E00 05FF"), ("12 0F00 00", "01 12 0F00 03"),
        ("16 0500 0000 00", "01 16 0500 03"),
    ]) func `each kind says what it is to say`(_ request: String, _ answer: String) {
        var bench = ServerBench(described)
        #expect(bench.receive(request) == [.send(hex(answer))])
    }

    @Test func `a writable one keeps what is written, also in parts`() {
        var bench = ServerBench(described)
        #expect(bench.receive("12 0600 4142") == [.send("13"), .stored(6, [0x41, 0x42])])
        #expect(bench.receive("0A 0600") == [.send("0b4142")])
        #expect(bench.receive("16 0600 0200 43") == [.send("1706000200" + "43")])
        #expect(bench.receive("18 01") == [.stored(6, [0x41, 0x42, 0x43]), .send("19")])
        #expect(bench.receive("12 0700 0100") == [.send("13"), .stored(7, [1, 0])])
        // Descriptors take no commands.
        #expect(bench.receive("52 0600 44") == [])
        #expect(bench.receive("0A 0600") == [.send("0b414243")])
    }

    @Test func `a delegated one is the session's`() {
        var bench = ServerBench(described)
        #expect(bench.receive("0A 0A00") == [.read(10)])
        #expect(bench.answer(.success([9])) == [.send("0b09")])
        #expect(bench.receive("12 0A00 07") == [.write(10, [7], answered: true)])
        #expect(bench.answer(.failure(.outOfRange)) == [.send("01120a00ff")])
        #expect(bench.receive("0A 0B00") == [.read(11)])
    }

    /// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1: application errors; CSS, Part B: profile errors.
    @Test(arguments: 1...255) func `every error code of a session reaches the client as it is`(_ code: Int) {
        let code = ATT.ErrorCode(rawValue: UInt8(code))
        for (handle, request) in [(10, "0A 0A00"), (10, "12 0A00 07")] {
            var bench = ServerBench(described)
            var client = GATT.Client()
            _ = client.start(request.hasPrefix("0A") ? .read(10) : .write(10, [7]))
            _ = bench.receive(request)
            guard case .send(let response)? = bench.answer(.failure(code)).first else {
                Issue.record("no answer for \(handle)")
                return
            }
            // Database Out Of Sync says more than that.
            #expect(client.receive(response).first == .completed(1, .failure(.refused(code))))
        }
    }
}
