// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEGATT
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import Testing
import VirtualPhone

@Suite("Whether a radio on Core Bluetooth can be used", .timeLimit(.minutes(5)))
struct StateTests {
    @Test func withoutAPhoneThereIsNone() async {
        let error = await #expect(throws: BluetoothError.self) { try await Radio.coreBluetooth() }
        #expect(error?.description.contains("make a VirtualPhone") == true)
    }

    @Test func aPersonWhoSaysNoIsToldHowToSayYes() async throws {
        try await TestAir.run { air in
            let error = await #expect(throws: BluetoothError.self) {
                try await Phone.on(air) { _, app in app.permission = .denied }
            }
            guard case .unauthorized(let how) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(how.contains("Settings"))
        }
    }

    @Test func openingWaitsForTheAnswerOfThePerson() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let app = phone.app(permission: .notAsked)
            let opening = Phone.opening(app, air)
            try await air.advance(by: .seconds(60))
            app.permission = .allowed
            let radio = try await opening.value
            for await state in await radio.states() {
                #expect(state == .ready)
                break
            }
            await radio.close()
        }
    }

    @Test func whoeverWaitsForThePersonCanBeCancelled() async throws {
        try await TestAir.run { air in
            let phone = VirtualPhone(radio: try await air.radio("C0:AA:00:00:00:01"))
            let opening = Phone.opening(phone.app(permission: .notAsked), air)
            try await air.advance(by: .seconds(1))
            opening.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await opening.value }
        }
    }

    @Test func aRadioThatIsOffCannotBeOpened() async throws {
        try await TestAir.run { air in
            let off = BluetoothError.radioUnavailable("Bluetooth is switched off; switch it on in Settings")
            let error = await #expect(throws: BluetoothError.self) {
                try await Phone.on(air) { phone, _ in phone.isBluetoothOn = false }
            }
            #expect(error == off)
        }
    }

    @Test func everythingEndsWhenBluetoothIsSwitchedOffAndBeginsAnew() async throws {
        try await TestAir.run { air in
            let lamp = try await Lamp.on(air)
            let phone = try await Phone.on(air)
            var states = await phone.radio.states().makeAsyncIterator()
            #expect(await states.next() == .ready)
            let link = try await phone.connect(offering: Lamp.service)
            let scan = try await phone.radio.scan()
            let server = try await phone.radio.serve(
                ServerDescription(name: "Phone", services: [Lamp.definition]))
            let waiting = Task(executorPreference: air.air.loop) { try await link.read(Lamp.asked) }
            var events = server.events().makeAsyncIterator()
            let attempt = Task(executorPreference: air.air.loop) {
                try await phone.radio.connect(
                    to: Peer(identifier: Lamp.later), ConnectOptions(timeout: .seconds(600)))
            }
            try await air.advance(by: .seconds(2))
            phone.phone.isBluetoothOn = false
            #expect(await states.next() == .off)
            #expect(try await link.waitUntilDisconnected() == .radioLost)
            await #expect(throws: BluetoothError.disconnected(.radioLost)) { try await waiting.value }
            await #expect(throws: BluetoothError.self) { try await attempt.value }
            await #expect(throws: BluetoothError.self) { for try await _ in scan {} }
            await #expect(throws: BluetoothError.self) { while try await events.next() != nil {} }
            await #expect(throws: BluetoothError.self) { try await phone.radio.scan() }
            await #expect(throws: BluetoothError.self) { try await phone.radio.connect(to: link.peer) }
            phone.phone.isBluetoothOn = true
            #expect(await states.next() == .ready)
            let again = try await phone.connect(offering: Lamp.service)
            #expect(try await again.read(Lamp.value) == [1])
            _ = try await phone.radio.serve(ServerDescription(name: "Phone", services: [Lamp.definition]))
            await phone.radio.close()
            #expect(await states.next() == nil)
            await lamp.server.stop()
        }
    }

    @Test func aClosedRadioIsOfNoUse() async throws {
        try await TestAir.run { air in
            let phone = try await Phone.on(air)
            await phone.radio.close()
            await phone.radio.close()
            await #expect(throws: BluetoothError.radioUnavailable("it was closed")) {
                try await phone.radio.scan()
            }
            await #expect(throws: BluetoothError.radioUnavailable("it was closed")) {
                try await phone.radio.serve(ServerDescription(name: "Phone", services: []))
            }
        }
    }
}
