// SPDX-License-Identifier: Apache-2.0

// Uses each public generic of Core and Kits once, so that Scripts/check-embedded builds and links it.
// What belongs to a product stands in its folder, in `Link`. The image is never run. Scripts/check-embedded names a public generic that is missing here.

import BLEDevice
import BLEGATT
import BLEHCI
import BLEHost
import BLEL2CAP
import BLEWire

@main
struct LinkCheck {
    static func main() {
        queues()
        hci()
        channels()
        flash()
    }

    static func queues() {
        var queue = FIFO<[UInt8]>()
        queue.append([1])
        _ = (queue.count, queue.isEmpty, queue.first, queue.popFirst(), queue.removeAll())
        var recent = RecencyDictionary<UInt32, UInt32>(limit: 2)
        recent.use(1, default: 0) { $0 += 1 }
        for value in recent.values { _ = (recent.count, recent[value], recent.removeValue(forKey: value)) }
    }

    static func hci() {
        var queue = HCI.CommandQueue<UInt8>()
        _ = queue.enqueue(HCI.Reset(), for: 1)
        _ = HCI.Packet(HCI.ReadBDADDR())
        use(HCI.Reset.self)
        use(HCI.ReadBDADDR.self)
    }

    static func channels() {
        var channels = L2CAP.Channels()
        let credit = L2CAP.FlowControlCredit(channel: .att, credits: 1)
        let packet = L2CAP.SignallingPacket(credit, identifier: 1)
        _ = channels.receive(packet, listeners: [], at: .zero)
        do throws(DecodeError) {
            _ = try L2CAP.FlowControlCredit(data: credit.data)
        } catch {
            _ = error.offset
        }
        let token = channels.open(L2CAP.PSM(rawValue: 0x80), at: .zero)
        _ = channels.send([1], through: token)
        _ = (channels.nextOutput(), channels.nextFrame(at: .zero), channels.nextDeadline)
    }

    /// Encodes and decodes, as a host and as a controller would.
    static func use<C: HCI.Command>(_ command: C.Type) {
        do throws(DecodeError) {
            let again = try C(octets: [])
            _ = again.octets
            _ = try C.ReturnParameters(octets: [0]).octets
        } catch {
            _ = error.offset
        }
    }

    /// Drives any client session through every call there is.
    static func use<S: ClientSession & ~Copyable>(client session: inout S) {
        session.receive(.radio(.ready), at: .zero)
        session.deadlineReached(at: .zero)
        while let output: ClientOutput<S.Event> = session.nextOutput() {
            if case .finished = output { return }
        }
        _ = session.nextDeadline
    }

    /// Drives any device session through every call there is.
    static func use<S: DeviceSession & ~Copyable>(device session: inout S) {
        let database = GATT.Database(session.services)
        let link = LinkID(rawValue: 1)
        session.start(handles: database.valueHandles, at: .zero)
        session.receive(.connected(link, Peer(BluetoothAddress(1, kind: .public))), at: .zero)
        do throws(ATT.ErrorCode) {
            let value = try session.read(.first, on: link, at: .zero)
            try session.write(.first, value, on: link, at: .zero)
        } catch {
            _ = error.rawValue
        }
        session.deadlineReached(at: .zero)
        while let output: DeviceOutput<S.Event> = session.nextOutput() {
            if case .advertisementChanged = output { return }
        }
        _ = (session.name, session.appearance, session.advertisement, session.nextDeadline)
    }

    /// Runs a device on the host stack.
    static func use<S: DeviceSession & ~Copyable>(host: inout DeviceHost<S>) {
        host.update(at: .zero) { session in use(device: &session) }
        run(&host)
    }

    /// Runs a device on the host for chips, as firmware does.
    static func use<S: DeviceSession & ~Copyable>(chip host: inout PeripheralHost<S>) {
        host.update(at: .zero) { session in use(device: &session) }
        run(&host)
    }

    private static func run<Host: DeviceHosting & ~Copyable>(_ host: inout Host) {
        host.start(at: .zero)
        host.receive([4, 0x0E, 4, 1, 3, 0x0C, 0], at: .zero)
        while let output: DeviceHostOutput<Host.Event, Host.Failure> = host.nextOutput() {
            if case .failed = output { return }
        }
        if let deadline = host.nextDeadline { host.deadlineReached(at: deadline) }
        host.transportClosed(at: .zero)
    }

    static func flash() {
        var store = FlashStore(Erased())
        _ = store.set([1], of: 1)
        _ = (store.value(of: 1), store.erasures, store.longestValue)
    }

    /// Flash that takes nothing.
    private struct Erased: FlashMemory, ~Copyable {
        var pageSize: Int { 64 }
        var unit: Int { 4 }
        func read(_ page: Int, at offset: Int) -> UInt8 { 0xFF }
        mutating func write(_ octets: [UInt8], to page: Int, at offset: Int) {}
        mutating func erase(_ page: Int) {}
    }
}
