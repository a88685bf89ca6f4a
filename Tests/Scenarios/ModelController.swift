// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire

/// A controller that keeps what it was told, takes its time and refuses what it likes.
///
/// Commands wait in one queue and what it says in another: each step moves one packet, so that any command may cross
/// any event.
struct ModelController {
    struct ModelLink {
        let handle: Int
        let isPeripheral: Bool
        let peer: UInt8
        /// Data packets that it holds.
        var packets = 0
        /// Requests that the peer has not answered.
        var requests: [UInt8] = []
    }

    let isExtended: Bool
    private(set) var commands: [(opcode: Int, parameters: [UInt8])] = []
    private(set) var events: [[UInt8]] = []
    private(set) var links: [ModelLink] = []
    private(set) var isScanning = false
    private(set) var isAdvertising = false
    /// The data that is advertised.
    private(set) var data: [UInt8] = []
    /// Whom it opens a link to.
    private(set) var wanted: [UInt8] = []
    private var listed: [UInt8] = []

    init(isExtended: Bool) { self.isExtended = isExtended }

    static func peer(_ number: UInt8) -> BluetoothAddress {
        BluetoothAddress(0xC000_0000_0000 | UInt64(number), kind: .random)
    }

    var isQuiet: Bool { commands.isEmpty && events.isEmpty }

    /// A controller of which the host knows nothing any more.
    mutating func pulledOut() { self = ModelController(isExtended: isExtended) }

    mutating func popEvent() -> [UInt8]? { events.isEmpty ? nil : events.removeFirst() }

    /// Takes a packet of the host.
    mutating func receive(_ packet: [UInt8]) {
        if packet[0] == 1 {
            commands.append((Int(packet[1]) | Int(packet[2]) << 8, Array(packet[4...])))
            return
        }
        let handle = Int(packet[1]) | Int(packet[2] & 0x0F) << 8
        guard let index = links.firstIndex(where: { $0.handle == handle }) else { return }
        links[index].packets += 1
        // Frames here are short: each packet is a whole one.
        guard packet.count > 9, packet[7] == 4 else { return }
        if [0x02, 0x0A, 0x12].contains(packet[9]) { links[index].requests.append(packet[9]) }
    }

    /// Does the next command, or refuses it.
    mutating func proceed(refusing status: UInt8?) {
        guard !commands.isEmpty else { return }
        let (opcode, parameters) = commands.removeFirst()
        // What switches off is never refused: a host could not do more.
        let isRefused = status != nil && canRefuse(opcode, parameters)
        if let status, isRefused {
            isStatus(opcode) ? self.status(opcode, status) : complete(opcode, [status])
        } else {
            carryOut(opcode, parameters)
        }
    }

    private func canRefuse(_ opcode: Int, _ parameters: [UInt8]) -> Bool {
        switch opcode {
        case 0x2006, 0x2008, 0x2009, 0x200B, 0x200D, 0x2010, 0x2011, 0x2035...0x2038, 0x2041, 0x2043, 0x1405,
            0x041D, 0x2013:
            true
        case 0x200A, 0x200C, 0x2039, 0x2042: parameters.first == 1
        default: false
        }
    }

    private func isStatus(_ opcode: Int) -> Bool {
        [0x0406, 0x041D, 0x200D, 0x2013, 0x2043].contains(opcode)
    }

    private mutating func complete(_ opcode: Int, _ octets: [UInt8]) {
        events.append([4, 0x0E, UInt8(3 + octets.count), 3] + two(opcode) + octets)
    }

    private mutating func status(_ opcode: Int, _ status: UInt8) {
        events.append([4, 0x0F, 4, status, 3] + two(opcode))
    }

