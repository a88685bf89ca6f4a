// SPDX-License-Identifier: Apache-2.0

import BLEATT
package import BLEGATT
package import BLEWire

/// A session that runs on a clock of its own.
private protocol TimedFuzzCase: ~Copyable {
    var now: HostInstant { get set }
    var nextDeadline: HostInstant? { get }

    mutating func deadlineReached()
    mutating func drain() throws(Broken)
}

extension TimedFuzzCase where Self: ~Copyable {
    /// Lets seconds go by, with every deadline on the way.
    mutating func wait(_ seconds: UInt64) throws(Broken) {
        let end = now.advanced(bySeconds: seconds)
        var deadlines = 0
        while let deadline = nextDeadline, deadline <= end {
            deadlines += 1
            try check(deadlines < 1000, "deadlines do not follow each other without end")
            now = max(now, deadline)
            deadlineReached()
            try drain()
        }
        now = end
    }
}

/// A client session for Wi-Fi settings, and whatever a device may send it.
package struct ProvisioningClientFuzzCase<Client: ClientSession & ~Copyable>: ~Copyable, TimedFuzzCase {
    package var client: Client
    /// How often the client was given settings.
    package var tries = 0
    package fileprivate(set) var now = HostInstant.zero
    private let services: [GATT.Service]
    private let isOutcome: (Client.Event) -> Bool
    private let trace: FuzzTrace
    private var open: [UInt32] = []
    private var outcomes = 0
    private var isFinished = false
    private let peer = Peer(BluetoothAddress(1, kind: .random))

    /// Connects a client to a device whose values have the handles 3, 6, 9 and so on.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - service: The service that it looks for.
    ///   - characteristics: What the service has.
    ///   - trace: Takes what the client writes.
    ///   - isOutcome: Whether an event says what came of a try.
    package init(
        _ client: consuming Client, service: BluetoothUUID, characteristics: [BluetoothUUID],
        _ trace: FuzzTrace, isOutcome: @escaping (Client.Event) -> Bool
    ) {
        let found = characteristics.indices.map { index in
            let handle = AttributeHandle(rawValue: UInt16(index * 3 + 3))
            return GATT.Characteristic(
                uuid: characteristics[index], handle: handle, valueHandle: handle, endHandle: handle,
                properties: [.read, .write, .notify])
        }
        self.client = client
        self.isOutcome = isOutcome
        self.trace = trace
        services = [GATT.Service(uuid: service, handle: 1, endHandle: 20, characteristics: found)]
        self.client.receive(.radio(.ready), at: now)
        connect()
    }

    private mutating func connect() {
        let advertisement = ClientAdvertisement(peer: peer, services: services.map { $0.uuid })
        client.receive(.advertisement(advertisement), at: now)
        client.receive(.connected(peer, mtu: 23), at: now)
        client.receive(.discovered(services), at: now)
    }

    /// What happens to every client: a failed request, another MTU, a lost link, seconds that go by.
    package mutating func step(_ choice: UInt8, _ script: inout Script) throws(Broken) {
        switch choice & 15 {
        case 8: complete(.failure(choice & 0x80 == 0 ? .timeout : .refused(.unlikelyError)))
        case 12: client.receive(.mtuChanged(23 + Int(script.byte()) * 2), at: now)
        case 13:
            client.receive(.disconnected(.supervisionTimeout), at: now)
            open = []
            try wait(31)
            connect()
        default: try wait(UInt64(script.byte()))
        }
    }

    /// Lets the client hear a value, cut to pieces.
    package mutating func hear(_ octets: [UInt8], from handle: AttributeHandle, _ choice: UInt8) {
        for piece in octets.pieces(of: choice & 0x40 == 0 ? 512 : 7) {
            client.receive(.value(handle, piece, .notify), at: now)
        }
    }

    /// Answers the oldest request.
    package mutating func complete(_ result: Result<[UInt8], GATTRequestError>) {
        guard let id = open.first else { return }
        open.removeFirst()
        client.receive(.completed(id: id, result), at: now)
    }

    fileprivate var nextDeadline: HostInstant? { client.nextDeadline }

    fileprivate mutating func deadlineReached() { client.deadlineReached(at: now) }

    package mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = client.nextOutput() {
            outputs += 1
            try check(outputs < 5000, "the outputs come to an end")
            try check(!isFinished, "nothing comes after the end")
            switch output {
            case .action(.request(let id, .write(_, let piece))):
                trace.add(piece)
                try check(piece.count <= 512, "no write beyond what an attribute holds")
                open.append(id)
            case .action(.request(let id, _)): open.append(id)
            case .event(let event) where isOutcome(event):
                outcomes += 1
                trace.add(outcomes)
                try check(outcomes <= tries, "each try has one outcome at most")
            case .event: trace.add(outputs)
            case .finished: isFinished = true
            default: break
            }
        }
    }

    /// Closes the session.
    package mutating func end(_ close: (inout Client, HostInstant) -> Void) throws(Broken) {
        close(&client, now)
        client.receive(.disconnected(.closedByUs), at: now)
        try drain()
        try check(isFinished, "a session that is closed ends")
        try check(client.nextDeadline == nil, "nothing is waited for after the end")
    }
}

