// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
import Synchronization

/// What a controller answers, octet by octet; it knows nothing of our HCI types.
struct ControllerScript: Sendable {
    /// Whether a link that is asked for opens.
    var opensLinks = true
    /// Whether it says that data has left.
    var completesData = true
    private var octets: [UInt8] = []

    /// Takes what the host sends.
    ///
    /// - Returns: What goes back, and the ATT PDUs that went out.
    mutating func take(_ more: [UInt8]) -> (answer: [UInt8], pdus: [[UInt8]]) {
        octets += more
        var answer: [UInt8] = []
        var pdus: [[UInt8]] = []
        while let packet = nextPacket() {
            if packet[0] == 1 {
                answer += self.answer(to: Int(packet[1]) | Int(packet[2]) << 8, Array(packet[4...]))
            } else {
                if completesData { answer += [4, 0x13, 5, 1, packet[1], packet[2] & 0x0F, 1, 0] }
                let pdu = Array(packet[9...])
                pdus.append(pdu)
                // The exchange of the MTU is the host's own: it stays 23.
                if pdu.first == 2 { answer += Self.att(packet[1], [3, 23, 0]) }
            }
        }
        return (answer, pdus)
    }

    private mutating func nextPacket() -> [UInt8]? {
        guard octets.count >= 5 || (octets.first == 1 && octets.count >= 4) else { return nil }
        let length = octets[0] == 1 ? 4 + Int(octets[3]) : 5 + Int(octets[3]) + Int(octets[4]) << 8
        guard octets.count >= length else { return nil }
        defer { octets.removeFirst(length) }
        return Array(octets[..<length])
    }

    private func answer(to opcode: Int, _ parameters: [UInt8]) -> [UInt8] {
        let code = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
        func complete(_ octets: [UInt8]) -> [UInt8] {
            [4, 0x0E, UInt8(4 + octets.count), 1] + code + [0] + octets
        }
        let status: [UInt8] = [4, 0x0F, 4, 0, 1] + code
        switch opcode {
        case 0x0406: return status + [4, 5, 4, 0, parameters[0], parameters[1], 0x16]
        case 0x1001: return complete([0x0D, 0x34, 0x12, 0x0C, 0xF1, 0x05, 0x78, 0x56])
        case 0x1002: return complete([UInt8](repeating: 0xFF, count: 64))
        case 0x1003: return complete([0, 0, 0, 0, 0x60, 0, 0, 0])
        case 0x1009: return complete([0x66, 0x55, 0x44, 0x33, 0x22, 0x11])
        case 0x2002: return complete([27, 0, 4])
        case 0x2003: return complete([0x20, 0, 0, 0, 0, 0, 0, 0])
        case 0x200D: return status + (opensLinks ? Self.link(0, Array(parameters[5..<12])) : [])
        case 0x200E: return complete([]) + Self.link(2, [UInt8](repeating: 0, count: 7))
        case 0x2013: return status
        default: return complete([])
        }
    }

    /// LE Connection Complete of link 1.
    private static func link(_ status: UInt8, _ peer: [UInt8]) -> [UInt8] {
        [4, 0x3E, 19, 1, status, 1, 0, 0] + peer + [24, 0, 0, 0, 100, 0, 0]
    }

    /// A PDU from the peer.
    static func att(_ handle: UInt8, _ pdu: [UInt8]) -> [UInt8] {
        [2, handle, 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 4, 0] + pdu
    }
}

/// A controller in this process whose peers do what a test wants.
final class ScriptedController: OctetTransport {
    private let script = Mutex(ControllerScript())
    private let toHost: AsyncStream<[UInt8]>
    private let host: AsyncStream<[UInt8]>.Continuation
    private let sent: AsyncStream<[UInt8]>
    private let pdus: AsyncStream<[UInt8]>.Continuation

    init() {
        (toHost, host) = AsyncStream.makeStream()
        (sent, pdus) = AsyncStream.makeStream()
    }

    func change(_ body: @Sendable (inout ControllerScript) -> Void) { script.withLock { body(&$0) } }

    /// Waits until the host has sent a PDU of a kind.
    func sees(_ opcode: UInt8) async {
        for await pdu in sent where pdu.first == opcode { return }
    }

    /// Gives the host octets.
    func give(_ octets: [UInt8]) { host.yield(octets) }

    /// Cuts the transport.
    func cut() { host.finish() }

    func send(_ octets: [UInt8]) async throws(TransportError) {
        let (answer, pdus) = script.withLock { $0.take(octets) }
        for pdu in pdus { self.pdus.yield(pdu) }
        if !answer.isEmpty { host.yield(answer) }
    }

    func receive() async throws(TransportError) -> [UInt8]? {
        for await octets in toHost { return octets }
        return nil
    }

    func close() async { host.finish() }
}
