// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import Testing

@Suite("A device that does not say its MTU", .manualTime, .timeLimit(.minutes(5)))
struct UnansweredMTUTests {
    private let peer = Peer(BluetoothAddress(0xC000_0000_0009, kind: .random))

    @Test func aSecondLinkGoesWithoutSoonEnoughForWhoeverWaits() async throws {
        let controller = ScriptedController()
        controller.change { $0.saysMTU = false }
        let radio = controller.makeRadio()
        try await radio.start()
        let begun = ManualTime.loop.now
        let connection = try await radio.radio.connect(to: peer)
        #expect(connection.mtu == 23)
        // Sessions wait for 10 s.
        #expect(ManualTime.loop.now < begun.advanced(bySeconds: 9))
        // The first link is gone for good; this one is as good as any other.
        async let value = connection.read(AttributeHandle(rawValue: 3))
        await controller.sees(0x0A)
        controller.give(ControllerScript.att(1, [0x0B, 7]))
        #expect(try await value == [7])
        await radio.close()
    }

    @Test func aDeviceThatAnswersIsNotHungUpOn() async throws {
        let controller = ScriptedController()
        let radio = controller.makeRadio()
        try await radio.start()
        let connection = try await radio.radio.connect(to: peer)
        try await ManualTime.pass(milliseconds: 60_000)
        async let value = connection.read(AttributeHandle(rawValue: 3))
        await controller.sees(0x0A)
        controller.give(ControllerScript.att(1, [0x0B, 7]))
        #expect(try await value == [7])
        await radio.close()
    }
}