/// A device session that takes Wi-Fi settings, and whatever two clients may do with it.
package struct ProvisioningDeviceFuzzCase<Device: DeviceSession & ~Copyable>: ~Copyable, TimedFuzzCase {
    package var device: Device
    package let database: GATT.Database
    package fileprivate(set) var now = HostInstant.zero
    /// What the device has reported.
    package private(set) var events: [Device.Event] = []
    private let values: [BluetoothUUID]
    private let trace: FuzzTrace
    private var mtu = [23, 23]
    private let links = [LinkID(rawValue: 1), LinkID(rawValue: 2)]
    private let peer = Peer(BluetoothAddress(1, kind: .random))

    /// Starts a device and connects two clients to it.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - values: What a script reaches by 0, 1, 2 and so on.
    ///   - trace: Takes what the device sends.
    package init(_ device: consuming Device, values: [BluetoothUUID], _ trace: FuzzTrace) {
        self.trace = trace
        self.values = values
        database = GATT.Database(device.services)
        self.device = device
        self.device.start(handles: database.valueHandles, at: now)
        for link in links { self.device.receive(.connected(link, peer), at: now) }
    }

    /// The handle that a script means.
    package func handle(_ choice: UInt8) -> AttributeHandle {
        guard Int(choice) < values.count, let handle = database.valueHandle(of: values[Int(choice)]) else {
            return AttributeHandle(rawValue: UInt16(choice))
        }
        return handle
    }

    /// The client that a script means.
    package func link(_ choice: UInt8) -> LinkID { links[Int(choice >> 4 & 1)] }

    /// How much fits into one write or notification of a client, in octets.
    package func room(of link: LinkID) -> Int { mtu[Int(link.rawValue) - 1] - 3 }

    /// What happens to every device: another MTU, another client, seconds that go by.
    package mutating func step(_ choice: UInt8, _ script: inout Script) throws(Broken) {
        let link = link(choice)
        switch choice & 15 {
        case 11:
            let size = 23 + Int(script.byte()) * 2
            mtu[Int(link.rawValue) - 1] = size
            device.receive(.mtuChanged(link, size), at: now)
        case 12:
            device.receive(.disconnected(link), at: now)
            device.receive(.connected(link, peer), at: now)
            mtu[Int(link.rawValue) - 1] = 23
        default: try wait(UInt64(script.byte()))
        }
    }

    fileprivate var nextDeadline: HostInstant? { device.nextDeadline }

    fileprivate mutating func deadlineReached() { device.deadlineReached(at: now) }

    package mutating func drain() throws(Broken) {
        var outputs = 0
        while let output = device.nextOutput() {
            outputs += 1
            try check(outputs < 10_000, "the outputs come to an end")
            switch output {
            case .send(let link, _, let piece, _):
                trace.add(piece)
                try check(piece.count <= room(of: link), "a notification keeps to the MTU")
            case .event(let event): events.append(event)
            case .advertisementChanged: break
            }
        }
    }

    /// Takes both clients away.
    package mutating func end() throws(Broken) {
        for link in links { device.receive(.disconnected(link), at: now) }
        try drain()
    }
}

extension [UInt8] {
    /// These octets, cut to pieces.
    package func pieces(of length: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}
