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
        case channel
        case includes(ObjectIdentifier)
        case inside(ObjectIdentifier)
        case read(ObjectIdentifier)
        case write(ObjectIdentifier)
        case subscription(ObjectIdentifier)

        /// Whether it goes to the device in line with others.
        var isOfDevice: Bool { self != .strength && self != .channel }

        /// What it is about; without that it cannot be answered.
        var object: ObjectIdentifier? {
            switch self {
            case .services, .strength, .channel: nil
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
        case channel(CoreBluetoothChannel)
    }

    /// Who has asked.
    enum Asker {
        case waiter(Waiter<Answer>)
        /// Nobody: the answer shows that those to what was asked before have come.
        case mark
    }

    /// Requests that may wait for the device.
    private static let questionLimit = 256

    let peer: Peer
    let state: LinkState
    let peripheral: CBPeripheral
    let radio: CoreBluetoothRadio
    // The peripheral holds it weakly.
    private var delegate: LinkDelegate?
    private(set) var isClosing = false
    var handles = MadeUpHandles()
    private var waiting: [Question: FIFO<Asker>] = [:]
    private var waitingCount = 0
    var values = ArrivingValues()
    /// Values of what was switched on before the app was started again, until somebody wants them.
    private var unclaimed: [AttributeHandle: FIFO<ReceivedValue>] = [:]
    /// Those who wait for room for a write without response.
    private var waitingForRoom: [Waiter<Void>] = []
    private var hasSent = false
    /// Channels that are open, and some that were.
    var channels: [CoreBluetoothChannel] = []

    init(_ radio: CoreBluetoothRadio, _ peripheral: CBPeripheral) {
        self.radio = radio
        self.peripheral = peripheral
        peer = Peer(peripheral)
        state = LinkState(mtu: peripheral.maximumWriteValueLength(for: .withoutResponse) + 3)
        let delegate = LinkDelegate(self)
        self.delegate = delegate
        peripheral.delegate = delegate
    }

    /// Goes on with a link that the system has kept.
    convenience init(_ radio: CoreBluetoothRadio, restoring peripheral: CBPeripheral) {
        self.init(radio, peripheral)
        let services = peripheral.services ?? []
        _ = handles.layOut(services)
        for one in services.flatMap({ $0.characteristics ?? [] }) where one.isNotifying {
            if let handle = handles.handle(of: one) { unclaimed[handle] = FIFO() }
        }
    }

    nonisolated var executor: (any TaskExecutor)? { radio.queue }
    nonisolated var clock: any RadioClock { radio.clock }

    // MARK: Asking

    /// Has the queue ask for something, and waits for the answer.
    func ask(
        _ begin: @escaping @Sendable (CoreBluetoothConnection) throws(BluetoothError) -> Question
    ) async throws(BluetoothError) -> Answer {
        try await ask { (link, waiter) throws(BluetoothError) in
            link.wait(waiter, for: try begin(link))
        }
    }

    /// Has the queue ask for something that a waiter is registered for, and waits for the answer.
    func ask(
        _ begin: @escaping @Sendable (CoreBluetoothConnection, Waiter<Answer>) throws(BluetoothError) -> Void
    ) async throws(BluetoothError) -> Answer {
        let waiter = Waiter<Answer>()
        return try await radio.queue.wait(for: waiter) { [self] in
            do throws(BluetoothError) {
                try checkIsOpen()
                guard waitingCount + values.reads.count < Self.questionLimit else { throw .tooManyRequests }
                try begin(self, waiter)
            } catch {
                waiter.end(.failure(error))
            }
        }
    }

    func wait(_ waiter: Waiter<Answer>, for question: Question) {
        waiting[question, default: FIFO()].append(.waiter(waiter))
        waitingCount += 1
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
        guard let asker = waiting[question]?.first else { return false }
        guard case .waiter(let waiter) = asker else {
            take(question)
            deliver(values.marked())
            return true
        }
        // An answer to what was asked before the reads that are marked.
        if question.isOfDevice { deliver(values.release()) }
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

    /// Whether the one who has waited longest for an answer still does.
    func isAwaited(_ question: Question) -> Bool {
        if case .waiter(let waiter)? = waiting[question]?.first { !waiter.isOver } else { false }
    }

    /// Waits for the answer to a read of a value that the device sends by itself, too, of which the switch is read after it.
    func wait(_ waiter: Waiter<Answer>, forMarked characteristic: CBCharacteristic, _ mark: CBDescriptor) {
        values.reads.append(.init(ObjectIdentifier(characteristic), waiter))
        waiting[.read(ObjectIdentifier(mark)), default: FIFO()].append(.mark)
        waitingCount += 1
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

    /// A value was read, or the device has sent one, which ``ArrivingValues`` tells apart.
    func updated(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
        let octets = Array(characteristic.value ?? Data())
        let object = ObjectIdentifier(characteristic)
        if let error {
            // Only a read fails.
            if let read = values.failed(object) {
                deliver(values.release())
                if let failure = BluetoothError(request: error) { read.end(.failure(failure)) }
            } else {
                answered(.read(object), error)
            }
            return
        }
        let value = handles.handle(of: characteristic).map { handle in
            let kind: GATT.ValueKind = characteristic.properties.contains(.notify) ? .notify : .indicate
            return ReceivedValue(handle: handle, value: octets, kind: kind)
        }
        if let value, values.mayAnswer(object) { return deliver(values.hold(value)) }
        guard !answered(.read(object), nil, .value(octets)), let value else { return }
        deliver(values.add(value))
    }

    /// Gives out what came, in its order.
    private func deliver(_ arrived: [ArrivingValues.Arrived]) {
        for one in arrived {
            switch one {
            case .sent(let value):
                if unclaimed[value.handle] == nil {
                    var values = FIFO<ReceivedValue>()
                    values.append(value)
                    give(&values, of: value.handle)
                } else {
                    unclaimed[value.handle]?.append(value, atMost: ArrivingValues.limit)
                }
            case .read(let value, let waiter): waiter.end(.success(.value(value.value)))
            }
        }
        guard !arrived.isEmpty, state.ending.reason == nil, state.waitingValues > ArrivingValues.limit else {
            return
        }
        radio.onQueue { $0.cut(self, .consumerTooSlow) }
    }

    private func give(_ values: inout FIFO<ReceivedValue>, of handle: AttributeHandle) {
        var wakeUps = StreamWakeUps()
        _ = state.deliver(&values, of: handle, &wakeUps)
        wakeUps.wake()
    }

    /// Somebody has said whether a characteristic's values are wanted: what has come of them before the app ran is given out.
    func claim(_ handle: AttributeHandle, isWanted: Bool) {
        guard var values = unclaimed.removeValue(forKey: handle), isWanted, !values.isEmpty else { return }
        give(&values, of: handle)
    }

    /// Services are not what they were.
    func modified(_ services: [CBService]) {
        var (ranges, objects) = handles.forget(services)
        // Some have come, and none has gone.
        if ranges.isEmpty { ranges = [handles.unused] }
        for question in waiting.keys where question.object.map({ objects.contains($0) }) == true {
            end(question, .servicesChanged)
        }
        deliver(values.release())
        unclaimed = unclaimed.filter { one in !ranges.contains { $0.start <= one.key && one.key <= $0.end } }
        for read in values.forget(where: { objects.contains($0) }) { read.end(.failure(.servicesChanged)) }
        var wakeUps = StreamWakeUps()
        for range in ranges { state.servicesChanged(range, &wakeUps) }
        wakeUps.wake()
    }

    private func end(_ question: Question, _ error: BluetoothError) {
        while let asker = waiting[question]?.first {
            if case .waiter(let waiter) = asker { waiter.end(.failure(error)) }
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
        deliver(values.release())
        state.end(failure)
        for read in values.forget(where: { _ in true }) { read.end(.failure(.disconnected(failure))) }
        for question in waiting.keys { end(question, .disconnected(failure)) }
        let waiters = waitingForRoom
        waitingForRoom = []
        for waiter in waiters { waiter.end(.failure(.disconnected(failure))) }
        for channel in channels { channel.end(.linkLost) }
        channels = []
    }
}

extension FIFO {
    /// Puts an element at the end; beyond the limit the first is lost.
    fileprivate mutating func append(_ element: Element, atMost limit: Int) {
        append(element)
        if count > limit { _ = popFirst() }
    }
}
