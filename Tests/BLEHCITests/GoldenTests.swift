// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire
import Testing

@Suite struct GoldenTests {
    static let packets = commandCases + extendedCommandCases + eventCases + extendedEventCases
    static let all = packets + replyCases + extendedReplyCases

    @Test(arguments: all)
    func encodesToTheGoldenOctets(_ golden: GoldenCase) {
        #expect(golden.encoded.hexadecimal == golden.golden.hexadecimal)
    }

    @Test(arguments: all)
    func decodesTheGoldenOctetsToTheValue(_ golden: GoldenCase) throws {
        #expect(try golden.decodesToValue(golden.golden))
    }

    @Test(arguments: all)
    func everyShorterPacketIsAnError(_ golden: GoldenCase) {
        for count in 0..<golden.golden.count {
            #expect(throws: DecodeError.self) {
                _ = try golden.decodesToValue(Array(golden.golden.prefix(count)))
            }
        }
    }

    @Test(arguments: all)
    func oneOctetMoreThanCountedIsAnError(_ golden: GoldenCase) {
        #expect(throws: DecodeError.self) { _ = try golden.decodesToValue(golden.golden + [0]) }
    }

    @Test(arguments: packets.filter { !takesAnyLength($0) })
    func oneParameterMoreOrLessIsAnErrorThoughTheCountAgrees(_ golden: GoldenCase) throws {
        let offset = try #require(golden.countOffset)
        var longer = golden.golden + [0]
        longer[offset] += 1
        #expect(throws: DecodeError.self) { _ = try golden.decodesToValue(longer) }
        guard golden.golden[offset] > 0 else { return }
        var shorter = Array(golden.golden.dropLast())
        shorter[offset] -= 1
        #expect(throws: DecodeError.self) { _ = try golden.decodesToValue(shorter) }
    }

    /// Command Complete and unknown events end in octets of any number.
    static func takesAnyLength(_ golden: GoldenCase) -> Bool {
        golden.golden.starts(with: [0x04, 0x0E]) || golden.name.hasPrefix("unknown")
    }

    @Test(arguments: all)
    func anyChangedOctetGivesAValueOrAnError(_ golden: GoldenCase) {
        for index in golden.golden.indices {
            for octet: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
                var changed = golden.golden
                changed[index] = octet
                _ = try? golden.decodesToValue(changed)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func anyOctetsGiveAnEventOrAnError(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...60, using: &generator)
            let parameters = generator.octets(count)
            let code = HCI.EventCode(rawValue: Bool.random(using: &generator) ? 0x3E : generator.octets(1)[0])
            guard let event = try? HCI.Event(code: code, parameters: parameters) else { continue }
            // Whatever could be read must come out again as an event that reads the same.
            #expect((try? HCI.Event(code: event.code, parameters: event.parameters)) == event)
        }
    }

    @Test func everyLEReportSubeventSurvivesAnyOctets() {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<5000 {
            let reports = UInt8.random(in: 0...0x20, using: &generator)
            let parameters = [0x02, reports] + generator.octets(Int.random(in: 0...250, using: &generator))
            guard case .advertisingReport(let event)? = try? HCI.Event(code: .leMeta, parameters: parameters)
            else { continue }
            #expect(event.reports.count == Int(reports))
        }
    }
}
