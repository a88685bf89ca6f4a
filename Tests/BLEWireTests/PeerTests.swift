// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Foundation
import Testing

@Suite struct PeerTests {
    private static let identifier = BluetoothUUID(high: 0x7A5A_0001_D04B_48EB, low: 0xB3FA_32EB_4F0F_FAC4)

    private static let cases: [(Peer, String)] = [
        (Peer(BluetoothAddress(0xC0FF_EE00_0001, kind: .random)), "C0:FF:EE:00:00:01/R"),
        (Peer(BluetoothAddress(0x0000_5E00_53AF, kind: .public)), "00:00:5E:00:53:AF/P"),
        (Peer(BluetoothAddress(0, kind: .anonymous)), "00:00:00:00:00:00/A"),
        (Peer(identifier: identifier), "7a5a0001-d04b-48eb-b3fa-32eb4f0ffac4"),
        // An identifier that happens to look like a short UUID is one all the same.
        (Peer(identifier: BluetoothUUID(0x1234)), "1234"),
    ]

    @Test("The text of both kinds comes back", arguments: cases)
    func text(peer: Peer, text: String) {
        #expect(peer.description == text)
        #expect(Peer(text) == peer)
        #expect(Peer(text.lowercased()) == peer)
    }

    @Test("Both kinds can be stored", arguments: cases)
    func stored(peer: Peer, text: String) throws {
        let stored = try JSONEncoder().encode([peer])
        #expect(try JSONDecoder().decode([String].self, from: stored) == [text])
        #expect(try JSONDecoder().decode([Peer].self, from: stored) == [peer])
    }

    @Test(
        "What names no device is refused",
        arguments: [
            "", "/", "/R", "C0:FF:EE:00:00", "C0:FF:EE:00:00:01/", "C0:FF:EE:00:00:01/X",
            "C0:FF:EE:00:00/R", "C0:FF:EE:00:00:01/RR", "7a5a0001-d04b-48eb-b3fa-32eb4f0ffac", "lamp",
        ])
    func refused(text: String) {
        #expect(Peer(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Peer].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test(
        "An address without its kind is of the likely one",
        arguments: [
            ("C0:FF:EE:00:00:01", "C0:FF:EE:00:00:01/R"), ("ff-ff-ff-ff-ff-ff", "FF:FF:FF:FF:FF:FF/R"),
            ("7F:FF:EE:00:00:01", "7F:FF:EE:00:00:01/P"), ("00:00:5e:00:53:af", "00:00:5E:00:53:AF/P"),
            ("BF:00:00:00:00:00", "BF:00:00:00:00:00/P"),
        ])
    func likelyKind(text: String, complete: String) { #expect(Peer(text) == Peer(complete)) }

    @Test func `an address stands in the code as text`() {
        let random: BluetoothAddress = "C0:FF:EE:00:00:01"
        let pi: BluetoothAddress = "DC:A6:32:00:00:01/P"
        #expect(random == BluetoothAddress(0xC0FF_EE00_0001, kind: .random))
        #expect(pi == BluetoothAddress(0xDCA6_3200_0001, kind: .public))
    }

    @Test func `a peer is an address or an identifier`() {
        let address = BluetoothAddress(1, kind: .random)
        #expect(Peer(address).address == address)
        #expect(Peer(address).identifier == nil)
        #expect(Peer(identifier: Self.identifier).identifier == Self.identifier)
        #expect(Peer(identifier: Self.identifier).address == nil)
        #expect(Peer(address) != Peer(BluetoothAddress(1, kind: .public)))
    }
}
