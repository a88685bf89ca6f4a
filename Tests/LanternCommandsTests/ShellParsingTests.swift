// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import BluetoothLE
import CommandOptions
import Companion
import CompanionDevices
import Testing

private func handle(_ number: UInt16) -> AttributeReference { .handle(AttributeHandle(rawValue: number)) }
private func uuid(_ short: UInt16) -> AttributeReference { .uuid(BluetoothUUID(short)) }
private let all: ClosedRange<UInt16> = 1...0xFFFF
private let flock = "beb5483e-36e1-4688-b7f5-ea07361b26a8"

private func pairing(
    _ capability: SMP.IOCapability, keepsKeys: Bool = true, outOfBand: [UInt8] = [], shows: Bool = false
) -> PairingOptions {
    var options = PairingOptions()
    (options.ioCapability, options.keepsKeys) = (capability, keepsKeys)
    (options.outOfBand, options.showsOutOfBand) = (outOfBand, shows)
    return options
}

private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

@Suite struct ShellParsingTests {
    @Test(
        "gatttool's commands with its arguments",
        arguments: [
            ("connect", .connect(nil)),
            ("connect c0:ff:ee:f1:0c:01", .connect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01"))),
            ("connect C0:FF:EE:F1:0C:01 random", .connect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/R"))),
            ("connect C0:FF:EE:F1:0C:01 public", .connect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/P"))),
            ("connect C0:FF:EE:F1:0C:01/P", .connect(DeviceAddress(argument: "C0:FF:EE:F1:0C:01/P"))),
            ("disconnect", .disconnect),
            ("primary", .primary(nil)),
            ("primary 180f", .primary(BluetoothUUID(0x180F))),
            ("primary 0x180F", .primary(BluetoothUUID(0x180F))),
            ("included", .included(all)),
            ("included 0x0001 0x0010", .included(1...16)),
            ("characteristics", .characteristics(all, nil)),
            ("characteristics 0x0005", .characteristics(5...0xFFFF, nil)),
            ("characteristics 5 c", .characteristics(5...12, nil)),
            ("characteristics 0x0001 0xffff 2a00", .characteristics(all, BluetoothUUID(0x2A00))),
            ("char-desc", .attributes(all)),
            ("char-desc 0x000a", .attributes(10...0xFFFF)),
            ("char-desc 000a 000A", .attributes(10...10)),
            ("char-read-hnd 0x000c", .read(handle(12))),
            ("char-read-hnd c", .read(handle(12))),
            ("char-read-hnd 2a19", .read(handle(0x2A19))),
            ("char-read-uuid 2a00", .readByUUID(BluetoothUUID(0x2A00), all)),
            ("char-read-uuid 2a00 1 5", .readByUUID(BluetoothUUID(0x2A00), 1...5)),
            ("char-write-req 0x000d 0100", .write(handle(13), [1, 0], isAnswered: true)),
            ("char-write-cmd d 01ff", .write(handle(13), [1, 255], isAnswered: false)),
            ("mtu", .mtu(nil)),
            ("mtu 247", .mtu(247)),
            ("sec-level", .securityLevel("low")),
            ("sec-level HIGH", .securityLevel("high")),
            ("security", .security),
            ("pair", .pair(PairingOptions())),
            ("pair Yes-No no-bond", .pair(pairing(.displayYesNo, keepsKeys: false))),
            (
                "pair show-oob oob 01ff keyboard",
                .pair(pairing(.keyboardOnly, outOfBand: [1, 255], shows: true))
            ),
            ("help", .help(ShellVerb.all.map(\.help))),
            ("exit", .exit),
            ("quit", .exit),
        ] as [(String, ExplorerRequest)])
    func gatttool(line: String, request: ExplorerRequest) throws {
        #expect(try ExplorerRequest.parse(line) == request)
    }

    @Test(
        "Friendlier commands",
        arguments: [
            ("  tree  ", .tree), ("TREE", .tree), ("services", .primary(nil)),
            ("chars", .characteristics(all, nil)),
            ("attributes 3", .attributes(3...0xFFFF)),
            ("read 2a19", .read(uuid(0x2A19))),
            ("read 0x2a19", .read(handle(0x2A19))),
            ("read battery-level", .read(.name("battery-level"))),
            ("read \"Battery Level\"", .read(.name("Battery Level"))),
            ("read \"2a19\"", .read(.name("2a19"))),
            ("write 2a19 0x01ff", .write(uuid(0x2A19), [1, 255], isAnswered: true)),
            ("write 2a19 01 ff A0", .write(uuid(0x2A19), [1, 255, 160], isAnswered: true)),
            ("write 2a19 \"01\"", .write(uuid(0x2A19), [0x30, 0x31], isAnswered: true)),
            ("write 2a19 \"a \\\"b\\\\\"", .write(uuid(0x2A19), Array("a \"b\\".utf8), isAnswered: true)),
            ("write 2a19 \"\"", .write(uuid(0x2A19), [], isAnswered: true)),
            ("write 2a19 '01 02'", .write(uuid(0x2A19), [1, 2], isAnswered: true)),
            ("write 2a19 '0x0102'", .write(uuid(0x2A19), [1, 2], isAnswered: true)),
            ("write 2a19 'on \"now\"'", .write(uuid(0x2A19), Array("on \"now\"".utf8), isAnswered: true)),
            ("write 2a19 ''", .write(uuid(0x2A19), [], isAnswered: true)),
            ("write 2a19 \"it's\"", .write(uuid(0x2A19), Array("it's".utf8), isAnswered: true)),
            ("write-command 2a19 00", .write(uuid(0x2A19), [0], isAnswered: false)),
            ("watch 0x0009", .watch(handle(9))),
            ("subscribe 2a19", .watch(uuid(0x2A19))),
            ("unwatch", .unwatch(nil)),
            ("unsubscribe 2a19", .unwatch(uuid(0x2A19))),
            ("scan", .scan(.seconds(3))),
            ("scan 0.5", .scan(.milliseconds(500))),
            ("wait 2", .wait(.seconds(2), values: nil)),
            ("wait 2 5", .wait(.seconds(2), values: 5)),
            ("? read", .help([ShellVerb.named("read")!.help])),
        ] as [(String, ExplorerRequest)])
    func friendlier(line: String, request: ExplorerRequest) throws {
        #expect(try ExplorerRequest.parse(line) == request)
    }

    @Test func aLongUUIDIsOne() throws {
        #expect(
            try ExplorerRequest.parse("read \(flock)")
                == .read(.uuid(try #require(BluetoothUUID(flock)))))
    }

    @Test(arguments: ["", "   ", "\t", "# a comment", "  #read 2a19"])
    func nothingIsAskedFor(line: String) throws { #expect(try ExplorerRequest.parse(line) == nil) }

    @Test(
        "What cannot be meant gets a sentence that says what to type",
        arguments: [
            ("nonsense", "There is no command nonsense: type help to see all."),
            ("help nonsense", "There is no command nonsense: type help to see all."),
            ("\"\"", "There is no command : type help to see all."),
            ("read", "Something is missing: type read WHAT."),
            ("char-read-hnd", "Something is missing: type char-read-hnd HANDLE."),
            ("char-read-hnd 0", "0 is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd 0x0000", "0x0000 is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd 10000", "10000 is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd +c", "+c is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd -1", "-1 is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd 0x", "0x is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("char-read-hnd xyz", "xyz is not a handle: they are 0x0001 to 0xffff, in hex."),
            ("read 0x0", "0x0 is not a handle: they are 0x0001 to 0xffff."),
            ("read 0x10000", "0x10000 is not a handle: they are 0x0001 to 0xffff."),
            ("read 2a1", "2a1 is not a UUID, which has 4, 8 or 32 hex digits; a handle begins with 0x."),
            ("primary 18", "18 is not a UUID: it has 4, 8 or 32 hex digits."),
            ("char-read-uuid", "Something is missing: type char-read-uuid UUID [START [END]]."),
            ("char-read-uuid name", "name is not a UUID: it has 4, 8 or 32 hex digits."),
            ("char-desc 5 4", "The first handle is above the last: type them the other way round."),
            ("char-desc 1 2 3", "3 is one word too many: type char-desc [START [END]]."),
            ("exit now", "now is one word too many: type exit."),
            ("char-write-req 0x000d", "The value is missing: type char-write-req HANDLE HEX."),
            (
                "char-write-req 0x000d 012",
                "An octet has two hex digits, so a value has an even number of them: write 0f, not f."
            ),
            (
                "write 2a19 0x",
                "0x is not a value: write two hex digits for each octet, or text in quotes."
            ),
            (
                "write 2a19 hello",
                "hello is not a value: write two hex digits for each octet, or text in quotes."
            ),
            ("write 2a19 \"a\" 00", "A value is either hex or one text in quotes, not both."),
            ("write 2a19 \"a", "A quote is not closed: end it with \"."),
            ("write 2a19 'a", "A quote is not closed: end it with '."),
            ("connect nonsense", "nonsense is not an address: write it as AA:BB:CC:DD:EE:FF."),
            ("connect C0:FF:EE:F1:0C:01 static", "static is not a kind of address: it is public or random."),
            ("mtu 22", "22 is not an MTU: it is a number from 23 to 517."),
            ("mtu 518", "518 is not an MTU: it is a number from 23 to 517."),
            ("mtu big", "big is not an MTU: it is a number from 23 to 517."),
            ("sec-level top", "top is not a security level: it is low, medium or high."),
            ("scan soon", "soon is not a number of seconds: write one like 5 or 0.5."),
            ("wait", "Something is missing: type wait SECONDS [VALUES]."),
            ("wait -1", "-1 is not a number of seconds: write one like 5 or 0.5."),
            ("wait 1 0", "0 is not a number of values: it is a number from 1 to 1000000."),
        ])
    func refused(line: String, sentence: String) {
        #expect(throws: ShellSyntaxError(sentence)) { try ExplorerRequest.parse(line) }
    }

    @Test(arguments: [("512", 512, true), ("513", 513, false), ("600", 600, false)])
    func aValueHasAtMost512Octets(name: String, count: Int, isTaken: Bool) throws {
        let line = "char-write-req 0x000d " + String(repeating: "ab", count: count)
        if isTaken {
            #expect(
                try ExplorerRequest.parse(line)
                    == .write(handle(13), [UInt8](repeating: 0xAB, count: count), isAnswered: true))
        } else {
            #expect(throws: ShellSyntaxError("A value has at most 512 octets; this one has \(count).")) {
                try ExplorerRequest.parse(line)
            }
        }
    }

    @Test func everyCommandIsInTheHelpOnce() {
        let names = ShellVerb.all.flatMap(\.names)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { ShellVerb.named($0.uppercased()) != nil })
    }

    @Test func anyLineGivesARequestOrASentence() {
        var random = Seeded(state: 4)
        let parts =
            ShellVerb.all.flatMap(\.names) + [
                "\"", "\\", " ", "0x", "2a19", "é", "\u{0}", "-", "1", "#", "/",
            ]
        for _ in 0..<5000 {
            let line = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                (parts.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
            do throws(ShellSyntaxError) {
                _ = try ExplorerRequest.parse(line)
            } catch {
                #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix("\"."), "\(line)")
            }
        }
    }
}
