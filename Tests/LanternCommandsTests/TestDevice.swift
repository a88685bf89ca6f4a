// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEHost
import BLESimulation
import BLEWire
import BluetoothLE
import Synchronization
import Testing

/// A device whose answers a test has laid down.
struct TestDevice: Sendable {
    /// What a device says to whoever listens.
    struct Advertisement: Sendable {
        var data: [UInt8] = [2, 1, 6]
        var scanResponse: [UInt8] = []
        var isConnectable = true
        /// How strong it is heard, in dBm.
        var rssi: Int8 = -50
    }

    /// What becomes of the rest of a long value.
    enum Rest: Sendable {
        case refused(ATT.ErrorCode)
        case silent
    }

    /// How long each of several advertisements is on the air.
    static let advertisingMilliseconds: UInt64 = 1000

    let address: BluetoothAddress
    /// What it advertises, one after the other; the last one stays.
    let advertisements: [Advertisement]
    let services: [GATT.Service]
    /// What reading and writing a handle comes to; other values cannot be read, and can be written.
    ///
    /// Handles that no service has are attributes all the same.
    let answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>]
    /// What it never answers.
    let silent: Set<AttributeHandle>
    /// With what it refuses to go on with a long value, or that it does not answer that.
    let rest: [AttributeHandle: Rest]
    /// What it sends to whoever subscribes to anything, also where nobody wants it.
    let sent: [ReceivedValue]
    /// The request at which it ends the link, by its opcode.
    let hangsUpAt: UInt8?
    /// What was asked of it.
    let log = Log()

    init(
        _ address: BluetoothAddress, advertising advertisements: [Advertisement] = [Advertisement()],
        services: [GATT.Service] = [], answers: [AttributeHandle: Result<[UInt8], ATT.ErrorCode>] = [:],
        silent: Set<AttributeHandle> = [], rest: [AttributeHandle: Rest] = [:], sent: [ReceivedValue] = [],
        hangsUpAt: UInt8? = nil
    ) {
        self.address = address
        self.advertisements = advertisements
        self.services = services
        self.answers = answers
        self.silent = silent
        self.rest = rest
        self.sent = sent
        self.hangsUpAt = hangsUpAt
    }

    /// What was asked of a device.
    final class Log: Sendable {
        private let notes = Mutex<[String]>([])

        var entries: [String] { notes.withLock { $0 } }

        func note(_ entry: String) { notes.withLock { $0.append(entry) } }
    }

    /// Its attributes, at the handles that the services say.
    fileprivate var database: GATT.Database {
        var attributes = services.flatMap(Self.attributes)
        let known = Set(attributes.map(\.handle))
        for handle in answers.keys where !known.contains(handle) {
            attributes.append(
                .init(handle: handle, type: BluetoothUUID(0xFFFE), content: .value(.read, .delegated)))
        }
        return GATT.Database(attributes: attributes.sorted { $0.handle < $1.handle })
    }

    private static func attributes(of service: GATT.Service) -> [GATT.Database.Attribute] {
        typealias Kind = GATT.AttributeType
        var attributes = [
            GATT.Database.Attribute(
                handle: service.handle, type: service.isPrimary ? Kind.primaryService : Kind.secondaryService,
                content: .constant(service.uuid.wireOctets), groupEnd: service.endHandle)
        ]
        for include in service.includes {
            let range = include.startHandle.wireOctets + include.endHandle.wireOctets
            let uuid = include.uuid.wireOctets
            attributes.append(
                .init(
                    handle: include.handle, type: Kind.include,
                    content: .constant(range + (uuid.count == 2 ? uuid : []))))
        }
        for characteristic in service.characteristics {
            let (value, properties) = (characteristic.valueHandle, characteristic.properties)
            attributes.append(
                .init(
                    handle: characteristic.handle, type: Kind.characteristic,
                    content: .constant(
                        [properties.rawValue] + value.wireOctets + characteristic.uuid.wireOctets)))
            attributes.append(
                .init(
                    handle: value, type: characteristic.uuid,
                    content: .value(properties.union([.write, .writeWithoutResponse]), .delegated)))
            for descriptor in characteristic.descriptors {
                let isSwitch = descriptor.uuid == Kind.clientConfiguration
                attributes.append(
                    .init(
                        handle: descriptor.handle, type: descriptor.uuid,
                        content: isSwitch
                            ? .clientConfiguration(value, properties) : .value([.read, .write], .delegated)))
            }
        }
        return attributes
    }
}

/// A device on a host and controller of its own.
final class ScriptedHost: SimulatedHost {
    let kind = "test"
    let controller: VirtualAir.ControllerConfiguration
    private let device: TestDevice
    private var stack: HostStack
    private var octets = FIFO<[UInt8]>()
    /// Which of its advertisements is on the air, and when the next one is.
    private var advertising = (index: 0, until: HostInstant?.none)
    /// What the controller calls the link.
    private var link: [UInt8] = [0, 0]
    /// What the host calls it.
    private var linkID: LinkID?
    /// Values that were asked for over the link.
    private var begun: Set<AttributeHandle> = []

