// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

private func packet(_ hex: String) throws(DecodeError) -> L2CAP.SignallingPacket {
    let octets = [UInt8](hexadecimal: hex) ?? []
    var reader = ByteReader(octets.span.bytes)
    return try L2CAP.SignallingPacket(decoding: &reader)
}

@Suite struct SignallingTests {
    @Test(arguments: [
        // code, identifier, length, data
        ("12 07 0800 0600 0C00 0000 6400", 0x12, 7, 8), ("01 FF 0200 0000", 0x01, 255, 2),
        ("13 01 0000", 0x13, 1, 0),
    ]) func `is read and written as specified`(
        _ hex: String, _ code: UInt8, _ identifier: UInt8, _ count: Int
    ) throws {
        let packet = try packet(hex)
        #expect(packet.code.rawValue == code)
        #expect(packet.identifier == identifier)
        #expect(packet.data.count == count)
        #expect(packet.octets == [UInt8](hexadecimal: hex))
    }

    @Test(arguments: [
        "", "12", "12 07", "12 07 08", "12 07 0800", "12 07 0800 0600 0C00 0000 64", "13 01 0000 00",
        // LE has one packet a frame.
        "13 01 0200 0000 13 02 0200 0000", "12 07 FFFF",
    ]) func `lengths that are not those of what follows are refused`(_ hex: String) {
        #expect(throws: DecodeError.self) { try packet(hex) }
    }

    /// Requests of Core v5.4, Vol 3, Part A, table 4.2, whose sender waits for an answer.
    @Test(arguments: [0x06, 0x12, 0x14, 0x17, 0x19] as [UInt8])
    func `requests are rejected as not understood`(_ code: UInt8) throws {
        let request = L2CAP.SignallingPacket(code: .init(rawValue: code), identifier: 9, data: [1, 2])
        #expect(request.rejection()?.octets == [0x01, 9, 2, 0, 0, 0])
    }

    @Test(arguments: [0x00, 0x02, 0x04, 0x08, 0x0A, 0x1B, 0x7F, 0xFF] as [UInt8])
    func `codes that LE does not have are rejected as not understood`(_ code: UInt8) {
        let request = L2CAP.SignallingPacket(code: .init(rawValue: code), identifier: 9, data: [])
        #expect(request.rejection()?.octets == [0x01, 9, 2, 0, 0, 0])
    }

    @Test(arguments: [0x01, 0x07, 0x13, 0x15, 0x16, 0x18, 0x1A] as [UInt8])
    func `answers and indications are not answered`(_ code: UInt8) {
        let answer = L2CAP.SignallingPacket(code: .init(rawValue: code), identifier: 9, data: [0, 0])
        #expect(answer.rejection() == nil)
    }

    @Test(arguments: UInt8.min ... .max) func `identifier 0 is not answered, whatever the code`(_ code: UInt8)
    {
        #expect(
            L2CAP.SignallingPacket(code: .init(rawValue: code), identifier: 0, data: []).rejection() == nil)
    }

    @Test(arguments: 0..<8) func `any octets are a packet or an error`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<2_000 {
            var octets = random.octets(random.number(0...20))
            if octets.count >= 4, random.number(0...1) == 0 {
                octets[2] = UInt8(octets.count - 4)
                octets[3] = 0
            }
            var reader = ByteReader(octets.span.bytes)
            guard let packet = try? L2CAP.SignallingPacket(decoding: &reader) else { continue }
            #expect(packet.octets == octets)
            // An answer to an answer would go on for ever.
            #expect(packet.rejection()?.rejection() == nil)
        }
    }
}

@Suite struct ParameterUpdateTests {
    private static func request(_ hex: String) throws(DecodeError) -> L2CAP.ParameterUpdateRequest {
        let octets = [UInt8](hexadecimal: hex) ?? []
        var reader = ByteReader(octets.span.bytes)
        return try L2CAP.ParameterUpdateRequest(decoding: &reader)
    }

    @Test func `reads its four fields`() throws {
        let request = try Self.request("0600 800C 0400 2A00")
        #expect(request.intervalMin.rawValue == 6)
        #expect(request.intervalMax.rawValue == 3200)
        #expect(request.latency == 4)
        #expect(request.timeout.rawValue == 42)
    }

    @Test(arguments: ["", "06", "0600 0C00 0000 64", "0600 0C00 0000 6400 00"])
    func `anything but eight octets is refused`(_ hex: String) {
        #expect(throws: DecodeError.self) { try Self.request(hex) }
    }

    /// Core v5.4, Vol 4, Part E, 7.8.18: interval 6 to 3200, latency to 499, timeout 10 to 3200, and the
    /// timeout longer than (1 + latency) * interval * 2.
    @Test(arguments: [
        ("0600 0600 0000 0A00", true), ("0600 800C 0000 800C", true), ("800C 800C 0000 800C", true),
        ("0500 0600 0000 0A00", false), ("0000 0000 0000 0A00", false), ("0700 0600 0000 0A00", false),
        ("0600 810C 0000 800C", false), ("FFFF FFFF FFFF FFFF", false), ("0600 0600 0000 0900", false),
        ("0600 0600 0000 810C", false), ("0600 0600 F301 800C", true), ("0600 0600 F401 800C", false),
        // 7.5 ms * 500 * 2 = 7500 ms is not enough, 7510 ms is.
        ("0600 0600 F301 EE02", false), ("0600 0600 F301 EF02", true),
        // 40 ms * 1 * 2 = 80 ms: any timeout will do. 50 ms * 2 = 100 ms is not enough.
        ("2000 2000 0000 0A00", true), ("2800 2800 0000 0A00", false), ("2800 2800 0000 0B00", true),
    ]) func `only timing that a controller could keep is valid`(_ hex: String, _ isValid: Bool) throws {
        #expect(try Self.request(hex).isValid == isValid)
    }
}

@Suite struct ChannelNumberTextTests {
    @Test func `channels and PSMs are written as the specification writes them`() {
        #expect("\(L2CAP.ChannelID.att)" == "0x0004")
        #expect("\(L2CAP.PSM(rawValue: 0x80))" == "0x0080")
    }
}
