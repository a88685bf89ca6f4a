// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import Testing

@Suite("Values that a page explores")
struct ExplorerValueTests {
    @Test(arguments: [
        (WrittenForm.hex, "01 ff A0", [1, 255, 160] as [UInt8]), (.hex, "", []),
        (.hex, "01:ff", [1, 255]), (.hex, "0x01ff", [1, 255]), (.hex, "C0-FF-EE", [0xC0, 0xFF, 0xEE]),
        (.hex, "0X01, 0xFF", [1, 255]),
        (.text, "hé", [0x68, 0xC3, 0xA9]),
        (.u8, " 255 ", [255]), (.u8, "0x0f", [15]), (.u16, "258", [2, 1]), (.u24, "1", [1, 0, 0]),
        (.u32, "4294967295", [255, 255, 255, 255]),
        (.u64, "18446744073709551615", Array(repeating: 255, count: 8)),
        (.s8, "-128", [128]), (.s16, "-2", [254, 255]), (.s24, "-8388608", [0, 0, 128]),
        (.s32, "-1", [255, 255, 255, 255]),
        (.s64, "-9223372036854775808", [0, 0, 0, 0, 0, 0, 0, 128]), (.f32, "1", [0, 0, 0x80, 0x3F]),
        (.f64, "-2.5", [0, 0, 0, 0, 0, 0, 4, 0xC0]), (.f32, " 1e3 ", [0, 0, 0x7A, 0x44]),
        (.f64, "+.1", [0x9A, 0x99, 0x99, 0x99, 0x99, 0x99, 0xB9, 0x3F]),
    ])
    func whatIsWrittenBecomesOctets(form: WrittenForm, text: String, octets: [UInt8]) throws {
        #expect(try form.octets(of: text) == octets)
    }

    @Test(arguments: [
        (WrittenForm.hex, "0"), (.hex, "xx"), (.u8, "256"), (.u8, "-1"), (.u8, ""), (.u16, "0x10000"),
        (.s8, "128"),
        (.s8, "-129"), (.s24, "8388608"), (.f32, "one"), (.u64, "18446744073709551616"), (.u8, "0x"),
        (.s64, "1.5"), (.f32, "nan"), (.f64, "inf"), (.f64, "0x1p3"), (.f32, "1e39"), (.f64, "1e309"),
        (.text, String(repeating: "é", count: 257)),
    ])
    func whatMakesNoSenseIsRefusedInWords(form: WrittenForm, text: String) {
        #expect(throws: BadInput.self) { try form.octets(of: text) }
    }

