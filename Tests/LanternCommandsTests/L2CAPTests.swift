// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import Companion
import CompanionDevices
import CompanionText
import Foundation
import Testing

@testable import CommandIO
@testable import LanternCommands

@Suite struct PSMArgumentTests {
    @Test(
        arguments: [("1", 1), ("255", 255), ("128", 128), ("0x80", 0x80), ("0xFF", 0xFF), ("0X25", 0x25)]
            as [(String, UInt16)])
    func `decimal and hex are read`(_ text: String, _ psm: UInt16) {
        #expect(PSMArgument(argument: text)?.psm == psm)
    }

    @Test(arguments: ["", "0", "256", "0x100", "0x", "-1", "+5", "0x-1", "80h", "1.0", "99999999999"])
    func `what is no PSM of LE is refused`(_ text: String) {
        #expect(PSMArgument(argument: text) == nil)
    }
}

@Suite struct SDUSplitterTests {
    /// All SDUs of pieces that end.
    private static func sdus(_ form: SDUForm, _ pieces: [String]) throws(BadInput) -> [[UInt8]] {
        var splitter = SDUSplitter(form)
        var sdus: [[UInt8]] = []
        for piece in pieces {
            splitter.append(Array(piece.utf8))
            while let sdu = try splitter.next(isEnd: false) { sdus.append(sdu) }
        }
        while let sdu = try splitter.next(isEnd: true) { sdus.append(sdu) }
        return sdus
    }

    @Test func `each piece is an SDU`() throws {
        #expect(try Self.sdus(.chunks, ["ab\n", "", "c"]) == [Array("ab\n".utf8), Array("c".utf8)])
    }

    @Test(
        arguments: [
            (["one\ntwo\n"], ["one", "two"]), (["o", "ne", "\n", "tw", "o"], ["one", "two"]),
            (["\n\n"], ["", ""]),
            ([], []), (["one\n", ""], ["one"]), (["a\nb\nc"], ["a", "b", "c"]), (["é\n"], ["é"]),
        ] as [([String], [String])]) func `lines come out however they are cut`(
            _ pieces: [String], _ lines: [String]
        ) throws
    {
        #expect(try Self.sdus(.lines, pieces) == lines.map { Array($0.utf8) })
    }

    @Test func `lines of hex are octets`() throws {
        #expect(
            try Self.sdus(.hex, ["00ff\n", "\n0A 0b\r\n", "7", "F"]) == [[0, 0xFF], [], [10, 11], [0x7F]])
    }

    @Test(arguments: [("00\n0\n", 2), ("xx", 1), ("00\n\n0x1\n", 3)])
    func `a line that is not hex is named`(_ text: String, _ line: Int) {
        #expect(
            throws: BadInput("Line \(line) of the input is not two hex digits for each octet.")
        ) {
            try Self.sdus(.hex, [text])
        }
    }

    @Test func `a line without end does not take all memory`() {
        let piece = String(repeating: "a", count: 65_536)
        #expect(throws: BadInput.self) { try Self.sdus(.lines, Array(repeating: piece, count: 4)) }
    }
}

@Suite struct SDUFormTests {
    @Test func `what comes cannot steer a terminal, and is as it is elsewhere`() {
        let sdu = Array("a\u{1B}[2J\nb".utf8)
        #expect(SDUForm.chunks.written(sdu, isSeen: false) == sdu)
        #expect(SDUForm.lines.written(sdu, isSeen: false) == sdu + [10])
        #expect(SDUForm.chunks.written(sdu, isSeen: true) == Array("a\\u{1b}[2J\nb".utf8))
        #expect(SDUForm.hex.written([0x1B, 0xFF], isSeen: true) == Array("1bff\n".utf8))
    }
}

@Suite struct ChannelPrinterTests {
    private static let channel = ChannelDescription(
        psm: 0x80, peer: Peer(BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random)), mtu: 512, mps: 247,
        localCID: 0x40,
        remoteCID: 0x41)

    @Test func `with JSON all is one object each, else only SDUs are output`() throws {
        for isJSON in [true, false] {
            let (text, notes) = (TextOutput(), TextOutput())
            let printer = ChannelPrinter(
                EventPrinter(to: text.output(.none), isJSON: isJSON, now: { .noon }),
                notes: notes.output(.plain(columns: 80)), form: .hex)
            try printer.show(ChannelListening(psm: 0x80, deviceName: "a\"b"))
            try printer.show(.opened(ChannelOpened(Self.channel)))
            try printer.show(
                .received(ChannelReceived(Self.channel.peer, identifier: 0x40, octets: [0, 0xFF])))
            try printer.show(.closed(ChannelClosed(Self.channel, .closedByPeer, received: 2)))
            guard isJSON else {
                #expect(text.lines == ["00ff"])
                #expect(notes.lines.last == "The device closed the channel. 2 SDUs came.")
                continue
            }
            let head = #""time":"2026-11-21T12:00:00.000Z","#
            let device = #""address":"F0:F1:F2:F3:F4:F5","address_kind":"random","#
            #expect(
                text.lines == [
                    #"{"event":"channel_listening",\#(head)"name":"a\"b","psm":128}"#,
                    #"{"event":"channel_open",\#(head)\#(device)"psm":128,"cid":64,"peer_cid":65,"mtu":512,"mps":247}"#,
                    #"{"event":"channel_sdu",\#(head)\#(device)"cid":64,"octets":"00ff"}"#,
                    #"{"event":"channel_closed",\#(head)\#(device)"cid":64,"reason":"closed_by_peer","received":2}"#,
                ])
        }
    }
}

@Suite struct ChannelPrinterLineTests {
    @Test(arguments: [("hello\n", "hello\n"), ("hel\nlo", "hel\nlo\n"), ("", "")])
    func `a sentence begins on a line of its own`(_ sdu: String, _ shown: String) throws {
        let screen = TextOutput()
        let output = screen.output(.plain(columns: 80))
        let printer = ChannelPrinter(
            EventPrinter(to: output, isJSON: false, now: { .noon }), notes: output, form: .chunks)
        let peer = Peer(BluetoothAddress(0xF0F1_F2F3_F4F5, kind: .random))
        try printer.show(.received(ChannelReceived(peer, identifier: 0x40, octets: Array(sdu.utf8))))
        let listening = ChannelListening(psm: 0x80, deviceName: "Echo")
        try printer.show(listening)
        try printer.show(listening)
        #expect(screen.text == shown + listening.line.text + "\n" + listening.line.text + "\n")
    }
}

@Suite struct StandardInputTests {
    @Test func `octets come as they are written, and cancellation loses none`() async throws {
        let pipe = Pipe()
        let input = StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
        let cancelled = Task { await input.read(upTo: 10) }
        cancelled.cancel()
        #expect(await cancelled.value == [])
        pipe.fileHandleForWriting.write(Data([1, 2, 3]))
        #expect(await input.read(upTo: 10) == [1, 2, 3])
        try pipe.fileHandleForWriting.close()
        #expect(await input.read(upTo: 10) == [])
    }
}
