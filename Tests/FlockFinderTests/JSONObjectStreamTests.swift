// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import Testing

@Suite struct JSONObjectStreamTests {
    private static func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// What comes out of a stream that is fed these notifications, as text; faults in angle brackets.
    private static func pieces(_ notifications: [[UInt8]], thenClosed: Bool = false) -> [String] {
        var stream = JSONObjectStream()
        var pieces: [String] = []
        func drain() {
            while let piece = stream.next() {
                switch piece {
                case .object(let octets): pieces.append(WireText(octets).string)
                case .fault(let error, let raw): pieces.append("<\(error.reason) \(WireText(raw).string)>")
                }
            }
        }
        for notification in notifications {
            stream.receive(notification, at: .zero)
            drain()
        }
        if thenClosed {
            stream.linkClosed()
            drain()
        }
        return pieces
    }

    private static func pieces(_ notifications: [String], thenClosed: Bool = false) -> [String] {
        pieces(notifications.map(octets), thenClosed: thenClosed)
    }

    @Test(
        "One notification",
        arguments: [
            (#"{"a":1}"#, [#"{"a":1}"#]),
            (" \r\n{}\n", ["{}"]),
            (#"{"a":1}{"b":{"c":"}"}}"#, [#"{"a":1}"#, #"{"b":{"c":"}"}}"#]),
            ("{}\n\n{}\r\n{}", ["{}", "{}", "{}"]),
            ("\n", []),
            ("", ["<empty >"]),
            ("garbage", ["<notJSON garbage>"]),
            ("[1]", ["<notAnObject [1]>"]),
            (#"{}x{}"#, ["{}", "<notJSON x{}>"]),
            ("{}}\n{}", ["{}", "<notJSON }\n>", "{}"]),
            ("{\"a\":\"b\n{}", ["<controlCharacter {\"a\":\"b\n>", "{}"]),
            ("{\"a\":1\n{\"b\":2}", ["<notJSON {\"a\":1\n>", #"{"b":2}"#]),
            ("bad\nworse\n {}", ["<notJSON bad\nworse\n >", "{}"]),
        ])
    func single(notification: String, expected: [String]) {
        #expect(Self.pieces([notification]) == expected)
    }

    @Test(
        "Several notifications",
        arguments: [
            ([#"{"a":"#, "1}"], [#"{"a":1}"#]),
            ([#"{"a":1}"#, "\n", "{}"], [#"{"a":1}"#, "{}"]),
            ([#"{"a":1"#, "", "}"], [#"{"a":1}"#]),
            ([#"{"a":"#, #"{"b":1}"#, "}\n"], [#"{"a":{"b":1}}"#]),
            ([#"{"a":"cut off"#, #"{"b":1}"#], [#"<notJSON {"a":"cut off>"#, #"{"b":1}"#]),
            ([#"{"a":-"#, #"{"b":1}"#], [#"<badNumber {"a":->"#, #"{"b":1}"#]),
            ([#"{"a":"\"#, #"{"b":1}"#], [#"<badEscape {"a":"\>"#, #"{"b":1}"#]),
            (
                [#"{"a":"#, #"{"b":1}"#, #"{"c":1}"#],
                [#"<notJSON {"a":>"#, #"{"b":1}"#, #"{"c":1}"#]
            ),
            ([#"{"a":1"#, "garbage", "{}"], [#"<notJSON {"a":1garbage>"#, "{}"]),
            (["bad", "{}", "bad"], ["<notJSON bad>", "{}", "<notJSON bad>"]),
            ([#"{"a":1}{"b""#, ":2}{", "}"], [#"{"a":1}"#, #"{"b":2}"#, "{}"]),
            // Where a notification began counts from what is still held.
            (
                [#"{"a":1}{"b":"#, #"2}{"k":{"z":"#, "oops}}"],
                [#"{"a":1}"#, #"{"b":2}"#, #"<notJSON {"k":{"z":oops}}>"#]
            ),
        ])
    func several(notifications: [String], expected: [String]) {
        #expect(Self.pieces(notifications) == expected)
    }

    @Test(arguments: [1, 2, 3, 7, 20, 50])
    func aStreamCutAnywhereComesOutWhole(size: Int) {
        let objects = [
            #"{"type":"Ring","ssid":"a}{b][\"\\","x":{"y":[{"z":"{"}]}}"#,
            #"{"ssid":"Künstler 📷 灯 \uD83D\uDE00","rssi":-6.5e1,"t":[true,false,null,{}]}"#, "{}",
        ]
        let all = Self.octets(objects.joined(separator: "\n") + "\n")
        let notifications = stride(from: 0, to: all.count, by: size).map {
            Array(all[$0..<min($0 + size, all.count)])
        }
        #expect(Self.pieces(notifications) == objects)
    }

    @Test func aRestThatDoesNotComeIsToldAfterFiveSeconds() {
        var stream = JSONObjectStream()
        #expect(stream.nextDeadline == nil)
        stream.receive(Self.octets(#"{"a":"#), at: .zero)
        #expect(stream.next() == nil)
        stream.receive(Self.octets("[1,"), at: .zero.advanced(bySeconds: 3))
        #expect(stream.next() == nil)
        #expect(stream.nextDeadline == .zero.advanced(bySeconds: 8))
        stream.deadlineReached(at: .zero.advanced(byMilliseconds: 7_999))
        #expect(stream.next() == nil)
        stream.deadlineReached(at: .zero.advanced(bySeconds: 8))
        #expect(
            stream.next() == .fault(DetectionError(.restMissing, at: 8), raw: Self.octets(#"{"a":[1,"#)))
        #expect(stream.next() == nil)
        #expect(stream.nextDeadline == nil)
    }

    @Test func anObjectHeldBackByAnUnfinishedOneComesOutInTheEnd() {
        let pieces = Self.pieces([#"{"a":"#, #"{"b":1}"#], thenClosed: true)
        #expect(pieces == [#"<linkClosed {"a":>"#, #"{"b":1}"#])
    }

    @Test func aClosedLinkWithNothingHeldIsNoFault() {
        #expect(Self.pieces(["{}", "\n"], thenClosed: true) == ["{}"])
    }

    @Test func whatCameBeforeIsNotGluedToWhatComesAfterTheLinkWasClosed() {
        var stream = JSONObjectStream()
        stream.receive(Self.octets(#"{"a":"cut"#), at: .zero)
        #expect(stream.next() == nil)
        stream.linkClosed()
        while stream.next() != nil {}
        stream.receive(Self.octets(#"","b":1}"#), at: .zero)
        guard case .fault? = stream.next() else {
            Issue.record("the rest alone is no object")
            return
        }
    }

    @Test func anObjectOfTheLargestSizeComesOut() {
        let head = #"{"a":""#
        let tail = #""}"#
        func object(_ count: Int) -> [UInt8] {
            Self.octets(head) + [UInt8](repeating: 0x78, count: count - head.utf8.count - tail.utf8.count)
                + Self.octets(tail)
        }
        let largest = object(JSONObjectStream.maximumLength)
        #expect(
            Self.pieces([Array(largest[..<5000]), Array(largest[5000...])]) == [WireText(largest).string])
        #expect(
            Self.pieces([object(JSONObjectStream.maximumLength + 1)]).first?.hasPrefix("<tooLong") == true)
    }

    @Test func anObjectWithoutAnEndIsGivenUpAndNothingIsKept() {
        var stream = JSONObjectStream()
        var rest = 0
        var faults = 0
        for index in 0..<1_000 {
            let piece = index == 0 ? Self.octets(#"{"a":""#) : [UInt8](repeating: 0x78, count: 500)
            rest += piece.count
            stream.receive(piece, at: .zero)
            while let next = stream.next() {
                guard case .fault(_, let raw) = next else {
                    Issue.record("an object came out of nothing")
                    return
                }
                faults += 1
                rest -= raw.count
            }
            #expect(rest <= JSONObjectStream.maximumLength)
        }
        #expect(faults > 1)
        stream.receive(Self.octets("\n{}"), at: .zero)
        guard case .object? = stream.next() else {
            Issue.record("a good object is understood again")
            return
        }
    }

    @Test func everyOctetComesOutOnceWhateverIsFed() {
        let alphabet = Array(#"{}[]:,"\a1-. tn"#.utf8) + [0x0A, 0x00, 0xC3, 0xA9, 0xFF]
        var state: UInt64 = 42
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<2_000 {
            var stream = JSONObjectStream()
            var fed: [UInt8] = []
            var out: [UInt8] = []
            func drain() {
                while let piece = stream.next() {
                    switch piece {
                    case .object(let octets), .fault(_, raw: let octets): out += octets
                    }
                }
            }
            for _ in 0..<random(8) {
                let notification = (0..<random(12)).map { _ in alphabet[random(alphabet.count)] }
                fed += notification
                stream.receive(notification, at: .zero)
                drain()
            }
            stream.linkClosed()
            drain()
            // Blanks between pieces are passed over; all others come out in order.
            func dense(_ octets: [UInt8]) -> [UInt8] { octets.filter { $0 != 0x20 && $0 != 0x0A } }
            #expect(dense(out) == dense(fed))
            #expect(stream.nextDeadline == nil)
        }
    }
}
