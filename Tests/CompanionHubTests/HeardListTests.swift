// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import HubModel
import Testing

@testable import CompanionHub

@Suite("The list of all that a hub hears")
struct HeardListTests {
    private func report(
        _ address: UInt64, name: String, rssi: Int8? = -60, isScanResponse: Bool = false
    ) throws -> Advertisement {
        var builder = AdvertisingDataBuilder(limit: 255)
        try builder.appendServices([BluetoothUUID(0x180D)])
        try builder.appendName(WireText(name))
        return Advertisement(
            peer: Peer(BluetoothAddress(address, kind: .public)), rssi: rssi, isConnectable: true,
            isScanResponse: isScanResponse, data: AdvertisingData(builder.octets))
    }

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func aRowSaysWhoItIsAndHowStrong() throws {
        let board = DeviceRegistry()
        for step in 0..<6 {
            board.receive(try report(1, name: "Strap", rssi: -60 - Int8(step)), at: at(Int64(step) * 1000))
        }
        let row = try #require(board.heard.first)
        #expect(row.who == "Heart Rate" && row.signal.reports == 6 && row.signal.interval == 1000)
        // The strongest of each two seconds.
        #expect(row.signal.steps == [-60, -62, -64] && row.signal.last == 2)
        #expect(row.firstHeard == at(0))
        let detail = try #require(board.heardDetail(row.id))
        #expect(detail.structures.map { $0.text } == ["Heart Rate", "Strap"])
        #expect(board.heardDetail(99) == nil)
        // What is only known, and was not heard, is not in the list.
        board.know(KnownDevice(HubDevice(id: 0, peer: Peer(BluetoothAddress(9, kind: .public)))), at: at(0))
        #expect(board.heard.count == 1 && board.devices.count == 2)
    }

    @Test func changesAreToldOnlyWhileSomebodyLooksAndASignalOnceInTwoSeconds() throws {
        let board = DeviceRegistry()
        board.receive(try report(1, name: "Strap"), at: at(0))
        #expect(board.takeListChanges(at: at(100)) == nil)
        board.setListed(true)
        // It has just been read.
        #expect(board.takeListChanges(at: at(200)) == nil)
        board.receive(try report(1, name: "Strap", rssi: -70), at: at(2100))
        #expect(board.takeListChanges(at: at(2200))?.signals.map { $0.id } == [1])
        board.receive(try report(1, name: "Strap", rssi: -71), at: at(2300))
        #expect(board.takeListChanges(at: at(2400)) == nil)
        board.receive(try report(1, name: "Strap 2"), at: at(2500))
        let told = try #require(board.takeListChanges(at: at(2600)))
        #expect(told.devices.map { $0.seen.advertised.name } == ["Strap 2"] && told.signals.isEmpty)
        // It goes when it is silent.
        _ = board.takeChanges(at: at(200_000))
        #expect(board.takeListChanges(at: at(200_000))?.gone == [1])
        board.setListed(false)
        board.receive(try report(2, name: "Other"), at: at(200_100))
        #expect(board.takeListChanges(at: at(200_200)) == nil)
    }

    @Test func manyWaitForTheirTurnAndNoneIsForgotten() throws {
        let board = DeviceRegistry()
        board.setListed(true)
        for number in 1...350 { board.receive(try report(UInt64(number), name: "d"), at: at(1000)) }
        var ids: [Int] = []
        var waiting: [Int] = []
        while let told = board.takeListChanges(at: at(1000)) {
            #expect(told.devices.count <= 100)
            ids += told.devices.map { $0.id }
            waiting.append(told.waiting)
            // Those that were told already and change again do not go before those that wait.
            board.receive(try report(1, name: "d"), at: at(1000))
        }
        #expect(waiting == [250, 150, 50, 0])
        #expect(Set(ids).count == 350 && ids.count == 350)
    }

    @Test func aHistoryHasGapsAndAnEnd() {
        var signal = SignalHistory()
        signal.receive(-50, isScanResponse: false, at: at(0))
        signal.receive(nil, isScanResponse: false, at: at(2000))
        signal.receive(127, isScanResponse: false, at: at(4000))
        signal.receive(-55, isScanResponse: true, at: at(6500))
        #expect(signal.steps == [-50, 127, 127, -55] && signal.reports == 4)
        for second in 0..<2000 {
            signal.receive(-60, isScanResponse: false, at: at(10_000 + Int64(second) * 1000))
        }
        #expect(signal.steps.count == SignalHistory.limit && signal.latest(30).count == 30)
        // A clock that is set back begins anew, and so does one after a long silence.
        signal.receive(-61, isScanResponse: false, at: at(1000))
        #expect(signal.steps == [-61])
        signal.receive(-62, isScanResponse: false, at: at(100_000_000))
        #expect(signal.steps == [-62])
        signal.receive(-40, isScanResponse: false, at: at(-1))
        #expect(signal.steps == [-40] && signal.last == -1)
    }

    @Test func theIntervalIsThatOfOneAdvertisementToTheNext() {
        var signal = SignalHistory()
        var now: Int64 = 0
        for step in 0..<20 {
            // On three channels, with an answer, and every fifth is missed.
            for delay in [0, 3, 6] as [Int64] {
                signal.receive(-50, isScanResponse: false, at: at(now + delay))
            }
            signal.receive(-50, isScanResponse: true, at: at(now + 7))
            now += step % 5 == 0 ? 200 : 100
        }
        #expect(signal.interval.map { (90...100).contains($0) } == true)
    }

    @Test(
        arguments: [
            ("020106", ["General, LE only"]), ("020100", ["None"]), ("03030f18", ["Battery"]),
            ("0409414243", ["ABC"]), ("020afc", ["-4 dBm"]), ("03194103", ["Heart Rate Belt"]),
            ("05ff4c001005", ["Apple, Inc., 2 octets"]), ("051206001800", ["7.5 to 30 ms"]),
            ("021c00", ["Peripheral only"]), ("04160f1864", ["Battery, 1 octet"]), ("03037aff", ["FF7A"]),
            // A type without words, one that does not fit, and one that is cut off.
            ("02fd01", [nil]), ("030a0102", [nil]), ("0909414243", [nil]),
        ] as [(String, [String?])])
    func whatADeviceAdvertisesIsSaidInWords(hexadecimal: String, texts: [String?]) throws {
        let octets = try #require([UInt8](hexadecimal: hexadecimal))
        let all = AdvertisedStructure.all(advertisement: octets, scanResponse: nil)
        #expect(all.map { $0.text } == texts)
        let isSound = ["030a0102", "0909414243"].contains(hexadecimal) == false
        #expect(all.allSatisfy { ($0.fault == nil) == isSound })
        #expect(
            AdvertisedStructure.all(advertisement: nil, scanResponse: octets).allSatisfy { $0.isScanResponse }
        )
    }
}
