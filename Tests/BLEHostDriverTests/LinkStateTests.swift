// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Testing

@testable import BluetoothLE

@Suite("What a link brings", .timeLimit(.minutes(5)))
struct LinkStateTests {
    private let state = LinkState(mtu: 185)

    /// Gives out a value of one octet for each number.
    private func deliver(_ numbers: Range<UInt8>, of handle: UInt16) -> Bool {
        var values = FIFO<ReceivedValue>()
        for number in numbers {
            values.append(
                ReceivedValue(handle: AttributeHandle(rawValue: handle), value: [number], kind: .notify))
        }
        var wakeUps = StreamWakeUps()
        return state.deliver(&values, of: AttributeHandle(rawValue: handle), &wakeUps)
    }

    private func notifications(of handle: UInt16) -> NotificationStream {
        NotificationStream(state.values(of: AttributeHandle(rawValue: handle)) {})
    }

    private func octets(_ stream: NotificationStream) async throws -> [UInt8] {
        try await stream.reduce(into: []) { $0 += $1 }
    }

    @Test func eachConsumerGetsEveryValueThatItWants() async throws {
        let both = (state.allValues(), state.allValues())
        let (third, alsoThird, fifth) = (
            notifications(of: 3), notifications(of: 3), notifications(of: 5)
        )
        #expect(deliver(0..<4, of: 3) && deliver(4..<6, of: 5) && deliver(6..<7, of: 3))
        #expect(state.waitingValues == 7)
        state.end(.closedByUs)
        for stream in [both.0, both.1] {
            let values = try await stream.reduce(into: []) { $0.append($1) }
            #expect(values.flatMap(\.value) == Array(0..<7))
            #expect(values.map(\.handle.rawValue) == [3, 3, 3, 3, 5, 5, 3])
        }
        for stream in [third, alsoThird] { #expect(try await octets(stream) == [0, 1, 2, 3, 6]) }
        #expect(try await octets(fifth) == [4, 5])
    }

    @Test func whatNobodyWantsWaitsForNobody() {
        #expect(!deliver(0..<1, of: 3))
        withExtendedLifetime(notifications(of: 3)) {
            #expect(!deliver(0..<1, of: 5) && deliver(0..<1, of: 3))
            withExtendedLifetime(notifications(of: 5)) {
                // The last who listens does not want it.
                #expect(deliver(0..<1, of: 3) && deliver(0..<1, of: 5))
            }
        }
        #expect(!deliver(0..<1, of: 3))
    }
}