    private mutating func carryOut(_ opcode: Int, _ parameters: [UInt8]) {
        switch opcode {
        case 0x0C03:
            (isScanning, isAdvertising, wanted, links) = (false, false, [], [])
            complete(opcode, [0])
        case 0x1002: complete(opcode, [0] + [UInt8](repeating: 0xFF, count: 64))
        case 0x1003: complete(opcode, octets("00 0000000060000000"))
        case 0x1009: complete(opcode, octets("00 665544332211"))
        case 0x2002: complete(opcode, octets("00 1B00 08"))
        case 0x2003: complete(opcode, [0] + two(isExtended ? extendedFeatures : 0x0020) + [0, 0, 0, 0, 0, 0])
        case 0x200F: complete(opcode, [0, 4])
        case 0x203A: complete(opcode, [0] + two(1650))
        case 0x0C35: break
        case 0x200C, 0x2042:
            isScanning = parameters[0] == 1
            complete(opcode, [0])
        case 0x200A, 0x2039:
            isAdvertising = parameters[0] == 1
            complete(opcode, [0])
        case 0x2008:
            data = Array(parameters[1...].prefix(Int(parameters[0])))
            complete(opcode, [0])
        case 0x2037:
            data = Array(parameters[4...])
            complete(opcode, [0])
        case 0x2010:
            listed = []
            complete(opcode, [0])
        case 0x2011:
            listed.append(parameters[1])
            complete(opcode, [0])
        case 0x200D: create(opcode, parameters[4] == 1 ? listed : [parameters[6]])
        case 0x2043: create(opcode, parameters[0] == 1 ? listed : [parameters[3]])
        case 0x200E:
            complete(opcode, [wanted.isEmpty ? 0x0C : 0])
            if !wanted.isEmpty { attemptFails(0x02) }
        case 0x0406: about(opcode, parameters) { $0.linkEnds(at: $1, reason: 0x16) }
        case 0x1405:
            complete(opcode, [hasLink(parameters) ? 0 : 2] + parameters.prefix(2) + [0xC0])
        case 0x041D:
            about(opcode, parameters) {
                $0.events.append([4, 0x0C, 8, 0] + parameters + [9, 0, 0, 0, 0]); _ = $1
            }
        case 0x2013:
            about(opcode, parameters) { controller, _ in
                controller.events.append(
                    [4, 0x3E, 10, 3, 0] + parameters.prefix(2) + parameters[4...5] + [0, 0, 0xF4, 1])
            }
        default: complete(opcode, [0])
        }
    }

    private func index(_ parameters: [UInt8]) -> Int? {
        links.firstIndex { $0.handle == Int(parameters[0]) | Int(parameters[1]) << 8 }
    }

    private func hasLink(_ parameters: [UInt8]) -> Bool { index(parameters) != nil }

    private mutating func about(
        _ opcode: Int, _ parameters: [UInt8], _ body: (inout ModelController, Int) -> Void
    ) {
        guard let index = index(parameters) else { return status(opcode, 0x02) }
        status(opcode, 0)
        body(&self, index)
    }

    private mutating func create(_ opcode: Int, _ peers: [UInt8]) {
        guard wanted.isEmpty, !peers.isEmpty else { return status(opcode, 0x0C) }
        if links.contains(where: { peers == [$0.peer] }) { return status(opcode, 0x0B) }
        wanted = peers
        status(opcode, 0)
    }
}

// What happens on the air.
extension ModelController {
    mutating func attemptFails(_ status: UInt8) {
        guard !wanted.isEmpty else { return }
        wanted = []
        events.append([4, 0x3E, 19, 1, status] + [UInt8](repeating: 0, count: 17))
    }

    /// Someone who is wanted answers.
    mutating func attemptSucceeds() {
        guard let peer = wanted.first(where: { peer in !links.contains { $0.peer == peer } }) else { return }
        wanted = []
        open(peer, isPeripheral: false)
    }

    /// Someone connects to us.
    mutating func centralConnects() {
        guard isAdvertising, links.count < 6 else { return }
        isAdvertising = false
        open(100 + UInt8(links.count), isPeripheral: true)
    }

    private mutating func open(_ peer: UInt8, isPeripheral: Bool) {
        var handle = 1
        while links.contains(where: { $0.handle == handle }) { handle += 1 }
        links.append(ModelLink(handle: handle, isPeripheral: isPeripheral, peer: peer))
        var writer = ByteWriter()
        Self.peer(peer).encode(into: &writer)
        events.append(
            [4, 0x3E, 19, 1, 0] + two(handle) + [isPeripheral ? 1 : 0, 1] + writer.octets + two(24) + two(0)
                + two(100) + [0])
    }

    mutating func linkEnds(at index: Int, reason: UInt8) {
        let link = links.remove(at: index)
        events.append([4, 0x05, 4, 0] + two(link.handle) + [reason])
    }

    /// Everything that it holds has gone out.
    mutating func sendData() {
        for index in links.indices where links[index].packets > 0 {
            events.append([4, 0x13, 5, 1] + two(links[index].handle) + two(links[index].packets))
            links[index].packets = 0
        }
    }

    /// The peer of a link answers a request, or says something that makes no sense.
    mutating func peerAnswers(at index: Int, isSound: Bool) {
        guard !links[index].requests.isEmpty else { return }
        switch (links[index].requests.removeFirst(), isSound) {
        case (0x02, true): att(index, [0x03, 23, 0])
        case (0x0A, true): att(index, [0x0B, 7])
        case (0x12, true): att(index, [0x13])
        case (let opcode, _): att(index, [0x01, opcode, 3, 0, 0x0A])
        }
    }

    mutating func att(_ index: Int, _ pdu: [UInt8]) {
        events.append(
            [2] + two(links[index].handle | 0x2000) + two(pdu.count + 4) + two(pdu.count) + two(4) + pdu)
    }

    /// The controller ends advertising by itself, as with sets it may.
    mutating func setEnds() {
        guard isExtended, isAdvertising else { return }
        isAdvertising = false
        events.append([4, 0x3E, 6, 0x12, 0x43, 0, 0, 0, 0])
    }
}
