// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Companion
import CompanionDevices
import Synchronization

@testable import LanternCommands

/// A radio that hears what a test gives it and has one device at most.
final class FakeRadio: RadioBackend {
    /// Heard by each scan, in this order.
    let reports: [Advertisement]
    /// Whether scans end after that, as they do when the radio is lost.
    let scansEnd: Bool
    let device: FakeConnection?
    let connectFailure: LinkFailure

    private let asked = Mutex<[Peer]>([])
    private let life = RadioStateStream.Source()

    init(
        _ reports: [Advertisement] = [], scansEnd: Bool = false, device: FakeConnection? = nil,
        connectFailure: LinkFailure = .connectTimeout
    ) {
        self.reports = reports
        self.scansEnd = scansEnd
        self.device = device
        self.connectFailure = connectFailure
        life.yield(.ready)
    }

    var radio: Radio { Radio(self) }

    /// The devices that were to be connected to.
    var connects: [Peer] { asked.withLock { $0 } }

    let clock: any RadioClock = SlowRadioClock()

    var capabilities: RadioCapabilities { [] }

    func states() -> RadioStateStream { RadioStateStream(life) }

    func start(_ scan: Scan) {
        var wakeUps = StreamWakeUps()
        var heard = FIFO<Advertisement>()
        for report in reports { heard.append(report) }
        scan.hear(&heard, &wakeUps)
        wakeUps.wake()
        if scansEnd { scan.end(.disconnected(.radioLost)) }
    }

    func stop(_ scan: Scan.ID) {}

    func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) throws(BluetoothError) -> any ConnectionBackend {
        asked.withLock { $0 += peers }
        guard let device, peers.contains(device.peer) else { throw .connectFailed(connectFailure) }
        return device
    }

    func close() {}
}

/// A clock that goes slowly: a test run that is busy with others must not let a limit of time pass.
private struct SlowRadioClock: RadioClock {
    private static let start = ContinuousClock.now
    private static let slowness: UInt64 = 60

    var now: HostInstant {
        HostInstant(microseconds: UInt64(Self.start.duration(to: .now) / .microseconds(1)) / Self.slowness)
    }

    func sleep(until deadline: HostInstant) async throws {
        try await Task.sleep(
            until: Self.start + .microseconds(Int64(deadline.microseconds) * Int64(Self.slowness)),
            clock: .continuous)
    }
}

/// A device whose answers a test has laid down.
final class FakeConnection: ConnectionBackend {
    let peer: Peer
    let state = LinkState(mtu: 185)
    let services: [GATT.Service]
    /// What reading a handle gives; others cannot be read.
    let answers: [AttributeHandle: Result<[UInt8], BluetoothError>]
    /// Sent as soon as a characteristic is subscribed to.
    let sent: [ReceivedValue]
    /// Whether the link is lost after that.
    let isLost: Bool
    /// Whether ends of subscriptions are noted; of a stream, nobody knows whether it or the link ends first.
    let notesEnds: Bool

    private let notes = Mutex<[String]>([])

    init(
        _ address: BluetoothAddress, services: [GATT.Service] = [],
        answers: [AttributeHandle: Result<[UInt8], BluetoothError>] = [:], sent: [ReceivedValue] = [],
        isLost: Bool = false, notesEnds: Bool = false
    ) {
        peer = Peer(address)
        self.services = services
        self.answers = answers
        self.sent = sent
        self.isLost = isLost
        self.notesEnds = notesEnds
    }

    var connection: Connection { Connection(self) }

    /// What was asked of the device, in order.
    var log: [String] { notes.withLock { $0 } }

    func discoverServices() -> [GATT.Service] { services }

    func read(_ handle: ValueHandle) throws(BluetoothError) -> [UInt8] {
        note("read \(handle.rawValue)")
        switch answers[handle.attribute] {
        case .success(let value)?: return value
        case .failure(let failure)?: throw failure
        case nil: throw .refused(.readNotPermitted)
        }
    }

    func write(_ value: [UInt8], to handle: ValueHandle) throws(BluetoothError) {
        note("write \(value.hexadecimal) to \(handle.rawValue)")
        if case .failure(let failure)? = answers[handle.attribute] { throw failure }
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: ValueHandle) {
        note("send \(value.hexadecimal) to \(handle.rawValue)")
    }

    func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) throws(BluetoothError) {
        guard let handle = characteristic.clientConfigurationHandle else { throw .notOffered("values") }
        guard !subscription.isEmpty || notesEnds else { return }
        note("subscribe \(subscription.rawValue) at \(handle.rawValue)")
        guard !subscription.isEmpty else { return }
        var wakeUps = StreamWakeUps()
        for value in sent {
            var values = FIFO<ReceivedValue>()
            values.append(value)
            _ = state.deliver(&values, of: value.handle, &wakeUps)
        }
        wakeUps.wake()
        if isLost { state.end(.supervisionTimeout) }
    }

    func disconnect() {
        note("disconnect")
        state.end(.closedByUs)
    }

    private func note(_ entry: String) { notes.withLock { $0.append(entry) } }
}

extension ReceivedValue {
    /// What a handle has sent.
    init(handle: UInt16, value: [UInt8], kind: GATT.ValueKind) {
        self.init(handle: ValueHandle(rawValue: handle), value: value, kind: kind)
    }
}

extension Advertisement {
    /// What is heard of an address.
    init(
        address: BluetoothAddress, rssi: Int8?, isConnectable: Bool?, isScanResponse: Bool, data: [UInt8]
    ) {
        self.init(
            peer: Peer(address), rssi: rssi, isConnectable: isConnectable, isScanResponse: isScanResponse,
            data: AdvertisingData(data))
    }
}

/// An output that keeps what is printed.
final class Recorder: Sendable {
    private let printed = Mutex<[UInt8]>([])
    private let lines: AsyncStream<Void>
    private let printedLine: AsyncStream<Void>.Continuation
    let terminal: Terminal

    init(_ terminal: Terminal = .none) {
        self.terminal = terminal
        (lines, printedLine) = AsyncStream.makeStream()
    }

    var output: Output {
        Output(terminal: self.terminal) { octets in
            self.printed.withLock { $0 += octets }
            self.printedLine.yield()
        }
    }

    var text: String { printed.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Waits until so many lines were printed.
    func wait(for count: Int) async {
        for await _ in lines where text.split(separator: "\n").count >= count { return }
    }
}

/// Each call is a second later.
final class FakeClock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)

    @Sendable func now() -> Timestamp {
        Timestamp(
            milliseconds: seconds.withLock { seconds in
                defer { seconds += 1 }
                return seconds
            } * 1000)
    }
}
