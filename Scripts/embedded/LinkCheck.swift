// SPDX-License-Identifier: Apache-2.0

// Uses each public generic of Core and Kits once, so that Scripts/check-embedded builds and links it.
// The image is never run. Scripts/check-embedded names a public generic that is missing here.

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import FlockFinder

@main
struct LinkCheck {
    static func main() {
        queues()
        hci()
        var client = FlockFinderClient(options: FlockFinderClient.Options(unixMillisecondsAtZero: 0))
        use(client: &client)
        var host = DeviceHost(NoDevice())
        use(host: &host)
    }

    static func queues() {
        var first = FIFO<[UInt8]>()
        first.append([1])
        _ = (first.count, first.isEmpty, first.first, first.popFirst(), first.removeAll())
        var second = OutputQueue<UInt32>()
        second.append(1)
        _ = (second.count, second.isEmpty, second.next())
    }

    static func hci() {
        var queue = HCI.CommandQueue()
        _ = queue.enqueue(HCI.Reset())
        _ = HCI.Packet(HCI.ReadBDADDR())
        use(HCI.Reset.self)
        use(HCI.ReadBDADDR.self)
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
        session.start(database: database, at: .zero)
        session.receive(.connected(link, BluetoothAddress(1, .public)), at: .zero)
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

    /// Runs a device on the host stack, as firmware does.
    static func use<S: DeviceSession & ~Copyable>(host: inout DeviceHost<S>) {
        host.start(at: .zero)
        host.receive([4, 0x0E, 4, 1, 3, 0x0C, 0], at: .zero)
        host.update(at: .zero) { session in use(device: &session) }
        while let output = host.nextOutput() {
            if case .failed = output { return }
        }
        if let deadline = host.nextDeadline { host.deadlineReached(at: deadline) }
    }
}

/// A device with nothing in it.
struct NoDevice: DeviceSession, ~Copyable {
    typealias Event = UInt8

    var services: [GATT.ServiceDefinition] { [] }
    var name: WireText { "none" }
    var appearance: UInt16 { 0 }
    var advertisement: DeviceAdvertisement { DeviceAdvertisement(data: [], scanResponse: []) }
    var nextDeadline: HostInstant? { nil }

    mutating func start(database: GATT.Database, at now: HostInstant) {}
    mutating func receive(_ input: DeviceInput, at now: HostInstant) {}
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextOutput() -> DeviceOutput<UInt8>? { nil }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { [] }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {}
}
