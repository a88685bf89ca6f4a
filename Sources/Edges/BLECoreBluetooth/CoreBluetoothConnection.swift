// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
import CoreBluetooth
import Foundation

/// A link that Core Bluetooth keeps.
///
/// Unchecked: everything but what is `nonisolated` happens on the radio's queue.
final class CoreBluetoothConnection: ConnectionBackend, @unchecked Sendable {
    /// What somebody may wait for: each callback answers the one who has waited for it longest.
    enum Question: Hashable {
        case services
        case strength
        case includes(ObjectIdentifier)
        case inside(ObjectIdentifier)
        case read(ObjectIdentifier)
        case write(ObjectIdentifier)
        case subscription(ObjectIdentifier)

        /// What it is about; without that it cannot be answered.
        var object: ObjectIdentifier? {
            switch self {
            case .services, .strength: nil
            case .includes(let object), .inside(let object), .read(let object), .write(let object),
                .subscription(let object):
                object
            }
        }
    }

    enum Answer: Sendable {
        case done
        case value([UInt8])
        case strength(Int8)
    }

    /// Requests that may wait for the device.
    private static let questionLimit = 256
    /// Values that may wait for a consumer: Core Bluetooth cannot be held up.
    private static let valueLimit = 4096

    let peer: Peer
    let state: LinkState
    let peripheral: CBPeripheral
    let radio: CoreBluetoothRadio
    // The peripheral holds it weakly.
    private var delegate: LinkDelegate?
    private(set) var isClosing = false
    var handles = MadeUpHandles()
    private var waiting: [Question: FIFO<Waiter<Answer>>] = [:]
    private var waitingCount = 0
    /// Those who wait for room for a write without response.
    private var waitingForRoom: [Waiter<Void>] = []
    private var hasSent = false

    init(_ radio: CoreBluetoothRadio, _ peripheral: CBPeripheral) {
        self.radio = radio
        self.peripheral = peripheral
        peer = Peer(peripheral)
        state = LinkState(mtu: peripheral.maximumWriteValueLength(for: .withoutResponse) + 3)
        let delegate = LinkDelegate(self)
        self.delegate = delegate
        peripheral.delegate = delegate
    }

    nonisolated var executor: (any TaskExecutor)? { radio.queue }
    nonisolated var clock: any RadioClock { radio.clock }

    // MARK: Asking

    /// Has the queue ask for something, and waits for the answer.
    func ask(
        _ begin: @escaping @Sendable (CoreBluetoothConnection) throws(BluetoothError) -> Question
    ) async throws(BluetoothError) -> Answer {
        let waiter = Waiter<Answer>()
        return try await radio.queue.wait(for: waiter) { [self] in
            do throws(BluetoothError) {
                try checkIsOpen()
                guard waitingCount < Self.questionLimit else { throw .tooManyRequests }
                let question = try begin(self)
                waiting[question, default: FIFO()].append(waiter)
                waitingCount += 1
            } catch {
                waiter.end(.failure(error))
            }
        }
    }

