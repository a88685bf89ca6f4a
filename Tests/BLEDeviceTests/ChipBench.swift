// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

@testable import BLEDevice

/// A small host on a controller that is a table of answers.
final class ChipBench {
    var host: PeripheralHost<Values>
    var now = HostInstant.zero
    /// Frames of each link, whole, in order.
    private(set) var frames: [Int: [[UInt8]]] = [:]
    private(set) var commands: [Int] = []
    private(set) var failures: [DeviceFailure] = []
    private(set) var advertised = 0
    /// Links whose packets the controller keeps.
    var stuck: Set<Int> = []
    private(set) var kept: [Int: Int] = [:]
    /// What the controller answers instead of that all went well; nothing where it is silent.
    var answers: [Int: [UInt8]?] = [:]
    private var parts: [Int: [UInt8]] = [:]

    /// Makes it, with a device of these services.
    init(_ services: [GATT.ServiceDefinition] = ChipBench.services, _ limits: DeviceLimits = DeviceLimits()) {
        host = PeripheralHost(
            Values(services), limits: limits,
            randomAddress: BluetoothAddress(0xC0_0000_0000_01, kind: .random))
    }

    /// One value of each kind; the first is at handle 16.
    static let services = [
        GATT.ServiceDefinition(
            BluetoothUUID(0xFF00),
            characteristics: [
                .init(BluetoothUUID(0xFF01), [.read, .write, .notify, .indicate], value: .delegated),
                .init(BluetoothUUID(0xFF02), [.read, .write], value: .stored([1, 2, 3])),
            ])
    ]
    static let value = 16

    func start() {
        host.start(at: now)
        run()
    }

    /// A central connects.
    func open(_ link: Int, role: UInt8 = 1) {
        receive(
            [4, 0x3E, 19, 0x01, 0] + two(link) + [role, 0] + [UInt8(link), 0, 0, 0, 0, 0] + two(24) + two(0)
                + two(500) + [0])
    }

    func close(_ link: Int) { receive([4, 0x05, 4, 0] + two(link) + [0x13]) }

    /// A frame comes from a central, in packets of so many octets.
    func send(_ payload: [UInt8], on channel: Int = 4, _ link: Int = 1, cut: Int = 251) {
        var rest = (two(payload.count) + two(channel) + payload)[...]
        var begins = true
        repeat {
            let part = rest.prefix(cut)
            receive([2] + two(link | (begins ? 0x2000 : 0x1000)) + two(part.count) + part)
            rest = rest.dropFirst(cut)
            begins = false
        } while !rest.isEmpty
    }

    func receive(_ octets: [UInt8]) {
        host.receive(octets, at: now)
        run()
    }

    func advance(seconds: UInt64) {
        let end = now.advanced(bySeconds: seconds)
        while let deadline = host.nextDeadline, deadline <= end {
            now = max(now, deadline)
            host.deadlineReached(at: now)
            run()
        }
        now = end
    }

    /// What a link was sent since the last time.
    func taken(_ link: Int = 1) -> [[UInt8]] { frames.removeValue(forKey: link) ?? [] }

    func run() {
        while let output = host.nextOutput() {
            switch output {
            case .send(let packet) where packet[0] == 1: answer(packet)
            case .send(let packet): take(packet)
            case .advertising: advertised += 1
            case .failed(let failure): failures.append(failure)
            }
        }
    }

    /// Lets the controller be rid of what it kept of a link.
    func release(_ link: Int) {
        stuck.remove(link)
        while let count = kept.removeValue(forKey: link) {
            receive([4, 0x13, 5, 1] + two(link) + two(count))
        }
    }

    private func answer(_ packet: [UInt8]) {
        let opcode = Int(packet[1]) | Int(packet[2]) << 8
        commands.append(opcode)
        var returned: [UInt8] = [0]
        if let answer = answers[opcode] {
            guard let answer else { return }
            returned = answer
        } else if opcode == 0x2002 {
            returned = [0, 27, 0, 4]
        } else if opcode == 0x2003 {
            returned = [0, 0x20, 0, 0, 0, 0, 0, 0, 0]
        } else if opcode == 0x0406 {
            host.receive([4, 0x0F, 4, 0, 1, 0x06, 0x04], at: now)
            host.receive([4, 0x05, 4, 0, packet[4], packet[5], 0x16], at: now)
            return
        }
        host.receive([4, 0x0E, UInt8(returned.count + 3), 1, packet[1], packet[2]] + returned, at: now)
    }

    private func take(_ packet: [UInt8]) {
        let link = Int(packet[1]) | Int(packet[2] & 0x0F) << 8
        parts[link, default: []] += packet[5...]
        if let part = parts[link], part.count >= 4, part.count == Int(part[0]) + Int(part[1]) << 8 + 4 {
            frames[link, default: []].append(part)
            parts[link] = nil
        }
        if stuck.contains(link) {
            kept[link, default: 0] += 1
        } else {
            host.receive([4, 0x13, 5, 1] + two(link) + two(1), at: now)
        }
    }
}

func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
