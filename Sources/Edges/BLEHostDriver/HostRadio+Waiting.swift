// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
import BLEL2CAP
import BLESMP
import BLEWire
import BluetoothLE

/// What a task may wait for.
enum WaitKey: Hashable, Sendable {
    /// Start-up.
    case ready
    /// That the host has left the air; it goes on when it takes too long.
    case stopped
    /// That the server's links are gone and nothing is advertised.
    case servingStopped
    /// That the controller has taken up what is to be advertised.
    case advertising
    /// That the change of advertising before is over.
    case advertisingTurn
    /// That this side has another address.
    case address
    /// An attempt to open a link, by number.
    case connect(Int)
    case operation(LinkID, GATT.OperationID)
    case procedure(LinkID, LinkProcedure.ID)
    /// The end of pairing.
    case pairing(LinkID)
    /// That a link is encrypted with kept keys, or cannot be.
    case encryption(LinkID)
    /// Whether somebody lets this side begin to pair.
    case consent(LinkID)
    /// The opening of a channel.
    case channel(ChannelKey)
    /// That something could be sent, by number.
    case sent(SendLine, Int)

    /// The link without which it cannot come.
    var link: LinkID? {
        switch self {
        case .ready, .stopped, .servingStopped, .advertising, .advertisingTurn, .address, .connect: nil
        case .operation(let link, _), .procedure(let link, _), .pairing(let link), .encryption(let link),
            .consent(let link):
            link
        case .channel(let key): key.link
        case .sent(let line, _): line.link
        }
    }
}

/// What a task has waited for.
enum WaitResult: Sendable {
    case nothing
    case ready(ControllerInformation)
    case connection(HostConnection)
    case answer(GATT.Answer)
    case procedure(Result<LinkProcedure.Answer, LinkProcedure.Failure>)
    case channel(HostChannel)
    case security(SMP.Security)
    case consent(Bool)
    case wasSent(Bool)
}

/// What a task has begun.
enum WaitStart {
    /// Something that is to be waited for.
    case waiting(WaitKey)
    /// Something that is over already, or cannot be begun.
    case over(Waiters<WaitKey, WaitResult>.Outcome)

    /// There is nothing to wait for.
    static let nothing = WaitStart.over(.success(.nothing))
}

/// Those who send through the same thing go in turn.
enum SendLine: Hashable, Sendable {
    case link(LinkID)
    case channel(ChannelKey)

    var link: LinkID {
        switch self {
        case .link(let link): link
        case .channel(let key): key.link
        }
    }
}

/// Something that goes out when there is room for it.
enum Sending: Sendable {
    case command(AttributeHandle, [UInt8])
    case value(AttributeHandle, [UInt8], GATT.ValueKind)
    case sdu([UInt8])
}

extension HostRadio {
    /// Begins something and waits for what comes of it.
    ///
    /// What is begun and the waiting for it are one step on the loop: an actor's method may be left at any `await`, and what
    /// comes meanwhile would find nobody who waits. A task that is on the loop already waits where it is: each change of
    /// executors would be a job more.
    ///
    /// - Parameters:
    ///   - isolation: The caller's.
    ///   - begin: Tells the stack what to do; not called when the task is cancelled already.
    /// - Returns: What came of it.
    /// - Throws: Why it does not come; ``BluetoothError/cancelled`` when the task is cancelled.
    func wait(
        isolation: isolated (any Actor)? = #isolation, _ begin: @escaping Begin
    ) async throws(BluetoothError) -> WaitResult {
        loop.isCurrent ? try await waitHere(begin) : try await waitOnLoop(begin)
    }

    typealias Begin = @Sendable (isolated HostRadio) -> WaitStart

    private func waitOnLoop(_ begin: @escaping Begin) async throws(BluetoothError) -> WaitResult {
        try await waitHere(begin)
    }