    init(_ device: TestDevice) {
        self.device = device
        var controller = VirtualAir.ControllerConfiguration(address: BluetoothAddress(0, kind: .public))
        // The air takes 40 dB from what is a metre away or nearer.
        controller.txPower = (device.advertisements.first?.rssi ?? -50) + 40
        self.controller = controller
        stack = HostStack(HostConfiguration(maximumMTU: 185, randomAddress: device.address))
    }

    var nextDeadline: HostInstant? { .earliest(stack.nextDeadline, advertising.until) }

    func start(at now: HostInstant) {
        stack.start(at: now)
        drain(at: now)
    }

    func receive(_ octets: [UInt8], at now: HostInstant) {
        // LE Connection Complete, or LE Enhanced Connection Complete.
        if octets.starts(with: [0x04, 0x3E]), [0x01, 0x0A].contains(octets[3]) {
            link = Array(octets[5...6])
        }
        // Packet type, handle, two lengths; then the channel, which is that of ATT, and the opcode.
        if let opcode = device.hangsUpAt, let linkID, octets.first == 0x02,
            octets.dropFirst(7).starts(with: [0x04, 0x00, opcode])
        {
            stack.disconnect(linkID, at: now)
        } else {
            stack.receive(octets, at: now)
        }
        drain(at: now)
    }

    func deadlineReached(at now: HostInstant) {
        if let next = advertising.until, next <= now {
            advertising.index += 1
            advertise(at: now)
        }
        if let deadline = stack.nextDeadline, deadline <= now { stack.deadlineReached(at: now) }
        drain(at: now)
    }

    func nextOutput() -> [UInt8]? { octets.popFirst() }

    private func advertise(at now: HostInstant) {
        let isLast = advertising.index + 1 >= device.advertisements.count
        advertising.until =
            isLast ? nil : now.advanced(byMilliseconds: TestDevice.advertisingMilliseconds)
        let shown = device.advertisements[advertising.index]
        stack.startAdvertising(
            AdvertisingParameters(
                data: shown.data, scanResponse: shown.scanResponse, isConnectable: shown.isConnectable),
            at: now)
    }

    private func drain(at now: HostInstant) {
        var isSubscribed = false
        while let output = stack.nextOutput() {
            switch output {
            case .send(let packet): octets.append(packet)
            case .event(.subscribed(_, let handle, let subscription)):
                device.log.note("subscribe \(subscription.rawValue) of \(handle.rawValue)")
                isSubscribed = isSubscribed || !subscription.isEmpty
            case .event(let event): handle(event, at: now)
            }
        }
        if isSubscribed { for value in device.sent { send(value) } }
    }

    private func handle(_ event: HostStack.Event, at now: HostInstant) {
        switch event {
        case .ready:
            let isOffered = stack.offer(database: device.database)
            #expect(isOffered)
            if !device.advertisements.isEmpty { advertise(at: now) }
        case .readRequested(let link, let handle):
            device.log.note("read \(handle.rawValue)")
            guard !device.silent.contains(handle) else { return }
            let isFirst = begun.insert(handle).inserted
            switch device.rest[handle] {
            case .refused(let code)? where !isFirst: stack.answer(.failure(code), on: link, at: now)
            case .silent? where !isFirst: break
            default: stack.answer(device.answers[handle] ?? .failure(.readNotPermitted), on: link, at: now)
            }
        case .writeRequested(let link, let handle, let value, let isAnswered):
            device.log.note("\(isAnswered ? "write" : "send") \(value.hexadecimal) to \(handle.rawValue)")
            guard isAnswered, !device.silent.contains(handle) else { return }
            stack.answer(device.answers[handle] ?? .success([]), on: link, at: now)
        case .connected(let id, _, _): linkID = id
        case .disconnected:
            (begun, linkID) = ([], nil)
            device.log.note("disconnect")
        default: break
        }
    }

    /// Sends a value past the host, which would keep to what was subscribed to.
    private func send(_ value: ReceivedValue) {
        let opcode: UInt8 = value.kind == .notify ? 0x1B : 0x1D
        let pdu = [opcode] + value.handle.wireOctets + value.value
        func length(_ count: Int) -> [UInt8] { [UInt8(count & 0xFF), UInt8(count >> 8)] }
        octets.append([0x02] + link + length(pdu.count + 4) + length(pdu.count) + [0x04, 0x00] + pdu)
    }
}

extension BluetoothUUID {
    /// The shortest form that ATT knows.
    fileprivate var wireOctets: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        encodeAttributeType(into: &writer)
        return writer.octets
    }
}

extension AttributeHandle {
    fileprivate var wireOctets: [UInt8] { [UInt8(rawValue & 0xFF), UInt8(rawValue >> 8)] }
}
