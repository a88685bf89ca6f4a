// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import LEDBulb
import SessionTesting
import Testing

@Suite("Answers of a bulb that are not as the dialect has them")
struct BulbAnswerTests {
    private let other = hex("66 15 FF 41 20 00 FF 88 00 00 06 99")

    @Test("Equal answers that are no state are told one by one")
    func equalAnswers() {
        let pair = BulbPair(.triones)
        pair.value = { [other] _ in other }
        pair.start()
        pair.perform(.requestState)
        pair.run(seconds: 6)
        #expect(pair.events.last == .stateFailed(.notUnderstood([other, other, other])))
    }

    @Test("An answer in pieces is put together, also when the bulb is asked again meanwhile")
    func pieces() {
        let pair = BulbPair(.triones)
        pair.value = { _ in nil }
        pair.start()
        pair.perform(.requestState)
        pair.notify(Array(other.prefix(2)))
        pair.run(seconds: 2)
        pair.notify(hex("23 41 20 00 FF 88 00 00 06 99"))
        #expect(pair.states == [BulbState(light: .color(RGBColor(rgb: 0xFF8800)))])
    }

    @Test("An answer after a piece of one that was lost is understood")
    func pieceLost() {
        let pair = BulbPair(.triones)
        pair.value = { _ in nil }
        pair.start()
        pair.perform(.requestState)
        pair.notify(hex("66 15"))
        pair.run(seconds: 2)
        pair.notify(hex("66 15 23 41"))
        pair.notify(hex("20 00 FF 88 00 00 06 99"))
        #expect(pair.states == [BulbState(light: .color(RGBColor(rgb: 0xFF8800)))])
    }

    @Test("Nothing that switches the reports on is told, and they are listened to")
    func configurationMissing() {
        let pair = BulbPair(.triones)
        pair.services = { services in
            var services = services
            for service in services.indices {
                for index in services[service].characteristics.indices {
                    services[service].characteristics[index].descriptors = []
                }
            }
            return services
        }
        pair.start()
        let isTold = pair.events.contains { event in
            guard case .configurationMissing(let characteristic) = event else { return false }
            return characteristic.uuid == BluetoothUUID(0xFFD4)
        }
        #expect(isTold)
        pair.perform(.requestState)
        #expect(pair.states == [BulbState()])
    }
}
