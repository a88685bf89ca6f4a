// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import FlockFinder
import Testing

/// A detector with what it has said.
struct DetectorBench: ~Copyable {
    var detector: Detector
    var now = HostInstant.zero

    init(_ table: SignatureTable = .builtIn, limits: Detector.Limits = .init()) {
        detector = Detector(table, limits: limits)
    }

    mutating func drain() -> [Detection] {
        var detections: [Detection] = []
        while let detection = detector.nextOutput() { detections.append(detection) }
        return detections
    }

    mutating func hear(_ octets: [UInt8], from address: BluetoothAddress, rssi: Int8? = -60) -> [Detection] {
        detector.receive(AdvertisingData(octets), from: address, rssi: rssi, at: now)
        return drain()
    }

    mutating func wait(milliseconds: UInt64) -> [Detection] {
        now = now.advanced(byMilliseconds: milliseconds)
        detector.deadlineReached(at: now)
        return drain()
    }
}

/// The octets of an advertisement with a name, and services of 16 bits.
func advertising(_ name: String?, services: [UInt16] = [], maker: UInt16? = nil) -> [UInt8] {
    var octets: [UInt8] = [2, 1, 6]
    if !services.isEmpty {
        octets += [UInt8(1 + services.count * 2), 3]
        octets += services.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    if let maker { octets += [3, 0xFF, UInt8(maker & 0xFF), UInt8(maker >> 8)] }
    if let name { octets += [UInt8(1 + name.utf8.count), 9] + Array(name.utf8) }
    return octets
}

func randomAddress(_ value: UInt64) -> BluetoothAddress {
    BluetoothAddress(0xC000_0000_0000 | value, kind: .random)
}

@Suite struct DetectorTests {
    private let camera = BluetoothAddress(0xEC1B_BD03_7F21, kind: .public)

    @Test func aCameraIsSaidOnceItsScanResponseHadTimeToCome() throws {
        var bench = DetectorBench()
        #expect(bench.hear(advertising(nil, services: [0x3100, 0x3200]), from: camera, rssi: -70).isEmpty)
        #expect(bench.hear(advertising("RVN-7"), from: camera, rssi: -61).isEmpty)
        #expect(bench.detector.nextDeadline == HostInstant.zero.advanced(byMilliseconds: 1000))
        #expect(bench.wait(milliseconds: 999).isEmpty)
        let detection = try #require(bench.wait(milliseconds: 1).first)
        #expect(detection.type == .raven)
        #expect(detection.label == "Raven (Gunshot Detector)")
        #expect(detection.mac == camera.value)
        #expect(detection.ssid == "RVN-7")
        #expect(detection.rssi == -61)
        #expect(try Detection(decoding: detection.raw) == detection)
        // 1 - 0.6 · 0.6; what speaks for another kind does not count.
        #expect(detection.confidence == 0.64)
        #expect(detection.ts == nil)
        #expect(bench.detector.nextDeadline == nil)
    }

    @Test func itSaysWhyAndByWhichTable() throws {
        var bench = DetectorBench()
        _ = bench.hear(advertising("FS Ext Battery", maker: 0x004C), from: camera)
        #expect(bench.wait(milliseconds: 1000).isEmpty, "an Apple device is none, whatever its name")
        _ = bench.hear(advertising("FS Ext Battery", maker: 0x09C8), from: randomAddress(1))
        let detection = try #require(bench.wait(milliseconds: 1000).first)
        #expect(detection.extra.map(\.key) == ["origin", "signatures", "reasons", "advertisement"])
        #expect(
            detection.extra.map { String(decoding: $0.json, as: UTF8.self) } == [
                #""this_radio""#, #""lantern 2026-11-23""#,
                #"["name FS Ext Battery +0.85","maker 09c8 +0.25"]"#,
                #""02010603ffc8090f094653204578742042617474657279""#,
            ])
        // What we would send of it can be read again.
        #expect(try Detection(decoding: detection.encoded()).extra == detection.extra)
    }

    /// Many fill theirs up with NULs or blanks.
    @Test func aNameIsWhatStandsBeforeItsFilling() throws {
        for filling in ["\0", " \0\0", "  "] {
            var bench = DetectorBench()
            _ = bench.hear(advertising("FS Ext Battery" + filling), from: randomAddress(1))
            let detection = try #require(bench.wait(milliseconds: 1000).first)
            #expect(detection.type == .flockSafety && detection.ssid == "FS Ext Battery")
        }
        var bench = DetectorBench()
        _ = bench.hear(advertising("\0\0"), from: randomAddress(1))
        #expect(bench.wait(milliseconds: 1000).isEmpty)
        let named = WireText(Array("FS Ext Battery\0\0".utf8))
        let judged = SignatureTable.builtIn.judge(name: named, maker: nil, address: randomAddress(1))
        #expect(judged?.type == .flockSafety)
    }

    @Test func aSourceIsSaidOnceAnInterval() {
        var bench = DetectorBench()
        let octets = advertising("FS Ext Battery")
        var times: [UInt64] = []
        for step in 0..<300 {
            let came = bench.hear(octets, from: camera) + bench.wait(milliseconds: 100)
            times += came.map { _ in UInt64(step) }
        }
        // After 1 s, then each 10 s for as long as it is heard.
        #expect(times == [9, 110, 210])
    }

    @Test func theStrongestReportOfAnIntervalIsNotTheOldOne() throws {
        var bench = DetectorBench()
        let octets = advertising("FS Ext Battery")
        _ = bench.hear(octets, from: camera, rssi: -30)
        #expect(bench.wait(milliseconds: 1000).map(\.rssi) == [-30])
        _ = bench.wait(milliseconds: 10_000)
        #expect(bench.hear(octets, from: camera, rssi: -80).map(\.rssi) == [-80])
    }

    @Test func whatSpeaksAgainstCountsAlsoWhenItComesLast() {
        var bench = DetectorBench()
        _ = bench.hear(advertising("FlockFinder-S3"), from: camera)
        #expect(bench.wait(milliseconds: 5000).isEmpty)
        let other = randomAddress(2)
        _ = bench.hear(advertising("Penguin Mouse"), from: other)
        _ = bench.hear(advertising(nil, services: [0x1812]), from: other)
        #expect(bench.wait(milliseconds: 5000).isEmpty)
    }

    @Test func whatWasSaidIsForgottenAfterAMinuteOfSilence() {
        var bench = DetectorBench()
        _ = bench.hear(advertising(nil, services: [0x1809, 0x180A]), from: camera)
        _ = bench.wait(milliseconds: 61_000)
        // With what it said before it would be a Raven of the first firmware.
        _ = bench.hear(advertising(nil, services: [0x1819]), from: camera)
        #expect(bench.wait(milliseconds: 2000).isEmpty)
        _ = bench.hear(advertising(nil, services: [0x1809, 0x180A]), from: camera)
        #expect(bench.wait(milliseconds: 2000).map(\.type) == [.raven])
    }

    @Test func madeUpAddressesAreNotMatchedByPrefix() {
        var bench = DetectorBench()
        let flock: UInt64 = 0xB41E_5201_0203
        _ = bench.hear(advertising(nil), from: BluetoothAddress(flock, kind: .random))
        #expect(bench.wait(milliseconds: 2000).isEmpty)
        _ = bench.hear(advertising(nil), from: BluetoothAddress(flock, kind: .public))
        #expect(bench.wait(milliseconds: 2000).map(\.confidence) == [0.7])
    }

    @Test func nobodyIsTakenForAnAdvertiserWithoutAddress() {
        var bench = DetectorBench()
        _ = bench.hear(advertising("FS Ext Battery"), from: BluetoothAddress(0, kind: .anonymous))
        #expect(bench.detector.nextDeadline == nil)
    }

    @Test func ofManyAddressesTheSilentOnesOfWhichNothingWasSaidAreForgottenFirst() {
        var limits = Detector.Limits()
        limits.addresses = 4
        var bench = DetectorBench(limits: limits)
        let octets = advertising("FS Ext Battery")
        _ = bench.hear(octets, from: camera)
        #expect(bench.wait(milliseconds: 1000).count == 1)
        // Half of what makes a Raven of the first firmware, then a crowd of phones.
        let (early, late) = (randomAddress(1), randomAddress(2))
        _ = bench.hear(advertising(nil, services: [0x1819]), from: early)
        _ = bench.hear(advertising(nil, services: [0x1819]), from: late)
        for value in 10..<12 as Range<UInt64> {
            _ = bench.hear(advertising(nil, maker: 0x004C), from: randomAddress(value))
        }
        _ = bench.hear(advertising(nil, services: [0x1819]), from: late)
        _ = bench.hear(advertising(nil, maker: 0x004C), from: randomAddress(12))
        for address in [early, late] {
            _ = bench.hear(advertising(nil, services: [0x1809, 0x180A]), from: address)
        }
        let macs = bench.wait(milliseconds: 1000).map(\.mac)
        #expect(macs == [late.value], "the one that was silent longest is forgotten")
        // A source stays in its interval, whatever crowd comes.
        for value in 100..<200 as Range<UInt64> {
            _ = bench.hear(advertising(nil, maker: 0x004C), from: randomAddress(value))
        }
        #expect(bench.hear(octets, from: camera).isEmpty)
        #expect(bench.wait(milliseconds: 1000).isEmpty)
    }

    @Test func aCrowdOfCamerasIsSaidInFull() {
        var limits = Detector.Limits()
        limits.addresses = 8
        var bench = DetectorBench(limits: limits)
        var said = 0
        for value in 0..<100 as Range<UInt64> {
            said += bench.hear(advertising("FS Ext Battery"), from: randomAddress(value)).count
        }
        bench.detector.finish()
        said += bench.drain().count
        #expect(said == 100)
    }

    /// Whatever comes, nothing traps and nothing is said that breaks a rule.
    @Test func rubbishIsHarmless() {
        var random = SplitMix64(seed: 16)
        var limits = Detector.Limits()
        limits.addresses = 16
        var bench = DetectorBench(limits: limits)
        let pieces = [
            advertising("FS Ext Battery"), advertising("Penguin-0123456789", maker: 0x09C8),
            advertising(nil, services: [0x3100, 0x3200, 0x180D]), [0, 255, 9], [255], [17, 7],
        ]
        var count = 0
        for _ in 0..<20_000 {
            var octets = random.octets(random.below(40))
            for _ in 0..<random.below(3) { octets += pieces[random.below(pieces.count)] }
            if !octets.isEmpty { octets[random.below(octets.count)] = UInt8(random.below(256)) }
            let kind: BluetoothAddress.Kind = random.below(2) == 0 ? .public : .random
            let address = BluetoothAddress(UInt64(random.below(40)) << 40, kind: kind)
            let rssi = random.below(5) == 0 ? nil : Int8(truncatingIfNeeded: random.below(256))
            var said = bench.hear(octets, from: address, rssi: rssi)
            if random.below(8) == 0 { said += bench.wait(milliseconds: UInt64(random.below(30_000))) }
            for detection in said {
                count += 1
                #expect((0.3...1).contains(detection.confidence))
                #expect((-127...20).contains(detection.rssi))
                #expect((try? Detection(decoding: detection.encoded())) != nil)
            }
        }
        #expect(count > 100, "some of it is a camera")
    }
}