    /// Does something on the queue.
    func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (CoreBluetoothConnection) throws(BluetoothError) -> Value
    ) async throws(BluetoothError) -> Value {
        let waiter = Waiter<Value>()
        return try await radio.queue.wait(for: waiter) { [self] in
            do throws(BluetoothError) { waiter.end(.success(try body(self))) } catch {
                waiter.end(.failure(error))
            }
        }
    }

    private func checkIsOpen() throws(BluetoothError) {
        if let reason = state.ending.reason { throw .disconnected(reason) }
    }

    /// Handles a callback.
    ///
    /// - Returns: Whether somebody has asked; they may have been cancelled since.
    @discardableResult
    func answered(_ question: Question, _ error: (any Error)?, _ answer: Answer = .done) -> Bool {
        refreshMTU()
        guard let waiter = waiting[question]?.first else { return false }
        if let error {
            // The end of the link tells those who wait why.
            guard let failure = BluetoothError(request: error) else { return true }
            waiter.end(.failure(failure))
        } else {
            waiter.end(.success(answer))
        }
        take(question)
        return true
    }

    private func take(_ question: Question) {
        _ = waiting[question]?.popFirst()
        waitingCount -= 1
        if waiting[question]?.isEmpty == true { waiting[question] = nil }
    }

    private func refreshMTU() {
        let mtu = peripheral.maximumWriteValueLength(for: .withoutResponse) + 3
        guard mtu != state.mtu, peripheral.state == .connected else { return }
        var wakeUps = StreamWakeUps()
        state.apply(.mtu(mtu), &wakeUps)
        wakeUps.wake()
    }

    // MARK: Room

    /// Sends a write without response.
    ///
    /// - Returns: Whether there was room for it.
    func send(_ value: [UInt8], to characteristic: CBCharacteristic) -> Bool {
        // Before the first of them some systems say that there is no room, and never that there is.
        guard !hasSent || peripheral.canSendWriteWithoutResponse else { return false }
        hasSent = true
        peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
        return true
    }

    /// Waits until there is room for a write without response.
    func waitForRoom() async throws(BluetoothError) {
        let waiter = Waiter<Void>()
        try await radio.queue.wait(for: waiter) { [self] in
            if let reason = state.ending.reason {
                waiter.end(.failure(.disconnected(reason)))
            } else if peripheral.canSendWriteWithoutResponse {
                waiter.end(.success(()))
            } else {
                waitingForRoom.removeAll(where: \.isOver)
                waitingForRoom.append(waiter)
            }
        }
    }

    func hasRoom() {
        let waiters = waitingForRoom
        waitingForRoom = []
        for waiter in waiters { waiter.end(.success(())) }
    }

    // MARK: What comes by itself

    /// A value was read, or the device has sent one: Core Bluetooth calls back the same way for both.
    ///
    /// While somebody reads this characteristic, the next value or error is taken for the answer; all else was sent by the device. A
    /// value that the device sends while a read of the same characteristic waits may so be taken for its answer, and the answer that
    /// follows for a value that was sent: both have come from the device, none is lost or doubled, and they keep their order.
    func updated(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
        let octets = Array(characteristic.value ?? Data())
        guard !answered(.read(ObjectIdentifier(characteristic)), error, .value(octets)) else { return }
        guard error == nil, let handle = handles.handle(of: characteristic) else { return }
        var values = FIFO<ReceivedValue>()
        let kind: GATT.ValueKind = characteristic.properties.contains(.notify) ? .notify : .indicate
        values.append(ReceivedValue(handle: handle, value: octets, kind: kind))
        var wakeUps = StreamWakeUps()
        _ = state.deliver(&values, of: handle, &wakeUps)
        wakeUps.wake()
        guard state.waitingValues > Self.valueLimit else { return }
        radio.onQueue { $0.cut(self, .consumerTooSlow) }
    }

    /// Services are not what they were.
    func modified(_ services: [CBService]) {
        let (ranges, objects) = handles.forget(services)
        for question in waiting.keys where question.object.map({ objects.contains($0) }) == true {
            end(question, .servicesChanged)
        }
        var wakeUps = StreamWakeUps()
        for range in ranges { state.servicesChanged(range, &wakeUps) }
        wakeUps.wake()
    }

    private func end(_ question: Question, _ error: BluetoothError) {
        while let waiter = waiting[question]?.first {
            waiter.end(.failure(error))
            take(question)
        }
    }

    // MARK: The end

    func disconnect() async {
        beginClosing()
        _ = try? await state.ending.wait()
    }

    /// Closes the link.
    ///
    /// - Parameter limit: How long the system may take.
    func disconnect(within limit: Duration) async {
        let deadline = clock.now + limit
        let countdown = Task(executorPreference: radio.queue) { [self] in
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            radio.queue.perform { [self] in radio.onQueue { $0.cut(self, .closedByUs) } }
        }
        await disconnect()
        countdown.cancel()
    }

    private func beginClosing() {
        radio.queue.perform { [self] in
            guard state.ending.reason == nil, !isClosing else { return }
            isClosing = true
            radio.onQueue { $0.cancel(self) }
        }
    }

    /// The link is gone.
    func ended(_ failure: LinkError) {
        let failure = isClosing && failure != .radioLost ? .closedByUs : failure
        state.end(failure)
        for question in waiting.keys { end(question, .disconnected(failure)) }
        let waiters = waitingForRoom
        waitingForRoom = []
        for waiter in waiters { waiter.end(.failure(.disconnected(failure))) }
    }
}
