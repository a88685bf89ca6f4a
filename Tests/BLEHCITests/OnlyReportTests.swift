// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

/// The report of an event that has one, read without the event around it.
@Suite struct OnlyReportTests {
    private static func read(_ octets: [UInt8], _ code: HCI.EventCode = .leMeta) -> HCI.AdvertisingReport? {
        HCI.LEAdvertisingReport.onlyReport(code, octets.span.bytes)
    }

    /// What the whole event gives, if it is that of one report.
    private static func inEvent(_ octets: [UInt8]) -> HCI.AdvertisingReport? {
        guard case .advertisingReport(let event)? = try? HCI.Event(code: .leMeta, parameters: octets),
            event.reports.count == 1
        else { return nil }
        return event.reports[0]
    }

    /// ADV_IND of C0:DE:C0:FF:EE:01 with flags, at -60 dBm.
    private static let golden = octets("02 01 00 01 01EEFFC0DEC0 03 020106 C4")

    @Test func itIsTheOneOfTheEvent() throws {
        let report = try #require(Self.read(Self.golden))
        #expect(report.address == BluetoothAddress(0xC0DE_C0FF_EE01, .random))
        #expect(report.data == [2, 1, 6])
        #expect(report.rssi == -60)
        #expect(report == Self.inEvent(Self.golden))
        // Two reports are for the event.
        let two = octets("02 02") + Self.golden[2...] + Self.golden[2...]
        #expect(Self.read(two) == nil)
        #expect((try? HCI.Event(code: .leMeta, parameters: two)) != nil)
    }

    @Test func whatIsBrokenIsNone() {
        for count in 0..<Self.golden.count { #expect(Self.read(Array(Self.golden.prefix(count))) == nil) }
        #expect(Self.read(Self.golden + [0]) == nil)
        #expect(Self.read(Self.golden, .commandComplete) == nil)
        #expect(Self.read([0x0D] + Self.golden[1...]) == nil)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func whateverIsSpoiltItIsTheOneOfTheEvent(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<50 {
            var octets = Self.golden + generator.octets(Int.random(in: 0...2, using: &generator))
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                octets[Int.random(in: 0..<octets.count, using: &generator)] = generator.octets(1)[0]
            }
            #expect(Self.read(octets) == Self.inEvent(octets))
        }
    }
}
