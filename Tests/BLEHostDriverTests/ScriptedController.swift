// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEHostDriver
import Synchronization

/// What a controller answers, octet by octet; it knows nothing of our HCI types.
struct ControllerScript: Sendable {
    /// Whether a link that is asked for opens.
    var opensLinks = true
    /// Whether peers say their MTU.
    var saysMTU = true
    /// How it refuses another PHY.
    var phyStatus: UInt8 = 0x11
    /// Whether it says that data has left.
    var completesData = true
    /// Whether a link that is to end does.
    var closesLinks = true
    /// With which status it refuses commands.
    var refusals: [Int: UInt8] = [:]
    /// The same, the next time only.
    var refusalsOnce: [Int: UInt8] = [:]
    /// Commands that it does not answer.
    var silences: Set<Int> = []
    private var octets: [UInt8] = []

    /// Handles what the host sends.
    ///
    /// - Returns: What goes back, and the ATT PDUs that went out.
    mutating func receive(_ more: [UInt8]) -> (answer: [UInt8], pdus: [[UInt8]]) {
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
                if pdu.first == 2, saysMTU { answer += Self.att(packet[1], [3, 23, 0]) }
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

    private mutating func answer(to opcode: Int, _ parameters: [UInt8]) -> [UInt8] {
        let code = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
        func complete(_ octets: [UInt8], status: UInt8 = 0) -> [UInt8] {
            [4, 0x0E, UInt8(4 + octets.count), 1] + code + [status] + octets
        }
        guard !silences.contains(opcode) else { return [] }
        if let status = refusalsOnce.removeValue(forKey: opcode) ?? refusals[opcode] {
            return complete([], status: status)
        }
        let status: [UInt8] = [4, 0x0F, 4, 0, 1] + code
        switch opcode {
        case 0x0406:
            return status + (closesLinks ? [4, 5, 4, 0, parameters[0], parameters[1], 0x16] : [])
        case 0x1001: return complete([0x0D, 0x34, 0x12, 0x0C, 0xF1, 0x05, 0x78, 0x56])
        case 0x1002: return complete([UInt8](repeating: 0xFF, count: 64))
        case 0x1003: return complete([0, 0, 0, 0, 0x60, 0, 0, 0])
        case 0x1009: return complete([0x66, 0x55, 0x44, 0x33, 0x22, 0x11])
        case 0x2002: return complete([27, 0, 4])
        case 0x2003: return complete([0x20, 0, 0, 0, 0, 0, 0, 0])
        case 0x200D: return status + (opensLinks ? Self.link(0, Array(parameters[5..<12])) : [])
        case 0x200E: return complete([]) + Self.link(2, [UInt8](repeating: 0, count: 7))
        case 0x2013: return status
        case 0x2032: return [4, 0x0F, 4, phyStatus, 1] + code
        default: return complete([])
        }
    }

    /// LE Connection Complete of link 1.
    private static func link(_ status: UInt8, _ peer: [UInt8]) -> [UInt8] {
        [4, 0x3E, 19, 1, status, 1, 0, 0] + peer + [24, 0, 0, 0, 100, 0, 0]
    }

    /// A central has opened link 1.
    static let central: [UInt8] =
        [4, 0x3E, 19, 1, 0, 1, 0, 1, 1, 9, 0, 0, 0, 0, 0xC0] + [24, 0, 0, 0, 100, 0, 0]

    /// What was heard of a device: an advertisement that says nothing but its flags.
    static func report(_ address: UInt64, isScanResponse: Bool = false, _ data: [UInt8] = [2, 1, 6])
        -> [UInt8]
    {
        let octets = (0..<6).map { UInt8(truncatingIfNeeded: address >> (8 * UInt64($0))) }
        return [4, 0x3E, UInt8(12 + data.count), 2, 1, isScanResponse ? 4 : 0, 1] + octets
            + [UInt8(data.count)] + data + [0xC0]
    }

    /// A PDU from the peer.
    static func att(_ handle: UInt8, _ pdu: [UInt8]) -> [UInt8] {
        let (data, frame) = (pdu.count + 4, pdu.count)
        let lengths = [UInt8(data & 0xFF), UInt8(data >> 8), UInt8(frame & 0xFF), UInt8(frame >> 8)]
        return [2, handle, 0x20] + lengths + [4, 0] + pdu
    }
}

/// A controller in this process whose peers do what a test wants.
final class ScriptedController: Transport {
    private struct State {
        var script = ControllerScript()
        var receiver: (@Sendable (TransportInput) -> Void)?
        var isCut = false
        var sent: [UInt8] = []
        var given = 0
    }

    let loop: TransportLoop
    private let state = Mutex(State())
    private let pdus: AsyncStream<[UInt8]>
    private let passing: AsyncStream<[UInt8]>.Continuation

    init(on loop: TransportLoop = ManualTime.loop) {
        self.loop = loop
        (pdus, passing) = AsyncStream.makeStream()
    }

    /// A radio at this controller, on its loop.
    func makeRadio(_ configuration: HostConfiguration = HostConfiguration()) -> HostRadio {
        HostRadio(configuration, loop: loop) { _ async throws(TransportError) in self }
    }

    func change(_ body: @Sendable (inout ControllerScript) -> Void) {
        state.withLock { body(&$0.script) }
    }

    /// Waits until the host has sent a PDU of a kind.
    func sees(_ opcode: UInt8) async {
        for await pdu in pdus where pdu.first == opcode { return }
    }

    /// What the host has sent since this was asked last.
    func removeSent() -> [UInt8] {
        state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
    }

    /// How many octets the host was given.
    var givenCount: Int { state.withLock { $0.given } }

    /// Whether the host has closed it, or it was cut.
    var isCut: Bool { state.withLock { $0.isCut } }

    /// Gives the host octets.
    func give(_ octets: [UInt8]) {
        loop.execute {
            let receiver = self.state.withLock { state in
                state.given += octets.count
                return state.isCut ? nil : state.receiver
            }
            receiver?(.octets(octets))
        }
    }

    /// Cuts the transport.
    func cut() { end(.lost("it was cut")) }

    private func end(_ why: TransportError?) {
        loop.execute {
            let receiver = self.state.withLock { state in
                defer { (state.receiver, state.isCut) = (nil, true) }
                return state.receiver
            }
            receiver?(.ended(why))
        }
    }

    var isPacketBased: Bool { false }

    func start(_ receiver: @escaping @Sendable (TransportInput) -> Void) {
        let isCut = state.withLock { state in
            if !state.isCut { state.receiver = receiver }
            return state.isCut
        }
        if isCut { loop.execute { receiver(.ended(.lost("it was cut"))) } }
    }

    func send(_ octets: [UInt8]) {
        let (answer, pdus) = state.withLock { state in
            state.sent += octets
            return state.script.receive(octets)
        }
        for pdu in pdus { passing.yield(pdu) }
        if !answer.isEmpty { give(answer) }
    }

    func close() { end(nil) }
}
