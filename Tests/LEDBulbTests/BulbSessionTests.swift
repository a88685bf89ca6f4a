// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import LEDBulb
import SessionTesting
import Testing

private let red = RGBColor(rgb: 0xFF0000)
private let blue = RGBColor(rgb: 0x0000FF)

@Suite("A client and a bulb together")
struct BulbSessionTests {
    @Test("A colour, white, off and on arrive in each dialect", arguments: BulbDialect.all)
    func commands(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.start()
        pair.perform(.color(red))
        #expect(pair.device.state.shown == red)
        pair.perform(.power(false))
        #expect(pair.device.state.shown == .black)
        pair.perform(.power(true))
        #expect(pair.device.state.shown == (dialect.hasPower ? red : .white))
        pair.perform(.white(percent: 50))
        #expect(pair.device.state.shown == RGBColor(white: 0x80))
        let expected: [BulbCommand] = [.color(red), .power(false), .power(true), .white(percent: 50)]
        let asked = dialect.encode(.requestState)
        #expect(pair.octets.filter { $0 != asked } == expected.compactMap(dialect.encode))
        #expect(pair.events.filter { $0 == .settled }.count == 4)
        #expect(pair.deviceEvents.count { if case .shines = $0 { true } else { false } } == 4)
    }

    @Test("The bulb is ready with its name and dialect", arguments: BulbDialect.all)
    func ready(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.start()
        #expect(
            pair.events.contains(
                .ready(
                    pair.peer, name: dialect.deviceName, dialect,
                    reportsState: dialect == .triones || dialect == .magicBlue)))
        #expect(pair.client.dialect == dialect && pair.client.state == .connected)
        // Nothing is written before anybody asks.
        #expect(pair.octets.isEmpty)
    }

    @Test("What waits is written when the link is there, the newest of its kind only")
    func waits() {
        let pair = BulbPair(.triones)
        for command: BulbCommand in [.power(false), .color(blue), .power(true), .white(9), .color(red)] {
            pair.client.perform(command, at: pair.now)
        }
        pair.start()
        #expect(pair.octets == [hex("CC 23 33"), hex("56 FF 00 00 00 F0 AA"), hex("EF 01 77")])
    }

    @Test("A characteristic that wants answers gets writes with answers, and no read afterwards")
    func answered() {
        let pair = BulbPair(.elkBLEDOM)
        pair.services = { services in
            var services = services
            services[1].characteristics[0].properties = .write
            return services
        }
        pair.start()
        pair.perform(.color(red))
        #expect(pair.writes.map(\.isAnswered) == [true])
        #expect(pair.nameReads == 0 && pair.events.last == .settled)
    }

    @Test(
        "An unanswered write is followed by a request that is answered",
        arguments: [BulbDialect.colorific, .elkBLEDOM])
    func settles(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.start()
        #expect(pair.nameReads == 0)
        pair.perform(.color(red))
        #expect(pair.writes.map(\.isAnswered) == [false])
        #expect(pair.nameReads == 1)
        #expect(pair.events.suffix(2) == [.named(dialect.deviceName), .settled])
    }

    // MARK: Bulbs that do not say their name

    private func silentAtName(
        _ dialect: BulbDialect, _ fate: BulbPair.Fate, reconnects: Bool = false
    ) -> BulbPair {
        let pair = BulbPair(dialect, reconnects: reconnects)
        let name = pair.handle(of: deviceName) ?? 0
        pair.fate = { $0 == .read(name) ? fate : .carriedOut() }
        return pair
    }

    @Test("A bulb that never answers for its name is coloured, and that ends", arguments: BulbDialect.all)
    func nameUnanswered(dialect: BulbDialect) {
        let pair = silentAtName(dialect, .unanswered)
        pair.start()
        pair.perform(.color(red))
        #expect(pair.device.state.shown == red)
        pair.run(seconds: 2)
        #expect(pair.events.last == .settled && pair.isConnected)
        pair.update { client, now in client.requestName(at: now) }
        pair.run(seconds: 2)
        #expect(pair.events.last == .named(nil))
    }

    @Test("A bulb that ends the link at its name has what was written before")
    func nameEndsLink() {
        let pair = BulbPair(.elkBLEDOM)
        let name = pair.handle(of: deviceName) ?? 0
        pair.fate = { $0 == .read(name) ? .unanswered : .carriedOut() }
        pair.start()
        pair.perform(.color(red))
        #expect(!pair.events.contains(.settled))
        pair.loseLink(.closedByPeer)
        #expect(pair.isFinished && pair.device.state.shown == red)
        #expect(pair.events.contains(.settled))
        #expect(!pair.events.contains(.refused(.color(red), .disconnected)))
    }

    @Test("After a link that has ended at the name there is another, and no question for it")
    func nameAskedOnce() {
        let pair = silentAtName(.elkBLEDOM, .linkLost, reconnects: true)
        pair.start()
        pair.perform(.color(red))
        pair.run(seconds: 5)
        #expect(pair.events.last == .settled && pair.nameReads == 1)
        pair.perform(.color(blue))
        #expect(pair.device.state.shown == blue && pair.events.last == .settled && pair.nameReads == 1)
    }

    @Test("Without the name, what is not answered is settled when it is written")
    func nameNotWanted() {
        let pair = BulbPair(.elkBLEDOM, asksName: false)
        pair.start()
        pair.perform(.color(red))
        #expect(pair.device.state.shown == red && pair.events.last == .settled && pair.nameReads == 0)
    }

    @Test("The name comes after everything else", arguments: [BulbDialect.triones, .elkBLEDOM])
    func nameLast(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.client.requestName(at: pair.now)
        pair.client.perform(.color(red), at: pair.now)
        pair.start()
        #expect(pair.device.state.shown == red && pair.nameReads == 1)
        #expect(pair.events.contains(.named(dialect.deviceName)) && pair.events.contains(.settled))
        #expect(pair.requests.last?.request == .read(pair.handle(of: deviceName) ?? 0))
    }

    @Test("A refused write is told, and nothing is settled")
    func refused() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.decideWrites(.answered(.failure(.refused(.insufficientAuthentication))))
        pair.perform(.color(red))
        #expect(
            pair.events.last == .refused(.color(red), .writeFailed(.refused(.insufficientAuthentication))))
        #expect(!pair.events.contains(.settled))
        pair.decideWrites(.carriedOut())
        pair.perform(.color(blue))
        #expect(pair.events.last == .settled && pair.device.state.shown == blue)
    }

    @Test("A command that the dialect does not have is refused by name")
    func notInDialect() {
        let pair = BulbPair(.colorific)
        pair.start()
        pair.perform(.effect(BulbEffect(code: 0x25)))
        #expect(pair.events.last == .refused(.effect(BulbEffect(code: 0x25)), .notInDialect(.colorific)))
        #expect(pair.octets.isEmpty)
    }

    // MARK: States

    @Test("The state is read back", arguments: [BulbDialect.triones, .magicBlue])
    func state(dialect: BulbDialect) {
        let effect = BulbState(isOn: false, light: .effect(BulbEffect(code: 0x30, speed: 3)))
        let pair = BulbPair(dialect, state: effect)
        pair.start()
        pair.perform(.requestState)
        #expect(pair.states == [effect])
        #expect(pair.octets == [hex("EF 01 77")])
        pair.perform(.color(red))
        pair.perform(.power(true))
        #expect(pair.states.last == BulbState(light: .color(red)))
        #expect(!pair.events.contains { if case .stateFailed = $0 { true } else { false } })
    }

    @Test("A dialect without a state says so", arguments: [BulbDialect.colorific, .elkBLEDOM])
    func noState(dialect: BulbDialect) {
        let pair = BulbPair(dialect)
        pair.start()
        pair.perform(.requestState)
        #expect(pair.events.last == .stateFailed(.notInDialect(dialect)))
        #expect(pair.octets.isEmpty)
    }

    @Test("A bulb without notifications cannot tell its state, but takes colours")
    func noNotifications() {
        let pair = BulbPair(.triones)
        pair.services = { $0.filter { $0.uuid != BluetoothUUID(0xFFD0) } }
        pair.start()
        pair.perform(.requestState)
        #expect(pair.events.last == .stateFailed(.noNotifications(.triones)))
        pair.perform(.color(red))
        #expect(pair.events.last == .settled && pair.nameReads == 1)
    }

    @Test("A bulb that does not answer is asked three times in six seconds")
    func noAnswer() {
        let pair = BulbPair(.triones)
        pair.value = { _ in nil }
        pair.start()
        pair.perform(.requestState)
        pair.run(milliseconds: 5999)
        #expect(pair.octets.count == 3)
        #expect(!pair.events.contains(.stateFailed(.noAnswer)))
        pair.run(milliseconds: 1)
        #expect(pair.events.last == .stateFailed(.noAnswer))
        pair.run(milliseconds: 60_000)
        #expect(pair.octets.count == 3)
    }

    @Test("A colour is settled even when the bulb does not answer, and says that it did not")
    func settledWithoutAnswer() {
        let pair = BulbPair(.triones)
        pair.value = { _ in nil }
        pair.start()
        pair.perform(.color(red))
        pair.run(milliseconds: 6000)
        #expect(pair.events.suffix(2) == [.stateFailed(.noAnswer), .settled])
    }

    @Test("An answer that is no state is told and waited past; one that nobody asked for is told")
    func otherNotifications() {
        let pair = BulbPair(.triones)
        var isFirst = true
        pair.value = { octets in
            defer { isFirst = false }
            return isFirst ? Array(octets.dropLast()) : octets
        }
        pair.start()
        pair.perform(.requestState)
        #expect(pair.events.last == .unknown(hex("66 15 23 41 20 00 FF FF FF 00 06")))
        pair.run(milliseconds: 2000)
        #expect(pair.states == [BulbState()])
        pair.notify(hex("66 15 24 41 20 00 00 00 00 00 06 99"))
        #expect(pair.states.last == BulbState(isOn: false, light: .color(.black)))
        pair.send([], from: deviceName)
        pair.notify([])
        #expect(pair.events.last == .unknown([]))
    }

    @Test("Any notification is a state or unknown, and nothing else happens")
    func anyNotifications() {
        let pair = BulbPair(.magicBlue)
        pair.start()
        var random = SplitMix64(seed: 8)
        for _ in 0..<500 {
            let count = pair.events.count
            pair.notify((0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            #expect(pair.events.count == count + 1)
        }
        #expect(pair.octets.isEmpty)
    }

    @Test("A colour while an answer is awaited is written at once, and the state asked for after it")
    func overtaken() {
        let pair = BulbPair(.triones)
        pair.value = { _ in nil }
        pair.start()
        pair.perform(.requestState)
        pair.value = { $0 }
        pair.perform(.color(red))
        #expect(pair.octets == [hex("EF0177"), hex("56FF000000F0AA"), hex("EF0177")])
        #expect(pair.states == [BulbState(light: .color(red))])
        #expect(pair.events.last == .settled)
    }

    // MARK: Which dialect

    @Test("A device of several dialects needs to be told which; nothing is written")
    func ambiguous() {
        let both: ([GATT.Service]) -> [GATT.Service] = { $0 + services(of: .elkBLEDOM).dropFirst() }
        let pair = BulbPair(.triones)
        pair.services = both
        pair.client.perform(.color(red), at: pair.now)
        pair.start()
        #expect(pair.events.contains(.unfit(.ambiguous([.triones, .elkBLEDOM]))))
        #expect(pair.isFinished && pair.octets.isEmpty)
        #expect(pair.events.contains(.refused(.color(red), .disconnected)))

        let chosen = BulbPair(.triones, given: .triones)
        chosen.services = both
        chosen.client.perform(.color(red), at: chosen.now)
        chosen.start()
        #expect(chosen.device.state.shown == red)
    }

    @Test("A device that is no bulb, or of another dialect than was said, is let go")
    func unfit() {
        let other = BulbPair(.triones, given: .magicBlue)
        other.start()
        #expect(other.events.contains(.unfit(.lacks(.magicBlue, speaks: [.triones]))))
        #expect(other.isFinished && !other.isConnected && other.octets.isEmpty)

        let none = BulbPair(.triones)
        none.services = { Array($0.prefix(1)) }
        none.start()
        #expect(none.events.contains(.unfit(.notABulb)))
        #expect(none.isFinished && !none.isConnected)
    }

    // MARK: The link

    @Test("What was not written when the link was lost is written when it is back")
    func reconnects() {
        let pair = BulbPair(.elkBLEDOM, reconnects: true)
        pair.decideWrites(.carriedOut(afterMilliseconds: 500))
        pair.start()
        pair.perform(.color(red))
        pair.run(milliseconds: 100)
        pair.loseLink()
        pair.perform(.power(false))
        pair.decideWrites(.carriedOut())
        pair.run(milliseconds: 5000)
        #expect(pair.device.state == BulbState(isOn: false, light: .color(red)))
        #expect(pair.events.last == .settled)
    }

    @Test("Something newer takes the place of what was lost")
    func newer() {
        let pair = BulbPair(.elkBLEDOM, reconnects: true)
        pair.decideWrites(.carriedOut(afterMilliseconds: 500))
        pair.start()
        pair.perform(.color(red))
        pair.perform(.color(blue))
        pair.loseLink()
        pair.decideWrites(.carriedOut())
        pair.run(milliseconds: 5000)
        #expect(pair.octets.count == 2 && pair.device.state.shown == blue)
    }

    @Test("What was written but is not known to have arrived is written again", arguments: BulbDialect.all)
    func unsettled(dialect: BulbDialect) {
        let pair = BulbPair(dialect, reconnects: true)
        pair.start()
        // What would say that it has arrived never comes.
        pair.value = { _ in nil }
        let name = pair.handle(of: deviceName) ?? 0
        pair.fate = { $0 == .read(name) ? .unanswered : .carriedOut() }
        pair.perform(.color(red))
        #expect(pair.device.state.shown == red && !pair.events.contains(.settled))
        pair.device.perform(.color(blue))
        pair.value = { $0 }
        pair.fate = { _ in .carriedOut() }
        pair.loseLink()
        pair.run(seconds: 5)
        #expect(pair.device.state.shown == red)
        #expect(pair.events.last == .settled)
    }

    @Test("A bulb that takes nothing more is left, and the command ends")
    func stalled() {
        let pair = BulbPair(.triones)
        pair.start()
        pair.decideWrites(.unanswered)
        pair.confirmsDisconnection = false
        pair.perform(.color(red))
        pair.run(seconds: 39)
        #expect(!pair.isFinished)
        pair.run(seconds: 42)
        #expect(pair.isFinished)
        #expect(pair.events.count { $0 == .refused(.color(red), .disconnected) } == 1)
        pair.perform(.color(blue))
        #expect(pair.events.last == .refused(.color(blue), .disconnected))
    }

    @Test("The end refuses what waits")
    func closed() {
        let pair = BulbPair(.triones)
        pair.isThere = false
        pair.start()
        pair.perform(.color(red))
        pair.perform(.requestState)
        pair.client.close(at: pair.now)
        pair.exchange()
        #expect(pair.isFinished)
        #expect(pair.events.contains(.refused(.color(red), .disconnected)))
        #expect(pair.events.contains(.stateFailed(.failed(.disconnected))))
    }
}
