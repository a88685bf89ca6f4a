// SPDX-License-Identifier: Apache-2.0

import BLEL2CAP
import BLEWire
import Testing

@Suite struct ChannelClosingTests {
    @Test func `this side closes`() {
        let bench = ChannelBench.open()
        bench.close()
        #expect(bench.outputs() == (["0601040041004000"], []))
        #expect(bench.send([1]) == .notOpen)
        bench.close()
        #expect(bench.outputs() == ([], []))
        bench.signal("07 01 0400 4100 4000")
        #expect(bench.outputs() == ([], ["1 closed by us"]))
        #expect(bench.count == 0 && bench.nextDeadline == nil)
    }

    @Test func `the peer closes`() {
        let bench = ChannelBench.open(credits: 0)
        #expect(bench.send([1]) == .accepted)
        bench.signal("06 20 0400 4000 4100")
        #expect(bench.outputs() == (["0720040040004100"], ["1 closed by peer"]))
        #expect(bench.frames() == [])
        #expect(bench.count == 0)
        // Once more: the channel is not there any more.
        bench.signal("06 21 0400 4000 4100")
        #expect(bench.outputs() == (["01210600020040004100"], []))
    }

    @Test func `both close at once`() {
        let bench = ChannelBench.open()
        bench.close()
        bench.signal("06 20 0400 4000 4100")
        #expect(bench.outputs() == (["0601040041004000", "0720040040004100"], ["1 closed by us"]))
        bench.signal("07 01 0400 4100 4000")
        #expect(bench.outputs() == ([], []))
    }

    /// Spec: Core v5.4, Vol 3, Part A, 4.6.
    @Test(arguments: ["5000 4100", "0000 0000", "FFFF FFFF", "0400 0400"])
    func `a request for no channel is rejected with both ends`(_ ends: String) {
        let bench = ChannelBench.open()
        bench.signal("06 07 0400 " + ends)
        let octets = ([UInt8](hexadecimal: ends) ?? []).hexadecimal
        #expect(bench.outputs() == (["010706000200" + octets], []))
        #expect(bench.send([1]) == .accepted)
    }

    @Test func `a request with another source is passed over`() {
        let bench = ChannelBench.open()
        #expect(bench.signal("06 07 0400 4000 4200"))
        #expect(bench.outputs() == ([], []))
        #expect(bench.send([1]) == .accepted)
    }

    @Test(arguments: ["06 07 0000", "06 07 0300 4000 41", "06 07 0500 4000 4100 00"])
    func `a malformed request is not understood`(_ hex: String) {
        let bench = ChannelBench.open()
        #expect(bench.signal(hex))
        #expect(bench.outputs() == (["010702000000"], []))
        #expect(bench.send([1]) == .accepted)
    }

    @Test(arguments: [
        "07 02 0400 4100 4000", "07 01 0400 4200 4000", "07 01 0400 4100 4200", "07 01 0300 4100 40",
        "07 01 0400 4000 4100",
    ]) func `a response that does not fit the request is passed over`(_ hex: String) {
        let bench = ChannelBench.open()
        bench.close()
        bench.forget()
        #expect(bench.signal(hex))
        #expect(bench.outputs() == ([], []))
        bench.signal("07 01 0400 4100 4000")
        #expect(bench.outputs() == ([], ["1 closed by us"]))
    }

    @Test func `a rejection of the request closes, too`() {
        let bench = ChannelBench.open()
        bench.close()
        bench.forget()
        #expect(bench.signal("01 01 0600 0200 4100 4000"))
        #expect(bench.outputs() == ([], ["1 closed by us"]))
    }

    @Test func `a peer that does not answer is waited for 5 s`() {
        let bench = ChannelBench.open()
        bench.close()
        bench.forget()
        bench.advance(milliseconds: 4_999)
        #expect(bench.outputs() == ([], []))
        bench.advance(milliseconds: 1)
        #expect(bench.outputs() == ([], ["1 closed by us"]))
        #expect(bench.count == 0)
    }

    @Test func `what waits goes out before the channel is closed`() {
        let bench = ChannelBench.open(credits: 1)
        #expect(bench.send([1]) == .accepted)
        #expect(bench.send([2]) == .accepted)
        bench.close()
        #expect(bench.send([3]) == .notOpen)
        #expect(bench.frames() == ["03004100010001"])
        #expect(bench.outputs() == ([], []))
        // What comes meanwhile is still received.
        bench.frame("0100 09")
        #expect(bench.outputs() == ([], ["1 received 09"]))
        bench.signal("16 05 0400 4100 0100")
        #expect(bench.frames() == ["03004100010002"])
        #expect(bench.outputs() == (["0601040041004000"], []))
    }

    @Test func `what the peer does not take within 5 s is dropped`() {
        let bench = ChannelBench.open(credits: 0)
        #expect(bench.send([1]) == .accepted)
        bench.close()
        bench.advance(milliseconds: 4_999)
        #expect(bench.outputs() == ([], []))
        bench.advance(milliseconds: 1)
        #expect(bench.outputs() == (["0601040041004000"], []))
        bench.signal("16 05 0400 4100 0100")
        #expect(bench.frames() == [])
        bench.advance(milliseconds: 5_000)
        #expect(bench.outputs() == ([], ["1 closed by us"]))
    }

    @Test func `when the link is gone each channel ends once, whatever it was doing`() {
        let bench = ChannelBench.open(credits: 0)  // 1
        bench.ask(10, psm: 0x80, source: 0x42, credits: 0)  // 2
        bench.ask(11, psm: 0x80, source: 0x43)  // 3
        bench.ask(12, psm: 0x80, source: 0x44)  // 4
        let (connecting, abandoned) = (bench.open(), bench.open())  // 5, 6
        #expect(bench.send([1], 2) == .accepted)
        bench.close(2)
        bench.close(3)
        bench.frame("", on: 0x43)  // a violation
        bench.close(abandoned)
        bench.forget()
        bench.update { $0.linkClosed() }
        #expect(
            bench.outputs().events == [
                "1 closed link lost", "2 closed link lost", "3 closed by us",
                "\(connecting) closed link lost",
            ])
        #expect(bench.count == 0 && bench.nextDeadline == nil)
        bench.update { $0.linkClosed() }
        #expect(bench.outputs() == ([], []))
    }

    @Test func `names of channels that are gone do nothing`() {
        let bench = ChannelBench.open()
        for token in [0, 2, .max] as [UInt32] {
            #expect(bench.send([1], token) == .notOpen)
            bench.consume(1, token)
            bench.close(token)
        }
        #expect(bench.outputs() == ([], []))
    }
}