    @Test func theNumberOfAValueIsThatOfItsStandard() throws {
        let rate = try #require(PlottedNumber([0x16, 72, 0x52, 3], of: ValueLayout(BluetoothUUID(0x2A37))))
        #expect(rate.number == 72 && rate.unit != nil && rate.name != nil)
        let temperature = try #require(
            PlottedNumber([0, 0x6D, 1, 0, 0xFF], of: ValueLayout(BluetoothUUID(0x2A1E))))
        #expect(temperature.number == 36.5)
        let level = try #require(PlottedNumber([82], of: ValueLayout(BluetoothUUID(0x2A19))))
        #expect(level.number == 82 && level.unit == "%")
        // A number that fits is one, whatever is behind it.
        let stray = PlottedNumber([82, 2, 3], of: ValueLayout(BluetoothUUID(0x2A19)))
        #expect(stray?.number == 82 && stray?.unit == "%" && stray?.name == "Battery Level")
        #expect(
            PlottedNumber([0x10, 62, 0xB1, 3, 0xDE], of: ValueLayout(BluetoothUUID(0x2A37)))?.number == 62)
        #expect(PlottedNumber([1, 62], of: ValueLayout(BluetoothUUID(0x2A37))) == nil)
        // A word is no number, nor is text.
        #expect(PlottedNumber([1], of: ValueLayout(BluetoothUUID(0x2A38))) == nil)
        #expect(PlottedNumber(Array("1.14".utf8), of: nil) == nil)
        #expect(PlottedNumber([], of: ValueLayout(BluetoothUUID(0x2A19))) == nil)
        #expect(PlottedNumber([1, 2, 3], of: nil) == nil)
        #expect(
            PlottedNumber([1, 2], of: nil)
                == PlottedNumber([1, 2], of: ValueLayout(BluetoothUUID(high: 1, low: 2))))
        #expect(PlottedNumber([0x34, 0x12], of: nil)?.number == 4660)
        #expect(
            PlottedNumber([UInt8](repeating: 255, count: 8), of: nil)?.number == 18_446_744_073_709_551_616)
    }

    @Test func whatFitsOfAValueIsToldWithWhyTheRestDoesNot() {
        let handle = AttributeHandle(rawValue: 18)
        let attribute = AttributeJSON(AttributeTarget.typed(BluetoothUUID(0x2A19), at: handle))
        let read = ValueRead(Peer(BluetoothAddress(1, kind: .public)), attribute, [0x64, 0])
        let json = String(decoding: read.json(at: Timestamp(milliseconds: 0)), as: UTF8.self)
        #expect(
            json.contains(
                #""fields":[{"name":"Battery Level","value":"100%"}],"misfit":"1 octet too many""#))
    }

    @Test func aFirstPartIsToldWithWhyThereMayBeMore() {
        let attribute = AttributeJSON(AttributeHandle(rawValue: 18), nil)
        let peer = Peer(BluetoothAddress(1, kind: .public))
        for why in [nil, "the link was lost"] {
            let word = why.map { "\"\($0)\"" } ?? "null"
            let read = ValueRead(peer, attribute, [0x64, 0], incomplete: why)
            let json = String(decoding: read.json(at: Timestamp(milliseconds: 0)), as: UTF8.self)
            #expect(json.hasSuffix(#""misfit":null,"incomplete":\#(word)}"#))
        }
    }

    private func value(
        _ octets: [UInt8]?, _ kind: ExplorerValue.Kind, incomplete: String? = nil, error: String? = nil
    ) -> ExplorerValue {
        ExplorerValue(
            number: 1, count: 1, time: Timestamp(milliseconds: 0),
            AttributeJSON(AttributeHandle(rawValue: 18), nil), kind,
            octets: octets, incomplete: incomplete, error: error)
    }

    @Test func aTableHasNothingThatASpreadsheetWouldRun() {
        let peer = Peer(BluetoothAddress(1, kind: .public))
        let values = [
            value(Array("=1+1".utf8), .read), value(Array("a,\"b\"".utf8), .notify),
            value(nil, .write, error: "refused"), value([7], .read, incomplete: "lost"),
        ]
        let text = String(decoding: ExplorerLogFile.csv.octets(of: values, from: peer), as: UTF8.self)
        let lines = text.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[1] == "1,1970-01-01T00:00:00.000Z,18,,,read,3d312b31,'=1+1,,,,")
        #expect(lines[2] == "1,1970-01-01T00:00:00.000Z,18,,,notify,612c226222,\"a,\"\"b\"\"\",,,,")
        #expect(lines[3] == "1,1970-01-01T00:00:00.000Z,18,,,write,,,,,refused,")
        #expect(lines[0].hasSuffix(",error,incomplete") && lines[4].hasSuffix(",,lost"))
    }

    /// As in the table of detections.
    @Test(arguments: [
        ("  =1+1", true), ("\u{FF1D}1", true), ("\u{FF0B}1", true), ("+cmd", true), ("-62", false),
    ])
    func whatLooksLikeAFormulaInALogGetsAnApostrophe(text: String, isFormula: Bool) {
        let peer = Peer(BluetoothAddress(1, kind: .public))
        let octets = ExplorerLogFile.csv.octets(of: [value(Array(text.utf8), .read)], from: peer)
        let file = String(decoding: octets, as: UTF8.self)
        #expect(file.contains(isFormula ? ",'\(text)," : ",\(text),"), "\(file)")
    }

    @Test func aRecordingHasOneEventInEachLine() throws {
        let peer = Peer(BluetoothAddress(1, kind: .public))
        let values = [
            value([1], .read), value([2], .notify), value([3], .indicate), value(nil, .read, error: "no"),
            value([4], .read, incomplete: "lost"),
        ]
        let octets = ExplorerLogFile.jsonLines.octets(of: values, from: peer)
        let lines = octets.split(separator: UInt8(ascii: "\n"))
        let names = try lines.map { line in try JSONReader.read(Array(line)).needed("event").text("event") }
        #expect(names == ["value_read", "value_received", "value_received", "value_read"])
        let last = lines.last.map { String(decoding: $0, as: UTF8.self) }
        #expect(last?.hasSuffix(#""incomplete":"lost"}"#) == true)
    }
}