    private func waitHere(
        isolation: isolated (any Actor)? = #isolation, _ begin: @escaping Begin
    ) async throws(BluetoothError) -> WaitResult {
        let id = onLoop(()) { radio, _ in radio.waiters.makeID() }
        let request = OrderedRequest.current
        request?.begin()
        let outcome = await withTaskCancellationHandler {
            // Named, so that the closure stays where the caller is.
            await withCheckedContinuation(isolation: isolation) {
                (continuation: Waiters<WaitKey, WaitResult>.Continuation) in
                guard !Task.isCancelled else {
                    continuation.resume(returning: .failure(.cancelled))
                    return
                }
                onLoop((continuation, begin, id, request)) { radio, waiter in
                    switch waiter.1(radio) {
                    case .waiting(let key): radio.waiters.add(waiter.0, key, waiter.2, for: waiter.3)
                    case .over(let outcome): waiter.0.resume(returning: outcome)
                    }
                    radio.drain()
                }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.cancelled(id) } }
        }
        return try outcome.get()
    }

    private func cancelled(_ id: UInt64) {
        guard let key = waiters.key(of: id) else { return }
        switch key {
        case .connect(let number): giveUpConnecting(number)
        case .channel(let key): stack.closeChannel(key.token, on: key.link, at: loop.now)
        // Others who wait for the same pairing hear that it was given up.
        case .pairing(let link): stack.answer(.reject, pairingOn: link, at: loop.now)
        default: break
        }
        if !key.outlivesCancellation { waiters.cancel(key, id) }
        drain()
    }

    /// Sends something as soon as there is room, after those who came before.
    nonisolated(nonsending) func send(
        _ sending: Sending, on line: SendLine
    ) async throws(BluetoothError) -> WaitResult {
        // Nearly always there is room, and nothing to wait for.
        if let outcome = sendAtOnce(sending, on: line) { return try outcome.get() }
        return try await wait { radio in
            if let outcome = radio.attemptFirst(sending, on: line) { return .over(outcome) }
            radio.lastNumber += 1
            radio.sendLines[line, default: FIFO()].append((radio.lastNumber, sending))
            return .waiting(.sent(line, radio.lastNumber))
        }
    }

    /// Sends something now if there is room, nobody waits before and the caller is on the loop: there it costs no
    /// change of executors.
    ///
    /// - Returns: What came of it; `nil` when it was not sent.
    private nonisolated func sendAtOnce(
        _ sending: Sending, on line: SendLine
    ) -> Waiters<WaitKey, WaitResult>.Outcome? {
        guard loop.isCurrent, !Task.isCancelled else { return nil }
        return onLoop((sending, line)) { radio, attempt in
            guard let outcome = radio.attemptFirst(attempt.0, on: attempt.1) else { return nil }
            radio.drain()
            return outcome
        }
    }

    /// What `assumeIsolated` does, but for the two closures that it allocates for each call.
    ///
    /// - Parameters:
    ///   - argument: What to call it with.
    ///   - body: What to call; as long as it captures nothing, nothing is allocated.
    /// - Returns: What it gives.
    @inline(__always)
    nonisolated func onLoop<Argument, Result>(
        _ argument: Argument, _ body: @escaping (isolated HostRadio, Argument) -> Result
    ) -> Result {
        precondition(loop.isCurrent, "not on the radio's loop")
        // In debug builds the runtime is asked as well.
        assertIsolated("not isolated to the radio")
        // Safe: as in the standard library, who is isolated differs in the type alone.
        let body = unsafe unsafeBitCast(body, to: ((HostRadio, Argument) -> Result).self)
        return body(self, argument)
    }

    /// Sends what waits, as long as there is room.
    func advance(_ line: SendLine) {
        while let (number, sending) = sendLines[line]?.first {
            let key = WaitKey.sent(line, number)
            // Whoever was cancelled does not send any more.
            if waiters.isAwaited(key) {
                guard let outcome = attempt(sending, on: line) else { return }
                waiters.resume(key, outcome)
            }
            _ = sendLines[line]?.popFirst()
        }
        sendLines[line] = nil
    }

    private func attemptFirst(_ sending: Sending, on line: SendLine) -> Waiters<WaitKey, WaitResult>.Outcome?
    {
        sendLines[line] == nil ? attempt(sending, on: line) : nil
    }

    /// Sends something now.
    ///
    /// - Returns: What came of it; `nil` when there is no room.
    private func attempt(_ sending: Sending, on line: SendLine) -> Waiters<WaitKey, WaitResult>.Outcome? {
        let now = loop.now
        switch (sending, line) {
        case (.command(let handle, let value), .link(let link)):
            guard stack.hasRoom(link) else { return nil }
            guard stack.perform(.writeWithoutResponse(handle, value), on: link, at: now) != nil else {
                return .failure(.disconnected(.closedByUs))
            }
            return .success(.nothing)
        case (.value(let handle, let value, let kind), .link(let link)):
            guard stack.hasRoom(link) else { return nil }
            return .success(.wasSent(stack.send(value, of: handle, as: kind, on: link, at: now)))
        case (.sdu(let sdu), .channel(let key)):
            switch stack.send(sdu, through: key.token, on: key.link, at: now) {
            case .accepted: return .success(.wasSent(true))
            // Closed by us, it may take a while until it is closed; whoever sends waits for that.
            case .notOpen, .tooLong: return .success(.wasSent(false))
            case .full: return nil
            }
        default: return .success(.wasSent(false))
        }
    }

    /// Everybody who waits for something of a link has waited in vain.
    func failWaiters(on link: LinkID, _ failure: LinkError) {
        if !sendLines.isEmpty { sendLines = sendLines.filter { $0.key.link != link } }
        waiters.fail(.disconnected(failure)) { $0.link == link }
    }
}

extension WaitKey {
    /// Whether the stack is asked to give it up and says when it has.
    var outlivesCancellation: Bool {
        if case .connect = self { true } else { false }
    }
}
