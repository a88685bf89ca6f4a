// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import HubModel
import Synchronization

@testable import LanternCommands

/// A radio that hears what a test gives it and has one device at most.
final class FakeRadio: Radio {
    /// Heard by each scan, in this order.
    let reports: [Advertisement]
    /// Whether scans end after that, as they do when the radio is lost.
    let scansEnd: Bool
    let device: FakeConnection?
    let connectFailure: LinkFailure

    private let asked = Mutex<[BluetoothAddress]>([])

    init(
        _ reports: [Advertisement] = [], scansEnd: Bool = false, device: FakeConnection? = nil,
        connectFailure: LinkFailure = .connectTimeout
    ) {
        self.reports = reports
        self.scansEnd = scansEnd
        self.device = device
        self.connectFailure = connectFailure
    }

    /// The addresses that were to be connected to.
    var connects: [BluetoothAddress] { asked.withLock { $0 } }

    func states() -> AsyncStream<RadioState> {
        // It stays ready until whoever listens is cancelled.
        AsyncStream { $0.yield(.ready) }
    }

    func scan(_ options: ScanOptions) -> ScanStream {
        let source = ScanStream.Source(limit: .max, overflow: .dropOldest)
        for report in reports { source.yield(report) }
        if scansEnd { source.finish() }
        return ScanStream(source)
    }

    func connect(to address: BluetoothAddress, _ options: ConnectOptions) throws(BluetoothError)
        -> Connection
    {
        asked.withLock { $0.append(address) }
        guard let device, device.address == address else { throw .link(connectFailure) }
        return device
    }

    func serve(_ server: ServerDescription) throws(BluetoothError) -> Server {
        throw .invalidArgument("not here")
    }

    func close() {}
}

/// A device whose answers a test has laid down.
final class FakeConnection: Connection {
    let address: BluetoothAddress
    let services: [GATT.Service]
    /// What reading a handle gives; others cannot be read.
    let answers: [AttributeHandle: Result<[UInt8], RequestFailure>]
    /// Sent as soon as a characteristic is subscribed to.
    let sent: [ReceivedValue]
    /// Whether the link is lost after that.
    let isLost: Bool

    private struct State {
        var log: [String] = []
        var values: ValueStream.Source?
    }
    private let state = Mutex(State())

    init(
        _ address: BluetoothAddress, services: [GATT.Service] = [],
        answers: [AttributeHandle: Result<[UInt8], RequestFailure>] = [:], sent: [ReceivedValue] = [],
        isLost: Bool = false
    ) {
        self.address = address
        self.services = services
        self.answers = answers
        self.sent = sent
        self.isLost = isLost
    }

    /// What was asked of the device, in order.
    var log: [String] { state.withLock { $0.log } }

    let mtu = 185

    func discover() -> [GATT.Service] { services }

    func read(_ handle: AttributeHandle) throws(BluetoothError) -> [UInt8] {
        note("read \(handle.rawValue)")
        switch answers[handle] {
        case .success(let value)?: return value
        case .failure(let failure)?: throw .request(failure)
        case nil: throw .request(.refused(.readNotPermitted))
        }
    }

    func write(_ value: [UInt8], to handle: AttributeHandle) throws(BluetoothError) {
        note("write \(value.hexadecimal) to \(handle.rawValue)")
        if case .failure(let failure)? = answers[handle] { throw .request(failure) }
    }

    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) {
        note("send \(value.hexadecimal) to \(handle.rawValue)")
    }

    func values() -> ValueStream {
        let source = ValueStream.Source(limit: .max, overflow: .refuse)
        state.withLock { $0.values = source }
        return ValueStream(source)
    }

    func subscribe(_ subscription: GATT.Subscription, to characteristic: GATT.Characteristic)
        throws(BluetoothError)
    {
        guard let handle = characteristic.clientConfigurationHandle else { throw .request(.unsupported) }
        note("subscribe \(subscription.rawValue) at \(handle.rawValue)")
        let values = state.withLock { $0.values }
        for value in sent { values?.yield(value) }
        if isLost { values?.finish() }
    }

    func disconnect() {
        note("disconnect")
        state.withLock { $0.values }?.finish()
    }

    func disconnected() -> LinkFailure { .supervisionTimeout }

    private func note(_ entry: String) { state.withLock { $0.log.append(entry) } }
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
